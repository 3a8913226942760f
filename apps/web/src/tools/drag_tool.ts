// Dragging by a spring from a point of the body to the pointer. The target moves in the plane through
// the grabbed point that faces the camera. The server reports the spring force.

import { imageOffset } from '../base/periodic_cell';
import { add, dot, rotate, scale, subtract, type Quat, type Vec3 } from '../base/vector';
import { Emitter } from '../base/signal';
import { overlayColor } from '../draw/overlay_colors';
import type { Ray, Viewport } from '../draw/viewport';
import type { Grab, PickedMessage } from '../protocol/messages';
import type { Session } from '../store/session';

export class DragTool {
    private depth: { point: Vec3; normal: Vec3 } | null = null;
    private body = -1;
    private target: Vec3 = [0, 0, 0];
    private unsent = false;
    /// Force of this page's drag in N, null without one, and the position of its target.
    readonly force = new Emitter<{ newtons: number | null; at: Vec3 }>();

    constructor(
        private readonly session: Session,
        private readonly viewport: Viewport,
    ) {
        session.state.listen((state) => this.show(state.grabs ?? []));
        session.frame.listen(() => this.show(session.state.value.grabs ?? []));
        session.bodiesChanged.listen((world) => {
            if (this.isDragging && !world.bodies.has(this.body)) this.release();
        });
    }

    get isDragging(): boolean {
        return this.depth !== null;
    }

    grab(picked: PickedMessage): void {
        if (picked.body === null || !picked.point || !picked.local_point) return;
        this.depth = { point: picked.point, normal: this.viewport.rig.forward };
        this.body = picked.body;
        this.target = picked.point;
        this.session.act({
            type: 'grab',
            body: picked.body,
            point: picked.local_point,
            target: picked.point,
        });
    }

    /// Moves the target under the pointer; sent once for each rendered frame.
    moveTo(ray: Ray): void {
        if (!this.depth) return;
        const { point, normal } = this.depth;
        const along = dot(subtract(point, ray.origin), normal) / dot(ray.direction, normal);
        if (along > 0) this.moveTarget(add(ray.origin, scale(ray.direction, along)));
    }

    /// Moves the target by a step, from the keyboard.
    moveBy(step: Vec3): void {
        if (this.depth) this.moveTarget(add(this.target, step));
    }

    release(): void {
        if (!this.depth) return;
        this.depth = null;
        this.session.act({ type: 'release' });
        this.show([]);
    }

    private moveTarget(target: Vec3): void {
        this.target = target;
        if (this.unsent) return;
        this.unsent = true;
        requestAnimationFrame(() => {
            this.unsent = false;
            if (this.depth) this.session.act({ type: 'move_grab', target: this.target });
        });
    }

    private show(grabs: Grab[]): void {
        const marks = this.viewport.dragSpring;
        marks.clear();
        for (const grab of grabs) {
            const end = this.pointOf(grab);
            if (end)
                marks.line(
                    this.drawn(end),
                    this.drawn(this.targetOf(grab, end)),
                    overlayColor('spring'),
                );
        }
        marks.flush();
        const client = this.session.welcome.value?.client;
        const own = this.isDragging ? grabs.find((grab) => grab.hand === client) : undefined;
        this.force.emit({ newtons: own ? own.force : null, at: this.target });
        if (grabs.length > 0 || !this.isDragging) this.viewport.invalidate();
    }

    private pointOf(grab: Grab): Vec3 | null {
        const poses = this.session.worlds[grab.world]?.poses;
        if (!poses?.isPlaced(grab.body)) return null;
        const p = poses.shownPosition.subarray(3 * grab.body, 3 * grab.body + 3);
        const q = Array.from(
            poses.shownOrientation.subarray(4 * grab.body, 4 * grab.body + 4),
        ) as Quat;
        return add([p[0], p[1], p[2]], rotate(q, grab.point));
    }

    // In a periodic cell the spring pulls towards the nearest image of the target.
    private targetOf(grab: Grab, end: Vec3): Vec3 {
        const cell = this.session.worlds[grab.world].cell;
        return cell
            ? (grab.target.map((x, k) => x + imageOffset(end[k] - x, cell.size[k])) as Vec3)
            : grab.target;
    }

    private drawn(point: Vec3): Vec3 {
        return subtract(point, this.viewport.origin);
    }
}
