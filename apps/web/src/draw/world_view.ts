// The meshes of one world: all shapes of all bodies in as few draw calls as possible.

import {
    Color,
    DoubleSide,
    Group,
    Matrix4,
    MeshStandardMaterial,
    Quaternion,
    Vector3,
    type BufferGeometry,
} from 'three';
import type { Vec3 } from '../base/vector';
import type { Body, Geometry, Shape } from '../protocol/messages';
import { meshKey, type WorldStore } from '../store/world_store';
import { colorTable, isScale, ownColor, type ColorMode } from './colors';
import { coarse, deformMesh, fine, solidOf, type Detail } from './geometries';
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

/// A shape to be drawn; `isLook`: a mesh that is drawn instead of the shapes of its body; `own`: the
/// key of a mesh that deforms, and so is drawn by itself.
type DrawnShape = Shape & { isLook?: boolean; own?: string };

/// An instance, its index, and the index of its geometry.
type Copy = [Instances, number, number];

export class WorldView {
    readonly group = new Group();
    /// Replaced by a new array on every change.
    planes: readonly PlaneInstance[] = [];
    readonly material = new MeshStandardMaterial({
        roughness: 0.72,
        metalness: 0,
        vertexColors: true,
    });
    /// Of looks, which may be open surfaces.
    private readonly lookMaterial = this.material.clone();
    private readonly pools = new Map<string, Instances>();
    private readonly copies = new Map<number, Copy[]>();
    private readonly built: BufferGeometry[] = [];
    private table: Float32Array | null = null;
    private mode: ColorMode = 'own';
    private readonly batches: BatchedInstances[] = [];
    /// Unused instances of the batches, by geometry.
    private readonly spare = new Map<number, [BatchedInstances, number][]>();
    private readonly detail: Detail;

    constructor(
        readonly store: WorldStore,
        private showsShapes = false,
    ) {
        this.lookMaterial.side = DoubleSide;
        this.detail = store.bodies.size > manyBodies ? coarse : fine;
        this.applyBodyChanges();
    }

    /// Adds and removes the instances of bodies that were added or removed.
    applyBodyChanges(): void {
        for (const slot of this.store.departures) this.removeBody(slot);
        this.buildBatch(this.store.arrivals);
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

    /// Draws collision shapes instead of the meshes over them.
    setShapes(on: boolean): void {
        if (on === this.showsShapes) return;
        this.showsShapes = on;
        for (const body of this.store.bodies.values()) {
            if (!body.look) continue;
            this.removeBody(body.index);
            this.addBody(body);
        }
        if (this.table) this.recolor();
    }

    /// Semi-transparent, to compare with the world behind it.
    setGhost(on: boolean): void {
        for (const material of [this.material, this.lookMaterial]) {
            material.transparent = on;
            material.opacity = on ? 0.38 : 1;
            material.depthWrite = !on;
            material.needsUpdate = true;
        }
        for (const pool of this.instances()) pool.mesh.castShadow = !on;
    }

    place(origin: Vec3): void {
        this.deformMeshes();
        if (!this.store.poses.hasChanged()) return;
        for (const pool of this.instances()) pool.place(this.store.poses, origin);
    }

    recolor(): void {
        const movingOnly = isScale(this.mode);
        for (const pool of this.instances()) pool.color(this.store.poses, this.table, movingOnly);
    }

    get colorsFollowValues(): boolean {
        return this.mode !== 'own';
    }

    dispose(): void {
        for (const pool of this.instances()) pool.dispose();
        for (const geometry of this.built) geometry.dispose();
        this.material.dispose();
        this.lookMaterial.dispose();
        this.group.removeFromParent();
    }

    private deformMeshes(): void {
        for (const key of this.store.deformedAnew) this.deformMesh(key);
        this.store.deformedAnew.clear();
    }

    private deformMesh(key: string): void {
        const mesh = this.store.deformed.get(key);
        const triangles = this.pools.get(key)?.mesh.geometry;
        const shape = mesh && this.store.bodies.get(mesh.body)?.shapes[mesh.shape];
        const geometry = shape && this.geometryOf(shape);
        if (mesh && triangles && geometry) deformMesh(triangles, geometry, mesh.vertices);
    }

    private instances(): Instances[] {
        return [...this.pools.values(), ...this.batches];
    }

    private drawnShapes(body: Body): DrawnShape[] {
        if (!body.look || this.showsShapes) {
            const isOwn = (shape: Shape): boolean =>
                !!body.deforms && this.geometryOf(shape)?.type === 'mesh';
            return body.shapes.map((shape, i) =>
                isOwn(shape) ? { ...shape, own: meshKey(body.index, i) } : shape,
            );
        }
        const planes = body.shapes.filter((shape) => this.geometryOf(shape)?.type === 'plane');
        return [{ ...body.look, isLook: true }, ...planes];
    }

    private geometryOf(shape: Shape): Geometry | undefined {
        return this.store.geometries[shape.geometry];
    }

    private addBody(body: Body): void {
        const list: Copy[] = [];
        for (const shape of this.drawnShapes(body)) {
            const geometry = this.geometryOf(shape);
            if (!geometry) continue;
            if (geometry.type === 'plane') this.addPlane(body, shape, geometry);
            else list.push(this.addShape(body, shape, geometry));
        }
        this.copies.set(body.index, list);
        if (this.store.poses.isPlaced(body.index)) this.store.poses.markChanged(body.index);
    }

    private addShape(body: Body, shape: DrawnShape, geometry: Geometry): Copy {
        const local = affine(shape, solidOf(geometry)!.scale);
        const color =
            shape.sensor && !shape.color
                ? new Color('#8fd0a0')
                : ownColor(shape.color, body.type, body.index);
        const isStatic = body.type === 'static';
        const unused =
            shape.isLook || shape.own ? undefined : this.spare.get(shape.geometry)?.pop();
        if (unused) {
            const [batch, at] = unused;
            return [batch, batch.add(body.index, local, color, isStatic, at), shape.geometry];
        }
        const pool = this.poolOf(shape, geometry);
        return [pool, pool.add(body.index, local, color, isStatic), shape.geometry];
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
        for (const [pool, at, geometry] of this.copies.get(slot) ?? []) {
            pool.remove(at);
            if (pool instanceof BatchedInstances) this.spare.get(geometry)!.push([pool, at]);
        }
        if (this.planes.some((plane) => plane.body === slot))
            this.planes = this.planes.filter((plane) => plane.body !== slot);
        this.copies.delete(slot);
    }

    private poolOf(shape: DrawnShape, geometry: Geometry): Instances {
        const own = `${shape.isLook ? 'look' : 'geometry'} ${shape.geometry}`;
        const key = shape.own ?? solidOf(geometry)!.key ?? own;
        return this.pools.get(key) ?? this.addPool(key, geometry, shape);
    }

    private addPool(key: string, geometry: Geometry, shape: DrawnShape): SolidInstances {
        const triangles = solidOf(geometry)!.build(this.detail);
        this.built.push(triangles);
        const pool = new SolidInstances(
            triangles,
            shape.isLook ? this.lookMaterial : this.material,
        );
        this.pools.set(key, pool);
        this.group.add(pool.mesh);
        if (shape.own) this.deformMesh(shape.own);
        return pool;
    }

    // Geometries with few uses share one BatchedMesh: two thousand different hulls, or the pieces of a
    // body that broke, must not be as many draw calls.
    private buildBatch(bodies: readonly Body[]): void {
        const order: number[] = [];
        for (const body of bodies) {
            for (const shape of this.drawnShapes(body)) {
                const geometry = this.geometryOf(shape);
                if (!geometry || shape.isLook || shape.own) continue;
                if (!solidOf(geometry) || solidOf(geometry)!.key) continue;
                if (!this.pools.has(`geometry ${shape.geometry}`)) order.push(shape.geometry);
            }
        }
        const uses = new Map<number, number>();
        for (const index of order) uses.set(index, (uses.get(index) ?? 0) + 1);
        for (const [index, count] of uses) {
            const missing = count - (this.spare.get(index)?.length ?? 0);
            if (count >= fewUses || missing <= 0) uses.delete(index);
            else uses.set(index, missing);
        }
        if (uses.size <= manyGeometries) return;
        const all: number[] = [];
        for (const [index, count] of uses) for (let i = 0; i < count; ++i) all.push(index);
        this.addBatch(all);
    }

    private addBatch(indices: number[]): void {
        const made = new Map<number, BufferGeometry>();
        for (const index of indices)
            if (!made.has(index))
                made.set(index, solidOf(this.store.geometries[index])!.build(this.detail));
        this.built.push(...made.values());
        const batch = new BatchedInstances(
            indices.map((index) => made.get(index)!),
            this.material,
        );
        batch.mesh.castShadow = !this.material.transparent;
        indices.forEach((index, at) => {
            if (!this.spare.has(index)) this.spare.set(index, []);
            this.spare.get(index)!.push([batch, at]);
        });
        this.batches.push(batch);
        this.group.add(batch.mesh);
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
