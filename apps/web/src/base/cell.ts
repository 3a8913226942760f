// The cell of a world that repeats in all directions: what leaves on one side comes in on the other.

import type { Vec3 } from './vec';

export interface Cell {
    low: Vec3;
    high: Vec3;
    size: Vec3;
}

export const cellOf = ([low, high]: [Vec3, Vec3]): Cell => ({
    low,
    high,
    size: low.map((l, k) => high[k] - l) as Vec3,
});

/// What of a way along one axis is whole cells. Between two frames nothing goes half as far by itself: it
/// was brought back from the other side.
export const wholeCells = (way: number, size: number): number => Math.round(way / size) * size;
