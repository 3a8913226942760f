// An orbit camera: target, distance, azimuth and elevation, smoothed towards the wanted view.
// World coordinates are doubles; rendering alone is relative to a nearby origin.

import { PerspectiveCamera, Vector3 } from 'three';
import { imageOffset, type PeriodicCell } from '../base/periodic_cell';
import { add, cross, length, normalize, scale, subtract, type Vec3 } from '../base/vector';
import type { Camera } from '../protocol/messages';

export interface View {
    target: Vec3;
    distance: number;
    azimuth: number;
    elevation: number;
}

const maxElevation = Math.PI / 2 - 0.01;
const smoothingMs = 90;
const designAspect = 1.6;
const maxDistanceFactor = 2.5;

export class CameraRig {
    readonly camera = new PerspectiveCamera(45, 1, 0.05, 4000);
    private wanted: View = { target: [0, 0, 1], distance: 12, azimuth: -1.1, elevation: 0.35 };
    private shown: View = { ...this.wanted };
    private followed: Vec3 | null = null;
    private settled = false;

    constructor() {
        this.camera.up.set(0, 0, 1);
    }

    get view(): View {
        return this.shown;
    }

    get eye(): Vec3 {
        return add(this.shown.target, scale(outward(this.shown), this.shown.distance));
    }

    get forward(): Vec3 {
        return scale(outward(this.shown), -1);
    }

    /// Jumps to the camera of a scene.
    open(camera: Camera): void {
        const offset = subtract(camera.position, camera.target);
        const distance = Math.max(1e-3, length(offset));
        this.wanted = {
            target: [...camera.target],
            distance,
            azimuth: Math.atan2(offset[1], offset[0]),
            elevation: Math.asin(Math.max(-1, Math.min(1, offset[2] / distance))),
        };
        this.camera.fov = camera.fov_deg ?? 45;
        this.wanted.distance *= this.narrowness();
        this.jump();
    }

    /// Fits a bounding sphere into the view without changing the direction.
    frame(center: Vec3, radius: number, atOnce = false): void {
        const vertical = (this.camera.fov * Math.PI) / 360;
        const horizontal = Math.atan(Math.tan(vertical) * this.camera.aspect);
        this.wanted = {
            ...this.wanted,
            target: [...center],
            distance: (1.05 * Math.max(radius, 1e-3)) / Math.sin(Math.min(vertical, horizontal)),
        };
        this.settled = false;
        if (atOnce) this.jump();
    }

    jump(): void {
        this.shown = { ...this.wanted, target: [...this.wanted.target] };
        this.settled = false;
    }

    orbit(azimuth: number, elevation: number): void {
        this.wanted.azimuth += azimuth;
        this.wanted.elevation = Math.max(
            -maxElevation,
            Math.min(maxElevation, this.wanted.elevation + elevation),
        );
        this.settled = false;
    }

    /// Looks along an axis: x from the side, y from the front, z from above.
    lookAlong(axis: 'x' | 'y' | 'z'): void {
        this.wanted.azimuth = axis === 'x' ? 0 : -Math.PI / 2;
        this.wanted.elevation = axis === 'z' ? maxElevation : 0;
        this.settled = false;
    }

    zoom(factor: number): void {
        this.wanted.distance = Math.min(5000, Math.max(0.02, this.wanted.distance * factor));
        this.settled = false;
    }

    /// Pans so that the point under the pointer stays there; dx, dy are fractions of the height.
    pan(dx: number, dy: number): void {
        const height = 2 * this.wanted.distance * Math.tan((this.camera.fov * Math.PI) / 360);
        const { right, above } = this.axes();
        this.move(add(scale(right, -dx * height), scale(above, dy * height)));
    }

    /// Moves right, forward and up, in units of the distance.
    moveBy(sideways: number, ahead: number, upward: number): void {
        const { right } = this.axes();
        const flat = normalize([this.forward[0], this.forward[1], 0]);
        const step = add(add(scale(right, sideways), scale(flat, ahead)), [0, 0, upward]);
        this.move(scale(step, this.wanted.distance));
    }

    /// Looks at the target from a direction and a distance.
    lookFrom(azimuth: number, elevation: number, distance: number): void {
        const turns = Math.round((this.wanted.azimuth - azimuth) / (2 * Math.PI));
        this.wanted.azimuth = azimuth + 2 * Math.PI * turns;
        this.wanted.elevation = elevation;
        this.wanted.distance = distance * this.narrowness();
        this.settled = false;
    }

    /// Tracks a moving point, across periodic boundaries too; null stops tracking. A `rigid` camera moves
    /// with the point, another one glides after it.
    follow(point: Vec3 | null, cell: PeriodicCell | null = null, rigid = false): void {
        if (point && this.followed?.every((x, k) => x === point[k])) return;
        if (point && this.followed) this.go(subtract(point, this.followed), cell, rigid);
        else if (point) this.wanted.target = [...point];
        this.followed = point ? [...point] : null;
        this.settled = false;
    }

    /// Moves the shown view towards the wanted one; true when it changed.
    advance(elapsedMs: number): boolean {
        if (this.settled) return false;
        const t = 1 - Math.exp(-elapsedMs / smoothingMs);
        const a = this.shown;
        const b = this.wanted;
        const gap = length(subtract(b.target, a.target)) + Math.abs(b.distance - a.distance);
        const turn = Math.abs(b.azimuth - a.azimuth) + Math.abs(b.elevation - a.elevation);
        this.settled = gap < 1e-4 * b.distance && turn < 1e-4;
        const s = this.settled ? 1 : t;
        a.target = add(a.target, scale(subtract(b.target, a.target), s));
        a.distance += (b.distance - a.distance) * s;
        a.azimuth += (b.azimuth - a.azimuth) * s;
        a.elevation += (b.elevation - a.elevation) * s;
        return true;
    }

    /// Sets the pose of the three.js camera, relative to `origin`.
    apply(origin: Vec3): void {
        const eye = subtract(this.eye, origin);
        this.camera.position.set(...eye);
        this.camera.lookAt(new Vector3(...subtract(this.shown.target, origin)));
        this.camera.near = Math.max(1e-3, this.shown.distance / 400);
        this.camera.far = Math.max(300, this.shown.distance * 60);
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld();
    }

    // A wrap at the periodic boundary moves the camera at once instead of gliding across the cell.
    private go(way: Vec3, cell: PeriodicCell | null, rigid: boolean): void {
        if (rigid) this.shown.target = add(this.shown.target, way);
        else if (cell)
            this.shown.target = this.shown.target.map(
                (x, k) => x + imageOffset(way[k], cell.size[k]),
            ) as Vec3;
        this.move(way);
    }

    private move(by: Vec3): void {
        this.wanted.target = add(this.wanted.target, by);
        this.settled = false;
    }

    // Views are made for a wide window. A narrow one backs off to show the same width.
    private narrowness(): number {
        return Math.min(maxDistanceFactor, Math.max(1, designAspect / this.camera.aspect));
    }

    private axes(): { right: Vec3; above: Vec3 } {
        const right = normalize(cross(this.forward, [0, 0, 1]));
        return { right, above: cross(right, this.forward) };
    }
}

function outward(view: View): Vec3 {
    const flat = Math.cos(view.elevation);
    return [flat * Math.cos(view.azimuth), flat * Math.sin(view.azimuth), Math.sin(view.elevation)];
}
