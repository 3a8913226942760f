// One world: bodies by slot, shared geometries and poses.

import { periodicCell, type PeriodicCell } from '../base/periodic_cell';
import type { Vec3 } from '../base/vector';
import type { FrameHeader, readBodies } from '../protocol/frame';
import type { DeformedMesh } from '../protocol/mesh';
import type { Body, Geometry, Joint, SettingEntry, Settings, World } from '../protocol/messages';
import { Poses } from './poses';

// A jump of this many steps between two frames is a seek, not motion.
const seekSteps = 60;

/// Names the mesh of a shape of a body.
export const meshKey = (body: number, shape: number): string => `mesh ${body} ${shape}`;

export class WorldStore {
    method: string;
    settings: Settings;
    readonly joints: Joint[];
    readonly materials: string[];
    readonly warnings: string[];
    readonly settingsTable: SettingEntry[] | null;
    readonly bodies = new Map<number, Body>();
    readonly geometries: Geometry[];
    /// The periodic cell, if the world has periodic boundaries.
    readonly cell: PeriodicCell | null;
    readonly poses: Poses;
    center: Vec3 = [0, 0, 0];
    step = 0;
    time = 0;
    sequence = 0;
    /// Bodies added and removed since the view was last updated, in order.
    readonly arrivals: Body[] = [];
    readonly departures: number[] = [];

    /// The meshes that deformed, by body and index of the shape, and those among them that changed
    /// since the view was last updated.
    readonly deformed = new Map<string, DeformedMesh>();
    readonly deformedAnew = new Set<string>();

    constructor(
        readonly index: number,
        world: World,
    ) {
        this.method = world.method;
        this.settings = world.settings;
        this.joints = world.joints ?? [];
        this.materials = world.materials ?? [];
        this.warnings = world.warnings ?? [];
        this.settingsTable = world.settings_table ?? null;
        this.geometries = [...world.geometries];
        this.cell = world.periodic ? periodicCell(world.periodic) : null;
        this.poses = new Poses(this.cell);
        this.add(world.bodies);
    }

    add(bodies: Body[], geometries: Geometry[] = []): void {
        this.geometries.push(...geometries);
        for (const body of bodies) {
            this.bodies.set(body.index, body);
            this.poses.forget(body.index);
            this.arrivals.push(body);
        }
    }

    remove(slots: number[]): void {
        for (const slot of slots) {
            if (this.bodies.delete(slot)) this.departures.push(slot);
        }
    }

    deform(mesh: DeformedMesh): void {
        const key = meshKey(mesh.body, mesh.shape);
        this.deformed.set(key, mesh);
        this.deformedAnew.add(key);
    }

    handleFrame(header: FrameHeader, view: DataView, decode: typeof readBodies): void {
        const jumped = Math.abs(header.step - this.step) > seekSteps || header.step < this.step;
        this.poses.beginFrame(performance.now());
        decode(view, header, this.poses);
        if (jumped) this.poses.snap();
        this.center = header.center;
        this.step = header.step;
        this.time = header.time;
        this.sequence = header.sequence;
    }

    name(slot: number): string {
        return this.bodies.get(slot)?.name ?? `body ${slot}`;
    }
}
