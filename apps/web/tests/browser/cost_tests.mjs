import assert from 'node:assert/strict';
import { openPage, openScene, run, until } from './browser.mjs';
import { pile } from './scenes.mjs';

const mostCalls = 20;
const mostScriptMs = 3;

export function costTests(test) {
    // The browser draws in software on the cores it shares with server and page, so a part of the samples
    // contains time in which the page did not run at all: the lower quartile is what the page itself takes.
    test('draws 4,000 bodies in 20 calls and 3 ms of script', async ({ browser, server }) => {
        const page = await openPage(browser, server.address, { viewport: { width: 640, height: 420 }, scale: 0.3 });
        await openScene(page, pile);
        await until(page, () => window.rigor.bodies().length > 4000);
        await run(page);
        await until(page, () => window.rigor.cost().script.length >= 10);
        await page.evaluate(() => (window.rigor.cost().script.length = 0));
        await until(page, () => window.rigor.cost().script.length >= 24);
        const { calls, script } = await page.evaluate(() => window.rigor.cost());
        const sorted = script.sort((a, b) => a - b);
        const quartile = sorted[Math.floor(sorted.length / 4)];
        console.log(`    ${calls} draw calls; script ${quartile.toFixed(2)} ms (lower quartile), ${sorted[sorted.length >> 1].toFixed(2)} ms (median)`);
        assert.ok(calls <= mostCalls, `${calls} draw calls`);
        assert.ok(quartile <= mostScriptMs, `${quartile} ms of script`);
    });
}
