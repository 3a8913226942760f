// The overlays of one world: contacts, boxes, axes, sweeps and joints, as the server last told them.

import { Group } from 'three';
import { add, cross, normalize, scale, subtract, type Vec3 } from '../base/vec';
import type { Contacts, JointMark, Joints, Lines } from '../protocol/overlay';
import { LineMarks, PointMarks } from './marks';
import { overlayColor } from './overlay_colors';

/// Depths are drawn this many times longer than they are.
export const depthScale = 20;
const smallestForce = 1e-9;

export interface ContactParts {
    contacts: boolean;
    friction: boolean;
    penetration: boolean;
}

export class OverlayView {
    readonly group = new Group();
    private readonly contactLines = new LineMarks(true);
    private readonly contactPoints = new PointMarks(5);
    private readonly jointLines = new LineMarks(true);
    private readonly jointPoints = new PointMarks(6);
    private readonly threads = new LineMarks(false);
    private readonly centers = new PointMarks(5);
    private readonly lines = {
        bounds: new LineMarks(false, 0.8),
        tree: new LineMarks(false, 0.5),
        sweep: new LineMarks(true),
        axes: new LineMarks(true),
    };

    constructor() {
        for (const marks of this.all()) this.group.add(marks.object);
    }

    /// Where the points that come are measured from, relative to what is drawn.
    setMiddle(middle: Vec3, origin: Vec3): void {
        this.group.position.set(...subtract(middle, origin));
    }

    /// `size` is how long the longest arrow may be, in meters.
    showContacts(contacts: Contacts, parts: ContactParts, size: number): void {
        const longest = contacts.impulse.reduce(
            (most, impulse) => Math.max(most, impulse),
            smallestForce,
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
            const isBox = lines.kind !== 'sweep';
            for (let i = 0; i < lines.points.length; i += 6) {
                const [a, b] = ends(lines.points, i);
                if (isBox) marks.box(a, b, color);
                else marks.line(a, b, color);
            }
        }
        marks.flush();
    }

    /// Threads and rods, and where `marked` the marks of all joints.
    showJoints(joints: Joints, marked: boolean, size: number): void {
        const marks = [this.threads, this.jointLines, this.jointPoints];
        for (const list of marks) list.clear();
        for (const joint of joints.joints) {
            if (joint.type === distanceType)
                this.threads.line(joint.anchorA, joint.anchorB, overlayColor('thread'));
            if (marked) this.showJoint(joint, size);
        }
        for (const list of marks) list.flush();
    }

    /// Removes what is no longer asked for.
    keepOnly(what: Set<string>, joints: boolean): void {
        for (const kind of ['bounds', 'tree', 'sweep', 'axes'] as const) {
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

    private all(): (LineMarks | PointMarks)[] {
        return [
            this.contactLines,
            this.contactPoints,
            this.jointLines,
            this.jointPoints,
            this.threads,
            this.centers,
            ...Object.values(this.lines),
        ];
    }

    private showContact(c: Contacts, i: number, parts: ContactParts, scaleOf: number): void {
        const point: Vec3 = [c.point[3 * i], c.point[3 * i + 1], c.point[3 * i + 2]];
        const normal: Vec3 = [c.normal[3 * i], c.normal[3 * i + 1], c.normal[3 * i + 2]];
        const color = overlayColor(c.kind[i] === 2 ? 'slips' : c.kind[i] === 1 ? 'sticks' : 'idle');
        if (parts.contacts) {
            this.contactPoints.point(point, color);
            if (c.impulse[i] > smallestForce) {
                this.contactLines.arrow(point, scale(normal, c.impulse[i] * scaleOf), color);
            }
        }
        if (parts.friction) {
            const friction: Vec3 = [
                c.friction[3 * i],
                c.friction[3 * i + 1],
                c.friction[3 * i + 2],
            ];
            if (Math.hypot(...friction) > smallestForce) {
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

    private showJoint(joint: JointMark, size: number): void {
        const color = overlayColor('joint');
        this.jointPoints.point(joint.anchorA, color);
        this.jointPoints.point(joint.anchorB, color);
        if (joint.type !== distanceType)
            this.jointLines.line(joint.anchorA, joint.anchorB, overlayColor('jointError'));
        if (Math.hypot(...joint.axis) < 0.5) return;
        const half = scale(joint.axis, 0.5 * size);
        this.jointLines.line(subtract(joint.anchorA, half), add(joint.anchorA, half), color);
        if (!Number.isFinite(joint.low) || !Number.isFinite(joint.high)) return;
        if (joint.type === sliderType) this.showRange(joint, size);
        else if (joint.type === hingeType) this.showArc(joint, 0.5 * size);
    }

    private showRange(joint: JointMark, size: number): void {
        const across = scale(perpendicular(joint.axis), 0.12 * size);
        const tick = (at: number, color = overlayColor('limit')): void => {
            const p = add(joint.anchorA, scale(joint.axis, at - joint.coordinate));
            this.jointLines.line(subtract(p, across), add(p, across), color);
        };
        tick(joint.low);
        tick(joint.high);
        tick(joint.coordinate, overlayColor('joint'));
    }

    // The arc of what is allowed goes with the first body; the needle points to where the second is.
    private showArc(joint: JointMark, radius: number): void {
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

const hingeType = 1;
const sliderType = 2;
const distanceType = 4;

function ends(points: Float32Array, i: number): [Vec3, Vec3] {
    return [
        [points[i], points[i + 1], points[i + 2]],
        [points[i + 3], points[i + 4], points[i + 5]],
    ];
}

function perpendicular(axis: Vec3): Vec3 {
    return normalize(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
}

function erase(marks: LineMarks | PointMarks): void {
    marks.clear();
    marks.flush();
}
