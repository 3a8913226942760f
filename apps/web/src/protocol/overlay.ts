// Binary overlay messages: contacts with impulses, lines (AABBs, tree nodes, swept paths, axes,
// tracks) and joints. Points are relative to the center of the world's frames.

import type { Vec3 } from '../base/vector';

export const contactsType = 2;
export const linesType = 3;
export const jointsType = 4;

export interface Contacts {
    world: number;
    count: number;
    /// 3 floats each.
    point: Float32Array;
    normal: Float32Array;
    friction: Float32Array;
    impulse: Float32Array;
    separation: Float32Array;
    /// 0 inactive, 1 sticking, 2 sliding.
    kind: Uint8Array;
}

export const lineKinds = ['bounds', 'tree', 'sweep', 'axes', 'tracks'] as const;
export type LineKind = (typeof lineKinds)[number];

export interface Lines {
    world: number;
    kind: LineKind;
    /// Six floats each: start and end; for bounds and tree the low and the high corner.
    points: Float32Array;
}

const headerBytes = 8;
const contactBytes = 64;
const jointBytes = 76;

export interface JointState {
    index: number;
    anchorA: Vec3;
    anchorB: Vec3;
    axis: Vec3;
    /// Perpendicular to the axis: the direction of angle 0.
    zero: Vec3;
    coordinate: number;
    low: number;
    high: number;
    error: number;
    force: number;
    type: number;
}

export interface Joints {
    world: number;
    joints: JointState[];
}

export function readContacts(view: DataView): Contacts {
    const count = view.getUint32(4, true);
    const out: Contacts = {
        world: view.getUint8(1),
        count,
        point: new Float32Array(3 * count),
        normal: new Float32Array(3 * count),
        friction: new Float32Array(3 * count),
        impulse: new Float32Array(count),
        separation: new Float32Array(count),
        kind: new Uint8Array(count),
    };
    for (let i = 0; i < count; ++i) readContact(view, headerBytes + i * contactBytes, out, i);
    return out;
}

function readContact(view: DataView, at: number, out: Contacts, i: number): void {
    for (let k = 0; k < 3; ++k) {
        out.point[3 * i + k] = view.getFloat32(at + 4 * k, true);
        out.normal[3 * i + k] = view.getFloat32(at + 12 + 4 * k, true);
        out.friction[3 * i + k] = view.getFloat32(at + 24 + 4 * k, true);
    }
    out.impulse[i] = view.getFloat32(at + 36, true);
    out.separation[i] = view.getFloat32(at + 40, true);
    out.kind[i] = view.getUint8(at + 52);
}

export function readLines(view: DataView): Lines {
    const count = view.getUint32(4, true);
    const points = new Float32Array(6 * count);
    for (let i = 0; i < points.length; ++i) points[i] = view.getFloat32(headerBytes + 4 * i, true);
    return { world: view.getUint8(1), kind: lineKinds[view.getUint8(2)] ?? 'bounds', points };
}

export function readJoints(view: DataView): Joints {
    const count = view.getUint32(4, true);
    const joints: JointState[] = [];
    for (let i = 0; i < count; ++i) joints.push(readJoint(view, headerBytes + i * jointBytes));
    return { world: view.getUint8(1), joints };
}

function readJoint(view: DataView, at: number): JointState {
    const float = (offset: number): number => view.getFloat32(at + offset, true);
    const point = (offset: number): Vec3 => [float(offset), float(offset + 4), float(offset + 8)];
    return {
        index: view.getUint32(at, true),
        anchorA: point(4),
        anchorB: point(16),
        axis: point(28),
        coordinate: float(40),
        low: float(44),
        high: float(48),
        error: float(52),
        force: float(56),
        type: view.getUint8(at + 60),
        zero: point(64),
    };
}
