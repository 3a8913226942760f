// Triangle meshes of the geometries. Spheres, boxes, cylinders and cones are unit solids scaled by
// their instances; the other geometries get meshes of their own.
//
// Round solids have faint segments in their vertex colors, which make rotation visible.

import {
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    CapsuleGeometry,
    ConeGeometry,
    CylinderGeometry,
    SphereGeometry,
    Vector3,
} from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
import type { Geometry } from '../protocol/messages';

export interface Solid {
    /// Solids with equal keys share one mesh; null means a mesh of its own.
    key: string | null;
    scale: [number, number, number];
    build(detail: Detail): BufferGeometry;
}

/// Number of segments of round solids: fewer in scenes of thousands of bodies.
export interface Detail {
    round: number;
}

export const fine: Detail = { round: 32 };
export const coarse: Detail = { round: 16 };

const shade = 0.8;

export function solidOf(geometry: Geometry): Solid | null {
    const { radius = 0.5, height = 1, length = 1 } = geometry;
    const size = geometry.size ?? [1, 1, 1];
    switch (geometry.type) {
        case 'sphere':
            return { key: 'sphere', scale: [radius, radius, radius], build: unitSphere };
        case 'box':
            return { key: 'box', scale: [size[0], size[1], size[2]], build: unitBox };
        case 'cylinder':
            return { key: 'cylinder', scale: [radius, radius, height], build: unitCylinder };
        case 'cone':
            return { key: 'cone', scale: [radius, radius, height], build: unitCone };
        case 'capsule':
            return {
                key: null,
                scale: [1, 1, 1],
                build: (detail) => capsule(radius, length, detail),
            };
        case 'hull':
            return { key: null, scale: [1, 1, 1], build: () => hull(geometry.points ?? []) };
        case 'mesh':
            return { key: null, scale: [1, 1, 1], build: () => mesh(geometry) };
        case 'height_field':
            return { key: null, scale: [1, 1, 1], build: () => heightField(geometry) };
        case 'plane':
            return null;
    }
}

const unitSphere = ({ round }: Detail): BufferGeometry =>
    striped(new SphereGeometry(1, round, round / 2), 4, 2);
const unitBox = (): BufferGeometry => plain(new BoxGeometry(1, 1, 1));
const unitCylinder = ({ round }: Detail): BufferGeometry =>
    striped(upright(new CylinderGeometry(1, 1, 1, round)), 4, 1);
const unitCone = ({ round }: Detail): BufferGeometry =>
    striped(upright(new ConeGeometry(1, 1, round)), 4, 1);

function capsule(radius: number, length: number, { round }: Detail): BufferGeometry {
    // Two rings along the straight part, so that no triangle crosses the middle.
    return striped(
        upright(new CapsuleGeometry(radius, length, Math.floor(round / 5), round, 2)),
        4,
        2,
    );
}

function hull(points: [number, number, number][]): BufferGeometry {
    if (points.length < 4) return plain(new BoxGeometry(0.01, 0.01, 0.01));
    return plain(new ConvexGeometry(points.map((p) => new Vector3(...p))));
}

function mesh(geometry: Geometry): BufferGeometry {
    return faceted(Float32Array.from(geometry.vertices ?? []), geometry.triangles ?? []);
}

/// Moves the vertices of a mesh that `solidOf(geometry).build` made.
export function deformMesh(
    built: BufferGeometry,
    geometry: Geometry,
    vertices: Float32Array,
): void {
    const { position } = built.attributes;
    (geometry.triangles ?? []).forEach((v, corner) =>
        position.setXYZ(corner, vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]),
    );
    position.needsUpdate = true;
    built.computeVertexNormals();
}

function heightField(geometry: Geometry): BufferGeometry {
    const { columns = 2, rows = 2, heights = [] } = geometry;
    const [sizeX, sizeY] = geometry.size ?? [1, 1];
    const vertices = new Float32Array(3 * columns * rows);
    for (let r = 0, i = 0; r < rows; ++r) {
        for (let c = 0; c < columns; ++c, ++i) {
            vertices[3 * i] = (c / (columns - 1) - 0.5) * sizeX;
            vertices[3 * i + 1] = (r / (rows - 1) - 0.5) * sizeY;
            vertices[3 * i + 2] = heights[i] ?? 0;
        }
    }
    return faceted(vertices, gridTriangles(columns, rows));
}

function gridTriangles(columns: number, rows: number): number[] {
    const triangles: number[] = [];
    for (let r = 0; r + 1 < rows; ++r) {
        for (let c = 0; c + 1 < columns; ++c) {
            const a = r * columns + c;
            triangles.push(a, a + 1, a + columns + 1, a, a + columns + 1, a + columns);
        }
    }
    return triangles;
}

function faceted(vertices: Float32Array, triangles: number[]): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(vertices, 3));
    geometry.setIndex(triangles);
    return plain(geometry, true);
}

/// three.js builds round solids along y; Rigor's axis is z.
const upright = <G extends BufferGeometry>(geometry: G): G => geometry.rotateX(Math.PI / 2);

/// Non-indexed, with the attributes position, normal and color only.
function plain(geometry: BufferGeometry, flat = false): BufferGeometry {
    const out = geometry.index ? geometry.toNonIndexed() : geometry;
    if (flat) out.computeVertexNormals();
    for (const name of Object.keys(out.attributes)) {
        if (name !== 'position' && name !== 'normal') out.deleteAttribute(name);
    }
    const colors = new Float32Array(3 * out.attributes.position.count).fill(1);
    out.setAttribute('color', new BufferAttribute(colors, 3));
    return out;
}

/// Darkens every other segment about z, alternating between `floors` halves.
function striped(geometry: BufferGeometry, segments: number, floors: number): BufferGeometry {
    const out = plain(geometry);
    const { position, color } = out.attributes;
    for (let t = 0; t < position.count; t += 3) {
        const x = position.getX(t) + position.getX(t + 1) + position.getX(t + 2);
        const y = position.getY(t) + position.getY(t + 1) + position.getY(t + 2);
        const z = position.getZ(t) + position.getZ(t + 1) + position.getZ(t + 2);
        const segment = Math.floor((Math.atan2(y, x) / (2 * Math.PI) + 0.5) * segments - 1e-6);
        const floor = floors > 1 && z > 0 ? 1 : 0;
        if ((segment + floor) % 2 !== 0) continue;
        for (let k = t; k < t + 3; ++k) color.setXYZ(k, shade, shade, shade);
    }
    return out;
}
