// Puts the page together.

import './style/tokens.css';
import './style/layout.css';
import './style/controls.css';
import './style/panels.css';
import { make } from './base/dom';
import { chooseFile } from './base/files';
import { Connection, socketAddress } from './protocol/connection';
import { History } from './store/history';
import { Session } from './store/session';
import { Sight } from './store/sight';
import { darkLook, lightLook } from './draw/look';
import { connectOverlays } from './draw/overlay_controller';
import { Viewport } from './draw/viewport';
import { Hand } from './tools/hand';
import { HeldKeys } from './tools/held_keys';
import { Picker } from './tools/picker';
import { Pointers } from './tools/pointers';
import { Toolbox } from './tools/toolbox';
import { Banner } from './panels/banner';
import { ComparePanel } from './panels/compare_panel';
import { EventLog } from './panels/event_log';
import { Exports } from './panels/exports';
import { FileDrop } from './panels/file_drop';
import { Follower } from './panels/follower';
import { ForceLabel } from './panels/force_label';
import { Gallery } from './panels/gallery';
import { Inspector } from './panels/inspector';
import { LedgerCard } from './panels/ledger';
import { Plots } from './panels/plots';
import { ProfileBar } from './panels/profile_bar';
import { SeePanel } from './panels/see_panel';
import { Shortcuts } from './panels/shortcuts';
import { shortcutTable } from './panels/shortcut_table';
import { SidePanel } from './panels/side_panel';
import { ThemeSwitch } from './panels/theme';
import { Timeline } from './panels/timeline';
import { Toasts } from './panels/toasts';
import { ToolRail } from './panels/tool_rail';
import { TopBar } from './panels/top_bar';
import { WorldPanel } from './panels/world_panel';
import { exposeProbe } from './probe';

const connection = new Connection(socketAddress(location));
const session = new Session(connection);
const sight = new Sight(session);
const history = new History();
const toasts = new Toasts();
const theme = new ThemeSwitch();

const canvas = make('canvas', {
    class: 'canvas',
    tabindex: 0,
    role: 'application',
    'data-test': 'canvas',
    'aria-label':
        'The simulated world. Arrow keys turn the view, W A S D Q E fly, Enter uses the tool in the middle.',
});
const viewport = new Viewport(canvas, session);
const picker = new Picker(session);
const toolbox = new Toolbox(session, viewport);
const hand = new Hand(session, viewport);
const keys = new HeldKeys(session, viewport, hand, canvas);
new Pointers(canvas, viewport, picker, toolbox, hand);
connectOverlays(session, sight, viewport);

const exports = new Exports(session, viewport, history, canvas, toasts);
const follower = new Follower(session, viewport);
const openFile = (): void =>
    chooseFile('.json,application/json', (file) => {
        gallery.close();
        void exports.openFile(file);
    });
const gallery = new Gallery(session, openFile);
const timeline = new Timeline(session);
const plots = new Plots(session, history);
const inspector = new Inspector(
    session,
    () => follower.toggle(),
    (body) => {
        plots.plotBody(body);
        side.show('Plots');
    },
);
const see = new SeePanel(session, sight);
const events = new EventLog(session);
const world = new WorldPanel(session);
const compare = new ComparePanel(session, viewport);
const profile = new ProfileBar(session);
plots.element.append(profile.element);
const side = new SidePanel([
    { name: 'World', content: world.element },
    { name: 'Inspect', content: inspector.element },
    { name: 'See', content: see.element },
    { name: 'Plots', content: plots.element, shown: () => plots.rebuild() },
    { name: 'Events', content: events.element, shown: () => events.refresh() },
]);
const rail = new ToolRail(toolbox, session);
const force = new ForceLabel(viewport);
hand.force.listen(({ newtons, at }) => force.show(newtons, at));

const shortcuts: Shortcuts = new Shortcuts(
    shortcutTable({
        session,
        timeline,
        viewport,
        toolbox,
        picker,
        hand,
        keys,
        canvas,
        sight: see,
        compare,
        gallery,
        inspector,
        follower,
        side,
        theme,
        openFile,
        help: () => shortcuts.open(),
    }),
);
shortcuts.captured = () => keys.driving.value;

const topBar = new TopBar(session, {
    gallery: () => gallery.open(),
    openFile,
    compare: () => compare.open(),
    theme: () => theme.toggle(),
    help: () => shortcuts.open(),
    panel: () => (side.open.value = !side.open.value),
    picture: () => void exports.picture(),
    video: () => exports.video(),
    csv: () => exports.csv(),
    scene: () => exports.scene(),
    saveRecording: () => exports.saveRecording(),
    loadRecording: () => exports.loadRecording(),
    setMethod: (method) => world.setMethod(method),
});
const banner = new Banner(connection, () => toasts.notice('Connected again.'));
const drop = new FileDrop((file) => {
    gallery.close();
    void exports.openFile(file);
});
const ledger = new LedgerCard(session, sight);

const stage = make(
    'main',
    { class: 'stage', id: 'stage' },
    canvas,
    make('div', { class: 'crosshair', 'aria-hidden': 'true' }),
    compare.labels,
    rail.element,
    make(
        'div',
        { class: 'stage-foot' },
        make('div', { class: 'stage-notes' }, see.legend, rail.hint),
        ledger.element,
    ),
    force.element,
    toasts.element,
);
document
    .getElementById('app')!
    .append(
        topBar.element,
        stage,
        side.element,
        timeline.element,
        banner.element,
        gallery.element,
        compare.element,
        shortcuts.element,
        drop.element,
    );

theme.theme.follow((name) => {
    viewport.setLook(name === 'dark' ? darkLook : lightLook);
    plots.rebuild();
});
if (matchMedia('(max-width: 760px)').matches) side.open.value = false;
side.open.follow((open) => document.getElementById('app')!.classList.toggle('with-side', open));
new ResizeObserver(() => {
    viewport.resize();
    compare.labels.classList.toggle('stacked', canvas.clientHeight > canvas.clientWidth);
}).observe(canvas);

session.error.listen((error) => toasts.error(place(error) + error.message));
session.notice.listen((text) => toasts.notice(text));
session.selected.listen((body) => {
    if (body !== null && side.open.value && !side.isShowing('Plots')) side.show('Inspect');
});
session.state.listen((state) => {
    if (!state.open && session.scene.value === null && !greeted) gallery.open();
    greeted = true;
});
session.scene.listen(() => gallery.close());
session.scene.listen(() => {
    const driven = [...(session.worlds[0]?.bodies.values() ?? [])].filter(
        (body) => body.driver === 'keys',
    );
    keys.driving.value = driven.length > 0;
    if (driven.length > 0)
        toasts.notice(`The keyboard drives “${driven[0].name}”. K gives the keys to the camera.`);
});
// Keys belong to the stage again when a dialog is done.
for (const dialog of [gallery.element, compare.element, shortcuts.element]) {
    dialog.addEventListener('close', () => canvas.focus({ preventScroll: true }));
}
let greeted = false;

function place(error: { file?: string; line?: number; column?: number; message: string }): string {
    if (!error.line || error.message.includes(`:${error.line}:`)) return '';
    return `${error.file ?? 'scene'}:${error.line}:${error.column ?? 1}: `;
}

let lastFrame = performance.now();
function animate(now: number): void {
    keys.advance(now - lastFrame);
    lastFrame = now;
    viewport.advance(now);
    follower.advance();
    viewport.draw(now);
    requestAnimationFrame(animate);
}
requestAnimationFrame(animate);

exposeProbe({ session, sight, viewport, hand });
connection.open();
