import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openPage, openPaused, until } from './browser.mjs';
import { cubes } from './scenes.mjs';

const table = JSON.parse(readFileSync(new URL('../settings_table.json', import.meta.url), 'utf8'));

/// Adds the sample table to the welcome message of the server.
const withTable = (page) =>
    page.routeWebSocket(/\/ws/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((data) => {
            const message = typeof data === 'string' ? JSON.parse(data) : null;
            if (message?.type !== 'welcome') socket.send(data);
            else socket.send(JSON.stringify({ ...message, settings_table: table }));
        });
    });

export function settingsTests(test) {
    test('disables settings that the method does not use, with the reason', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address, { prepare: withTable });
        await openPaused(page, cubes);
        const setting = (name) => page.locator(`[data-setting="${name}"]`);
        const reason = /Not used by fast; used by faithful\./;
        await page.selectOption('[data-test="method"]', 'fast');
        await until(page, () => window.rigor.methods()[0] === 'fast');
        assert.ok(await setting('impact').isDisabled());
        assert.match(await setting('impact').getAttribute('title'), reason);
        const described = await setting('impact').getAttribute('aria-describedby');
        assert.match(await page.textContent(`#${described}`), reason);
        assert.ok(await setting('substeps').isEnabled());
        assert.equal(await setting('substeps').getAttribute('max'), '64');
        await setting('substeps').fill('7');
        await page.keyboard.press('Enter');
        await until(page, () => window.rigor.settings().substeps === 7);
        await setting('substeps').fill('99');
        await page.keyboard.press('Enter');
        assert.equal(await setting('substeps').inputValue(), '7');
        await page.selectOption('[data-test="method"]', 'faithful');
        await until(page, () => window.rigor.methods()[0] === 'faithful');
        assert.ok(await setting('impact').isEnabled());
        assert.ok(await setting('substeps').isDisabled());
        assert.deepEqual(page.errors, []);
    });
}
