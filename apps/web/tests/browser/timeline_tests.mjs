import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import {
    body,
    hash,
    openFilePaused,
    openPage,
    openPaused,
    pause,
    run,
    state,
    steps,
    until,
} from './browser.mjs';
import { cubes } from './scenes.mjs';

export function timelineTests(test) {
    test('pauses, steps, and steps back to the same hash', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await steps(page, 5);
        const there = await hash(page);
        await steps(page, 4);
        assert.notEqual(await hash(page), there);
        await steps(page, 4, 'back');
        assert.equal(await hash(page), there);
        const held = await state(page);
        await page.waitForFunction(() => new Promise((done) => setTimeout(() => done(true), 300)));
        assert.equal((await state(page)).step, held.step, 'the simulation advanced while paused');
    });

    test('runs at the chosen speed, and seeks with the slider', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await page.selectOption('.timeline select', '4');
        await run(page);
        await until(page, () => window.rigor.state().speed === 4 && window.rigor.state().step > 40);
        await pause(page);
        const scrub = page.locator('[data-test="scrub"]');
        await scrub.fill('10');
        await until(page, () => window.rigor.state().step === 10);
        const z = (await body(page, 'falling')).position[2];
        assert.ok(z < 4 && z > 3, `after 10 steps the cube is at ${z} m`);
    });

    test('saves a recording and replays it with its actions', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await page.click('[data-tool="throw"]');
        await page.locator('[data-test="canvas"]').click({ position: { x: 400, y: 300 } });
        await until(page, () => window.rigor.bodies().length === 6);
        await steps(page, 3);
        const there = await hash(page);
        await page.click('[aria-label="Save and export"]');
        const download = page.waitForEvent('download');
        await page.click('[data-test="save-recording"]');
        const text = await readFile(await (await download).path(), 'utf8');
        await openPaused(page, { ...cubes, name: 'another' });
        await openFilePaused(page, 'recording.json', text);
        assert.equal(await page.textContent('.scene-name'), cubes.name);
        await page.locator('[data-test="scrub"]').fill('3');
        await until(page, () => window.rigor.state().step === 3);
        assert.equal(await hash(page), there);
    });
}
