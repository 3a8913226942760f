import assert from 'node:assert/strict';
import { bodies, openPage, openPaused, run, state, until } from './browser.mjs';
import { cubes } from './scenes.mjs';

export function connectionTests(test) {
    test('shows the running world again after a reload', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await run(page);
        await until(page, () => window.rigor.state().step > 10);
        const before = (await state(page)).step;
        await page.reload();
        await until(page, () => window.rigor?.bodies().length === 5);
        await until(page, (step) => window.rigor.state().step > step, before);
        assert.ok((await state(page)).running);
        assert.deepEqual(page.errors, []);
    });

    test('two pages show the same world', async ({ browser, server }) => {
        const one = await openPage(browser, server.address);
        const two = await openPage(browser, server.address);
        await openPaused(one, { ...cubes, name: 'shared' });
        await until(two, () => document.querySelector('.scene-name').textContent === 'shared');
        await until(two, () => window.rigor.state().step === 0);
        await one.click('[data-test="step"]');
        await until(two, () => window.rigor.state().step === 1);
    });

    test('reports a lost connection and reconnects', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await server.stop('SIGKILL');
        await page.waitForSelector('[data-test="banner"]:not([hidden])');
        assert.match(await page.textContent('[data-test="banner"]'), /Reconnecting/);
        await server.start();
        await until(page, () => window.rigor.connectionStatus() === 'open');
        await page.waitForSelector('[data-test="banner"]', { state: 'hidden' });
        await openPaused(page, { ...cubes, name: 'after' });
        assert.equal((await bodies(page)).length, 5);
    });
}
