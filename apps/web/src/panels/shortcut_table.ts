// What each key does.

import type { Viewport } from '../draw/viewport';
import type { Session } from '../store/session';
import type { Hand } from '../tools/hand';
import type { HeldKeys } from '../tools/held_keys';
import type { Picker } from '../tools/picker';
import { dropShapes, tools, type Toolbox } from '../tools/toolbox';
import type { ComparePanel } from './compare_panel';
import type { Follower } from './follower';
import type { Gallery } from './gallery';
import type { Inspector } from './inspector';
import type { SeePanel } from './see_panel';
import type { Shortcut } from './shortcuts';
import type { SidePanel } from './side_panel';
import type { ThemeSwitch } from './theme';
import type { Timeline } from './timeline';

export interface ShortcutParts {
    session: Session;
    timeline: Timeline;
    viewport: Viewport;
    toolbox: Toolbox;
    picker: Picker;
    hand: Hand;
    keys: HeldKeys;
    canvas: HTMLCanvasElement;
    sight: SeePanel;
    compare: ComparePanel;
    gallery: Gallery;
    inspector: Inspector;
    follower: Follower;
    side: SidePanel;
    theme: ThemeSwitch;
    openFile: () => void;
    help: () => void;
}

export function shortcutTable(p: ShortcutParts): Shortcut[] {
    return [...timeKeys(p), ...viewKeys(p), ...toolKeys(p), ...pageKeys(p)];
}

function timeKeys({ timeline }: ShortcutParts): Shortcut[] {
    const group = 'Time';
    return [
        { group, keys: [' '], does: 'run or pause', run: () => timeline.toggleRun() },
        { group, keys: ['.'], does: 'one step', run: () => timeline.stepBy(1) },
        { group, keys: [','], does: 'one step back', run: () => timeline.stepBy(-1) },
        { group, keys: ['Home'], does: 'restart', run: () => timeline.restart() },
        { group, keys: ['['], does: 'slower', run: () => timeline.changeSpeed(-1) },
        { group, keys: [']'], does: 'faster', run: () => timeline.changeSpeed(1) },
    ];
}

function viewKeys({ viewport, follower }: ShortcutParts): Shortcut[] {
    const group = 'View';
    return [
        { group, keys: ['f'], does: 'frame all', run: () => viewport.frameAll() },
        {
            group,
            keys: ['h'],
            does: 'follow the selected body, or stop',
            run: () => follower.toggle(),
        },
        { group, keys: ['x'], does: 'from the side', run: () => viewport.rig.lookAlong('x') },
        { group, keys: ['y'], does: 'from the front', run: () => viewport.rig.lookAlong('y') },
        { group, keys: ['z'], does: 'from above', run: () => viewport.rig.lookAlong('z') },
        { group, keys: ['+', '='], does: 'nearer', run: () => viewport.rig.zoom(0.8) },
        { group, keys: ['-'], does: 'farther', run: () => viewport.rig.zoom(1.25) },
        { group, keys: ['Arrow keys'], does: 'turn the view; move what is held' },
        { group, keys: ['W A S D', 'Q E'], does: 'fly; down and up' },
        { group, keys: ['Drag'], does: 'turn; with the right button or Shift, move' },
        { group, keys: ['Two fingers'], does: 'move and zoom' },
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
            does: 'use the tool in the middle of the view',
            run: () => useInMiddle(p),
        },
        { group, keys: ['n'], does: 'next shape to drop', run: () => nextShape(p.toolbox) },
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
        { group, keys: ['Escape'], does: 'let go, select nothing', run: () => letGo(p) },
    ];
}

function pageKeys(p: ShortcutParts): Shortcut[] {
    const group = 'Page';
    return [
        { group, keys: ['g'], does: 'gallery', run: () => p.gallery.open() },
        { group, keys: ['o'], does: 'open a file', run: p.openFile },
        { group, keys: ['c'], does: 'compare methods', run: () => p.compare.open() },
        { group, keys: ['v'], does: 'contacts on or off', run: () => p.sight.flip('contacts') },
        { group, keys: ['t'], does: 'trails on or off', run: () => p.sight.flip('trails') },
        {
            group,
            keys: ['p'],
            does: 'panel on or off',
            run: () => (p.side.open.value = !p.side.open.value),
        },
        {
            group,
            keys: ['k'],
            does: 'keys drive the scene, or the camera',
            run: () => (p.keys.driving.value = !p.keys.driving.value),
        },
        { group, keys: ['l'], does: 'light or dark', run: () => p.theme.toggle() },
        { group, keys: ['?'], does: 'this list', run: p.help },
    ];
}

function useInMiddle({ canvas, viewport, picker, toolbox, hand }: ShortcutParts): void {
    if (document.activeElement !== canvas) return;
    if (hand.holds) return hand.release();
    const box = canvas.getBoundingClientRect();
    const pane = viewport.pane(0);
    const ray = viewport.ray(box.left + pane.width / 2, box.top + pane.height / 2);
    picker.pick(ray, (picked) => {
        toolbox.use(picked, ray);
        if (toolbox.tool.value === 'drag') hand.grab(picked);
    });
}

function nextShape(toolbox: Toolbox): void {
    const now = dropShapes.indexOf(toolbox.shape.value);
    toolbox.shape.value = dropShapes[(now + 1) % dropShapes.length];
}

function letGo({ hand, session, follower }: ShortcutParts): void {
    hand.release();
    session.select(null);
    follower.stop();
}
