// The scenes that are played: a lap with the keys, a round with the mouse, a wall that breaks.

import assert from 'node:assert/strict';
import { bodies, body, hash, openPage, run, state, until } from './browser.mjs';

/// Opens a scene of the gallery, paused at step 0.
async function openPausedFile(page, file) {
    const opened = await page.evaluate(() => window.rigor.opened());
    await page.evaluate((name) => window.rigor.open(name), file);
    await until(page, (before) => window.rigor.opened() > before, opened);
    await page.evaluate(() => document.querySelector('dialog[open]')?.close());
    await page.evaluate(() => window.rigor.pauseAt(0));
    await until(page, () => {
        const { step, running, seeking } = window.rigor.state();
        return step === 0 && !running && !seeking;
    });
}

/// Makes so many steps of the paused world, in simulated time.
async function advance(page, count) {
    const wanted = (await state(page)).step + count;
    await page.evaluate((steps) => window.rigor.stepBy(steps), count);
    await until(page, (step) => window.rigor.state().step === step, wanted);
}

const subtract = (a, b) => a.map((x, i) => x - b[i]);
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const scale = (a, s) => a.map((x) => s * x);
const wrap = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));

/// Where the car is, and the direction from its rear wheels to its front wheels.
async function car(page) {
    const all = await bodies(page);
    const at = (i) => all.find((b) => b.name === `car[${i}]`).position;
    const along = subtract(at(1), at(3));
    return { position: at(0), forward: scale(along, 1 / Math.hypot(...along)) };
}
const headingOf = ({ forward }) => Math.atan2(forward[1], forward[0]);

/// Makes one step and reads the speedometer, which must show the speed of the car along its heading
/// in that step. What the readouts show is of the step that the statistics tell, sent after them.
async function speedometer(page) {
    const before = await car(page);
    await advance(page, 1);
    const now = await car(page);
    await until(page, () => window.rigor.stats()?.step === window.rigor.state().step);
    const shown = Number(await page.textContent('[data-test="speed"]'));
    const way = dot(subtract(now.position, before.position), now.forward);
    const kmh = 3.6 * 60 * Math.abs(way);
    assert.ok(Math.abs(shown - kmh) < 3, `the speedometer shows ${shown} of ${kmh} km/h`);
    return shown;
}

/// Holds exactly these keys.
class Keys {
    held = new Set();

    constructor(page) {
        this.page = page;
    }

    async hold(...codes) {
        for (const code of [...this.held].filter((c) => !codes.includes(c))) {
            await this.page.keyboard.up(code);
            this.held.delete(code);
        }
        for (const code of codes.filter((c) => !this.held.has(c))) {
            await this.page.keyboard.down(code);
            this.held.add(code);
        }
    }
}

/// Over the ramp and the bumps, around, and back along the side to where it began.
const lap = [
    [20, 0],
    [40, 0],
    [56, 0],
    [66, 6],
    [60, 14],
    [40, 15],
    [20, 15],
    [0, 14],
    [-9, 7],
    [0, 0],
];
/// The steps of a fifth of a second, after which the driver looks again.
const glance = 12;

/// Scenes that are opened, the largest first: a page that opens shows what the server has open.
const openedScenes = [
    'avalanche',
    'breaking_plate',
    'contact_region',
    'diamond_5',
    'fencing',
    'fracture_wall',
    'rattleback',
    'roller_coaster',
    'roller_coaster_springs',
    'see_saw_on_wedge',
    'floor_wrong_center',
    'floor_wrong_inertia',
    'separating_impulses',
    'slerp_keyframes',
    'tornado',
    'user_forces',
    'vehicle_course',
    'wrong_center',
];

export function playTests(test) {
    test('a lap of the vehicle course with the keys', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPausedFile(page, 'vehicle_course.json');
        await page.focus('[data-test="canvas"]');
        await advance(page, 1);
        const keys = new Keys(page);
        let next = 0;
        let fastest = 0;
        let before = await car(page);
        for (let i = 0; i < 300 && next < lap.length; ++i) {
            const now = await car(page);
            const [dx, dy] = subtract(lap[next], now.position);
            if (Math.hypot(dx, dy) < 5) ++next;
            const error = wrap(Math.atan2(dy, dx) - headingOf(now));
            const [mx, my] = subtract(now.position, before.position);
            const moved = Math.hypot(mx, my);
            const speed = (moved * 60) / glance;
            const turn = Math.abs(error) < 0.06 ? [] : [error > 0 ? 'a' : 'd'];
            const wanted = Math.abs(error) > 0.3 ? 5 : 11;
            await keys.hold(...turn, ...(speed < wanted ? ['w'] : speed > wanted + 4 ? ['s'] : []));
            before = now;
            // The readout comes later than the car; to wait for every third one is enough.
            await advance(page, glance - 1);
            if (i % 3 === 2) fastest = Math.max(fastest, await speedometer(page));
            else await advance(page, 1);
        }
        assert.equal(next, lap.length, `the car came to point ${next} of ${lap.length}`);
        assert.ok(fastest > 35 && fastest < 80, `the speedometer showed ${fastest} km/h at most`);
        // The foot brake stops it, and the speedometer says so.
        for (let i = 0; i < 40; ++i) {
            if (Number(await page.textContent('[data-test="speed"]')) === 0) break;
            await keys.hold('Space');
            await advance(page, glance);
        }
        await keys.hold();
        await until(page, () => document.querySelector('[data-test="speed"]').textContent === '0');
        assert.deepEqual(page.errors, []);
    });

    test('a round of fencing with the mouse, to a hit', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPausedFile(page, 'fencing.json');
        const box = await page.locator('[data-test="canvas"]').boundingBox();
        const half = 0.42 * Math.min(box.width, box.height);
        const point = (x, y) =>
            page.mouse.move(box.x + box.width / 2 + x * half, box.y + box.height / 2 - y * half);
        await run(page);
        const score = async () =>
            Number(await page.textContent('[data-test="score-left"]')) +
            Number(await page.textContent('[data-test="score-right"]'));
        assert.equal(await score(), 0);
        const wait = async (count) => {
            const from = (await state(page)).step;
            await until(page, (step) => window.rigor.state().step >= step, from + count);
        };
        // Thrusts on either side of the other blade, with a step back between them.
        const sides = [0.9, -0.9, 0.3, -0.3, 0];
        for (let i = 0; i < 60 && (await score()) === 0; ++i) {
            await point(sides[i % sides.length], -0.3);
            await wait(12);
            await point(sides[i % sides.length], 0.95);
            await wait(25);
        }
        assert.ok((await score()) > 0, 'nobody was hit');
        assert.match(await page.textContent('[data-test="duel-text"]'), /hit/);
        assert.deepEqual(page.errors, []);
    });

    test('the bodies of fencers bend, go back, and bend again alike', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPausedFile(page, 'fencing.json');
        const { index } = await body(page, 'red fencer');
        // A mesh comes after the frame of its step: it is there when it does not change any more.
        const vertices = async () => {
            let before = null;
            for (let same = 0; same < 3; await page.waitForTimeout(200)) {
                const now = await page.evaluate((slot) => window.rigor.vertices(slot), index);
                same = now && before && now.every((x, i) => x === before[i]) ? same + 1 : 0;
                before = now;
            }
            return before;
        };
        const back = async (steps) => {
            await page.evaluate((count) => window.rigor.stepBy(count), -steps);
            await until(page, () => window.rigor.isIdle());
        };
        await advance(page, 10);
        const soon = await vertices();
        assert.equal(soon.length, 3 * 680);
        await advance(page, 35); // the script parries to the left
        const later = await vertices();
        const way = (a, b) => Math.max(...a.map((x, i) => Math.abs(x - b[i])));
        assert.ok(way(soon, later) > 0.02 && way(soon, later) < 0.4, `${way(soon, later)} m`);
        await back(35);
        assert.deepEqual(await vertices(), soon);
        await advance(page, 35);
        assert.deepEqual(await vertices(), later);
        assert.deepEqual(page.errors, []);
    });

    test('a wall breaks, goes back, and breaks again to the same bits', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPausedFile(page, 'fracture_wall.json');
        const whole = (await bodies(page)).length;
        await advance(page, 60);
        await until(page, (count) => window.rigor.bodies().length > count, whole);
        const first = await hash(page);
        await page.evaluate(() => window.rigor.stepBy(-60));
        await until(page, () => window.rigor.state().step === 0 && !window.rigor.state().seeking);
        await until(page, (count) => window.rigor.bodies().length === count, whole);
        await advance(page, 60);
        assert.equal(await hash(page), first);
        assert.equal((await state(page)).divergence ?? null, null);
        assert.deepEqual(page.errors, []);
    });

    // On one page, since to open a page takes longer than to open most scenes.
    test('scenes of the gallery open and move without an error', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        for (const file of openedScenes) {
            await openPausedFile(page, `${file}.json`);
            await advance(page, 3);
            assert.ok((await bodies(page)).length > 0, file);
            assert.equal(await page.locator('.toast.error').count(), 0, file);
            assert.deepEqual(page.errors, [], file);
        }
    });
}
