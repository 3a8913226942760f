// The chase camera: behind the vehicle, and turning with its heading. The user may orbit and zoom; the
// camera keeps that offset to the heading.

import { loadLocal, saveLocal } from '../base/local_storage';
import { Emitter, Signal } from '../base/signal';
import { rotate, type Quat, type Vec3 } from '../base/vector';
import { boundingRadius } from '../draw/scene_bounds';
import type { Viewport } from '../draw/viewport';
import type { Vehicle } from '../protocol/messages';
import { currentVehicle } from '../store/scene_roles';
import type { Session } from '../store/session';

const elevation = 0.28;
/// In bounding radii of the chassis.
const distance = 4.2;
const turnMs = 260;
/// A chassis whose forward axis is steeper than this has no heading, as after a jump or a roll-over.
const minFlat = 0.25;

/// The direction of the forward axis (+x) in the horizontal plane; null when it is too steep.
export function headingOf(orientation: Quat): number | null {
    const [x, y] = rotate(orientation, [1, 0, 0]);
    return Math.hypot(x, y) < minFlat ? null : Math.atan2(y, x);
}

/// The angle by which a camera at heading `from` turns towards `to` in this time, along the shorter way.
export function headingStep(from: number, to: number, elapsedMs: number): number {
    const gap = to - from - 2 * Math.PI * Math.round((to - from) / (2 * Math.PI));
    return gap * (1 - Math.exp(-elapsedMs / turnMs));
}

export class ChaseCamera {
    /// Wanted by the user; it has an effect in scenes with vehicles.
    readonly isOn = new Signal(loadLocal('chase', true));
    /// A sentence for the user.
    readonly notice = new Emitter<string>();
    private chased: number | null = null;
    private heading = 0;

    constructor(
        private readonly session: Session,
        private readonly viewport: Viewport,
    ) {
        session.scene.listen(() => (this.chased = null));
        this.isOn.listen((on) => {
            saveLocal('chase', on);
            if (!on) this.stop();
        });
    }

    /// Whether the camera is behind a vehicle now.
    get isChasing(): boolean {
        return this.chased !== null;
    }

    toggle(): void {
        if (this.session.roles.value.vehicles.length === 0)
            this.notice.emit('There is no vehicle in this scene for the camera to chase.');
        else this.isOn.value = !this.isOn.value;
    }

    advance(elapsedMs: number): void {
        const vehicle = currentVehicle(this.session.roles.value, this.session.selected.value);
        const poses = this.session.worlds[0]?.poses;
        if (!this.isOn.value || !vehicle || !poses?.isPlaced(vehicle.chassis)) return this.stop();
        const slot = vehicle.chassis;
        const orientation = Array.from(
            poses.shownOrientation.subarray(4 * slot, 4 * slot + 4),
        ) as Quat;
        if (this.chased !== slot) this.start(vehicle, headingOf(orientation));
        else this.turn(headingOf(orientation), elapsedMs);
        const at = Array.from(poses.shownPosition.subarray(3 * slot, 3 * slot + 3)) as Vec3;
        this.viewport.rig.follow(at, this.session.worlds[0].cell, true);
    }

    private start(vehicle: Vehicle, heading: number | null): void {
        const world = this.session.worlds[0];
        const reach = boundingRadius(world, world.bodies.get(vehicle.chassis)!) ?? 2;
        this.chased = vehicle.chassis;
        this.heading = heading ?? 0;
        this.viewport.rig.follow(null);
        this.viewport.rig.lookFrom(this.heading + Math.PI, elevation, distance * reach);
    }

    private turn(heading: number | null, elapsedMs: number): void {
        if (heading === null) return;
        const step = headingStep(this.heading, heading, elapsedMs);
        this.heading += step;
        if (Math.abs(step) > 1e-7) this.viewport.rig.orbit(step, 0);
    }

    private stop(): void {
        if (this.chased === null) return;
        this.chased = null;
        this.viewport.rig.follow(null);
    }
}
