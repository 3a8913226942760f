// The cell of a world with periodic boundaries.

import type { Vec3 } from './vector';

export interface PeriodicCell {
    low: Vec3;
    high: Vec3;
    size: Vec3;
}

export const periodicCell = ([low, high]: [Vec3, Vec3]): PeriodicCell => ({
    low,
    high,
    size: low.map((l, k) => high[k] - l) as Vec3,
});

/// The part of a displacement along one axis that is whole cells (minimum image convention). Between
/// two frames no body travels half a cell: a larger displacement is a wrap at the boundary.
export const imageOffset = (way: number, size: number): number => Math.round(way / size) * size;
