import assert from 'node:assert/strict';
import {
    bodies,
    body,
    chooseTool,
    changesFrom,
    onPage,
    openPage,
    openPaused,
    idleImage,
    run,
    steps,
    tab,
    until,
} from './browser.mjs';
import { cubes } from './scenes.mjs';

const shapes = ['sphere', 'capsule', 'cube', 'cylinder', 'cone', 'hull', 'stack'];

async function clickBody(page, name) {
    const { x, y } = await onPage(page, (await body(page, name)).index);
    await page.mouse.click(x, y);
}

export function toolTests(test) {
    test('drags a body and shows the force', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await run(page);
        const start = (await body(page, 'left')).position;
        const { x, y } = await onPage(page, (await body(page, 'left')).index);
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x, y - 30, { steps: 3 });
        await until(page, () => window.rigor.isDragging());
        await page.mouse.move(x, y - 150, { steps: 5 });
        await page.waitForSelector('[data-test="force"]:not([hidden])');
        assert.match(await page.textContent('[data-test="force"]'), /\d.* [kmµM]?N$/);
        await until(
            page,
            (z) => window.rigor.bodies().find((b) => b.name === 'left').position[2] > z + 0.5,
            start[2],
        );
        await page.mouse.up();
        await until(page, () => document.querySelector('[data-test="force"]').hidden);
        assert.deepEqual(page.errors, []);
    });

    test('releases a body that is deleted during a drag', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        const { x, y } = await onPage(page, (await body(page, 'left')).index);
        await page.mouse.click(x, y);
        await until(page, () => window.rigor.selected() !== null);
        await page.mouse.down();
        await page.mouse.move(x, y - 40, { steps: 4 });
        await until(page, () => window.rigor.isDragging());
        await page.keyboard.press('Delete');
        await until(page, () => !window.rigor.bodies().some((b) => b.name === 'left'));
        await page.mouse.move(x, y - 80, { steps: 4 });
        await until(page, () => !window.rigor.isDragging());
        await page.mouse.up();
        await page.keyboard.press('Control+z');
        await until(page, () => window.rigor.bodies().some((b) => b.name === 'left'));
        assert.equal(await page.locator('.toast.error').count(), 0);
    });

    test('removes the ground with its body, and shows it again after undo', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        const before = await idleImage(page);
        await tab(page, 'Inspect');
        await page.selectOption('[data-test="body-list"]', { label: 'floor' });
        await until(page, () => window.rigor.selected() !== null);
        await page.click('.button.danger');
        await until(page, () => window.rigor.bodies().length === 4);
        assert.ok(await changesFrom(page, before), 'the ground is still there');
        assert.equal(await page.evaluate(() => window.rigor.grounds()), 0);
        await page.click('[data-test="undo"]');
        await until(page, () => window.rigor.bodies().length === 5);
        assert.equal(await page.evaluate(() => window.rigor.grounds()), 1);
    });

    test('drops each shape, and undoes and redoes the last', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await chooseTool(page, 'drop');
        let count = (await bodies(page)).length;
        for (const shape of shapes) {
            await page.click(`[data-shape="${shape}"]`);
            await page
                .locator('[data-test="canvas"]')
                .click({ position: { x: 300 + 40 * shapes.indexOf(shape), y: 420 } });
            await until(page, (before) => window.rigor.bodies().length > before, count);
            count = (await bodies(page)).length;
        }
        await page.click('[data-test="undo"]');
        await until(page, (before) => window.rigor.bodies().length < before, count);
        await page.click('[data-test="redo"]');
        await until(page, (before) => window.rigor.bodies().length === before, count);
        assert.deepEqual(page.errors, []);
    });

    test('throws a ball from the camera', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await chooseTool(page, 'throw');
        const before = (await bodies(page)).length;
        await page.locator('[data-test="canvas"]').click({ position: { x: 480, y: 330 } });
        await until(page, (n) => window.rigor.bodies().length === n + 1, before);
        const ball = (await bodies(page)).at(-1);
        await steps(page, 3);
        const later = (await bodies(page)).find((b) => b.index === ball.index);
        assert.ok(
            later.position[1] > ball.position[1] + 0.3,
            'the ball does not fly away from the camera',
        );
    });

    test('pushes, duplicates, freezes, explodes and deletes', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await chooseTool(page, 'push');
        await clickBody(page, 'left');
        await until(page, () => window.rigor.state().undo === 1);
        await steps(page, 6);
        assert.ok((await body(page, 'left')).position[1] > 0.05, 'the pushed cube stays');
        await chooseTool(page, 'duplicate');
        await clickBody(page, 'right');
        await until(page, () => window.rigor.bodies().length === 6);
        await chooseTool(page, 'freeze');
        await clickBody(page, 'falling');
        await until(page, () => window.rigor.state().undo === 3);
        const held = (await body(page, 'falling')).position[2];
        await steps(page, 5);
        assert.ok(
            Math.abs((await body(page, 'falling')).position[2] - held) < 1e-3,
            'the frozen cube falls',
        );
        await chooseTool(page, 'explode');
        await clickBody(page, 'middle');
        await until(page, () => window.rigor.state().undo === 4);
        await steps(page, 5);
        await chooseTool(page, 'delete');
        await clickBody(page, 'middle');
        await until(page, () => !window.rigor.bodies().some((b) => b.name === 'middle'));
        assert.deepEqual(page.errors, []);
    });

    test('shows the energy ledger of the island of a body', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await tab(page, 'Inspect');
        const island = (text) =>
            until(
                page,
                (part) =>
                    document.querySelector('[data-test="island"]')?.textContent.includes(part),
                text,
            );
        await page.selectOption('[data-test="body-list"]', { label: 'falling' });
        await island('island (1 body)');
        await run(page);
        await island('island (2 bodies)');
        await island('gravity');
        await island('remainder');
        assert.match(
            await page.textContent('[data-test="island"]'),
            /gravity.* [kmµ]?J.*remainder.* [kmµn]?J/s,
        );
        await page.click('[data-test="restart"]');
        await island('island (1 body)');
        await page.selectOption('[data-test="body-list"]', { label: 'floor' });
        await until(
            page,
            () =>
                document.querySelector('.tab-page:not([hidden]) .body-name')?.textContent ===
                'floor',
        );
        assert.ok(await page.isHidden('[data-test="island"]'));
        assert.deepEqual(page.errors, []);
    });

    test('inspects a body and changes its mass; gravity by slider', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await chooseTool(page, 'inspect');
        await clickBody(page, 'right');
        await page.waitForSelector('[data-test="readings"]');
        assert.equal(await page.textContent('.tab-page:not([hidden]) .body-name'), 'right');
        assert.match(await page.textContent('[data-test="readings"]'), /1000 kg/);
        await page.fill('[aria-label="Mass, kg"]', '250');
        await page.keyboard.press('Enter');
        await until(page, () =>
            document.querySelector('[data-test="readings"]').textContent.includes('250 kg'),
        );
        await tab(page, 'World');
        await page.locator('[data-test="gravity"]').fill('5');
        await until(page, () => window.rigor.state().undo === 2);
        await steps(page, 10);
        assert.ok((await body(page, 'falling')).position[2] > 4, 'gravity still points down');
    });
}
