// The meshes of one world: all shapes of all bodies in as few draw calls as possible.

import {
    Color,
    Group,
    Matrix4,
    MeshStandardMaterial,
    Quaternion,
    Vector3,
    type BufferGeometry,
} from 'three';
import type { Vec3 } from '../base/vector';
import type { Body, Geometry, Shape } from '../protocol/messages';
import type { WorldStore } from '../store/world_store';
import { colorTable, isScale, ownColor, type ColorMode } from './colors';
import { coarse, fine, solidOf, type Detail } from './geometries';
import { BatchedInstances, SolidInstances, type Affine, type Instances } from './instances';

export interface PlaneInstance {
    normal: Vec3;
    offset: number;
    color?: string;
    body: number;
}

// Geometries used less often than this share a batch, if there are many of them.
const fewUses = 8;
const manyGeometries = 6;
const manyBodies = 1000;

export class WorldView {
    readonly group = new Group();
    /// Replaced by a new array on every change.
    planes: readonly PlaneInstance[] = [];
    readonly material = new MeshStandardMaterial({
        roughness: 0.72,
        metalness: 0,
        vertexColors: true,
    });
    private readonly pools = new Map<string, Instances>();
    private readonly copies = new Map<number, [Instances, number][]>();
    private readonly built: BufferGeometry[] = [];
    private table: Float32Array | null = null;
    private mode: ColorMode = 'own';
    private batch: BatchedInstances | null = null;
    private readonly detail: Detail;
    private readonly batched = new Map<number, number>();

    constructor(readonly store: WorldStore) {
        this.detail = store.bodies.size > manyBodies ? coarse : fine;
        this.buildBatch();
        this.applyBodyChanges();
    }

    /// Adds and removes the instances of bodies that were added or removed.
    applyBodyChanges(): void {
        for (const slot of this.store.departures) this.removeBody(slot);
        for (const body of this.store.arrivals) this.addBody(body);
        this.store.departures.length = 0;
        this.store.arrivals.length = 0;
        if (this.table) this.recolor();
    }

    setColorMode(mode: ColorMode): void {
        this.mode = mode;
        this.table = mode === 'own' ? null : colorTable(mode);
        this.recolor();
    }

    /// Semi-transparent, to compare with the world behind it.
    setGhost(on: boolean): void {
        this.material.transparent = on;
        this.material.opacity = on ? 0.38 : 1;
        this.material.depthWrite = !on;
        this.material.needsUpdate = true;
        for (const pool of this.pools.values()) pool.mesh.castShadow = !on;
        if (this.batch) this.batch.mesh.castShadow = !on;
    }

    place(origin: Vec3): void {
        if (!this.store.poses.hasChanged()) return;
        for (const pool of this.pools.values()) pool.place(this.store.poses, origin);
        this.batch?.place(this.store.poses, origin);
    }

    recolor(): void {
        const movingOnly = isScale(this.mode);
        for (const pool of this.pools.values())
            pool.color(this.store.poses, this.table, movingOnly);
        this.batch?.color(this.store.poses, this.table, movingOnly);
    }

    get colorsFollowValues(): boolean {
        return this.mode !== 'own';
    }

    dispose(): void {
        for (const pool of this.pools.values()) pool.dispose();
        this.batch?.dispose();
        for (const geometry of this.built) geometry.dispose();
        this.material.dispose();
        this.group.removeFromParent();
    }

    private addBody(body: Body): void {
        const list: [Instances, number][] = [];
        for (const shape of body.shapes) {
            const geometry = this.store.geometries[shape.geometry];
            if (!geometry) continue;
            if (geometry.type === 'plane') this.addPlane(body, shape, geometry);
            else list.push(this.addShape(body, shape, geometry));
        }
        this.copies.set(body.index, list);
        if (this.store.poses.isPlaced(body.index)) this.store.poses.markChanged(body.index);
    }

    private addShape(body: Body, shape: Shape, geometry: Geometry): [Instances, number] {
        const solid = solidOf(geometry)!;
        const color = shape.sensor
            ? new Color('#8fd0a0')
            : ownColor(shape.color, body.type, body.index);
        const pool = this.poolOf(shape.geometry, geometry);
        return [
            pool,
            pool.add(body.index, affine(shape, solid.scale), color, body.type === 'static'),
        ];
    }

    private addPlane(body: Body, shape: Shape, geometry: Geometry): void {
        const mark = {
            normal: geometry.normal ?? [0, 0, 1],
            offset: geometry.offset ?? 0,
            color: shape.color,
            body: body.index,
        };
        this.planes = [...this.planes, mark];
    }

    private removeBody(slot: number): void {
        for (const [pool, at] of this.copies.get(slot) ?? []) pool.remove(at);
        if (this.planes.some((plane) => plane.body === slot))
            this.planes = this.planes.filter((plane) => plane.body !== slot);
        this.copies.delete(slot);
    }

    private poolOf(index: number, geometry: Geometry): Instances {
        const uses = this.batched.get(index);
        if (uses) {
            this.batched.set(index, uses - 1);
            return this.batch!;
        }
        const key = solidOf(geometry)!.key ?? `geometry ${index}`;
        return this.pools.get(key) ?? this.addPool(key, geometry);
    }

    private addPool(key: string, geometry: Geometry): SolidInstances {
        const triangles = solidOf(geometry)!.build(this.detail);
        this.built.push(triangles);
        const pool = new SolidInstances(triangles, this.material);
        this.pools.set(key, pool);
        this.group.add(pool.mesh);
        return pool;
    }

    // Geometries with few uses share one BatchedMesh: two thousand different hulls must not be two
    // thousand draw calls. It has one instance for each use, in the order of the bodies.
    private buildBatch(): void {
        const uses = new Map<number, number>();
        const order: number[] = [];
        for (const body of this.store.bodies.values()) {
            for (const shape of body.shapes) {
                const geometry = this.store.geometries[shape.geometry];
                if (!geometry || geometry.type === 'plane' || solidOf(geometry)!.key) continue;
                uses.set(shape.geometry, (uses.get(shape.geometry) ?? 0) + 1);
                order.push(shape.geometry);
            }
        }
        const rare = new Set([...uses].filter(([, n]) => n < fewUses).map(([index]) => index));
        if (rare.size <= manyGeometries) return;
        const made = new Map<number, BufferGeometry>();
        for (const index of rare)
            made.set(index, solidOf(this.store.geometries[index])!.build(this.detail));
        this.built.push(...made.values());
        const inOrder = order.filter((index) => rare.has(index));
        this.batch = new BatchedInstances(
            inOrder.map((index) => made.get(index)!),
            this.material,
        );
        for (const index of rare) this.batched.set(index, uses.get(index)!);
        this.group.add(this.batch.mesh);
    }
}

function affine(shape: Shape, scale: [number, number, number]): Affine {
    const [w, x, y, z] = shape.orientation ?? [1, 0, 0, 0];
    const matrix = new Matrix4().compose(
        new Vector3(...(shape.position ?? [0, 0, 0])),
        new Quaternion(x, y, z, w),
        new Vector3(...scale),
    );
    const e = matrix.elements;
    const rows = new Float32Array(12);
    for (let r = 0; r < 3; ++r) for (let c = 0; c < 4; ++c) rows[4 * r + c] = e[4 * c + r];
    return rows;
}
