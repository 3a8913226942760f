import assert from 'node:assert/strict';
import {
    body,
    changesFrom,
    idleImage,
    openPage,
    openPaused,
    steps,
    tab,
    until,
} from './browser.mjs';
import { cell, mechanism } from './scenes.mjs';

const drawn = ['contacts', 'joints', 'axes', 'bounds', 'tree', 'shadows'];
const others = ['friction', 'penetration', 'sweep', 'trails'];

/// The interpolated position of a body has reached its newest one.
const arrived = (index) => {
    const { position } = window.rigor.bodies().find((b) => b.index === index);
    return Math.abs(window.rigor.shown(index)[0] - position[0]) < 1e-3;
};

export function displayTests(test) {
    test('switches each overlay on and off, with its legend', async ({ browser, server }) => {
        const page = await openPage(browser, server.address, { quality: 'high' });
        await openPaused(page, mechanism);
        await steps(page, 4);
        await tab(page, 'Display');
        const plain = await idleImage(page);
        for (const overlay of drawn) {
            await page.click(`[data-overlay="${overlay}"]`);
            assert.ok(await changesFrom(page, plain), `${overlay} changes nothing`);
            if (overlay !== 'shadows')
                assert.ok(await page.isVisible('.legend'), `${overlay} has no legend`);
            await page.click(`[data-overlay="${overlay}"]`);
            assert.ok(await changesFrom(page, plain, true), `${overlay} stays`);
        }
        for (const overlay of others) {
            await page.click(`[data-overlay="${overlay}"]`);
            await page.waitForSelector('.legend:not([hidden])');
            await steps(page, 2);
            await page.click(`[data-overlay="${overlay}"]`);
        }
        await page.click('[data-overlay="ledger"]');
        await page.waitForSelector('.ledger:not([hidden])');
        assert.match(await page.textContent('.ledger'), /gravity.*remainder/s);
        assert.deepEqual(page.errors, []);
    });

    test('shows a periodic cell, and a body that wraps at its boundary', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, { ...cell, periodic: undefined });
        const without = await idleImage(page);
        await openPaused(page, cell);
        assert.ok(await changesFrom(page, without), 'the cell is not drawn');
        const { index } = await body(page, 'ball');
        await tab(page, 'Inspect');
        await page.selectOption('[data-test="body-list"]', { label: 'ball' });
        await page.click('.button-row >> text=Follow');
        const shown = [];
        for (let i = 0; i < 8; ++i) {
            await steps(page, 1);
            await until(page, arrived, index);
            shown.push(await page.evaluate((ball) => window.rigor.shown(ball)[0], index));
        }
        const jumps = shown.slice(1).map((x, i) => x - shown[i]);
        const wraps = jumps.filter((jump) => jump < 0);
        assert.ok(wraps.length === 1 && wraps[0] < -3, `moves by ${jumps}`);
        await until(
            page,
            (ball) => Math.abs(window.rigor.view().target[0] - window.rigor.shown(ball)[0]) < 0.1,
            index,
        );
        assert.deepEqual(page.errors, []);
    });

    test('shows options changed by a key or by the probe', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, mechanism);
        await tab(page, 'Display');
        const on = () =>
            page.$$eval('[data-overlay] input:checked', (boxes) =>
                boxes.map((b) => b.closest('[data-overlay]').dataset.overlay),
            );
        await page.evaluate(() => window.rigor.setDisplay(['joints', 'bounds'], 'speed'));
        assert.deepEqual(await on(), ['joints', 'bounds']);
        assert.equal(await page.inputValue('[data-test="color"]'), 'speed');
        await page.focus('[data-test="canvas"]');
        await page.keyboard.press('v');
        assert.deepEqual(await on(), ['contacts', 'joints', 'bounds']);
        await page.reload();
        await until(page, () => window.rigor?.isReady());
        assert.deepEqual(await on(), ['contacts', 'joints', 'bounds']);
    });

    test('colors bodies by every quantity, with its scale', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, mechanism);
        await steps(page, 4);
        await tab(page, 'Display');
        const plain = await idleImage(page);
        const modes = await page.$$eval('[data-test="color"] option', (options) =>
            options.map((o) => o.value),
        );
        for (const mode of [
            'momentum',
            'speed',
            'body',
            'material',
            'island',
            'sleep',
            'energy',
            'stress',
        ]) {
            assert.ok(modes.includes(mode), `no color by ${mode}`);
            await page.selectOption('[data-test="color"]', mode);
            assert.ok(await changesFrom(page, plain), `colors by ${mode} look like none`);
            assert.ok(await page.isVisible('.legend'));
        }
        await page.selectOption('[data-test="color"]', 'speed');
        await until(page, () =>
            /m\/s/.test(document.querySelector('.scale-max')?.textContent ?? ''),
        );
    });

    test('plots, lists events that seek, and shows the stages of a step', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, mechanism);
        await page.click('[data-test="run"]');
        await tab(page, 'Plots');
        await page.waitForSelector('.plot canvas');
        await page.waitForSelector('.profile-row');
        assert.match(await page.textContent('.profile-list'), /contacts.*solve/);
        await tab(page, 'Events');
        await page.waitForSelector('.event-button');
        await page.locator('.event-button').last().click();
        await until(page, () => !window.rigor.state().running);
        // Steps simulated again must not list their events again.
        await page.click('[data-test="restart"]');
        await page.click('[data-test="run"]');
        await until(page, () => window.rigor.state().step > 60);
        const listed = await page.$$eval('.event-button', (events) =>
            events.map((e) => e.textContent),
        );
        assert.equal(new Set(listed).size, listed.length, listed.join('; '));
    });
}
