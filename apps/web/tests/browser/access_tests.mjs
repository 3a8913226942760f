import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bodies, openPage, openPaused, state, tab, until } from './browser.mjs';
import { cubes } from './scenes.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

async function checkAccess(page, where) {
    // Through the debugger, since the content policy rightly refuses scripts from elsewhere.
    await page.evaluate(axe);
    const found = await page.evaluate(async (tags) => {
        const result = await window.axe.run(document, { runOnly: { type: 'tag', values: tags } });
        return result.violations.map(
            (v) =>
                `${v.id}: ${v.nodes
                    .slice(0, 3)
                    .map((n) => n.html.slice(0, 120))
                    .join(' | ')}`,
        );
    }, rules);
    assert.deepEqual(found, [], where);
}

export function accessTests(test) {
    for (const dark of [false, true]) {
        test(`passes the checks of accessibility in ${dark ? 'dark' : 'light'}`, async ({
            browser,
            server,
        }) => {
            const page = await openPage(browser, server.address, { dark });
            await openPaused(page, cubes);
            for (const name of ['World', 'Inspect', 'See', 'Plots', 'Events']) {
                await tab(page, name);
                await checkAccess(page, name);
            }
            await page.keyboard.press('Escape');
            await page.click('[aria-label="Keys and help"]');
            await checkAccess(page, 'help');
            await page.keyboard.press('Escape');
            await page.click('[data-test="compare"]');
            await checkAccess(page, 'compare');
            await page.keyboard.press('Escape');
            await page.click('[data-test="gallery"]');
            await page.waitForSelector('.card');
            await checkAccess(page, 'gallery');
            assert.deepEqual(page.errors, []);
        });
    }

    test('can be used from the keyboard alone', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        if (await page.isVisible('dialog[open]')) {
            await page.keyboard.press('Escape');
            await until(page, () => document.activeElement.matches('[data-test="canvas"]'));
        }
        await page.keyboard.press('g');
        await page.waitForSelector('.card');
        await page.keyboard.type('tower');
        await until(page, () => document.querySelectorAll('.card').length < 5);
        for (let i = 0; i < 6; ++i) {
            await page.keyboard.press('Tab');
            if (await page.evaluate(() => document.activeElement.classList.contains('card'))) break;
        }
        const opened = await page.evaluate(() => window.rigor.opened());
        await page.keyboard.press('Enter');
        await until(
            page,
            (n) => window.rigor.opened() > n && window.rigor.state().step > 0,
            opened,
        );
        if ((await state(page)).running) await page.keyboard.press('Space');
        await until(page, () => !window.rigor.state().running);
        const { step } = await state(page);
        await page.keyboard.press('.');
        await until(page, (before) => window.rigor.state().step === before + 1, step);
        await page.keyboard.press('5');
        const before = (await bodies(page)).length;
        await page.focus('[data-test="canvas"]');
        await page.keyboard.press('Enter');
        await until(page, (n) => window.rigor.bodies().length > n, before);
        await page.keyboard.press('Control+z');
        await until(page, (n) => window.rigor.bodies().length === n, before);
        const view = await page.evaluate(() => window.rigor.view().azimuth);
        await page.keyboard.down('ArrowLeft');
        await until(page, (azimuth) => window.rigor.view().azimuth !== azimuth, view);
        await page.keyboard.up('ArrowLeft');
        await page.keyboard.press('?');
        await page.waitForSelector('dialog[open] .shortcut-list');
        assert.deepEqual(page.errors, []);
    });

    for (const [width, height] of [
        [1280, 720],
        [390, 844],
        [320, 568],
        [568, 320],
        [1920, 500],
    ]) {
        test(`keeps every control in sight at ${width} x ${height}`, async ({
            browser,
            server,
        }) => {
            const page = await openPage(browser, server.address, {
                viewport: { width, height },
                touch: width < 500,
            });
            await openPaused(page, cubes);
            const outside = await page.evaluate(() =>
                [...document.querySelectorAll('button, select, input, canvas')]
                    .filter((e) => e.checkVisibility() && !e.closest('.tab-page'))
                    .map((e) => [
                        e.getAttribute('aria-label') ?? e.textContent,
                        e.getBoundingClientRect(),
                    ])
                    .filter(
                        ([, r]) =>
                            r.left < -1 ||
                            r.top < -1 ||
                            r.right > innerWidth + 1 ||
                            r.bottom > innerHeight + 1,
                    )
                    .map(([name]) => name),
            );
            assert.deepEqual(outside, []);
            assert.ok(
                await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            );
        });
    }
}
