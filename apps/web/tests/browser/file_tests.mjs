import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changesFrom, idleImage, openPage, tab, until } from './browser.mjs';
import { freePort, Server } from './server.mjs';

const tetrahedron = (size) => `v 0 0 ${size}\nv ${size} 0 0\nv 0 ${size} 0\nv -${size} -${size} 0
f 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n`;
const scene = (bodies) => JSON.stringify({ rigor: 1, name: 'edited', gravity: [0, 0, 0], bodies });
const ball = (name, look) => ({ name, shapes: [{ type: 'sphere', radius: 0.2 }], ...look });

/// Runs a test with a server of its own on a scene file in a folder of its own.
async function withFile(browser, text, files, body) {
    const folder = mkdtempSync(join(tmpdir(), 'rigor_page_'));
    const path = join(folder, 'edited.json');
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    writeFileSync(path, text);
    const server = new Server(await freePort());
    try {
        await server.start(path);
        const page = await openPage(browser, server.address);
        await until(page, () => window.rigor.bodies().length > 0);
        await body(page, path, folder);
    } finally {
        await server.stop();
        rmSync(folder, { recursive: true });
    }
}

const pauseAtStart = async (page) => {
    await page.evaluate(() => window.rigor.pauseAt(0));
    await until(page, () => !window.rigor.state().running && window.rigor.state().step === 0);
};

/// The camera glides to its distance with the frames that are drawn, however long one takes: read
/// once ten of them no longer change it.
const settledDistance = (page) =>
    page.evaluate(
        () =>
            new Promise((resolve) => {
                let last = 0;
                let still = 0;
                const look = () => {
                    const { distance } = window.rigor.view();
                    still = Math.abs(distance - last) < 1e-4 * distance ? still + 1 : 0;
                    last = distance;
                    if (still < 10) requestAnimationFrame(look);
                    else resolve(distance);
                };
                look();
            }),
    );

export function fileTests(test) {
    test('a scene that changes on disk is opened again, a bad one is not', async ({ browser }) => {
        await withFile(browser, scene([ball('one')]), {}, async (page, path) => {
            await pauseAtStart(page);
            const before = await page.evaluate(() => structuredClone(window.rigor.view()));
            await page.keyboard.press('-');
            await until(
                page,
                (distance) => window.rigor.view().distance > 1.2 * distance,
                before.distance,
            );
            const zoomed = await settledDistance(page);
            writeFileSync(path, scene([ball('one'), { ...ball('two'), position: [1, 0, 0] }]));
            await until(page, () => window.rigor.bodies().length === 2);
            await page.waitForSelector('.toast.notice:has-text("changed on disk")');
            assert.equal(await page.evaluate(() => window.rigor.state().running), false);
            const kept = await page.evaluate(() => window.rigor.view().distance);
            assert.ok(Math.abs(kept - zoomed) < 0.02 * zoomed, `${kept} after ${zoomed}`);
            writeFileSync(path, '{ "rigor": 1, "bodies": [ { "shapes": 5 } ] }');
            await page.waitForSelector('.toast.error:has-text("is kept")');
            assert.equal(await page.evaluate(() => window.rigor.bodies().length), 2);
            writeFileSync(path, scene([ball('three')]));
            await until(page, () => window.rigor.bodies()[0].name === 'three');
            assert.deepEqual(page.errors, []);
        });
    });

    test('look.mesh is drawn instead of the shapes, and read again', async ({ browser }) => {
        const looks = { look: { mesh: 'body.obj', color: '#c02020' } };
        const files = { 'body.obj': tetrahedron(1) };
        await withFile(browser, scene([ball('b', looks)]), files, async (page, path, folder) => {
            await pauseAtStart(page);
            await tab(page, 'Display');
            const showShapes = page.locator('[data-overlay="shapes"] input');
            const mesh = await idleImage(page);
            await showShapes.check();
            assert.ok(await changesFrom(page, mesh), 'collision shapes look like the mesh');
            await showShapes.uncheck();
            assert.ok(await changesFrom(page, mesh, true), 'the mesh did not come back');
            writeFileSync(join(folder, 'body.obj'), tetrahedron(0.4));
            assert.ok(await changesFrom(page, mesh), 'a changed mesh file is not read again');
            writeFileSync(join(folder, 'body.obj'), 'v 0 0 0\nf 1 2 3\n');
            await tab(page, 'World');
            await page.waitForSelector('.warnings:has-text("look.mesh is not drawn")');
            assert.equal(await page.evaluate(() => window.rigor.bodies().length), 1);
            assert.deepEqual(page.errors, []);
        });
    });
}
