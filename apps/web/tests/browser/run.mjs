// The tests of the page in a browser against the server: one process, one server, one browser.
//   RIGOR=path of the program (default build/release/rigor)   RIGOR_PAGE=folder of a page not embedded
//   ONLY=part of a test's name
// A test that fails is not repeated.

import { after, before, describe, it } from 'node:test';
import { close, launch } from './browser.mjs';
import { freePort, Server } from './server.mjs';
import { accessibilityTests } from './accessibility_tests.mjs';
import { checkTests } from './check_tests.mjs';
import { controlTests } from './control_tests.mjs';
import { compareTests } from './compare_tests.mjs';
import { performanceTests } from './performance_tests.mjs';
import { exportTests } from './export_tests.mjs';
import { touchTests } from './touch_tests.mjs';
import { driveTests } from './drive_tests.mjs';
import { fileTests } from './file_tests.mjs';
import { activationTests } from './activation_tests.mjs';
import { settingsTests } from './settings_tests.mjs';
import { galleryTests } from './gallery_tests.mjs';
import { playTests } from './play_tests.mjs';
import { keyboardTests } from './keyboard_tests.mjs';
import { replayTests } from './replay_tests.mjs';
import { connectionTests } from './connection_tests.mjs';
import { displayTests } from './display_tests.mjs';
import { timelineTests } from './timeline_tests.mjs';
import { toolTests } from './tool_tests.mjs';

const only = process.env.ONLY;
const fixture = { browser: null, server: null };
const limit = { timeout: 300_000 };

/// A test gets the browser and the server; the pages it opened are closed after it.
const test = (name, body) => {
    if (only && !name.includes(only)) return;
    it(name, limit, async () => {
        try {
            await body(fixture);
        } finally {
            await close(fixture.browser);
        }
    });
};

describe('the page', { timeout: 1_800_000 }, () => {
    before(async () => {
        fixture.server = new Server(await freePort());
        await fixture.server.start();
        fixture.browser = await launch();
    });
    after(async () => {
        await fixture.browser?.close();
        await fixture.server?.stop();
    });
    const all = [
        galleryTests,
        timelineTests,
        toolTests,
        touchTests,
        driveTests,
        playTests,
        fileTests,
        keyboardTests,
        activationTests,
        settingsTests,
        controlTests,
        displayTests,
        checkTests,
        compareTests,
        exportTests,
        replayTests,
        accessibilityTests,
        connectionTests,
        performanceTests, // the last, as the next page would show its 4,000 bodies
    ];
    for (const tests of all) tests(test);
});
