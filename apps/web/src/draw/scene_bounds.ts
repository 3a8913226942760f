// Bounding sphere of the moving bodies and of the periodic cell, for "frame all".

import type { Vec3 } from '../base/vector';
import type { Body, Geometry, Shape } from '../protocol/messages';
import type { WorldStore } from '../store/world_store';

export interface BoundingSphere {
    center: Vec3;
    radius: number;
    /// Lowest z.
    low: number;
}

/// Bounds of the bodies that can move, or of all bodies but planes when none can.
export function sceneBounds(world: WorldStore | undefined): BoundingSphere | null {
    if (!world) return null;
    return boundsOf(world, (body) => body.type !== 'static') ?? boundsOf(world, () => true);
}

function boundsOf(world: WorldStore, counts: (body: Body) => boolean): BoundingSphere | null {
    const low: Vec3 = [...(world.cell?.low ?? [Infinity, Infinity, Infinity])];
    const high: Vec3 = [...(world.cell?.high ?? [-Infinity, -Infinity, -Infinity])];
    for (const body of world.bodies.values()) {
        if (!counts(body) || !world.poses.isPlaced(body.index)) continue;
        const reach = boundingRadius(world, body);
        if (reach === null) continue;
        for (let k = 0; k < 3; ++k) {
            const p = world.poses.position[3 * body.index + k];
            low[k] = Math.min(low[k], p - reach);
            high[k] = Math.max(high[k], p + reach);
        }
    }
    if (low[0] > high[0]) return null;
    const center = low.map((l, k) => (l + high[k]) / 2) as Vec3;
    return { center, radius: Math.hypot(...high.map((h, k) => h - low[k])) / 2, low: low[2] };
}

/// Bounding radius of shapes and drawn mesh about the body's origin; null when it has planes only.
export function boundingRadius(world: WorldStore, body: Body): number | null {
    let reach: number | null = null;
    const drawn: Shape[] = body.look ? [...body.shapes, body.look] : body.shapes;
    for (const shape of drawn) {
        const geometry = world.geometries[shape.geometry];
        const own = geometry ? geometryRadius(geometry) : null;
        if (own === null) continue;
        reach = Math.max(reach ?? 0, own + Math.hypot(...(shape.position ?? [0, 0, 0])));
    }
    return reach;
}

function geometryRadius(geometry: Geometry): number | null {
    const { radius = 0, length = 0, height = 0, size = [] } = geometry;
    switch (geometry.type) {
        case 'sphere':
            return radius;
        case 'box':
            return Math.hypot(...size) / 2;
        case 'capsule':
            return radius + length / 2;
        case 'cylinder':
        case 'cone':
            return Math.hypot(radius, height / 2);
        case 'hull':
            return Math.max(0, ...(geometry.points ?? []).map((p) => Math.hypot(...p)));
        case 'mesh':
            return meshRadius(geometry.vertices ?? []);
        case 'height_field':
            return Math.hypot(...size) / 2;
        case 'plane':
            return null;
    }
}

function meshRadius(vertices: number[]): number {
    let most = 0;
    for (let i = 0; i < vertices.length; i += 3) {
        most = Math.max(most, Math.hypot(vertices[i], vertices[i + 1], vertices[i + 2]));
    }
    return most;
}
