// Instanced rendering of one geometry, or of a batch of geometries, in one draw call. An instance
// belongs to a body. Its matrix is the body pose times the local transform, written into the GPU buffer.

import {
    BatchedMesh,
    BufferGeometry,
    Color,
    InstancedBufferAttribute,
    InstancedMesh,
    type Material,
} from 'three';
import type { Vec3 } from '../base/vector';
import type { Poses } from '../store/poses';

/// Shape to body transform with scale: the upper three rows of the matrix, row-major.
export type Affine = Float32Array;

const none = -1;

export abstract class Instances {
    abstract readonly mesh: InstancedMesh | BatchedMesh;
    protected body = new Int32Array(0);
    protected local = new Float32Array(0);
    protected own = new Float32Array(0);
    protected fixed = new Uint8Array(0);
    protected count = 0;
    private free: number[] = [];

    /// Adds an instance, at a free index unless one is given, and returns its index. A `fixed` one has no
    /// quantity to be colored by.
    add(
        body: number,
        local: Affine,
        color: Color,
        fixed: boolean,
        at: number = this.free.pop() ?? this.count++,
    ): number {
        this.makeRoom(this.count);
        this.body[at] = body;
        this.fixed[at] = Number(fixed);
        this.local.set(local, 12 * at);
        color.toArray(this.own, 3 * at);
        this.paint(at, this.own, 3 * at);
        return at;
    }

    remove(at: number): void {
        this.body[at] = none;
        this.matrices().fill(0, 16 * at, 16 * at + 16);
        this.flushMatrices();
        this.free.push(at);
    }

    /// Updates the matrices of the bodies whose shown pose changed, relative to `origin`.
    place(poses: Poses, origin: Vec3): void {
        const out = this.matrices();
        let any = false;
        for (let i = 0; i < this.count; ++i) {
            const body = this.body[i];
            if (body === none || !poses.changed[body]) continue;
            writeMatrix(out, 16 * i, this.local, 12 * i, poses, body, origin);
            any = true;
        }
        if (any) this.flushMatrices();
    }

    /// Colors instances by the values of their bodies, or by their own colors without a table. With
    /// `movingOnly` fixed instances keep their own.
    color(poses: Poses, table: Float32Array | null, movingOnly: boolean): void {
        for (let i = 0; i < this.count; ++i) {
            if (this.body[i] === none) continue;
            if (table && !(movingOnly && this.fixed[i]))
                this.paint(i, table, 3 * poses.value[this.body[i]]);
            else this.paint(i, this.own, 3 * i);
        }
        this.flushColors();
    }

    dispose(): void {
        this.mesh.dispose();
    }

    protected growArrays(size: number): void {
        this.body = copied(this.body, new Int32Array(size));
        this.local = copied(this.local, new Float32Array(12 * size));
        this.own = copied(this.own, new Float32Array(3 * size));
        this.fixed = copied(this.fixed, new Uint8Array(size));
    }

    protected abstract makeRoom(count: number): void;
    protected abstract matrices(): Float32Array;
    protected abstract flushMatrices(): void;
    protected abstract paint(at: number, colors: Float32Array, from: number): void;
    protected abstract flushColors(): void;
}

/// Instances of one geometry.
export class SolidInstances extends Instances {
    mesh: InstancedMesh;

    constructor(
        private readonly geometry: BufferGeometry,
        private readonly material: Material,
    ) {
        super();
        this.mesh = this.makeMesh(16);
        this.growArrays(16);
    }

    protected makeRoom(count: number): void {
        if (count > this.body.length) this.grow(Math.max(count, 2 * this.body.length));
        this.mesh.count = count;
    }

    private grow(size: number): void {
        const old = this.mesh;
        this.mesh = this.makeMesh(size);
        this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
        this.mesh.instanceColor!.array.set(old.instanceColor!.array);
        this.mesh.castShadow = old.castShadow;
        this.growArrays(size);
        if (old.parent) {
            old.parent.add(this.mesh);
            old.removeFromParent();
        }
        old.dispose();
    }

    private makeMesh(size: number): InstancedMesh {
        const mesh = new InstancedMesh(this.geometry, this.material, size);
        mesh.instanceMatrix.array.fill(0);
        mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * size), 3);
        mesh.count = 0;
        mesh.frustumCulled = false;
        mesh.castShadow = true;
        mesh.receiveShadow = true;
        return mesh;
    }

    protected matrices(): Float32Array {
        return this.mesh.instanceMatrix.array as Float32Array;
    }

    protected flushMatrices(): void {
        this.mesh.instanceMatrix.needsUpdate = true;
    }

    protected paint(at: number, colors: Float32Array, from: number): void {
        const out = this.mesh.instanceColor!.array;
        for (let k = 0; k < 3; ++k) out[3 * at + k] = colors[from + k];
        this.mesh.instanceColor!.needsUpdate = true;
    }

    protected flushColors(): void {
        this.mesh.instanceColor!.needsUpdate = true;
    }
}

// BatchedMesh keeps its matrices in a texture, sixteen floats for each instance. Writing there avoids
// a Matrix4 for each body and frame.
interface BatchedInternals {
    _matricesTexture: { image: { data: Float32Array }; needsUpdate: boolean };
}

/// One instance each of many geometries, all known at construction; `add` needs the index of the one of
/// the right geometry.
export class BatchedInstances extends Instances {
    readonly mesh: BatchedMesh;
    private readonly scratch = new Color();

    constructor(geometries: BufferGeometry[], material: Material) {
        super();
        const vertices = geometries.reduce((sum, g) => sum + g.attributes.position.count, 0);
        this.mesh = new BatchedMesh(geometries.length, vertices, 0, material);
        this.mesh.perObjectFrustumCulled = false;
        this.mesh.sortObjects = false;
        this.mesh.frustumCulled = false;
        this.mesh.castShadow = true;
        this.mesh.receiveShadow = true;
        for (const geometry of geometries) this.mesh.addInstance(this.mesh.addGeometry(geometry));
        this.growArrays(geometries.length);
        this.count = geometries.length;
        // Nothing is drawn before the first frame with the body.
        this.body.fill(none);
        this.matrices().fill(0);
    }

    protected makeRoom(count: number): void {
        if (count > this.body.length) throw new RangeError('a batch cannot grow');
    }

    protected matrices(): Float32Array {
        return this.internals()._matricesTexture.image.data;
    }

    protected flushMatrices(): void {
        this.internals()._matricesTexture.needsUpdate = true;
    }

    protected paint(at: number, colors: Float32Array, from: number): void {
        this.mesh.setColorAt(at, this.scratch.fromArray(colors, from));
    }

    protected flushColors(): void {
        // setColorAt marks its texture for upload.
    }

    private internals(): BatchedInternals {
        return this.mesh as unknown as BatchedInternals;
    }
}

// out (column-major) = [R p; 0 1] * local, with R of the shown orientation and p relative to origin.
function writeMatrix(
    out: Float32Array,
    o: number,
    local: Float32Array,
    l: number,
    poses: Poses,
    body: number,
    origin: Vec3,
): void {
    const q = poses.shownOrientation;
    const p = poses.shownPosition;
    const w = q[4 * body],
        x = q[4 * body + 1],
        y = q[4 * body + 2],
        z = q[4 * body + 3];
    const r00 = 1 - 2 * (y * y + z * z),
        r01 = 2 * (x * y - w * z),
        r02 = 2 * (x * z + w * y);
    const r10 = 2 * (x * y + w * z),
        r11 = 1 - 2 * (x * x + z * z),
        r12 = 2 * (y * z - w * x);
    const r20 = 2 * (x * z - w * y),
        r21 = 2 * (y * z + w * x),
        r22 = 1 - 2 * (x * x + y * y);
    for (let c = 0; c < 4; ++c) {
        const a = local[l + c],
            b = local[l + 4 + c],
            d = local[l + 8 + c];
        out[o + 4 * c] = r00 * a + r01 * b + r02 * d;
        out[o + 4 * c + 1] = r10 * a + r11 * b + r12 * d;
        out[o + 4 * c + 2] = r20 * a + r21 * b + r22 * d;
        out[o + 4 * c + 3] = 0;
    }
    out[o + 12] += p[3 * body] - origin[0];
    out[o + 13] += p[3 * body + 1] - origin[1];
    out[o + 14] += p[3 * body + 2] - origin[2];
    out[o + 15] = 1;
}

function copied<T extends Float32Array | Int32Array | Uint8Array>(old: T, larger: T): T {
    larger.set(old as never);
    return larger;
}
