import assert from 'node:assert/strict';
import { bodies, openPage, openPaused, state, tab, until } from './browser.mjs';
import { cubes } from './scenes.mjs';

const controls = 'button, summary, a[href], input[type="checkbox"], select';
const tabs = ['World', 'Inspect', 'Display', 'Plots', 'Events'];
const dialogs = ['gallery', 'compare', 'help'];

/// Records activations from now on instead of carrying them out.
const recordActivations = () => {
    window.activated = null;
    const record = (event) => {
        window.activated = event.target;
        event.preventDefault();
        event.stopImmediatePropagation();
    };
    window.addEventListener('click', record, true);
    const { showPicker } = HTMLSelectElement.prototype;
    HTMLSelectElement.prototype.showPicker = function () {
        window.activated = this;
    };
    window.endRecording = () => {
        window.removeEventListener('click', record, true);
        HTMLSelectElement.prototype.showPicker = showPicker;
    };
};

/// Presses Enter and Space on the focused control; returns the keys without effect.
async function deadKeys(page) {
    const dead = [];
    // The browser itself opens a select on Space.
    const isSelect = await page.evaluate(() => document.activeElement.matches('select'));
    for (const key of isSelect ? ['Enter'] : ['Enter', 'Space']) {
        await page.keyboard.press(key);
        const isActivated = await page.evaluate(() => {
            const { activated } = window;
            window.activated = null;
            return activated === document.activeElement;
        });
        if (!isActivated) dead.push(`${key} on ${await nameOfFocus(page)}`);
    }
    return dead;
}

const nameOfFocus = (page) =>
    page.evaluate(() => {
        const e = document.activeElement;
        return e.getAttribute('aria-label') ?? (e.textContent.trim() || e.outerHTML.slice(0, 80));
    });

/// Moves by Tab through the whole page, from the canvas to the canvas.
async function walkByTab(page) {
    const dead = [];
    const walked = [];
    await page.focus('[data-test="canvas"]');
    for (let i = 0; i < 100; ++i) {
        await page.keyboard.press('Tab');
        const kind = await page.evaluate((selector) => {
            const e = document.activeElement;
            return e.matches('canvas, body') ? 'end' : e.matches(selector) ? 'control' : 'other';
        }, controls);
        if (kind === 'end' && walked.length > 0) break;
        if (kind !== 'control') continue;
        walked.push(await nameOfFocus(page));
        dead.push(...(await deadKeys(page)));
    }
    return { dead, walked };
}

/// Focuses every enabled control below `selector`; of the cards of the gallery only the first.
async function walkIn(page, selector) {
    const dead = [];
    const all = `:is(${controls}):not(:disabled):not(li + li .card)`;
    for (const control of await page.locator(`${selector} ${all}`).all()) {
        if (!(await control.isVisible())) continue;
        await control.focus();
        dead.push(...(await deadKeys(page)));
    }
    return dead;
}

export function activationTests(test) {
    test('Enter and Space activate every focusable control', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await tab(page, 'Inspect');
        await page.selectOption('[data-test="body-list"]', { label: 'left' });
        await until(page, () => window.rigor.selected() !== null);
        await tab(page, 'World');
        await page.evaluate(recordActivations);
        const { dead, walked } = await walkByTab(page);
        assert.ok(walked.length > 15, `walked through ${walked}`);
        dead.push(...(await walkIn(page, '.tool-rail')), ...(await walkIn(page, '.tabs')));
        await page.evaluate(() => window.endRecording());
        for (const name of tabs.slice(1)) {
            await tab(page, name);
            await page.evaluate(recordActivations);
            dead.push(...(await walkIn(page, '.tab-page:not([hidden])')));
            await page.evaluate(() => window.endRecording());
        }
        for (const name of dialogs) {
            await page.click(`[data-test="${name}"]`);
            await page.evaluate(recordActivations);
            dead.push(...(await walkIn(page, 'dialog[open]')));
            await page.evaluate(() => window.endRecording());
            await page.evaluate(() => document.querySelector('dialog[open]').close());
        }
        assert.deepEqual(dead, []);
        const { step, running, undo } = await state(page);
        assert.deepEqual({ step, running, undo }, { step: 0, running: false, undo: 0 });
        assert.equal((await bodies(page)).length, 5);
        assert.deepEqual(page.errors, []);
    });

    test('Enter runs the focused run button, and toggles a focused switch', async ({
        browser,
        server,
    }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await page.focus('[data-test="run"]');
        await page.keyboard.press('Enter');
        await until(page, () => window.rigor.state().running);
        await tab(page, 'Display');
        await page.focus('[data-overlay="trails"] input');
        await page.keyboard.press('Enter');
        assert.ok(await page.isChecked('[data-overlay="trails"] input'));
        await page.keyboard.press('Space');
        assert.ok(!(await page.isChecked('[data-overlay="trails"] input')));
    });
}
