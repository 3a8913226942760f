// Creates and connects the parts of the page.

import './style/tokens.css';
import './style/layout.css';
import './style/small_windows.css';
import './style/controls.css';
import './style/panels.css';
import './style/hud.css';
import './style/dialogs.css';
import { activateOnEnter, make } from './base/dom';
import { chooseFile } from './base/files';
import { Connection, socketAddress } from './protocol/connection';
import { StatsHistory } from './store/stats_history';
import { pointerDrivers, takesKeys } from './store/scene_roles';
import { Session } from './store/session';
import { ViewOptions } from './store/view_options';
import { darkScene, lightScene } from './draw/scene_theme';
import { connectOverlays } from './draw/overlay_controller';
import { Viewport } from './draw/viewport';
import { DragTool } from './tools/drag_tool';
import { HeldKeys } from './tools/held_keys';
import { Picker } from './tools/picker';
import { PointerDriver } from './tools/pointer_driver';
import { PointerInput } from './tools/pointer_input';
import { Toolbox } from './tools/toolbox';
import { ConnectionBanner } from './panels/connection_banner';
import { ComparePanel } from './panels/compare_panel';
import { EventLog } from './panels/event_log';
import { Exports } from './panels/exports';
import { FileDrop } from './panels/file_drop';
import { buttonActions } from './panels/button_actions';
import { CheckBadge } from './panels/check_badge';
import { CameraFollower } from './panels/camera_follower';
import { ChaseCamera } from './panels/chase_camera';
import { DriveHud } from './panels/drive_hud';
import { DriverPad } from './panels/driver_pad';
import { DuelHud } from './panels/duel_hud';
import { ForceLabel } from './panels/force_label';
import { Gallery } from './panels/gallery';
import { Inspector } from './panels/inspector';
import { KeyLegend } from './panels/key_legend';
import { LedgerCard } from './panels/energy_ledger';
import { Plots } from './panels/plots';
import { ProfileBar } from './panels/profile_bar';
import { DisplayPanel } from './panels/display_panel';
import { Shortcuts } from './panels/shortcuts';
import { shortcutTable } from './panels/shortcut_table';
import { SceneControls } from './panels/scene_controls';
import { SidePanel } from './panels/side_panel';
import { ThemeSwitch } from './panels/theme';
import { Timeline } from './panels/timeline';
import { Toasts } from './panels/toasts';
import { ToolRail } from './panels/tool_rail';
import { TopBar } from './panels/top_bar';
import { TouchPad, touchSignal } from './panels/touch_pad';
import { WorldPanel } from './panels/world_panel';
import { exposeProbe } from './probe';

const connection = new Connection(socketAddress(location));
const session = new Session(connection);
const viewOptions = new ViewOptions(session);
const history = new StatsHistory();
const toasts = new Toasts();
const theme = new ThemeSwitch();

const canvas = make('canvas', {
    class: 'canvas',
    tabindex: 0,
    role: 'application',
    'data-test': 'canvas',
    'aria-label':
        'Simulated world. Arrow keys orbit the camera, W A S D Q E move it, Enter uses the tool at the center.',
});
const viewport = new Viewport(canvas, session);
const picker = new Picker(session);
const toolbox = new Toolbox(session, viewport);
const dragTool = new DragTool(session, viewport);
const keys = new HeldKeys(session, viewport, dragTool, canvas);
const pointer = new PointerDriver(session, viewport, canvas);
new PointerInput(canvas, viewport, picker, toolbox, dragTool);
connectOverlays(session, viewOptions, viewport);

const exports = new Exports(session, viewport, history, canvas, toasts);
const chase = new ChaseCamera(session, viewport);
const follower = new CameraFollower(session, viewport, () => (chase.isOn.value = false));
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
const display = new DisplayPanel(session, viewOptions);
const events = new EventLog(session);
const world = new WorldPanel(session);
const compare = new ComparePanel(session, viewport);
const profile = new ProfileBar(session);
plots.element.append(profile.element);
const side = new SidePanel([
    { name: 'World', content: world.element },
    { name: 'Inspect', content: inspector.element },
    { name: 'Display', content: display.element },
    { name: 'Plots', content: plots.element, shown: () => plots.rebuild() },
    { name: 'Events', content: events.element, shown: () => events.refresh() },
]);
const rail = new ToolRail(toolbox, session);
const force = new ForceLabel(viewport);
const checkBadge = new CheckBadge(session);
dragTool.force.listen(({ newtons, at }) => force.show(newtons, at));

const shortcuts: Shortcuts = new Shortcuts(
    shortcutTable({
        session,
        timeline,
        checkBadge,
        viewport,
        toolbox,
        picker,
        dragTool,
        keys,
        canvas,
        display,
        compare,
        gallery,
        inspector,
        follower,
        chase,
        pointer,
        side,
        theme,
        openFile,
        help: () => shortcuts.open(),
    }),
);
shortcuts.captured = (event) => keys.takes(event);

const topBar = new TopBar(session, {
    gallery: () => gallery.open(),
    openFile,
    compare: () => compare.open(),
    theme: () => theme.toggle(),
    help: () => shortcuts.open(),
    panel: () => (side.open.value = !side.open.value),
    screenshot: () => void exports.screenshot(),
    video: () => exports.video(),
    csv: () => exports.csv(),
    scene: () => exports.scene(),
    saveRecording: () => exports.saveRecording(),
    loadRecording: () => exports.loadRecording(),
    setMethod: (method) => world.setMethod(method),
});
const banner = new ConnectionBanner(connection, () => toasts.notice('Reconnected.'));
const drop = new FileDrop((file) => {
    gallery.close();
    void exports.openFile(file);
});
const ledger = new LedgerCard(session, viewOptions);
const keyLegend = new KeyLegend(session, keys);
const driveHud = new DriveHud(session, keys, chase, keyLegend);
const driverPad = new DriverPad(session, pointer);
const duelHud = new DuelHud(session);
const sceneControls = new SceneControls(
    session,
    buttonActions({ session, timeline, checkBadge, viewport, picker, toolbox }),
);
const touchPad = new TouchPad(session, keys, touchSignal());

const viewArea = make(
    'main',
    { class: 'view-area', id: 'view-area' },
    canvas,
    make('div', { class: 'crosshair', 'aria-hidden': 'true' }),
    compare.labels,
    rail.element,
    make(
        'div',
        { class: 'view-bottom' },
        make(
            'div',
            { class: 'hud' },
            keyLegend.element,
            duelHud.element,
            make(
                'div',
                { class: 'hud-right' },
                sceneControls.element,
                driverPad.element,
                driveHud.element,
            ),
        ),
        make(
            'div',
            { class: 'view-foot' },
            make(
                'div',
                { class: 'view-notes' },
                display.legend,
                make('div', { class: 'view-line' }, rail.hint, checkBadge.element),
            ),
            ledger.element,
        ),
        touchPad.element,
    ),
    force.element,
    toasts.element,
);
document
    .getElementById('app')!
    .append(
        topBar.element,
        viewArea,
        side.element,
        timeline.element,
        banner.element,
        gallery.element,
        compare.element,
        shortcuts.element,
        drop.element,
    );

activateOnEnter();
theme.theme.observe((name) => {
    viewport.setTheme(name === 'dark' ? darkScene : lightScene);
    plots.rebuild();
});
if (matchMedia('(max-width: 760px)').matches) side.open.value = false;
side.open.observe((open) => document.getElementById('app')!.classList.toggle('with-side', open));
new ResizeObserver(() => {
    viewport.resize();
    compare.labels.classList.toggle('stacked', canvas.clientHeight > canvas.clientWidth);
}).observe(canvas);

session.error.listen((error) => toasts.error(locationOf(error) + error.message));
session.notice.listen((text) => toasts.notice(text));
session.selected.listen((body) => {
    if (body !== null && side.open.value && !side.isShowing('Plots')) side.show('Inspect');
});
session.state.listen((state) => {
    if (!state.open && session.scene.value === null && !hasState) gallery.open();
    hasState = true;
});
session.scene.listen(() => gallery.close());
session.roles.listen((roles) => {
    const isControlled = takesKeys(roles) || pointerDrivers(roles).length > 0;
    viewArea.classList.toggle('controlled', isControlled);
});
session.scene.listen(() => {
    const [driven] = session.roles.value.drivers.filter((driver) => driver.input === 'keys');
    if (driven)
        toasts.notice(
            `The keyboard controls “${session.worlds[0].name(driven.body)}”. Press K to control the camera instead.`,
        );
});
for (const { notice } of [chase, pointer]) notice.listen((text) => toasts.notice(text));
// The 3D view gets the focus back when a dialog closes.
for (const dialog of [gallery.element, compare.element, shortcuts.element]) {
    dialog.addEventListener('close', () => canvas.focus({ preventScroll: true }));
}
let hasState = false;

function locationOf(error: {
    file?: string;
    line?: number;
    column?: number;
    message: string;
}): string {
    if (!error.line || error.message.includes(`:${error.line}:`)) return '';
    return `${error.file ?? 'scene'}:${error.line}:${error.column ?? 1}: `;
}

let lastFrame = performance.now();
function animate(now: number): void {
    const elapsed = now - lastFrame;
    keys.advance(elapsed);
    lastFrame = now;
    viewport.advance(now);
    follower.advance();
    chase.advance(elapsed);
    pointer.advance(now);
    viewport.draw(now);
    requestAnimationFrame(animate);
}
requestAnimationFrame(animate);

exposeProbe({ session, viewOptions, viewport, dragTool, keys, chase });
connection.open();
