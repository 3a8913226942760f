import assert from 'node:assert/strict';
import { changesFrom, openPage, openPaused, image, run, tab, until } from './browser.mjs';
import { cubes } from './scenes.mjs';

export function compareTests(test) {
    test('changes the method live', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await page.selectOption('[data-test="method"]', 'faithful');
        await until(page, () => window.rigor.methods()[0] === 'faithful');
        await run(page);
        await until(page, () => window.rigor.state().step > 5);
        assert.deepEqual(page.errors, []);
    });

    test('compares two methods side by side and as a ghost, with their deviation', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await page.click('[data-test="compare"]');
        await page.selectOption('[data-test="compare-0"]', 'fast');
        await page.selectOption('[data-test="compare-1"]', 'faithful');
        await page.click('[data-test="compare-start"]');
        await until(page, () => window.rigor.worlds() === 2);
        assert.deepEqual(await page.evaluate(() => window.rigor.methods()), ['fast', 'faithful']);
        await run(page);
        await until(
            page,
            () =>
                window.rigor.stats()?.worlds[1]?.distance?.max >= 0 &&
                window.rigor.state().step > 3,
        );
        await tab(page, 'Plots');
        assert.match(await page.textContent('.plots h2'), /Deviation from fast/);
        const split = await image(page);
        await page.click('[data-test="compare"]');
        await page.click('dialog[open] .switch');
        await page.keyboard.press('Escape');
        assert.match(await page.textContent('.pane-labels'), /faithful \(ghost\)/);
        assert.ok(await changesFrom(page, split), 'the ghost is not drawn');
        assert.deepEqual(page.errors, []);
    });
}
