// Where the bodies of one world are: the newest pose from the server, the pose shown when it came, and
// the pose in between that is shown now. Frames come when the server has them and pictures are drawn when
// the screen is ready; moving from the one to the other over the usual time between frames looks smooth.

import { wholeCells, type Cell } from '../base/cell';
import type { PoseSink } from '../protocol/frame';

const shortestInterval = 4;
const longestInterval = 120;

// A body in the newest frame is due at its pose; one that a whole frame left out since is overdue, and
// is put there, or it would come ever nearer without arriving.
const due = 1;
const overdue = 2;

export class Poses implements PoseSink {
    // The newest pose: written by the frame decoder.
    position = new Float64Array(0);
    orientation = new Float32Array(0);
    asleep = new Uint8Array(0);
    value = new Uint8Array(0);
    // The pose shown.
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

    constructor(private readonly cell: Cell | null = null) {}

    get slots(): number {
        return this.asleep.length;
    }

    /// Makes room for slots up to `count`; what is there is kept.
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

    /// False until the first frame with this body: there is nothing to show of it yet.
    isPlaced(slot: number): boolean {
        const q = 4 * slot;
        const o = this.shownOrientation;
        return (
            slot < this.slots && (o[q] !== 0 || o[q + 1] !== 0 || o[q + 2] !== 0 || o[q + 3] !== 0)
        );
    }

    /// The slot has another body now, or none.
    forget(slot: number): void {
        this.reserve(slot + 1);
        this.shownOrientation.fill(0, 4 * slot, 4 * slot + 4);
    }

    /// To be called before a frame is decoded: what is shown now is where the motion begins. It may be long
    /// since a picture was drawn.
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
            else if (this.cell) this.comeIn(slot, this.cell);
            if (!this.isMoving[slot]) this.moving[this.movingCount++] = slot;
            this.isMoving[slot] = due;
        }
    }

    /// Shows the newest poses at once: after seeking or opening there is no motion to show.
    snap(): void {
        this.blend(1);
    }

    /// Moves the shown poses to where they belong at time `now` (ms).
    advance(now: number): void {
        if (this.movingCount === 0) return;
        // The time of a picture is that of its beginning: a frame may have come since.
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
        if (gap < 4 * longestInterval) this.interval += 0.2 * (gap - this.interval);
        this.interval = Math.min(longestInterval, Math.max(shortestInterval, this.interval));
        this.arrival = now;
    }

    private finish(slot: number): void {
        this.copyToShown(slot);
        this.copyToFrom(slot);
        this.isMoving[slot] = 0;
        this.markChanged(slot);
    }

    // A body that was brought back into the cell begins on the side where it comes in.
    private comeIn(slot: number, cell: Cell): void {
        for (let k = 0, i = 3 * slot; k < 3; ++k, ++i) {
            this.fromPosition[i] += wholeCells(
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
        if (t >= 1) this.settle();
    }

    private settle(): void {
        for (let i = 0; i < this.movingCount; ++i) {
            this.isMoving[this.moving[i]] = 0;
            this.copyToFrom(this.moving[i]);
        }
        this.movingCount = 0;
    }

    // Straight in position, and in orientation along the shorter way, normalized.
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
