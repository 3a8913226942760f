// What tests and the screenshot script may read and do: `window.rigor`. Nothing of the page depends on it.

import type { Vec3 } from './base/vec';
import type { Viewport } from './draw/viewport';
import type { Session } from './store/session';
import type { Overlay, Sight } from './store/sight';
import type { Hand } from './tools/hand';

interface Parts {
    session: Session;
    viewport: Viewport;
    sight: Sight;
    hand: Hand;
}

export interface Probe {
    state(): unknown;
    stats(): unknown;
    bodies(
        world?: number,
    ): { index: number; name: string; type: string; position: Vec3; asleep: boolean }[];
    cost(): { calls: number; triangles: number; script: number[] };
    /// Where a body is drawn now, between two frames.
    shown(body: number): Vec3;
    /// The place of a body's origin on the page, in CSS pixels.
    onPage(body: number): { x: number; y: number };
    worlds(): number;
    /// How many planes are drawn as ground or wall.
    grounds(): number;
    /// The server has said in what state it is.
    greeted(): boolean;
    /// How many scenes were opened since the page was loaded.
    opened(): number;
    methods(): string[];
    view(): unknown;
    link(): string;
    holds(): boolean;
    selected(): number | null;
    /// The file of the scene that is open.
    file(): string | undefined;
    /// Nothing moves and everything is drawn.
    isStill(): boolean;
    open(scene: string, methods?: string[]): void;
    see(overlays: Overlay[], color: string): void;
    /// Pauses at the step nearest to a time.
    pauseAt(seconds: number): void;
}

export function exposeProbe({ session, sight, viewport, hand }: Parts): void {
    const position = (world: number, slot: number): Vec3 => {
        const p = session.worlds[world].poses.position;
        return [p[3 * slot], p[3 * slot + 1], p[3 * slot + 2]];
    };
    let opened = 0;
    session.scene.listen(() => ++opened);
    let greeted = false;
    session.state.listen(() => (greeted = true));
    const probe: Probe = {
        state: () => session.state.value,
        stats: () => session.stats.value,
        bodies: (world = 0) =>
            [...(session.worlds[world]?.bodies.values() ?? [])].map((body) => ({
                index: body.index,
                name: body.name,
                type: body.type,
                position: position(world, body.index),
                asleep: session.worlds[world].poses.asleep[body.index] !== 0,
            })),
        cost: () => viewport.cost,
        shown: (body) =>
            Array.from(
                session.worlds[0].poses.shownPosition.subarray(3 * body, 3 * body + 3),
            ) as Vec3,
        onPage: (body) => viewport.project(position(0, body)),
        worlds: () => session.worlds.length,
        grounds: () => viewport.views[0]?.planes.length ?? 0,
        greeted: () => greeted,
        opened: () => opened,
        methods: () => session.worlds.map((world) => world.method),
        view: () => viewport.rig.view,
        link: () => session.connection.link.value,
        holds: () => hand.holds,
        selected: () => session.selected.value,
        file: () => session.scene.value?.file,
        isStill: () => !session.state.value.running && viewport.isStill(),
        open: (scene, methods) => session.openScene(scene, methods),
        see: (overlays, color) => {
            sight.overlays.value = new Set(overlays);
            sight.color.value = color;
        },
        pauseAt: (seconds) => {
            const step = Math.round(seconds / (session.scene.value?.time_step ?? 1 / 60));
            session.send({ type: 'seek', step });
        },
    };
    Object.defineProperty(window, 'rigor', { value: probe });
}
