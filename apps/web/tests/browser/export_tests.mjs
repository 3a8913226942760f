import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import {
    bodies,
    openFilePaused,
    openPage,
    openPaused,
    pause,
    run,
    steps,
    until,
} from './browser.mjs';
import { cubes } from './scenes.mjs';

/// Chooses an item of the menu and returns the downloaded file.
async function take(page, item) {
    await page.click('[aria-label="Save and export"]');
    const waiting = page.waitForEvent('download');
    await page.click(`[data-test="${item}"]`);
    const download = await waiting;
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/// Width and height as a PNG says them in its first chunk.
const pngSize = (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

export function exportTests(test) {
    test('downloads a screenshot in the size of the canvas', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        const { name, bytes } = await take(page, 'export-png');
        assert.equal(name, 'three_cubes.png');
        assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
        assert.deepEqual(
            pngSize(bytes),
            await page.$eval('[data-test="canvas"]', (c) => [c.width, c.height]),
        );
        // An empty image compresses to nearly nothing.
        assert.ok(bytes.length > 3000, `${bytes.length} bytes`);
    });

    test('exports the statistics as CSV, a line for each sample', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        // Statistics come ten times a second: slowly, so that there are samples of the fall.
        await page.selectOption('.timeline select', '0.25');
        await until(page, () => window.rigor.state().speed === 0.25);
        await run(page);
        await until(page, () => window.rigor.state().step > 20);
        await pause(page);
        const { name, bytes } = await take(page, 'export-csv');
        assert.equal(name, 'three_cubes.csv');
        const [header, ...lines] = bytes
            .toString()
            .trim()
            .split('\n')
            .map((line) => line.split(','));
        assert.ok(lines.length >= 2, `${lines.length} lines`);
        const column = (wanted) => lines.map((line) => Number(line[header.indexOf(wanted)]));
        assert.ok(
            column('step').every((step, i, all) => i === 0 || step > all[i - 1]),
            'steps do not ascend',
        );
        column('t').forEach((t, i) => assert.ok(Math.abs(t - column('step')[i] / 60) < 1e-9));
        column('total').forEach((total, i) =>
            assert.ok(
                Math.abs(total - column('kinetic')[i] - column('potential')[i]) <
                    1e-6 * Math.abs(total),
            ),
        );
        // A body of 1000 kg falls: its momentum is m g t until it lands after 0.82 s.
        const flying = column('t').findIndex((t) => t > 0.05 && t < 0.8);
        const expected = -9810 * column('t')[flying];
        assert.ok(
            Math.abs(column('pz')[flying] - expected) < 0.05 * Math.abs(expected),
            `${column('pz')[flying]} is not ${expected}`,
        );
    });

    test('exports a scene that opens again as the same world', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await steps(page, 3);
        const before = await bodies(page);
        const { name, bytes } = await take(page, 'export-scene');
        assert.match(name, /\.json$/);
        const scene = JSON.parse(bytes.toString());
        assert.equal(scene.rigor, 1);
        assert.deepEqual(scene.bodies.map((b) => b.name).sort(), before.map((b) => b.name).sort());
        await openFilePaused(page, name, bytes.toString());
        for (const { name: who, position } of await bodies(page)) {
            const old = before.find((b) => b.name === who).position;
            assert.ok(
                Math.hypot(...position.map((x, k) => x - old[k])) < 1e-3,
                `${who} is elsewhere`,
            );
        }
    });

    test('records a video as WebM', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await page.click('[aria-label="Save and export"]');
        await page.click('[data-test="export-video"]');
        await page.waitForSelector(':root.recording-video');
        await run(page);
        await page.evaluate(() => (window.rigor.drawStats().script.length = 0));
        await until(page, (frames) => window.rigor.drawStats().script.length > frames, 30);
        const { name, bytes } = await take(page, 'export-video');
        assert.equal(name, 'three_cubes.webm');
        assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3, 'not a WebM file');
        assert.ok(bytes.includes('V_VP'), 'no video in it');
        assert.ok(bytes.length > 5000, `${bytes.length} bytes`);
        assert.deepEqual(page.errors, []);
    });
}
