// The page that `rigor replay --html` writes, opened from its file.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './server.mjs';

/// How many pixels of the canvas differ from the sky.
const drawnPixels = (page) =>
    page.evaluate(() => {
        const canvas = document.getElementById('view');
        const gl = canvas.getContext('webgl');
        const pixels = new Uint8Array(4 * canvas.width * canvas.height);
        gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        let count = 0;
        for (let i = 0; i < pixels.length; i += 4) if (pixels[i] < 200) ++count;
        return count;
    });

export function replayTests(test) {
    test('a recording plays in a page of its own, without a server', async ({ browser }) => {
        const folder = mkdtempSync(join(tmpdir(), 'rigor_replay_'));
        try {
            const recording = join(folder, 'wall.rec');
            const file = join(folder, 'wall.html');
            const run = ['run', 'fracture_wall', '--steps', '60', '--quiet', '--record', recording];
            execFileSync(program, run, { stdio: 'ignore' });
            execFileSync(program, ['replay', recording, '--html', file], { stdio: 'ignore' });
            const context = await browser.newContext({
                viewport: { width: 640, height: 360 },
                offline: true,
            });
            const page = await context.newPage();
            const errors = [];
            page.on('pageerror', (error) => errors.push(String(error)));
            page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
            await page.goto(`file://${file}`);
            await page.waitForFunction(
                () => window.player?.drawn > 10 && !window.player.playing,
                null,
                {
                    timeout: 120_000,
                },
            );
            const end = await page.evaluate(() => window.player);
            assert.equal(end.frames, 60);
            assert.ok(Math.abs(end.time - 1) < 1e-6, 'it plays to its end');
            assert.ok((await drawnPixels(page)) > 500, 'something is drawn');
            await page.locator('#at').fill('0.1');
            await page.waitForFunction(() => Math.abs(window.player.time - 0.1) < 0.02);
            await page.locator('#view').press('ArrowLeft');
            await page.waitForFunction(() => window.player.time < 0.1);
            await page.locator('#play').click();
            await page.waitForFunction(() => window.player.time > 0.2);
            assert.deepEqual(errors, []);
        } finally {
            rmSync(folder, { recursive: true, force: true });
        }
    });
}
