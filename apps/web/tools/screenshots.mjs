// Screenshots of the gallery scenes.
//   node tools/screenshots.mjs            ten scenes with the whole page, into docs/images/
//   node tools/screenshots.mjs pictures   a thumbnail of every scene, into scenes/pictures/
// RIGOR and RIGOR_PAGE as in tests/browser/run.mjs; further arguments select scenes.

import { mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch, openPage, until } from '../tests/browser/browser.mjs';
import { freePort, Server } from '../tests/browser/server.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const scenes = readdirSync(`${root}scenes`)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5));

// Ten scenes with the time of the screenshot, and overlays, colors and tab.
const views = [
    { scene: 'wall', seconds: 1.4 },
    { scene: 'card_house', seconds: 3, compare: ['faithful', 'fast'], tab: 'Plots' },
    { scene: 'arch', seconds: 1.5, overlays: ['contacts'], tab: 'Display' },
    { scene: 'newtons_cradle', seconds: 0.9, tab: 'Plots', dark: true },
    { scene: 'dominoes', seconds: 2.2, color: 'speed', tab: 'Display' },
    { scene: 'ragdolls', seconds: 1.5, overlays: ['joints'], tab: 'Display', dark: true },
    { scene: 'bridge', seconds: 2, color: 'stress', tab: 'Display' },
    { scene: 'tippe_top', seconds: 0.6, overlays: ['axes'], tab: 'Display' },
    { scene: 'pile_4000', seconds: 1.8, tab: 'World', dark: true },
    { scene: 'diamond_4', seconds: 1, overlays: ['contacts'], tab: 'World' },
];
// Options of thumbnails other than the scene after 1.2 s.
const thumbnailOptions = {
    decomposed_cups: { seconds: 0.3 },
    dominoes: { seconds: 2.2 },
    double_pendulum: { seconds: 1.6, overlays: ['trails'] },
    free_fall: { seconds: 1.8, overlays: ['trails'] },
    frictional_impact: { seconds: 0.08 },
    gas: { seconds: 0.6, color: 'speed' },
    pile_4000: { seconds: 2 },
    ragdolls: { seconds: 1.5 },
    spinning_top: { seconds: 0.3 },
    tippe_top: { seconds: 0.6 },
    tunneling: { seconds: 0 },
    wall: { seconds: 1.4 },
};
// Software rendering may take a second for a frame, and more on a busy machine.
const patienceMs = 120_000;

const [mode, ...names] =
    process.argv[2] === 'pictures' ? process.argv.slice(2) : ['views', ...process.argv.slice(2)];
const server = new Server(await freePort());
await server.start();
const browser = await launch();
try {
    if (mode === 'pictures') await makeThumbnails();
    else await makeViews();
} finally {
    await browser.close();
    await server.stop();
}

async function makeThumbnails() {
    mkdirSync(`${root}scenes/pictures`, { recursive: true });
    const page = await openPage(browser, server.address, {
        viewport: { width: 400, height: 250 },
        scale: 1,
        quality: 'high',
    });
    await page.evaluate(() => document.documentElement.classList.add('bare'));
    for (const scene of names.length ? names : scenes) {
        await show(page, { scene, seconds: 1.2, ...thumbnailOptions[scene] });
        await settle(page);
        const path = `${root}scenes/pictures/${scene}.jpg`;
        await page.screenshot({ path, type: 'jpeg', quality: 72 });
        console.log(path);
    }
}

async function makeViews() {
    mkdirSync(`${root}docs/images`, { recursive: true });
    const wanted = names.length ? names.map(viewOf) : views;
    for (const view of wanted) {
        for (const [width, height, ending] of [
            [1280, 720, ''],
            [390, 844, '_phone'],
        ]) {
            const touch = width < 500;
            const page = await openPage(browser, server.address, {
                viewport: { width, height },
                scale: 1,
                quality: 'high',
                dark: view.dark,
                touch,
            });
            await show(page, view);
            if (view.tab && !touch) await page.click(`[data-tab="${view.tab}"]`);
            await settle(page);
            const path = `${root}docs/images/${view.scene}${ending}.png`;
            await page.screenshot({ path });
            console.log(path);
            await page.context().close();
        }
    }
}

function viewOf(scene) {
    return views.find((view) => view.scene === scene) ?? { scene, seconds: 1.5 };
}

/// Opens a scene and pauses it at the given time. The same scene may be open already, so the page counts
/// how often it was opened.
async function show(page, { scene, seconds, overlays = [], color, compare }) {
    const opened = await page.evaluate(() => window.rigor.opened());
    await page.evaluate(
        ([file, methods]) => window.rigor.open(file, methods),
        [`${scene}.json`, compare],
    );
    await until(
        page,
        (before) => window.rigor.opened() > before && window.rigor.bodies().length > 0,
        opened,
        patienceMs,
    );
    await page.evaluate(
        ([what, mode]) => window.rigor.setDisplay(what, mode),
        [['shadows', ...overlays], color ?? 'own'],
    );
    await until(page, (time) => window.rigor.state().time >= time, seconds, patienceMs);
    await page.evaluate((time) => window.rigor.pauseAt(time), seconds);
    await until(
        page,
        (time) =>
            !window.rigor.state().running && Math.abs(window.rigor.state().time - time) < 0.02,
        seconds,
        patienceMs,
    );
}

/// Waits until the rendering is up to date.
async function settle(page) {
    await page.evaluate(() => document.activeElement?.blur());
    await until(page, () => window.rigor.isIdle(), undefined, patienceMs);
}
