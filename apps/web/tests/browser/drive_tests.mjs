import assert from 'node:assert/strict';
import { body, openPage, openPaused, run, tab, until } from './browser.mjs';
import { mockRoles } from './mock.mjs';
import { cubes } from './scenes.mjs';

const vehicle = { vehicles: [{ name: 'car', chassis: 2, wheels: [1, 3] }] };
const duel = {
    drivers: [{ body: 2, input: 'mouse', grid: true }],
    duel: { names: ['you', 'other'], rounds: 3 },
};
const readout = { chassis: 2, speed: 27.8, gear: 3, rpm: 4180, throttle: 1, brake: 0 };

/// Waits until the page has sent a message of this kind that fits.
async function sent(mock, type, fits) {
    for (let i = 0; i < 600; ++i) {
        const found = mock.of(type).find(fits);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`not sent: ${type} ${fits}; sent: ${JSON.stringify(mock.of(type))}`);
}

/// Whether two elements of the page cover each other.
const overlap = (page, a, b) =>
    page.evaluate(
        ([first, second]) => {
            const p = document.querySelector(first).getBoundingClientRect();
            const q = document.querySelector(second).getBoundingClientRect();
            if (p.width === 0 || q.width === 0) return false;
            return p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom;
        },
        [a, b],
    );

export function driveTests(test) {
    test('keys drive the vehicle, the legend shows them, K and B change it', async ({
        browser,
        server,
    }) => {
        const mock = mockRoles(vehicle);
        const page = await openPage(browser, server.address, mock);
        await openPaused(page, cubes);
        await page.waitForSelector('[data-test="key-legend"]');
        assert.match(await page.textContent('[data-test="key-legend"]'), /hand brake/);
        assert.equal(await overlap(page, '.key-legend', '[data-test="redo"]'), false);
        assert.equal(await overlap(page, '.key-legend', '.speedometer'), false);
        await until(page, () => window.rigor.isChasing() && window.rigor.isDriving());
        // The focus is on a button, as after a click on it.
        await page.focus('[data-test="gallery"]');
        await page.keyboard.down('w');
        await page.keyboard.down('ArrowLeft');
        await sent(mock, 'keys', ({ down }) => down.join() === 'ArrowLeft,KeyW');
        await page.keyboard.up('w');
        await page.keyboard.up('ArrowLeft');
        await page.focus('[data-test="canvas"]');
        await page.keyboard.press('Space', { delay: 100 });
        await sent(mock, 'keys', ({ down }) => down.join() === 'Space');
        assert.equal(await page.evaluate(() => window.rigor.state().running), false);
        await page.keyboard.press('b');
        await until(page, () => !window.rigor.isChasing());
        await page.keyboard.press('k');
        await until(page, () => !window.rigor.isDriving());
        const count = mock.of('keys').length;
        await page.keyboard.press('w', { delay: 100 });
        assert.equal(mock.of('keys').length, count, 'the camera’s keys were sent');
        assert.deepEqual(page.errors, []);
    });

    test('the speedometer shows what the vehicle does', async ({ browser, server }) => {
        const mock = mockRoles(vehicle);
        const page = await openPage(browser, server.address, mock);
        await openPaused(page, cubes);
        mock.tell({ type: 'hud', vehicles: [{ ...readout, hand_brake: true }] });
        await until(
            page,
            () => document.querySelector('[data-test="speed"]').textContent === '100',
        );
        assert.equal(await page.textContent('[data-test="gear"]'), '3');
        assert.equal(await page.textContent('[data-test="rpm"]'), '4200');
        assert.ok(await page.isVisible('.hand-brake'));
        mock.tell({ type: 'hud', vehicles: [{ ...readout, speed: -2, gear: -1 }] });
        await until(page, () => document.querySelector('[data-test="gear"]').textContent === 'R');
        assert.equal(await page.textContent('[data-test="speed"]'), '7');
        assert.deepEqual(page.errors, []);
    });

    test('the chase camera is behind the vehicle and follows it', async ({ browser, server }) => {
        const page = await openPage(browser, server.address, mockRoles(vehicle));
        await openPaused(page, cubes);
        await until(page, () => {
            const { azimuth, target } = window.rigor.view();
            const turns = azimuth / (2 * Math.PI) - 0.5;
            return Math.abs(turns - Math.round(turns)) < 0.01 && Math.hypot(...target) < 1;
        });
        const { index } = await body(page, 'middle');
        await page.evaluate(
            (slot) => window.rigor.act({ type: 'edit', body: slot, position: [5, 4, 0.5] }),
            index,
        );
        await until(page, () => window.rigor.view().target[0] > 4.9);
        assert.deepEqual(page.errors, []);
    });

    test('the touch pad drives, and covers no control', async ({ browser, server }) => {
        for (const viewport of [
            { width: 390, height: 844 },
            { width: 844, height: 390 },
            { width: 300, height: 300 },
        ]) {
            const mock = mockRoles(vehicle);
            const page = await openPage(browser, server.address, {
                ...mock,
                viewport,
                touch: true,
            });
            await openPaused(page, cubes);
            await page.waitForSelector('[data-test="touch-pad"]');
            const debug = await page.context().newCDPSession(page);
            const touch = (type, ...codes) =>
                Promise.all(codes.map((code) => centerOf(page, code))).then((touchPoints) =>
                    debug.send('Input.dispatchTouchEvent', {
                        type,
                        touchPoints: touchPoints.map((at, id) => ({ ...at, id })),
                    }),
                );
            await touch('touchStart', 'KeyW');
            await sent(mock, 'keys', ({ down }) => down.join() === 'KeyW');
            await touch('touchStart', 'KeyW', 'KeyA');
            await sent(mock, 'keys', ({ down }) => down.join() === 'KeyA,KeyW');
            await touch('touchMove', 'KeyW', 'KeyD');
            await sent(mock, 'keys', ({ down }) => down.join() === 'KeyD,KeyW');
            await touch('touchEnd');
            await until(page, () => !document.querySelector('.pad-button.held'));
            assert.deepEqual(mock.of('keys').at(-1).down, []);
            for (const [a, b] of [
                ['.pad-group:first-child', '.pad-group:last-child'],
                ['.touch-pad', '.speedometer'],
                ['.touch-pad', '.timeline'],
                ['.touch-pad', '.tool-rail'],
                ['.speedometer', '[data-tool="explode"]'],
                ['.speedometer', '[data-test="undo"]'],
            ])
                assert.equal(await overlap(page, a, b), false, `${viewport.width}: ${a} ${b}`);
            assert.deepEqual(page.errors, []);
            await page.context().close(); // it would render beside the next one
        }
    });

    test('the pointer moves a driven body, in a running world alone', async ({
        browser,
        server,
    }) => {
        const mock = mockRoles(duel);
        const page = await openPage(browser, server.address, mock);
        await openPaused(page, cubes);
        const box = await page.locator('[data-test="canvas"]').boundingBox();
        const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        await page.mouse.move(center.x, center.y);
        await page.mouse.move(center.x + 2000, center.y - 40);
        assert.deepEqual(mock.of('input'), [], 'input was sent while paused');
        await run(page);
        await page.mouse.move(center.x + 0.3 * box.height, center.y - 0.2 * box.height);
        const moved = await sent(mock, 'input', ({ x, y }) => x > 0.5 && y > 0.3);
        assert.equal(moved.body, 2);
        assert.ok(Math.abs(moved.x - 0.3 / 0.42) < 0.02 && Math.abs(moved.y - 0.2 / 0.42) < 0.02);
        await page.focus('[data-test="driver-pad"]');
        await page.keyboard.press('Home');
        await sent(mock, 'input', ({ x, y }) => x === 0 && y === 0);
        await page.keyboard.press('ArrowDown');
        await sent(mock, 'input', ({ x, y }) => x === 0 && y === -0.1);
        assert.deepEqual(page.errors, []);
    });

    test('the score board follows the duel', async ({ browser, server }) => {
        const mock = mockRoles(duel);
        const page = await openPage(browser, server.address, mock);
        await openPaused(page, cubes);
        const tell = (now) => mock.tell({ type: 'hud', duel: { round: 2, over: false, ...now } });
        tell({ score: [1, 0], control: [0, 0.5], last_hit: 'blades' });
        await until(
            page,
            () =>
                document.querySelector('[data-test="control-left"]').textContent === 'control lost',
        );
        assert.equal(await page.textContent('[data-test="control-right"]'), 'regaining control');
        assert.equal(await page.textContent('[data-test="score-left"]'), '1');
        assert.equal(await page.isVisible('[data-test="start-again"]'), false);
        tell({ score: [2, 0], control: [1, 1], over: true, last_hit: 'you hit' });
        await page.click('[data-test="start-again"]');
        assert.equal(
            await page.textContent('[data-test="duel-text"]'),
            'The duel goes to you, 2 : 0.',
        );
        await sent(mock, 'restart', () => true);
        await sent(mock, 'run', () => true);
        await tab(page, 'World');
        assert.deepEqual(page.errors, []);
    });
}

/// The middle of a button of the touch pad.
async function centerOf(page, code) {
    const box = await page.locator(`[data-code="${code}"]`).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
