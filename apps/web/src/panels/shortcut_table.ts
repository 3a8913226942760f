// The keyboard shortcuts.

import type { Viewport } from '../draw/viewport';
import type { Session } from '../store/session';
import type { DragTool } from '../tools/drag_tool';
import type { HeldKeys } from '../tools/held_keys';
import type { Picker } from '../tools/picker';
import type { PointerDriver } from '../tools/pointer_driver';
import { dropShapes, tools, type Toolbox } from '../tools/toolbox';
import type { CheckBadge } from './check_badge';
import type { ComparePanel } from './compare_panel';
import type { CameraFollower } from './camera_follower';
import type { ChaseCamera } from './chase_camera';
import type { Gallery } from './gallery';
import type { Inspector } from './inspector';
import type { DisplayPanel } from './display_panel';
import type { Shortcut } from './shortcuts';
import type { SidePanel } from './side_panel';
import type { ThemeSwitch } from './theme';
import type { Timeline } from './timeline';

export interface ShortcutParts {
    session: Session;
    timeline: Timeline;
    checkBadge: CheckBadge;
    viewport: Viewport;
    toolbox: Toolbox;
    picker: Picker;
    dragTool: DragTool;
    keys: HeldKeys;
    canvas: HTMLCanvasElement;
    display: DisplayPanel;
    compare: ComparePanel;
    gallery: Gallery;
    inspector: Inspector;
    follower: CameraFollower;
    chase: ChaseCamera;
    pointer: PointerDriver;
    side: SidePanel;
    theme: ThemeSwitch;
    openFile: () => void;
    help: () => void;
}

export function shortcutTable(p: ShortcutParts): Shortcut[] {
    return [...timeKeys(p), ...viewKeys(p), ...toolKeys(p), ...pageKeys(p)];
}

function timeKeys({ timeline, checkBadge }: ShortcutParts): Shortcut[] {
    const group = 'Simulation';
    return [
        { group, keys: [' ', 'Shift+ '], does: 'run or pause', run: () => timeline.toggleRun() },
        { group, keys: ['.'], does: 'step', run: () => timeline.stepBy(1) },
        { group, keys: [','], does: 'step back', run: () => timeline.stepBy(-1) },
        { group, keys: ['Home'], does: 'restart', run: () => timeline.restart() },
        { group, keys: ['['], does: 'slower', run: () => timeline.changeSpeed(-1) },
        { group, keys: [']'], does: 'faster', run: () => timeline.changeSpeed(1) },
        { group, keys: ['j'], does: 'check the last steps', run: () => checkBadge.run() },
    ];
}

function viewKeys({ viewport, follower, chase }: ShortcutParts): Shortcut[] {
    const group = 'Camera';
    // A chosen view is not turned by the vehicle.
    const free = (look: () => void): void => {
        chase.isOn.value = false;
        look();
    };
    return [
        {
            group,
            keys: ['f'],
            does: 'frame all bodies',
            run: () => free(() => viewport.frameAll()),
        },
        {
            group,
            keys: ['h'],
            does: 'follow the selected body, or stop',
            run: () => follower.toggle(),
        },
        {
            group,
            keys: ['b'],
            does: 'camera behind the vehicle, or free',
            run: () => chase.toggle(),
        },
        {
            group,
            keys: ['x'],
            does: 'look along x',
            run: () => free(() => viewport.rig.lookAlong('x')),
        },
        {
            group,
            keys: ['y'],
            does: 'look along y',
            run: () => free(() => viewport.rig.lookAlong('y')),
        },
        {
            group,
            keys: ['z'],
            does: 'look along z (from above)',
            run: () => free(() => viewport.rig.lookAlong('z')),
        },
        { group, keys: ['+', '='], does: 'zoom in', run: () => viewport.rig.zoom(0.8) },
        { group, keys: ['-'], does: 'zoom out', run: () => viewport.rig.zoom(1.25) },
        { group, keys: ['Arrow keys'], does: 'orbit; move the dragged body' },
        { group, keys: ['W A S D', 'Q E'], does: 'move the camera; down and up' },
        { group, keys: ['Drag'], does: 'orbit; with the right button or Shift, pan' },
        { group, keys: ['Two fingers'], does: 'pan and zoom' },
    ];
}

function toolKeys(p: ShortcutParts): Shortcut[] {
    const group = 'Tools';
    const choose = tools.map((tool, i): Shortcut => ({
        group,
        keys: [String(i + 1)],
        does: tool.label.toLowerCase(),
        run: () => (p.toolbox.tool.value = tool.name),
    }));
    return [
        ...choose,
        {
            group,
            keys: ['Enter'],
            does: 'use the tool at the center of the view',
            run: () => useAtCenter(p),
        },
        {
            group,
            keys: ['n'],
            does: 'next shape of the drop tool',
            run: () => nextShape(p.toolbox),
        },
        {
            group,
            keys: ['Delete'],
            does: 'delete the selected body',
            run: () => p.inspector.act('delete'),
        },
        {
            group,
            keys: ['Ctrl+d'],
            does: 'duplicate the selected body',
            run: () => p.inspector.act('duplicate'),
        },
        { group, keys: ['Ctrl+z'], does: 'undo', run: () => p.session.send({ type: 'undo' }) },
        {
            group,
            keys: ['Ctrl+Shift+z', 'Ctrl+y'],
            does: 'redo',
            run: () => p.session.send({ type: 'redo' }),
        },
        { group, keys: ['Escape'], does: 'release and deselect', run: () => releaseAndDeselect(p) },
    ];
}

function pageKeys(p: ShortcutParts): Shortcut[] {
    const group = 'Page';
    return [
        { group, keys: ['g'], does: 'gallery', run: () => p.gallery.open() },
        { group, keys: ['o'], does: 'open a file', run: p.openFile },
        { group, keys: ['c'], does: 'compare methods', run: () => p.compare.open() },
        {
            group,
            keys: ['v'],
            does: 'contacts overlay on or off',
            run: () => p.display.toggle('contacts'),
        },
        { group, keys: ['t'], does: 'trails on or off', run: () => p.display.toggle('trails') },
        {
            group,
            keys: ['p'],
            does: 'side panel on or off',
            run: () => (p.side.open.value = !p.side.open.value),
        },
        {
            group,
            keys: ['k'],
            does: 'keys control vehicles and driven bodies, or the camera',
            run: () => (p.keys.driving.value = !p.keys.driving.value),
        },
        {
            group,
            keys: ['m'],
            does: 'pointer moves driven bodies, or not',
            run: () => p.pointer.toggle(),
        },
        { group, keys: ['l'], does: 'light or dark theme', run: () => p.theme.toggle() },
        { group, keys: ['?'], does: 'keyboard shortcuts', run: p.help },
    ];
}

function useAtCenter({ canvas, viewport, picker, toolbox, dragTool }: ShortcutParts): void {
    if (document.activeElement !== canvas) return;
    if (dragTool.isDragging) return dragTool.release();
    const ray = viewport.centerRay();
    picker.pick(ray, (picked) => {
        toolbox.use(picked, ray);
        if (toolbox.tool.value === 'drag') dragTool.grab(picked);
    });
}

function nextShape(toolbox: Toolbox): void {
    const now = dropShapes.indexOf(toolbox.shape.value);
    toolbox.shape.value = dropShapes[(now + 1) % dropShapes.length];
}

function releaseAndDeselect({ dragTool, session, follower }: ShortcutParts): void {
    dragTool.release();
    session.select(null);
    follower.stop();
}
