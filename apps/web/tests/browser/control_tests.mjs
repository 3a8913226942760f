import assert from 'node:assert/strict';
import { bodies, body, openPage, openPaused, run, steps, until } from './browser.mjs';

const phone = { viewport: { width: 390, height: 844 }, touch: true };

/// A ball in the air whose weight, start and method can be chosen.
const falling = {
    rigor: 1,
    name: 'falling',
    gravity: [0, 0, -10],
    bodies: [
        { name: 'floor', type: 'static', shapes: [{ type: 'plane', normal: [0, 0, 1] }] },
        {
            name: 'ball',
            position: [0, 0, 4],
            shapes: [{ type: 'sphere', radius: 0.5, restitution: 0 }],
        },
    ],
    camera: { position: [0, -12, 4], target: [0, 0, 1] },
    controls: [
        {
            type: 'slider',
            label: 'Height',
            unit: 'm',
            path: 'bodies[1].position[2]',
            range: [1, 9],
            step: 1,
        },
        { type: 'switch', label: 'Weight', path: 'gravity[2]', range: [0, -10] },
        { type: 'choice', label: 'Method', path: 'method', range: ['fast', 'faithful'] },
        { type: 'button', label: 'Throw', action: 'throw' },
        { type: 'button', label: 'Again', action: 'restart' },
    ],
};

const control = (page, label) => page.locator(`[data-control="${label}"]`);
const heightIs = (page, z) =>
    until(
        page,
        (wanted) => {
            const ball = window.rigor.bodies().find((b) => b.name === 'ball');
            return ball && Math.abs(ball.position[2] - wanted) < 1e-3;
        },
        z,
    );

export function controlTests(test) {
    test('controls of the scene change it, by mouse and by keyboard', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, falling);
        const slider = control(page, 'Height').locator('input');
        assert.equal(await slider.inputValue(), '4');
        assert.equal(await control(page, 'Height').locator('output').textContent(), '4 m');
        await slider.focus();
        await page.keyboard.press('ArrowRight');
        await heightIs(page, 5);
        // The panel is the same one after the scene was opened again: the focus stays.
        await page.keyboard.press('ArrowRight');
        await heightIs(page, 6);
        assert.equal(await slider.inputValue(), '6');
        await control(page, 'Weight').click();
        await until(page, () => window.rigor.settings().gravity[2] === 0);
        await steps(page, 2);
        assert.ok(Math.abs((await body(page, 'ball')).position[2] - 6) < 1e-3, 'it fell');
        // Values stay through a restart.
        await control(page, 'Again').click();
        await until(page, () => window.rigor.state().step === 0);
        await heightIs(page, 6);
        await control(page, 'Method').locator('select').selectOption({ label: 'faithful' });
        await until(page, () => window.rigor.methods()[0] === 'faithful');
        await heightIs(page, 6);
        assert.equal(await page.evaluate(() => window.rigor.settings().gravity[2]), 0);
        assert.deepEqual(page.errors, []);
    });

    test('a button of the scene throws a ball, and other scenes have no controls', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, falling);
        const before = (await bodies(page)).length;
        await control(page, 'Throw').focus();
        await page.keyboard.press('Enter');
        await until(page, (count) => window.rigor.bodies().length === count + 1, before);
        await openPaused(page, { ...falling, controls: undefined });
        assert.ok(await page.locator('[data-test="scene-controls"]').isHidden());
        assert.deepEqual(page.errors, []);
    });

    test('controls of the scene work on a phone', async ({ browser, server }) => {
        const page = await openPage(browser, server.address, phone);
        await openPaused(page, falling);
        await run(page);
        const box = await control(page, 'Height').locator('input').boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.height >= 24, 'it can be reached');
        await page.touchscreen.tap(box.x + box.width - 4, box.y + box.height / 2);
        await until(page, () => {
            const text = document.querySelector('[data-control="Height"] output').textContent;
            return text === '9 m' && window.rigor.state().running;
        });
        await page.locator('[data-test="scene-controls"] summary').tap();
        assert.ok(await control(page, 'Height').isHidden());
        assert.deepEqual(page.errors, []);
    });
}
