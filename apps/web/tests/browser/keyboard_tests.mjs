import assert from 'node:assert/strict';
import { bodies, openPage, openPaused, until } from './browser.mjs';
import { cubes } from './scenes.mjs';

const canvas = '[data-test="canvas"]';
const tools = [
    'drag',
    'inspect',
    'push',
    'throw',
    'drop',
    'delete',
    'duplicate',
    'freeze',
    'explode',
];
const view = (page) => page.evaluate(() => structuredClone(window.rigor.view()));

/// Presses a key and waits for a condition of the probe.
const gives = (key, condition, argument) => async (page) => {
    await page.keyboard.press(key);
    await until(page, condition, argument);
};

/// Presses a key that opens something, and a key that closes it.
const shows =
    (key, selector, close = 'Escape') =>
    async (page) => {
        await page.keyboard.press(key);
        await page.waitForSelector(selector);
        await page.keyboard.press(close);
        await page.waitForSelector(selector, { state: 'hidden' });
    };

/// Holds a key until the camera view has changed.
const turns = (key, changed) => async (page) => {
    const before = await view(page);
    await page.keyboard.down(key);
    await until(page, changed, before);
    await page.keyboard.up(key);
};

const changesCount = (key, by) => async (page) => {
    const count = (await bodies(page)).length;
    await gives(key, (n) => window.rigor.bodies().length === n, count + by)(page);
};

const inTurn =
    (...parts) =>
    async (page) => {
        for (const part of parts) await part(page);
    };

// A press for every line of the shortcut list, in an order in which each has an effect.
const presses = new Map([
    ['.', gives('.', () => window.rigor.state().step === 1)],
    [',', gives(',', () => window.rigor.state().step === 0)],
    [
        'Space or Shift+Space',
        inTurn(
            gives('Space', () => window.rigor.state().running),
            gives('Shift+Space', () => !window.rigor.state().running),
        ),
    ],
    ['Home', gives('Home', () => window.rigor.state().step === 0)],
    ['[', gives('[', () => window.rigor.state().speed === 0.5)],
    [']', gives(']', () => window.rigor.state().speed === 1)],
    [
        'X',
        gives(
            'x',
            () =>
                Math.abs(window.rigor.view().azimuth) < 0.01 &&
                Math.abs(window.rigor.view().elevation) < 0.01,
        ),
    ],
    [
        'J',
        gives(
            'j',
            () => document.querySelector('[data-test="check-badge"]').dataset.status !== 'unknown',
        ),
    ],
    ['Z', gives('z', () => window.rigor.view().elevation > 1.5)],
    [
        'Y',
        gives(
            'y',
            () =>
                Math.abs(window.rigor.view().azimuth + Math.PI / 2) < 0.01 &&
                window.rigor.view().elevation < 0.01,
        ),
    ],
    ['+ or =', turns('+', (before) => window.rigor.view().distance < 0.85 * before.distance)],
    ['-', turns('-', (before) => window.rigor.view().distance > 1.1 * before.distance)],
    [
        'Arrow keys',
        turns('ArrowRight', (before) => window.rigor.view().azimuth > before.azimuth + 0.1),
    ],
    [
        'W A S D or Q E',
        inTurn(
            turns('e', (before) => window.rigor.view().target[2] > before.target[2] + 0.3),
            turns('q', (before) => window.rigor.view().target[2] < before.target[2] - 0.3),
            ...['w', 'a', 's', 'd'].map((key) =>
                turns(
                    key,
                    (before) =>
                        Math.hypot(
                            ...window.rigor.view().target.map((x, k) => x - before.target[k]),
                        ) > 0.3,
                ),
            ),
        ),
    ],
    ['F', gives('f', () => Math.abs(window.rigor.view().target[0]) < 0.02)],
    ...tools.map((tool, i) => [
        String(i + 1),
        async (page) => {
            await page.keyboard.press(String(i + 1));
            await page.waitForSelector(`[data-tool="${tool}"][aria-checked="true"]`);
        },
    ]),
    [
        'N',
        async (page) => {
            await page.keyboard.press('5');
            await page.keyboard.press('n');
            await page.waitForSelector('[data-shape="cylinder"][aria-checked="true"]');
        },
    ],
    ['Enter', changesCount('Enter', 1)],
    ['Ctrl+z', changesCount('Control+z', -1)],
    [
        'Ctrl+Shift+z or Ctrl+y',
        inTurn(
            changesCount('Control+Shift+z', 1),
            changesCount('Control+z', -1),
            changesCount('Control+y', 1),
        ),
    ],
    [
        'H',
        async (page) => {
            await page.selectOption('[data-test="body-list"]', { label: 'right' });
            await until(page, () => window.rigor.selected() !== null);
            await page.focus(canvas);
            await gives('h', () => Math.abs(window.rigor.view().target[0] - 2) < 0.02)(page);
            await page.keyboard.press('h');
        },
    ],
    ['Ctrl+d', changesCount('Control+d', 1)],
    ['Delete', changesCount('Delete', -1)],
    [
        'Escape',
        async (page) => {
            await page.selectOption('[data-test="body-list"]', { label: 'left' });
            await page.focus(canvas);
            await gives('Escape', () => window.rigor.selected() === null)(page);
        },
    ],
    ['V', gives('v', () => document.querySelector('[data-overlay="contacts"] input').checked)],
    ['T', gives('t', () => document.querySelector('[data-overlay="trails"] input').checked)],
    [
        'P',
        inTurn(
            gives('p', () => !document.getElementById('app').classList.contains('with-side')),
            gives('p', () => document.getElementById('app').classList.contains('with-side')),
        ),
    ],
    [
        'L',
        inTurn(
            gives('l', () => document.documentElement.dataset.theme === 'dark'),
            gives('l', () => document.documentElement.dataset.theme === 'light'),
        ),
    ],
    ['G', shows('g', 'dialog.gallery[open]')],
    ['C', shows('c', '[data-test="compare-start"]')],
    ['?', shows('?', 'dialog[open] .shortcut-list')],
    [
        'O',
        async (page) => {
            const chooser = page.waitForEvent('filechooser');
            await page.focus(canvas); // a round trip, after which the browser reports choosers
            await page.keyboard.press('o');
            await chooser;
        },
    ],
    // Without a vehicle or a driven body there is a notice.
    ['B', gives('b', () => /no vehicle/.test(document.querySelector('.toasts').textContent))],
    ['M', gives('m', () => /no body/.test(document.querySelector('.toasts').textContent))],
    // With K the arrow keys control driven bodies and no longer the camera.
    [
        'K',
        async (page) => {
            await page.keyboard.press('k');
            await until(page, () => window.rigor.isIdle());
            const { azimuth } = await view(page);
            await page.keyboard.press('ArrowRight', { delay: 300 });
            assert.equal((await view(page)).azimuth, azimuth);
            await page.keyboard.press('k');
            await turns(
                'ArrowRight',
                (before) => window.rigor.view().azimuth > before.azimuth,
            )(page);
        },
    ],
]);
// Mouse and touch have tests of their own.
const notKeys = ['Drag', 'Two fingers'];

export function keyboardTests(test) {
    test('every keyboard shortcut does what the list says', async ({ browser, server }) => {
        const page = await openPage(browser, server.address);
        await openPaused(page, cubes);
        await page.selectOption('.timeline select', '1');
        await until(page, () => window.rigor.state().speed === 1);
        await page.click('[data-tab="Inspect"]');
        const listed = await page.$$eval('.shortcut-list dt', (names) =>
            names.map((name) => name.textContent),
        );
        assert.deepEqual(
            listed.filter((name) => !notKeys.includes(name)).sort(),
            [...presses.keys()].sort(),
        );
        for (const [name, press] of presses) {
            await page.focus(canvas);
            try {
                await press(page);
            } catch (error) {
                throw new Error(`key ${name}: ${error.message}`);
            }
        }
        assert.deepEqual(page.errors, []);
    });
}
