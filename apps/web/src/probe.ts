// `window.rigor`: the interface for the tests and the screenshot script. The page does not use it.

import type { Vec3 } from './base/vector';
import type { Viewport } from './draw/viewport';
import type { Action } from './protocol/messages';
import type { Session } from './store/session';
import { meshKey } from './store/world_store';
import type { Overlay, ViewOptions } from './store/view_options';
import type { ChaseCamera } from './panels/chase_camera';
import type { DragTool } from './tools/drag_tool';
import type { HeldKeys } from './tools/held_keys';

interface Parts {
    session: Session;
    viewport: Viewport;
    viewOptions: ViewOptions;
    dragTool: DragTool;
    keys: HeldKeys;
    chase: ChaseCamera;
}

export interface Probe {
    state(): unknown;
    stats(): unknown;
    bodies(
        world?: number,
    ): { index: number; name: string; type: string; position: Vec3; asleep: boolean }[];
    /// The poses of a paused world are those of the step that its state tells: state messages come
    /// before the frames of the same step.
    isPosed(world?: number): boolean;
    /// The vertices of the first mesh of a body that deformed; null when it has not.
    vertices(body: number): number[] | null;
    drawStats(): { calls: number; triangles: number; script: number[] };
    /// The interpolated position of a body.
    shown(body: number): Vec3;
    /// The projected origin of a body, in CSS pixels of the canvas.
    screenPosition(body: number): { x: number; y: number };
    worlds(): number;
    /// Number of planes drawn as ground or wall.
    grounds(): number;
    /// The first state message has arrived.
    isReady(): boolean;
    /// Number of scenes opened since the page was loaded, counted at the first state message of each.
    opened(): number;
    /// The 3D view without the panels over it, rendered now, as a data address.
    image(): Promise<string>;
    setSpeed(speed: number): void;
    pause(): void;
    methods(): string[];
    /// Settings of the first world.
    settings(): unknown;
    view(): unknown;
    connectionStatus(): string;
    isDragging(): boolean;
    /// Keys control vehicles or driven bodies.
    isDriving(): boolean;
    /// The camera is behind a vehicle.
    isChasing(): boolean;
    selected(): number | null;
    /// The file of the scene that is open.
    file(): string | undefined;
    /// Paused, and the last rendered frame is up to date.
    isIdle(): boolean;
    open(scene: string, methods?: string[]): void;
    act(action: Action): void;
    setDisplay(overlays: Overlay[], color: string): void;
    /// Pauses at the step nearest to a time.
    pauseAt(seconds: number): void;
    /// Makes so many steps of a paused world, back when negative.
    stepBy(count: number): void;
}

export function exposeProbe(parts: Parts): void {
    const { session, viewOptions, viewport, dragTool, keys, chase } = parts;
    const position = (world: number, slot: number): Vec3 => {
        const p = session.worlds[world].poses.position;
        return [p[3 * slot], p[3 * slot + 1], p[3 * slot + 2]];
    };
    const count = countOpened(session);
    const probe: Probe = {
        state: () => session.state.value,
        stats: () => session.stats.value,
        vertices: (body) => {
            const mesh = session.worlds[0]?.deformed.get(meshKey(body, 0));
            return mesh ? [...mesh.vertices] : null;
        },
        isPosed: (world = 0) => isPosed(session, world),
        bodies: (world = 0) =>
            [...(session.worlds[world]?.bodies.values() ?? [])].map((body) => ({
                index: body.index,
                name: body.name,
                type: body.type,
                position: position(world, body.index),
                asleep: session.worlds[world].poses.asleep[body.index] !== 0,
            })),
        drawStats: () => viewport.cost,
        shown: (body) =>
            Array.from(
                session.worlds[0].poses.shownPosition.subarray(3 * body, 3 * body + 3),
            ) as Vec3,
        screenPosition: (body) => viewport.project(position(0, body)),
        worlds: () => session.worlds.length,
        grounds: () => viewport.views[0]?.planes.length ?? 0,
        isReady: () => count.isReady,
        opened: () => count.opened,
        image: async () => dataAddress(await viewport.screenshot()),
        setSpeed: (value) => session.send({ type: 'speed', value }),
        pause: () => session.send({ type: 'pause' }),
        settings: () => session.worlds[0]?.settings,
        methods: () => session.worlds.map((world) => world.method),
        view: () => viewport.rig.view,
        connectionStatus: () => session.connection.status.value,
        isDragging: () => dragTool.isDragging,
        isDriving: () => keys.driving.value,
        isChasing: () => chase.isChasing,
        selected: () => session.selected.value,
        file: () => session.scene.value?.file,
        isIdle: () => !session.state.value.running && viewport.isIdle(),
        open: (scene, methods) => session.openScene(scene, methods),
        act: (action) => session.act(action),
        setDisplay: (overlays, color) => {
            viewOptions.overlays.value = new Set(overlays);
            viewOptions.color.value = color;
        },
        pauseAt: (seconds) => {
            const step = Math.round(seconds / (session.scene.value?.time_step ?? 1 / 60));
            session.send({ type: 'seek', step });
        },
        stepBy: (count) => session.send({ type: 'step', count }),
    };
    Object.defineProperty(window, 'rigor', { value: probe });
}

function isPosed(session: Session, world: number): boolean {
    const { running, step } = session.state.value;
    return running || session.worlds[world]?.step === step;
}

function countOpened(session: Session): { opened: number; isReady: boolean } {
    const count = { opened: 0, isReady: false };
    let awaitsState = false;
    session.scene.listen(() => (awaitsState = true));
    session.state.listen(() => {
        count.isReady = true;
        if (awaitsState) ++count.opened;
        awaitsState = false;
    });
    return count;
}

function dataAddress(image: Blob): Promise<string> {
    return new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result as string);
        reader.readAsDataURL(image);
    });
}
