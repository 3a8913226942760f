// The outline of the selected body: its shapes drawn again, slightly inflated, back faces only.

import { BackSide, Group, Mesh, MeshBasicMaterial } from 'three';
import type { Vec3 } from '../base/vector';
import type { WorldStore } from '../store/world_store';
import { fine, solidOf } from './geometries';

export class Highlight {
    readonly group = new Group();
    private readonly material = new MeshBasicMaterial({ side: BackSide });
    private slot: number | null = null;

    setColor(color: string): void {
        this.material.color.set(color);
    }

    show(world: WorldStore | undefined, slot: number | null): void {
        for (const child of this.group.children) (child as Mesh).geometry.dispose();
        this.group.clear();
        this.slot = slot;
        const body = slot === null ? undefined : world?.bodies.get(slot);
        for (const shape of body?.shapes ?? []) {
            const geometry = world!.geometries[shape.geometry];
            const solid = geometry && solidOf(geometry);
            if (!solid || geometry.type === 'mesh' || geometry.type === 'height_field') continue;
            const mesh = new Mesh(solid.build(fine), this.material);
            mesh.position.set(...(shape.position ?? [0, 0, 0]));
            const [w, x, y, z] = shape.orientation ?? [1, 0, 0, 0];
            mesh.quaternion.set(x, y, z, w);
            mesh.userData.scale = solid.scale;
            this.group.add(mesh);
        }
    }

    /// `thickness` is the width of the outline in meters.
    place(world: WorldStore | undefined, origin: Vec3, thickness: number): void {
        const slot = this.slot;
        this.group.visible = slot !== null && !!world?.poses.isPlaced(slot);
        if (!world || slot === null) return;
        const { shownPosition: p, shownOrientation: q } = world.poses;
        this.group.position.set(
            p[3 * slot] - origin[0],
            p[3 * slot + 1] - origin[1],
            p[3 * slot + 2] - origin[2],
        );
        this.group.quaternion.set(q[4 * slot + 1], q[4 * slot + 2], q[4 * slot + 3], q[4 * slot]);
        for (const mesh of this.group.children as Mesh[]) this.inflate(mesh, thickness);
    }

    private inflate(mesh: Mesh, thickness: number): void {
        const [x, y, z] = mesh.userData.scale as [number, number, number];
        if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
        const box = mesh.geometry.boundingBox!;
        const grow = (scale: number, low: number, high: number): number => {
            const size = Math.max(1e-6, scale * (high - low));
            return scale * (1 + (2 * thickness) / size);
        };
        mesh.scale.set(
            grow(x, box.min.x, box.max.x),
            grow(y, box.min.y, box.max.y),
            grow(z, box.min.z, box.max.z),
        );
    }
}
