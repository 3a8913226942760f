// Debian's Chromium with software rendering, and the helpers of the browser tests.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/// Waits end with their condition; the limit only bounds a failing test on a busy machine.
const patienceMs = 60_000;
/// Without windows, menus and profiles a page opens in a third of the time that the whole browser takes.
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

export async function launch() {
    if (!existsSync(executablePath))
        throw new Error(
            `${executablePath} does not exist: tools/setup chromium-headless-shell installs it`,
        );
    return chromium.launch({
        executablePath,
        args: [
            '--no-sandbox',
            '--disable-quic',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
            '--use-angle=swiftshader',
            '--enable-unsafe-swiftshader',
        ],
    });
}

/// A page with a small canvas, since rendering is in software. Its errors are collected in `errors`.
export async function openPage(browser, address, options = {}) {
    const context = await browser.newContext({
        viewport: options.viewport ?? { width: 1280, height: 720 },
        deviceScaleFactor: options.scale ?? 0.4,
        colorScheme: options.dark ? 'dark' : 'light',
        hasTouch: options.touch ?? false,
        isMobile: options.touch ?? false,
        acceptDownloads: true,
        reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    page.errors = [];
    page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
    page.on('pageerror', (error) => page.errors.push(String(error)));
    await options.prepare?.(page);
    await page.goto(`${address}?quality=${options.quality ?? 'low'}`);
    await page.waitForFunction(() => window.rigor?.isReady());
    return page;
}

export const state = (page) => page.evaluate(() => window.rigor.state());
/// The bodies, of a paused world where they are at its step.
export async function bodies(page, world = 0) {
    await until(page, (w) => window.rigor.isPosed(w), world);
    return page.evaluate((w) => window.rigor.bodies(w), world);
}
export const body = async (page, name) => (await bodies(page)).find((b) => b.name === name);

/// Waits until a condition of the page is true; `argument` is passed to it.
export function until(page, condition, argument, timeout = patienceMs) {
    return page.waitForFunction(condition, argument, { polling: 10, timeout });
}

/// Opens a scene given as an object, through the file chooser as a user would.
export async function openScene(page, scene, name = 'test.json') {
    const text = typeof scene === 'string' ? scene : JSON.stringify(scene);
    await page.evaluate(() => document.querySelector('dialog[open]')?.close());
    await openFile(page, name, text);
}

export async function openFile(page, name, text) {
    const button = '.top-bar [aria-label="Open a scene or recording"]';
    const chooser = page.waitForEvent('filechooser');
    if (await page.isVisible(button)) await page.click(button);
    else await openFromGallery(page);
    await (
        await chooser
    ).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

/// A narrow page has the button in its gallery only.
async function openFromGallery(page) {
    await page.click('[data-test="gallery"]');
    await page.click('.gallery-head .button');
}

/// Opens a file and waits until the page shows its world, at step 0 and paused. The server runs what it
/// opens, so seeking (which pauses) is sent after the first state message of the new scene.
export async function openFilePaused(page, name, text) {
    const opened = await page.evaluate(() => window.rigor.opened());
    await openFile(page, name, text);
    await until(page, (before) => window.rigor.opened() > before, opened);
    await page.evaluate(() => window.rigor.setSpeed(1));
    await page.evaluate(() => window.rigor.pauseAt(0));
    await until(page, () => {
        const { step, running, seeking, speed } = window.rigor.state();
        return step === 0 && !running && !seeking && speed === 1;
    });
    await until(page, () => window.rigor.bodies().length > 0);
    // Until then the camera is that of the scene before, and rays of clicks go elsewhere.
    await until(page, () => window.rigor.isIdle());
}

/// Opens a scene given as an object and pauses it at step 0, at normal speed.
export async function openPaused(page, scene) {
    await page.evaluate(() => document.querySelector('dialog[open]')?.close());
    await openFilePaused(page, 'test.json', JSON.stringify(scene));
}

export async function pause(page) {
    if ((await state(page)).running) await page.click('[data-test="run"]');
    await until(page, () => !window.rigor.state().running);
}

export async function run(page) {
    if (!(await state(page)).running) await page.click('[data-test="run"]');
    await until(page, () => window.rigor.state().running);
}

/// Ends a test: a world that runs on would be drawn by the next page while that opens. A page that
/// has lost its server has nothing to pause.
export async function close(browser) {
    for (const context of browser.contexts()) {
        for (const page of context.pages()) await pauseForGood(page).catch(() => {});
        await context.close();
    }
}

async function pauseForGood(page) {
    if (!(await page.evaluate(() => window.rigor?.state()?.running))) return;
    await page.evaluate(() => window.rigor.pause());
    await until(page, () => !window.rigor.state().running, null, 2000);
}

/// The 3D view without the panels over it, rendered now.
export const image = (page) => page.evaluate(() => window.rigor.image());

/// The 3D view of a paused world, when its rendering is up to date.
export async function idleImage(page) {
    await until(page, () => window.rigor.isIdle());
    return image(page);
}

/// Waits until the 3D view differs from `before`, or with `same` until it equals it; false if it does not.
export async function changesFrom(page, before, same = false) {
    const deadline = Date.now() + patienceMs;
    while (Date.now() < deadline) {
        if ((before === (await image(page))) === same) return true;
    }
    return false;
}

/// Runs `count` steps while paused and waits for them.
export async function steps(page, count, button = 'step') {
    const before = (await state(page)).step;
    for (let i = 0; i < count; ++i) await page.click(`[data-test="${button}"]`);
    const wanted = button === 'step' ? before + count : before - count;
    await until(page, (step) => window.rigor.state().step === step, wanted);
}

export async function hash(page) {
    await until(
        page,
        () => window.rigor.state().hashes?.length > 0 && !window.rigor.state().seeking,
    );
    return (await state(page)).hashes[0];
}

/// The position of a body on the page, in CSS pixels.
export async function onPage(page, index) {
    const box = await page.locator('[data-test="canvas"]').boundingBox();
    const at = await page.evaluate((i) => window.rigor.screenPosition(i), index);
    return { x: box.x + at.x, y: box.y + at.y };
}

export const chooseTool = (page, tool) => page.click(`[data-tool="${tool}"]`);
export const tab = (page, name) => page.click(`[data-tab="${name}"]`);
