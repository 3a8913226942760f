// Poses of one world with interpolation: the newest pose from the server, the pose shown when it
// arrived, and the pose shown now. Frames arrive at the pace of the server and are rendered at that of
// the screen, so shown poses move to the newest ones over the usual interval between frames.

import { imageOffset, type PeriodicCell } from '../base/periodic_cell';
import type { PoseSink } from '../protocol/frame';

const minIntervalMs = 4;
const maxIntervalMs = 120;

// A body of the newest frame is due at its pose. One that the next frame leaves out is overdue and is
// placed there, or it would approach its pose without ever reaching it.
const due = 1;
const overdue = 2;

export class Poses implements PoseSink {
    // Newest poses, written by the frame decoder.
    position = new Float64Array(0);
    orientation = new Float32Array(0);
    asleep = new Uint8Array(0);
    value = new Uint8Array(0);
    // Shown poses.
    shownPosition = new Float64Array(0);
    shownOrientation = new Float32Array(0);
    /// Nonzero: the shown pose changed since `clearChanged`.
    changed = new Uint8Array(0);

    private fromPosition = new Float64Array(0);
    private fromOrientation = new Float32Array(0);
    private moving = new Uint32Array(0);
    private isMoving = new Uint8Array(0);
    private movingCount = 0;
    private arrival = -Infinity;
    private interval = 1000 / 60;
    private anyChanged = false;

    constructor(private readonly cell: PeriodicCell | null = null) {}

    get slots(): number {
        return this.asleep.length;
    }

    /// Grows the arrays to `count` slots and keeps their content.
    reserve(count: number): void {
        if (count <= this.slots) return;
        const size = Math.max(count, Math.ceil(1.5 * this.slots), 64);
        this.position = grown(this.position, new Float64Array(3 * size));
        this.shownPosition = grown(this.shownPosition, new Float64Array(3 * size));
        this.fromPosition = grown(this.fromPosition, new Float64Array(3 * size));
        this.orientation = grown(this.orientation, new Float32Array(4 * size));
        this.shownOrientation = grown(this.shownOrientation, new Float32Array(4 * size));
        this.fromOrientation = grown(this.fromOrientation, new Float32Array(4 * size));
        this.asleep = grown(this.asleep, new Uint8Array(size));
        this.value = grown(this.value, new Uint8Array(size));
        this.changed = grown(this.changed, new Uint8Array(size));
        this.moving = grown(this.moving, new Uint32Array(size));
        this.isMoving = grown(this.isMoving, new Uint8Array(size));
    }

    /// False until the first frame that contains this body.
    isPlaced(slot: number): boolean {
        const q = 4 * slot;
        const o = this.shownOrientation;
        return (
            slot < this.slots && (o[q] !== 0 || o[q + 1] !== 0 || o[q + 2] !== 0 || o[q + 3] !== 0)
        );
    }

    /// Called when the slot gets another body or none.
    forget(slot: number): void {
        this.reserve(slot + 1);
        this.shownOrientation.fill(0, 4 * slot, 4 * slot + 4);
    }

    /// Called before a frame is decoded. Interpolation starts at the pose shown now, even if the last
    /// rendered frame is old.
    beginFrame(now: number): void {
        this.advance(now);
        this.measureInterval(now);
        let kept = 0;
        for (let i = 0; i < this.movingCount; ++i) {
            const slot = this.moving[i];
            if (this.isMoving[slot] === overdue) {
                this.finish(slot);
                continue;
            }
            this.copyToFrom(slot);
            this.isMoving[slot] = overdue;
            this.moving[kept++] = slot;
        }
        this.movingCount = kept;
    }

    moved(first: number, count: number): void {
        for (let slot = first; slot < first + count; ++slot) {
            if (!this.isPlaced(slot)) this.finish(slot);
            else if (this.cell) this.shiftToImage(slot, this.cell);
            if (!this.isMoving[slot]) this.moving[this.movingCount++] = slot;
            this.isMoving[slot] = due;
        }
    }

    /// Shows the newest poses without interpolation, after seeking or opening.
    snap(): void {
        this.blend(1);
    }

    /// Interpolates the shown poses at time `now` (ms).
    advance(now: number): void {
        if (this.movingCount === 0) return;
        // `now` is the start of the rendered frame, which may be before the last arrival.
        this.blend(Math.min(1, Math.max(0, now - this.arrival) / this.interval));
    }

    hasChanged(): boolean {
        return this.anyChanged;
    }

    clearChanged(): void {
        if (this.anyChanged) this.changed.fill(0);
        this.anyChanged = false;
    }

    markChanged(slot: number): void {
        this.changed[slot] = 1;
        this.anyChanged = true;
    }

    private measureInterval(now: number): void {
        const gap = now - this.arrival;
        if (gap < 4 * maxIntervalMs) this.interval += 0.2 * (gap - this.interval);
        this.interval = Math.min(maxIntervalMs, Math.max(minIntervalMs, this.interval));
        this.arrival = now;
    }

    private finish(slot: number): void {
        this.copyToShown(slot);
        this.copyToFrom(slot);
        this.isMoving[slot] = 0;
        this.markChanged(slot);
    }

    // A body that crossed the periodic boundary starts at the image nearest to its new position.
    private shiftToImage(slot: number, cell: PeriodicCell): void {
        for (let k = 0, i = 3 * slot; k < 3; ++k, ++i) {
            this.fromPosition[i] += imageOffset(
                this.position[i] - this.fromPosition[i],
                cell.size[k],
            );
        }
    }

    private blend(t: number): void {
        for (let i = 0; i < this.movingCount; ++i) {
            const slot = this.moving[i];
            this.blendBody(slot, t);
            this.changed[slot] = 1;
        }
        this.anyChanged ||= this.movingCount > 0;
        if (t >= 1) this.finishAll();
    }

    private finishAll(): void {
        for (let i = 0; i < this.movingCount; ++i) {
            this.isMoving[this.moving[i]] = 0;
            this.copyToFrom(this.moving[i]);
        }
        this.movingCount = 0;
    }

    // Linear in position; normalized linear (nlerp) along the shorter arc in orientation.
    private blendBody(slot: number, t: number): void {
        const p = 3 * slot;
        for (let i = p; i < p + 3; ++i) {
            this.shownPosition[i] =
                this.fromPosition[i] + t * (this.position[i] - this.fromPosition[i]);
        }
        const q = 4 * slot;
        const a = this.fromOrientation;
        const b = this.orientation;
        const alike = a[q] * b[q] + a[q + 1] * b[q + 1] + a[q + 2] * b[q + 2] + a[q + 3] * b[q + 3];
        const u = alike < 0 ? -t : t;
        const w = (1 - t) * a[q] + u * b[q];
        const x = (1 - t) * a[q + 1] + u * b[q + 1];
        const y = (1 - t) * a[q + 2] + u * b[q + 2];
        const z = (1 - t) * a[q + 3] + u * b[q + 3];
        const s = 1 / Math.sqrt(w * w + x * x + y * y + z * z || 1);
        this.shownOrientation[q] = w * s;
        this.shownOrientation[q + 1] = x * s;
        this.shownOrientation[q + 2] = y * s;
        this.shownOrientation[q + 3] = z * s;
    }

    private copyToShown(slot: number): void {
        for (let i = 3 * slot; i < 3 * slot + 3; ++i) this.shownPosition[i] = this.position[i];
        for (let i = 4 * slot; i < 4 * slot + 4; ++i)
            this.shownOrientation[i] = this.orientation[i];
    }

    private copyToFrom(slot: number): void {
        for (let i = 3 * slot; i < 3 * slot + 3; ++i) this.fromPosition[i] = this.shownPosition[i];
        for (let i = 4 * slot; i < 4 * slot + 4; ++i)
            this.fromOrientation[i] = this.shownOrientation[i];
    }
}

function grown<T extends Float64Array | Float32Array | Uint32Array | Uint8Array>(
    old: T,
    larger: T,
): T {
    larger.set(old as never);
    return larger;
}
