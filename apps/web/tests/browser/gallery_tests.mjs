import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { body, changesFrom, openPage, openPaused, openScene, image, until } from './browser.mjs';
import { broken, cubes } from './scenes.mjs';

const scenes = readdirSync(new URL('../../../../scenes', import.meta.url)).filter((name) =>
    name.endsWith('.json'),
);

export function galleryTests(test) {
    test('shows the gallery when no scene is open, and searches it', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await page.waitForSelector('dialog.gallery[open]');
        await page.waitForSelector('.card');
        assert.equal(await page.locator('.card').count(), scenes.length);
        const bare = await page.$$eval('.card:not(:has(img))', (cards) =>
            cards.map((c) => c.dataset.scene),
        );
        assert.deepEqual(bare, [], 'scenes without a thumbnail');
        await until(page, () =>
            [...document.querySelectorAll('.card img')].some((image) => image.naturalWidth === 400),
        );
        await page.fill('[data-test="search"]', 'tower');
        const found = await page.locator('.card').count();
        assert.ok(found >= 1 && found < scenes.length, `search for "tower" found ${found}`);
        assert.deepEqual(page.errors, []);
    });

    test('opens a scene from its card, and its bodies move', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        // It rotates indefinitely and stays in view, however slow the machine is.
        await page.click('[data-scene="intermediate_axis.json"]');
        await until(page, () => window.rigor.bodies().length > 0);
        await until(page, () => window.rigor.state().step > 5);
        const first = await image(page);
        const step = await page.evaluate(() => window.rigor.state().step);
        await until(page, (before) => window.rigor.state().step > before + 20, step);
        assert.ok(await changesFrom(page, first), 'the rendered image does not change');
        assert.deepEqual(page.errors, []);
    });

    test('reports the line of an invalid scene file and keeps the open scene', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await openScene(page, broken, 'broken.json');
        const toast = page.locator('.toast.error');
        await toast.waitFor();
        const text = await toast.textContent();
        assert.match(text, /broken\.json:6:/);
        assert.match(text, /radius must be positive/);
        assert.ok(await body(page, 'left'), 'the old scene is gone');
    });

    test('reports the size limit for a file that is too large', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openScene(page, `"${'x'.repeat(9e6)}"`, 'large.json');
        await page.locator('.toast.error').waitFor();
        assert.match(await page.textContent('.toast.error'), /large\.json.* 9\.0 MB.* 8 MB/);
        assert.equal(await page.evaluate(() => window.rigor.connectionStatus()), 'open');
    });

    test('opens a file that is dropped on the page', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await page.evaluate(
            (text) => {
                const data = new DataTransfer();
                data.items.add(new File([text], 'dropped.json', { type: 'application/json' }));
                window.dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
            },
            JSON.stringify({ ...cubes, name: 'dropped' }),
        );
        await until(page, () => document.querySelector('.scene-name').textContent === 'dropped');
    });
}
