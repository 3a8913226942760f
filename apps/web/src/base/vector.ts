// Vector algebra outside three.js: triples, and quaternions as w, x, y, z.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);

export const cross = (a: Vec3, b: Vec3): Vec3 => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
];

export function normalize(a: Vec3): Vec3 {
    const size = length(a);
    return size > 0 ? scale(a, 1 / size) : [0, 0, 1];
}

export const conjugate = (q: Quat): Quat => [q[0], -q[1], -q[2], -q[3]];

/// v rotated by q:  v + 2 w (u x v) + 2 u x (u x v)
export function rotate(q: Quat, v: Vec3): Vec3 {
    const u: Vec3 = [q[1], q[2], q[3]];
    const t = scale(cross(u, v), 2);
    return add(add(v, scale(t, q[0])), cross(u, t));
}
