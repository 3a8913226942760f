// Bodies driven by the pointer. Over the 3D view, the position in its central square is the pair x, y of
// a grid driver; a driver without a grid is moved in the plane through its body that faces the camera.
// The pad of the HUD gives x, y to touch and to the keyboard.
//
// Input is part of the history, and new input discards the future. So nothing is sent while the
// simulation is paused, or while a button orbits or drags.

import { Emitter, Signal } from '../base/signal';
import { add, dot, scale, subtract, type Quat, type Vec3 } from '../base/vector';
import type { Ray, Viewport } from '../draw/viewport';
import type { Driver } from '../protocol/messages';
import { pointerDrivers } from '../store/scene_roles';
import type { Session } from '../store/session';

/// Both from -1 to 1: to the right, and up or away from the user.
export interface PadPoint {
    x: number;
    y: number;
}

/// The interval of the server's frames: faster input is not seen.
const minIntervalMs = 15;
/// Half the side of the central square, as a part of the smaller side of the view.
const squareHalf = 0.42;

const clamp = (x: number): number => Math.max(-1, Math.min(1, x));

/// The point of the central square at a position in a view, both in pixels from its top left corner.
export function padPoint(atX: number, atY: number, width: number, height: number): PadPoint {
    const half = Math.max(1, squareHalf * Math.min(width, height));
    return { x: clamp((atX - width / 2) / half), y: clamp((height / 2 - atY) / half) };
}

/// Where a ray meets the plane through `point` with this normal; null when it points away from it.
export function onPlane(ray: Ray, point: Vec3, normal: Vec3): Vec3 | null {
    const along = dot(subtract(point, ray.origin), normal) / dot(ray.direction, normal);
    return along > 0 && Number.isFinite(along)
        ? add(ray.origin, scale(ray.direction, along))
        : null;
}

export class PointerDriver {
    readonly isOn = new Signal(true);
    readonly point = new Signal<PadPoint>({ x: 0, y: 0 });
    /// A sentence for the user.
    readonly notice = new Emitter<string>();
    private ray: Ray | null = null;
    private unsent = false;
    private sentAt = -Infinity;

    constructor(
        private readonly session: Session,
        private readonly viewport: Viewport,
        private readonly canvas: HTMLElement,
    ) {
        canvas.addEventListener('pointermove', (event) => this.hovered(event));
        session.scene.listen(() => this.reset());
    }

    toggle(): void {
        if (pointerDrivers(this.session.roles.value).length === 0)
            this.notice.emit('There is no body in this scene that the pointer moves.');
        else this.isOn.value = !this.isOn.value;
    }

    moveTo(point: PadPoint): void {
        this.point.value = { x: clamp(point.x), y: clamp(point.y) };
        this.unsent = true;
    }

    /// Sends what changed, at most once for each rendered frame.
    advance(now: number): void {
        if (!this.unsent || !this.isOn.value || !this.session.state.value.running) return;
        if (now - this.sentAt < minIntervalMs) return;
        this.sentAt = now;
        this.unsent = false;
        for (const driver of pointerDrivers(this.session.roles.value)) this.send(driver);
    }

    private hovered(event: PointerEvent): void {
        if (event.pointerType === 'touch' || event.buttons !== 0 || !this.isOn.value) return;
        if (pointerDrivers(this.session.roles.value).length === 0) return;
        const box = this.canvas.getBoundingClientRect();
        this.ray = this.viewport.ray(event.clientX, event.clientY);
        this.moveTo(
            padPoint(event.clientX - box.left, event.clientY - box.top, box.width, box.height),
        );
    }

    private send({ body, grid }: Driver): void {
        const { x, y } = this.point.value;
        if (grid) this.session.send({ type: 'input', body, x, y });
        else this.sendPose(body);
    }

    private sendPose(body: number): void {
        const poses = this.session.worlds[0]?.poses;
        if (!this.ray || !poses?.isPlaced(body)) return;
        const at = Array.from(poses.position.subarray(3 * body, 3 * body + 3)) as Vec3;
        const orientation = Array.from(poses.orientation.subarray(4 * body, 4 * body + 4)) as Quat;
        const position = onPlane(this.ray, at, this.viewport.rig.forward);
        if (position) this.session.send({ type: 'input', body, position, orientation });
    }

    private reset(): void {
        this.point.value = { x: 0, y: 0 };
        this.ray = null;
        this.unsent = false;
        this.isOn.value = true;
    }
}
