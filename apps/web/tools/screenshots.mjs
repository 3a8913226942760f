// Pictures of the gallery, made by the program itself.
//   node tools/screenshots.mjs            ten scenes with the whole page, into docs/images/
//   node tools/screenshots.mjs pictures   one small picture of every scene, into scenes/pictures/
// RIGOR and RIGOR_PAGE as in tests/browser/run.mjs; further arguments name the scenes to be done.

import { mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch, openPage, until } from '../tests/browser/browser.mjs';
import { freePort, Server } from '../tests/browser/server.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const scenes = readdirSync(`${root}scenes`).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));

// Ten scenes that show ten different things, when they are looked at, and what is switched on.
const views = [
    { scene: 'wall', seconds: 1.6 },
    { scene: 'card_house', seconds: 1 },
    { scene: 'arch', seconds: 1.5, overlays: ['contacts'], tab: 'See' },
    { scene: 'newtons_cradle', seconds: 0.9, tab: 'Plots', dark: true },
    { scene: 'dominoes', seconds: 2.2, color: 'speed', tab: 'See' },
    { scene: 'ragdolls_on_stairs', seconds: 2, overlays: ['joints'], tab: 'See', dark: true },
    { scene: 'bridge', seconds: 2, color: 'stress', tab: 'See' },
    { scene: 'tippe_top', seconds: 2, overlays: ['axes', 'trails'], tab: 'See' },
    { scene: 'pile', seconds: 3, color: 'island', tab: 'World', dark: true },
    { scene: 'tower', seconds: 2, compare: ['fast', 'faithful'], tab: 'Plots' },
];

const [mode, ...names] = process.argv[2] === 'pictures' ? process.argv.slice(2) : ['views', ...process.argv.slice(2)];
const server = new Server(await freePort());
await server.start();
const browser = await launch();
try {
    if (mode === 'pictures') await makePictures();
    else await makeViews();
} finally {
    await browser.close();
    await server.stop();
}

async function makePictures() {
    mkdirSync(`${root}scenes/pictures`, { recursive: true });
    const page = await openPage(browser, server.address, { viewport: { width: 520, height: 400 }, scale: 1, quality: 'high' });
    for (const scene of names.length ? names : scenes) {
        await show(page, { scene, seconds: 1.2 });
        await page.evaluate(() => document.documentElement.classList.add('bare'));
        await settle(page);
        const path = `${root}scenes/pictures/${scene}.jpg`;
        await page.locator('[data-test="canvas"]').screenshot({ path, type: 'jpeg', quality: 82 });
        await page.evaluate(() => document.documentElement.classList.remove('bare'));
        console.log(path);
    }
}

async function makeViews() {
    mkdirSync(`${root}docs/images`, { recursive: true });
    const wanted = names.length ? names.map(viewOf) : tenViews();
    for (const view of wanted) {
        for (const [width, height, ending] of [[1280, 720, ''], [390, 844, '_phone']]) {
            const touch = width < 500;
            const page = await openPage(browser, server.address, { viewport: { width, height }, scale: 1, quality: 'high', dark: view.dark, touch });
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

/// The chosen ones that exist, and others in their place where they do not.
function tenViews() {
    const chosen = views.filter((view) => scenes.includes(view.scene));
    const others = scenes.filter((scene) => !chosen.some((view) => view.scene === scene)).map(viewOf);
    return [...chosen, ...others].slice(0, views.length);
}

/// Opens a scene and brings it to its moment, paused.
async function show(page, { scene, seconds, overlays = [], color, compare }) {
    await page.evaluate(([file, methods]) => window.rigor.open(file, methods), [`${scene}.json`, compare]);
    await until(page, (file) => window.rigor.file() === file && window.rigor.bodies().length > 0, `${scene}.json`);
    await page.evaluate(([what, mode]) => window.rigor.see(what, mode), [['shadows', ...overlays], color ?? 'own']);
    await until(page, (time) => window.rigor.state().time >= time, seconds, 60_000);
    await page.evaluate((time) => window.rigor.pauseAt(time), seconds);
    await until(page, (time) => !window.rigor.state().running && Math.abs(window.rigor.state().time - time) < 0.02, seconds);
}

/// Waits until nothing is left to draw.
async function settle(page) {
    await until(page, () => window.rigor.isStill());
}
