import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { body, differs, openPage, openPaused, openScene, picture, until } from './browser.mjs';
import { broken, cubes } from './scenes.mjs';

const scenes = readdirSync(new URL('../../../../scenes', import.meta.url)).filter((name) =>
    name.endsWith('.json'),
);

export function galleryTests(test) {
    test('shows the gallery when no scene is open, and finds scenes by a word', async ({
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
        assert.deepEqual(bare, [], 'scenes without a picture');
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
        // It turns for ever and stays in sight, however slow the machine is.
        await page.click('[data-scene="intermediate_axis.json"]');
        await until(page, () => window.rigor.bodies().length > 0);
        await until(page, () => window.rigor.state().step > 5);
        const first = await picture(page);
        const step = await page.evaluate(() => window.rigor.state().step);
        await until(page, (before) => window.rigor.state().step > before + 20, step);
        assert.ok(await differs(page, first), 'the pictures are the same');
        assert.deepEqual(page.errors, []);
    });

    test('tells the line of a broken file and keeps the scene', async ({ browser, server }) => {
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

    test('says of a file that is too large how large it may be', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openScene(page, `"${'x'.repeat(9e6)}"`, 'large.json');
        await page.locator('.toast.error').waitFor();
        assert.match(await page.textContent('.toast.error'), /large\.json.* 8 MB.* 9\.0 MB/);
        assert.equal(await page.evaluate(() => window.rigor.link()), 'open');
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
