// Where bodies have been: the last seconds of the center of each moving body as a fading line. Kept by
// the page alone: going back shortens them, and a leap begins them anew.

import { Color } from 'three';
import { wholeCells, type Cell } from '../base/cell';
import type { Vec3 } from '../base/vec';
import type { WorldStore } from '../store/world_store';
import { LineMarks } from './marks';
import { overlayColor } from './overlay_colors';

const pointsKept = 90;
// More lines than this show nothing but lines.
const bodiesShown = 150;
const leapSeconds = 2;

interface Place {
    time: number;
    at: Vec3;
    /// Through a side of the cell: no line leads there from the place before.
    cameIn: boolean;
}

export class Trails {
    readonly marks = new LineMarks(false);
    private readonly paths = new Map<number, Place[]>();
    private lastTime = -1;

    clear(): void {
        this.paths.clear();
        this.marks.clear();
        this.marks.flush();
    }

    /// Takes the newest poses; to be called once for each frame from the server.
    record(world: WorldStore): void {
        const { time } = world;
        if (time === this.lastTime) return;
        if (time > this.lastTime + leapSeconds) this.paths.clear();
        if (time < this.lastTime) this.forgetFrom(time);
        this.lastTime = time;
        let shown = 0;
        for (const body of world.bodies.values()) {
            if (body.type === 'static' || !world.poses.isPlaced(body.index)) continue;
            if (++shown > bodiesShown) break;
            this.extend(body.index, time, world);
        }
    }

    draw(origin: Vec3, background: Color): void {
        this.marks.clear();
        const color = new Color();
        for (const path of this.paths.values()) {
            for (let i = 1; i < path.length; ++i) {
                if (path[i].cameIn) continue;
                color.copy(background).lerp(overlayColor('trail'), i / path.length);
                this.marks.line(
                    relative(path[i - 1].at, origin),
                    relative(path[i].at, origin),
                    color,
                );
            }
        }
        this.marks.flush();
    }

    private forgetFrom(time: number): void {
        for (const path of this.paths.values()) {
            while (path.length > 0 && path[path.length - 1].time >= time) path.pop();
        }
    }

    private extend(slot: number, time: number, { poses: { position }, cell }: WorldStore): void {
        const path = this.paths.get(slot) ?? [];
        const p: Vec3 = [position[3 * slot], position[3 * slot + 1], position[3 * slot + 2]];
        const last = path[path.length - 1]?.at;
        if (last && Math.hypot(p[0] - last[0], p[1] - last[1], p[2] - last[2]) < 1e-4) return;
        const cameIn = !!last && !!cell && isOtherCell(last, p, cell);
        path.push({ time, at: p, cameIn });
        if (path.length > pointsKept) path.shift();
        this.paths.set(slot, path);
    }
}

const isOtherCell = (a: Vec3, b: Vec3, cell: Cell): boolean =>
    cell.size.some((size, k) => wholeCells(b[k] - a[k], size) !== 0);

const relative = (p: Vec3, origin: Vec3): Vec3 => [
    p[0] - origin[0],
    p[1] - origin[1],
    p[2] - origin[2],
];
