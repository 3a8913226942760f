// Debug overlays of one world: contacts, bounding boxes, principal axes, swept paths, joints
// and tracks.

import { Group } from 'three';
import { add, cross, normalize, scale, subtract, type Vec3 } from '../base/vector';
import type { Contacts, JointState, Joints, Lines } from '../protocol/overlay';
import { DebugLines, DebugPoints } from './debug_draw';
import { overlayColor } from './overlay_colors';

/// Magnification of penetration depths.
export const depthScale = 20;
const minImpulse = 1e-9;

export interface ContactOptions {
    contacts: boolean;
    friction: boolean;
    penetration: boolean;
}

export class OverlayView {
    readonly group = new Group();
    private readonly contactLines = new DebugLines(true);
    private readonly contactPoints = new DebugPoints(5);
    private readonly jointLines = new DebugLines(true);
    private readonly jointPoints = new DebugPoints(6);
    private readonly distanceLines = new DebugLines(false);
    private readonly centers = new DebugPoints(5);
    private readonly lines = {
        bounds: new DebugLines(false, 0.8),
        tree: new DebugLines(false, 0.5),
        sweep: new DebugLines(true),
        axes: new DebugLines(true),
        tracks: new DebugLines(false),
    };

    constructor() {
        for (const marks of this.all()) this.group.add(marks.object);
    }

    /// Overlay points are relative to `center`; rendering is relative to `origin`.
    setCenter(center: Vec3, origin: Vec3): void {
        this.group.position.set(...subtract(center, origin));
    }

    /// `size` is the length of the longest arrow in meters.
    showContacts(contacts: Contacts, parts: ContactOptions, size: number): void {
        const longest = contacts.impulse.reduce(
            (most, impulse) => Math.max(most, impulse),
            minImpulse,
        );
        this.contactLines.clear();
        this.contactPoints.clear();
        for (let i = 0; i < contacts.count; ++i)
            this.showContact(contacts, i, parts, size / longest);
        this.contactLines.flush();
        this.contactPoints.flush();
    }

    showLines(lines: Lines): void {
        const marks = this.lines[lines.kind];
        marks.clear();
        if (lines.kind === 'axes') this.showAxes(lines.points);
        else {
            const color = overlayColor(lines.kind);
            const isBox = lines.kind === 'bounds' || lines.kind === 'tree';
            for (let i = 0; i < lines.points.length; i += 6) {
                const [a, b] = ends(lines.points, i);
                if (isBox) marks.box(a, b, color);
                else marks.line(a, b, color);
            }
        }
        marks.flush();
    }

    /// Distance joints always; anchors, axes and limits of all joints when `marked`.
    showJoints(joints: Joints, marked: boolean, size: number): void {
        const marks = [this.distanceLines, this.jointLines, this.jointPoints];
        for (const list of marks) list.clear();
        for (const joint of joints.joints) {
            if (joint.type === distanceJoint)
                this.distanceLines.line(
                    joint.anchorA,
                    joint.anchorB,
                    overlayColor('distanceJoint'),
                );
            if (marked) this.showJoint(joint, size);
        }
        for (const list of marks) list.flush();
    }

    /// Clears overlays that are no longer subscribed to.
    clearDisabled(what: Set<string>, joints: boolean): void {
        for (const kind of ['bounds', 'tree', 'sweep', 'axes', 'tracks'] as const) {
            if (!what.has(kind)) erase(this.lines[kind]);
        }
        if (!what.has('axes')) erase(this.centers);
        if (!what.has('contacts')) [this.contactLines, this.contactPoints].forEach(erase);
        if (!joints) [this.jointLines, this.jointPoints].forEach(erase);
    }

    dispose(): void {
        for (const marks of this.all()) {
            marks.object.geometry.dispose();
            (marks.object.material as { dispose(): void }).dispose();
        }
        this.group.removeFromParent();
    }

    private all(): (DebugLines | DebugPoints)[] {
        return [
            this.contactLines,
            this.contactPoints,
            this.jointLines,
            this.jointPoints,
            this.distanceLines,
            this.centers,
            ...Object.values(this.lines),
        ];
    }

    private showContact(c: Contacts, i: number, parts: ContactOptions, scaleOf: number): void {
        const point: Vec3 = [c.point[3 * i], c.point[3 * i + 1], c.point[3 * i + 2]];
        const normal: Vec3 = [c.normal[3 * i], c.normal[3 * i + 1], c.normal[3 * i + 2]];
        const color = overlayColor(
            c.kind[i] === 2 ? 'sliding' : c.kind[i] === 1 ? 'sticking' : 'inactive',
        );
        if (parts.contacts) {
            this.contactPoints.point(point, color);
            if (c.impulse[i] > minImpulse) {
                this.contactLines.arrow(point, scale(normal, c.impulse[i] * scaleOf), color);
            }
        }
        if (parts.friction) {
            const friction: Vec3 = [
                c.friction[3 * i],
                c.friction[3 * i + 1],
                c.friction[3 * i + 2],
            ];
            if (Math.hypot(...friction) > minImpulse) {
                this.contactLines.arrow(point, scale(friction, scaleOf), overlayColor('friction'));
            }
        }
        if (parts.penetration && c.separation[i] < 0) {
            const end = add(point, scale(normal, depthScale * c.separation[i]));
            this.contactLines.line(point, end, overlayColor('depth'));
            this.contactPoints.point(point, overlayColor('depth'));
        }
    }

    private showAxes(points: Float32Array): void {
        this.centers.clear();
        const colors = [overlayColor('axis1'), overlayColor('axis2'), overlayColor('axis3')];
        for (let i = 0; i < points.length; i += 6) {
            const [a, b] = ends(points, i);
            this.lines.axes.line(a, b, colors[(i / 6) % 3]);
            if ((i / 6) % 3 === 0) this.centers.point(a, overlayColor('axis1'));
        }
        this.centers.flush();
    }

    private showJoint(joint: JointState, size: number): void {
        const color = overlayColor('joint');
        this.jointPoints.point(joint.anchorA, color);
        this.jointPoints.point(joint.anchorB, color);
        if (joint.type !== distanceJoint)
            this.jointLines.line(joint.anchorA, joint.anchorB, overlayColor('jointError'));
        if (Math.hypot(...joint.axis) < 0.5) return;
        const half = scale(joint.axis, 0.5 * size);
        this.jointLines.line(subtract(joint.anchorA, half), add(joint.anchorA, half), color);
        if (!Number.isFinite(joint.low) || !Number.isFinite(joint.high)) return;
        if (joint.type === sliderJoint) this.showRange(joint, size);
        else if (joint.type === hingeJoint) this.showArc(joint, 0.5 * size);
    }

    private showRange(joint: JointState, size: number): void {
        const across = scale(perpendicular(joint.axis), 0.12 * size);
        const tick = (at: number, color = overlayColor('limit')): void => {
            const p = add(joint.anchorA, scale(joint.axis, at - joint.coordinate));
            this.jointLines.line(subtract(p, across), add(p, across), color);
        };
        tick(joint.low);
        tick(joint.high);
        tick(joint.coordinate, overlayColor('joint'));
    }

    // The arc shows the limits in the frame of body A; the needle shows the current angle.
    private showArc(joint: JointState, radius: number): void {
        const u = joint.zero;
        const v = cross(joint.axis, u);
        const at = (angle: number): Vec3 =>
            add(
                joint.anchorA,
                add(scale(u, radius * Math.cos(angle)), scale(v, radius * Math.sin(angle))),
            );
        const parts = 24;
        const width = (joint.high - joint.low) / parts;
        for (let i = 0; i < parts; ++i) {
            const from = joint.low + i * width;
            this.jointLines.line(at(from), at(from + width), overlayColor('limit'));
        }
        for (const end of [joint.low, joint.high])
            this.jointLines.line(joint.anchorA, at(end), overlayColor('limit'));
        this.jointLines.line(joint.anchorA, at(joint.coordinate), overlayColor('joint'));
    }
}

const hingeJoint = 1;
const sliderJoint = 2;
const distanceJoint = 4;

function ends(points: Float32Array, i: number): [Vec3, Vec3] {
    return [
        [points[i], points[i + 1], points[i + 2]],
        [points[i + 3], points[i + 4], points[i + 5]],
    ];
}

function perpendicular(axis: Vec3): Vec3 {
    return normalize(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
}

function erase(marks: DebugLines | DebugPoints): void {
    marks.clear();
    marks.flush();
}
