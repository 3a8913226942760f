import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bodies, openPage, openPaused, state, tab, until } from './browser.mjs';
import { cubes } from './scenes.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/// Checks the page by axe; the dark theme differs in its colors alone.
async function checkAccess(page, where, dark) {
    // Through the debugger, since the content policy rightly refuses scripts from elsewhere.
    await page.evaluate(axe);
    const runOnly = dark
        ? { type: 'rule', values: ['color-contrast'] }
        : { type: 'tag', values: rules };
    const found = await page.evaluate(async (only) => {
        const result = await window.axe.run(document, { runOnly: only });
        return result.violations.map(
            (v) =>
                `${v.id}: ${v.nodes
                    .slice(0, 3)
                    .map((n) => n.html.slice(0, 120))
                    .join(' | ')}`,
        );
    }, runOnly);
    assert.deepEqual(found, [], where);
}

export function accessibilityTests(test) {
    for (const dark of [false, true]) {
        test(`passes the accessibility checks in ${dark ? 'dark' : 'light'}`, async ({
            browser,
            server,
        }) => {
            const page = await openPage(browser, server.address, { dark });
            await openPaused(page, cubes);
            for (const name of ['World', 'Inspect', 'Display', 'Plots', 'Events']) {
                await tab(page, name);
                await checkAccess(page, name, dark);
            }
            await page.keyboard.press('Escape');
            await page.click('[aria-label="Keyboard shortcuts"]');
            await checkAccess(page, 'help', dark);
            await page.keyboard.press('Escape');
            await page.click('[data-test="compare"]');
            await checkAccess(page, 'compare', dark);
            await page.keyboard.press('Escape');
            await page.click('[data-test="gallery"]');
            await page.waitForSelector('.card');
            await checkAccess(page, 'gallery', dark);
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

    for (const touch of [false, true]) {
        test(`keeps every control inside the window of a ${touch ? 'phone' : 'computer'}`, async ({
            browser,
            server,
        }) => {
            const page = await openPage(browser, server.address, {
                viewport: sizes(touch)[0],
                touch,
            });
            await openPaused(page, cubes);
            for (const size of sizes(touch)) {
                await page.setViewportSize(size);
                await until(page, ({ width }) => innerWidth === width, size);
                assert.deepEqual(await page.evaluate(controlsOutside), [], JSON.stringify(size));
            }
        });
    }
}

const sizes = (touch) =>
    touch
        ? [
              { width: 390, height: 844 },
              { width: 320, height: 568 },
          ]
        : [
              { width: 1280, height: 720 },
              { width: 1920, height: 500 },
              { width: 568, height: 320 },
          ];

const controlsOutside = () => {
    const outside = [...document.querySelectorAll('button, select, input, canvas')]
        .filter((e) => e.checkVisibility() && !e.closest('.tab-page'))
        .filter((e) => {
            const { left, top, right, bottom } = e.getBoundingClientRect();
            return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
        })
        .map((e) => e.getAttribute('aria-label') ?? e.textContent);
    if (document.documentElement.scrollWidth > innerWidth) outside.push('scrolls sideways');
    return outside;
};
