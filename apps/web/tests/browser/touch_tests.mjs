import assert from 'node:assert/strict';
import { body, onPage, openPage, openPaused, run, until } from './browser.mjs';
import { cubes } from './scenes.mjs';

const phone = { viewport: { width: 390, height: 844 }, touch: true };

/// Touch input through the debugger: each call gives the positions of all fingers.
async function fingersOn(page) {
    const debug = await page.context().newCDPSession(page);
    const send = (type, points) =>
        debug.send('Input.dispatchTouchEvent', {
            type,
            touchPoints: points.map(([x, y], id) => ({ x, y, id })),
        });
    return {
        down: (...points) => send('touchStart', points),
        move: (...points) => send('touchMove', points),
        up: () => send('touchEnd', []),
    };
}

const view = (page) => page.evaluate(() => ({ ...window.rigor.view() }));

export function touchTests(test) {
    test('one finger on the background orbits, two fingers zoom and pan', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address, phone);
        await openPaused(page, cubes);
        const fingers = await fingersOn(page);
        const before = await view(page);
        await fingers.down([60, 600]);
        for (let i = 1; i <= 6; ++i) await fingers.move([60 + 20 * i, 600 - 5 * i]);
        await until(
            page,
            (azimuth) => Math.abs(window.rigor.view().azimuth - azimuth) > 0.3,
            before.azimuth,
        );
        await fingers.up();
        const turned = await view(page);
        await fingers.down([150, 500], [240, 500]);
        for (let i = 1; i <= 6; ++i) await fingers.move([150 - 15 * i, 500], [240 + 15 * i, 500]);
        await fingers.up();
        await until(
            page,
            (distance) => window.rigor.view().distance < 0.6 * distance,
            turned.distance,
        );
        const near = await view(page);
        await fingers.down([150, 500], [240, 500]);
        for (let i = 1; i <= 6; ++i) await fingers.move([150, 500 + 15 * i], [240, 500 + 15 * i]);
        await fingers.up();
        await until(page, (z) => window.rigor.view().target[2] > z + 0.2, near.target[2]);
        assert.equal(
            await page.evaluate(() => window.rigor.state().undo),
            0,
            'a camera gesture acted on the world',
        );
        assert.deepEqual(page.errors, []);
    });

    test('one finger on a body drags it, a second one releases it', async ({ browser, server }) => {
        const page = await openPage(browser, server.address, phone);
        await openPaused(page, cubes);
        await run(page);
        const fingers = await fingersOn(page);
        const { index, position } = await body(page, 'left');
        const { x, y } = await onPage(page, index);
        await fingers.down([x, y]);
        await fingers.move([x, y - 20]);
        await fingers.move([x, y - 60]);
        await until(page, () => window.rigor.isDragging());
        await fingers.move([x, y - 120]);
        await until(
            page,
            (z) => window.rigor.bodies().find((b) => b.name === 'left').position[2] > z + 0.5,
            position[2],
        );
        assert.match(await page.textContent('[data-test="force"]'), /N$/);
        await fingers.down([x, y - 120], [x + 80, y]);
        await until(page, () => !window.rigor.isDragging());
        await fingers.up();
        assert.deepEqual(page.errors, []);
    });

    test('a tap selects a body, or applies the tool to it', async ({ browser, server }) => {
        const page = await openPage(browser, server.address, phone);
        await openPaused(page, cubes);
        const { index } = await body(page, 'right');
        const { x, y } = await onPage(page, index);
        await page.touchscreen.tap(x, y);
        await until(page, (slot) => window.rigor.selected() === slot, index);
        await page.tap('[data-tool="delete"]');
        await page.touchscreen.tap(x, y);
        await until(page, () => !window.rigor.bodies().some((b) => b.name === 'right'));
        assert.deepEqual(page.errors, []);
    });
}
