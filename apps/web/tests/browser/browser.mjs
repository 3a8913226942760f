// Debian's Chromium, drawing in software, and what tests do with a page again and again.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export async function launch() {
    if (!existsSync(executablePath))
        throw new Error(`${executablePath} is not there: tools/setup chromium installs it`);
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

/// A page whose canvas has few pixels, since software draws them. Errors are gathered in `errors`.
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
    page.setDefaultTimeout(15_000);
    page.errors = [];
    page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
    page.on('pageerror', (error) => page.errors.push(String(error)));
    await page.goto(`${address}?quality=${options.quality ?? 'low'}`);
    await page.waitForFunction(() => window.rigor?.greeted());
    return page;
}

export const state = (page) => page.evaluate(() => window.rigor.state());
export const bodies = (page, world = 0) => page.evaluate((w) => window.rigor.bodies(w), world);
export const body = async (page, name) => (await bodies(page)).find((b) => b.name === name);

/// Waits until a function of the probe is true; `argument` is handed to it.
export function until(page, condition, argument, timeout = 15_000) {
    return page.waitForFunction(condition, argument, { polling: 50, timeout });
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

/// Opens a scene, waits for its first frame and pauses it at step 0.
export async function openPaused(page, scene) {
    const opened = await page.evaluate(() => window.rigor.opened());
    await openScene(page, scene);
    await until(page, (before) => window.rigor.opened() > before, opened);
    await pause(page);
    await page.click('[data-test="restart"]');
    await until(page, () => window.rigor.state().step === 0 && window.rigor.bodies().length > 0);
}

export async function pause(page) {
    if ((await state(page)).running) await page.click('[data-test="run"]');
    await until(page, () => !window.rigor.state().running);
}

export async function run(page) {
    if (!(await state(page)).running) await page.click('[data-test="run"]');
    await until(page, () => window.rigor.state().running);
}

/// What the stage looks like, without the panels over it.
export function picture(page) {
    return page.locator('[data-test="canvas"]').screenshot({ animations: 'disabled' });
}

/// Waits until the stage looks other than `before`; false when it does not come to that.
export async function differs(page, before) {
    const deadline = Date.now() + 15_000;
    while (Date.now() < deadline) {
        if (!before.equals(await picture(page))) return true;
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

/// The place of a body on the page, in CSS pixels.
export async function onPage(page, index) {
    const box = await page.locator('[data-test="canvas"]').boundingBox();
    const at = await page.evaluate((i) => window.rigor.onPage(i), index);
    return { x: box.x + at.x, y: box.y + at.y };
}

export const chooseTool = (page, tool) => page.click(`[data-tool="${tool}"]`);
export const tab = (page, name) => page.click(`[data-tab="${name}"]`);
