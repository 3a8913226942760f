// The tests of the page in a real browser against a real server: one process, one server, one browser.
//   RIGOR=path of the program (default build/release/rigor)   RIGOR_PAGE=folder of a page not built in
//   ONLY=part of a test's name

import { after, before, describe, it } from 'node:test';
import { launch } from './browser.mjs';
import { freePort, Server } from './server.mjs';
import { accessTests } from './access_tests.mjs';
import { compareTests } from './compare_tests.mjs';
import { costTests } from './cost_tests.mjs';
import { exportTests } from './export_tests.mjs';
import { fingerTests } from './finger_tests.mjs';
import { galleryTests } from './gallery_tests.mjs';
import { keyTests } from './key_tests.mjs';
import { linkTests } from './link_tests.mjs';
import { seeTests } from './see_tests.mjs';
import { timeTests } from './time_tests.mjs';
import { touchTests } from './touch_tests.mjs';

const only = process.env.ONLY;
const world = { browser: null, server: null };
const limit = { timeout: 180_000 };

const attempt = async (body) => {
    try {
        await body(world);
    } finally {
        for (const context of world.browser.contexts()) await context.close();
    }
};

/// A test gets the browser and the server, and what it opened is closed; ones that ONLY does not name are
/// left out. A busy machine without a graphics card starves a page now and then, so what fails is tried
/// once more, and told.
const test = (name, body) => {
    if (only && !name.includes(only)) return;
    it(name, limit, async () => {
        try {
            await attempt(body);
        } catch (error) {
            console.log(`tried again: ${name}: ${error.message}`);
            await attempt(body);
        }
    });
};

describe('the page', { timeout: 900_000 }, () => {
    before(async () => {
        world.server = new Server(await freePort());
        await world.server.start();
        world.browser = await launch();
    });
    after(async () => {
        await world.browser?.close();
        await world.server?.stop();
    });
    const all = [
        galleryTests,
        timeTests,
        touchTests,
        fingerTests,
        keyTests,
        seeTests,
        compareTests,
        exportTests,
        accessTests,
        costTests,
        linkTests,
    ];
    for (const tests of all) tests(test);
});
