import assert from 'node:assert/strict';
import {
    body,
    differs,
    openPage,
    openPaused,
    picture,
    run,
    steps,
    tab,
    until,
} from './browser.mjs';
import { cell, mechanism } from './scenes.mjs';

const drawn = ['contacts', 'joints', 'axes', 'bounds', 'tree', 'shadows'];
const others = ['friction', 'penetration', 'sweep', 'trails'];

export function seeTests(test) {
    test('switches each overlay on and off, with its legend', async ({ browser, server }) => {
        const page = await openPage(browser, server.address, { quality: 'high' });
        await openPaused(page, mechanism);
        await steps(page, 4);
        await tab(page, 'See');
        for (const overlay of drawn) {
            const before = await picture(page);
            await page.click(`[data-overlay="${overlay}"]`);
            assert.ok(await differs(page, before), `${overlay} changes nothing`);
            if (overlay !== 'shadows')
                assert.ok(await page.isVisible('.legend'), `${overlay} has no legend`);
            await page.click(`[data-overlay="${overlay}"]`);
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

    test('shows the cell of a world that repeats, and bodies that come in on the other side', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, { ...cell, periodic: undefined });
        const without = await picture(page);
        await openPaused(page, cell);
        assert.ok(await differs(page, without), 'the cell is not drawn');
        const { index } = await body(page, 'ball');
        await tab(page, 'Inspect');
        await page.selectOption('[data-test="body-list"]', { label: 'ball' });
        await page.click('.button-row >> text=Follow');
        await run(page);
        // Where it is drawn and where the camera looks, in each picture of three seconds: it comes in twice.
        const seen = await page.evaluate(
            (ball) =>
                new Promise((done) => {
                    const all = [];
                    const look = () => {
                        all.push([window.rigor.shown(ball)[0], window.rigor.view().target[0]]);
                        if (window.rigor.state().time < 3) requestAnimationFrame(look);
                        else done(all);
                    };
                    requestAnimationFrame(look);
                }),
            index,
        );
        const jumps = seen
            .slice(1)
            .map(([x], i) => x - seen[i][0])
            .filter((step) => step < 0);
        assert.ok(
            jumps.length === 2 && jumps.every((step) => step < -2),
            `it flies back: ${jumps}`,
        );
        const lags = seen.slice(10).map(([x, target]) => Math.abs(x - target));
        assert.ok(Math.max(...lags) < 2, `the camera stays behind by ${Math.max(...lags)} m`);
        assert.deepEqual(page.errors, []);
    });

    test('shows as switched on what was chosen by a key or from outside', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, mechanism);
        await tab(page, 'See');
        const on = () =>
            page.$$eval('[data-overlay] input:checked', (boxes) =>
                boxes.map((b) => b.closest('[data-overlay]').dataset.overlay),
            );
        await page.evaluate(() => window.rigor.see(['joints', 'bounds'], 'speed'));
        assert.deepEqual(await on(), ['joints', 'bounds']);
        assert.equal(await page.inputValue('[data-test="color"]'), 'speed');
        await page.focus('[data-test="canvas"]');
        await page.keyboard.press('v');
        assert.deepEqual(await on(), ['contacts', 'joints', 'bounds']);
        await page.reload();
        await until(page, () => window.rigor?.greeted());
        assert.deepEqual(await on(), ['contacts', 'joints', 'bounds']);
    });

    test('colors bodies by every quantity, with its scale', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, mechanism);
        await steps(page, 4);
        await tab(page, 'See');
        const plain = await picture(page);
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
            assert.ok(await differs(page, plain), `colors by ${mode} look like none`);
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
        // What is gone through again is not listed again.
        await page.click('[data-test="restart"]');
        await page.click('[data-test="run"]');
        await until(page, () => window.rigor.state().step > 60);
        const listed = await page.$$eval('.event-button', (events) =>
            events.map((e) => e.textContent),
        );
        assert.equal(new Set(listed).size, listed.length, listed.join('; '));
    });
}
