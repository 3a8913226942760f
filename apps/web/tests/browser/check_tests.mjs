import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openFilePaused, openPage, openPaused, steps, until } from './browser.mjs';
import { cubes } from './scenes.mjs';

const scenes = new URL('../../../../scenes/', import.meta.url);
const phone = { viewport: { width: 390, height: 844 }, touch: true, scale: 1 };

const status = (page) => page.getAttribute('[data-test="check-badge"]', 'data-status');
const text = (page) => page.textContent('[data-test="check-text"]');

/// Asks for a check and waits for the verdict.
async function check(page) {
    await page.$eval('[data-test="check-badge"]', (badge) => (badge.dataset.status = 'asked'));
    await page.click('[data-test="check"]');
    await until(page, () => {
        const { status } = document.querySelector('[data-test="check-badge"]').dataset;
        return status !== 'asked' && status !== 'running';
    });
    return status(page);
}

/// Opens a scene of the gallery under a method and pauses it at a step.
async function goTo(page, scene, method, step) {
    const file = JSON.parse(readFileSync(new URL(`${scene}.json`, scenes), 'utf8'));
    await page.evaluate(() => document.querySelector('dialog[open]')?.close());
    await openFilePaused(page, 'test.json', JSON.stringify({ ...file, method }));
    await page.evaluate((count) => window.rigor.stepBy(count), step);
    await until(
        page,
        (wanted) => window.rigor.state().step === wanted && !window.rigor.state().seeking,
        step,
    );
}

export function checkTests(test) {
    test('the badge shows the worst residual of the checker, and all laws', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, { ...cubes, method: 'faithful' });
        assert.equal(await text(page), 'not checked');
        assert.equal(await check(page), 'none');
        assert.match(await text(page), /^no certificate: no step was made/);
        await steps(page, 3);
        assert.equal(await check(page), 'holds');
        assert.match(
            await text(page),
            /^checked: worst residual [a-z ]+ [\d.]+(e-?\d+)? of \d\.0e-\d+, step [123]/,
        );
        await page.click('[data-test="check-text"]');
        const rows = await page.$$eval('.check-laws tbody tr', (all) =>
            all.map((row) => row.firstChild.textContent),
        );
        assert.ok(rows.includes('momentum') && rows.includes('penetration'), rows.join());
        assert.match(await page.textContent('.check-laws p'), /^3 steps under faithful, 1 to 3$/);
        assert.deepEqual(page.errors, []);
    });

    test('the badge is red with law and place where a law fails, and grey for other methods', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await goTo(page, 'bridge', 'fast', 80);
        assert.equal(await check(page), 'fails');
        assert.match(await text(page), /^fails: energy gain \d\.\de\d of 1\.0e0, step \d+/);
        await page.selectOption('[data-test="method"]', 'penalty');
        await until(page, () => document.querySelector('[data-test="method"]').value === 'penalty');
        await steps(page, 1);
        await page.focus('[data-test="canvas"]');
        await page.keyboard.press('j');
        await until(
            page,
            () => document.querySelector('[data-test="check-badge"]').dataset.status === 'none',
        );
        assert.match(await text(page), /cannot express the method penalty/);
        await openPaused(page, cubes);
        assert.equal(await status(page), 'unknown', 'the verdict is of another scene');
        assert.deepEqual(page.errors, []);
    });

    test('the badge and its list fit on a phone', async ({ browser, server }) => {
        const page = await openPage(browser, server.address, phone);
        await goTo(page, 'newtons_cradle', 'faithful', 40);
        assert.equal(await check(page), 'holds');
        await page.tap('[data-test="check-text"]');
        const box = await page.locator('[data-test="check-badge"]').boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
        const view = await page.locator('[data-test="canvas"]').boundingBox();
        assert.ok(box.y >= view.y && box.y + box.height <= view.y + view.height + 1);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 390, `the page is ${wide} px wide`);
        if (process.env.PICTURES)
            await page.screenshot({ path: `${process.env.PICTURES}/check_phone.png` });
        assert.deepEqual(page.errors, []);
    });
}
