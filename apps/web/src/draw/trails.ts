// Trails: the recent path of each moving body as a fading line. The page records them from frames.
// Stepping back truncates a trail; a jump in time clears it.

import { Color } from 'three';
import { imageOffset, type PeriodicCell } from '../base/periodic_cell';
import type { Vec3 } from '../base/vector';
import type { WorldStore } from '../store/world_store';
import { DebugLines } from './debug_draw';
import { overlayColor } from './overlay_colors';

const pointsKept = 90;
// With more trails than this nothing else can be seen.
const bodiesShown = 150;
const jumpSeconds = 2;

interface TrailPoint {
    time: number;
    at: Vec3;
    /// The body crossed the periodic boundary: no segment leads here from the previous point.
    wrapped: boolean;
}

export class Trails {
    readonly marks = new DebugLines(false);
    private readonly paths = new Map<number, TrailPoint[]>();
    private lastTime = -1;

    clear(): void {
        this.paths.clear();
        this.marks.clear();
        this.marks.flush();
    }

    /// Records the newest poses; called once for each frame from the server.
    record(world: WorldStore): void {
        const { time } = world;
        if (time === this.lastTime) return;
        if (time > this.lastTime + jumpSeconds) this.paths.clear();
        if (time < this.lastTime) this.truncateAt(time);
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
                if (path[i].wrapped) continue;
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

    private truncateAt(time: number): void {
        for (const path of this.paths.values()) {
            while (path.length > 0 && path[path.length - 1].time >= time) path.pop();
        }
    }

    private extend(slot: number, time: number, { poses: { position }, cell }: WorldStore): void {
        const path = this.paths.get(slot) ?? [];
        const p: Vec3 = [position[3 * slot], position[3 * slot + 1], position[3 * slot + 2]];
        const last = path[path.length - 1]?.at;
        if (last && Math.hypot(p[0] - last[0], p[1] - last[1], p[2] - last[2]) < 1e-4) return;
        const wrapped = !!last && !!cell && crossesBoundary(last, p, cell);
        path.push({ time, at: p, wrapped });
        if (path.length > pointsKept) path.shift();
        this.paths.set(slot, path);
    }
}

const crossesBoundary = (a: Vec3, b: Vec3, cell: PeriodicCell): boolean =>
    cell.size.some((size, k) => imageOffset(b[k] - a[k], size) !== 0);

const relative = (p: Vec3, origin: Vec3): Vec3 => [
    p[0] - origin[0],
    p[1] - origin[1],
    p[2] - origin[2],
];
