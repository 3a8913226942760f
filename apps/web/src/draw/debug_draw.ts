// Debug drawing: dynamic lists of lines and points for overlays, trails and the drag spring.

import {
    BufferAttribute,
    BufferGeometry,
    Color,
    DynamicDrawUsage,
    LineBasicMaterial,
    LineSegments,
    Points,
    PointsMaterial,
} from 'three';
import { add, cross, normalize, scale, type Vec3 } from '../base/vector';

class VertexList {
    readonly geometry = new BufferGeometry();
    private position = new Float32Array(0);
    private color = new Float32Array(0);
    private used = 0;

    clear(): void {
        this.used = 0;
    }

    push(x: number, y: number, z: number, color: Color): void {
        if (3 * this.used >= this.position.length) this.grow();
        const at = 3 * this.used++;
        this.position[at] = x;
        this.position[at + 1] = y;
        this.position[at + 2] = z;
        color.toArray(this.color, at);
    }

    flush(): void {
        this.geometry.setDrawRange(0, this.used);
        if (this.used === 0) return;
        this.geometry.attributes.position.needsUpdate = true;
        this.geometry.attributes.color.needsUpdate = true;
    }

    get isEmpty(): boolean {
        return this.used === 0;
    }

    private grow(): void {
        const size = Math.max(3 * 256, 2 * this.position.length);
        const position = new Float32Array(size);
        const color = new Float32Array(size);
        position.set(this.position);
        color.set(this.color);
        this.position = position;
        this.color = color;
        this.geometry.dispose();
        for (const [name, array] of [
            ['position', position],
            ['color', color],
        ] as const) {
            this.geometry.setAttribute(
                name,
                new BufferAttribute(array, 3).setUsage(DynamicDrawUsage),
            );
        }
    }
}

/// Line segments, each in its own color; drawn over everything when `onTop`.
export class DebugLines {
    readonly object: LineSegments;
    private readonly list = new VertexList();

    constructor(onTop: boolean, opacity = 1) {
        const material = new LineBasicMaterial({ vertexColors: true, transparent: true, opacity });
        material.depthTest = !onTop;
        material.depthWrite = false;
        this.object = new LineSegments(this.list.geometry, material);
        this.object.frustumCulled = false;
        this.object.renderOrder = 5;
        this.object.visible = false;
    }

    clear(): void {
        this.list.clear();
    }

    line(a: Vec3, b: Vec3, color: Color): void {
        this.list.push(a[0], a[1], a[2], color);
        this.list.push(b[0], b[1], b[2], color);
    }

    /// An arrow from a along d; its head is a fifth of its length.
    arrow(a: Vec3, d: Vec3, color: Color): void {
        const tip = add(a, d);
        this.line(a, tip, color);
        const side = scale(
            normalize(cross(d, Math.abs(d[2]) > Math.abs(d[0]) ? [1, 0, 0] : [0, 0, 1])),
            0.09,
        );
        const size = Math.hypot(...d);
        const neck = add(a, scale(d, 0.8));
        this.line(tip, add(neck, scale(side, size)), color);
        this.line(tip, add(neck, scale(side, -size)), color);
    }

    /// The twelve edges of the box between two corners.
    box(low: Vec3, high: Vec3, color: Color): void {
        const corner = (i: number): Vec3 => [
            i & 1 ? high[0] : low[0],
            i & 2 ? high[1] : low[1],
            i & 4 ? high[2] : low[2],
        ];
        for (let i = 0; i < 8; ++i) {
            for (const bit of [1, 2, 4])
                if (!(i & bit)) this.line(corner(i), corner(i | bit), color);
        }
    }

    flush(): void {
        this.list.flush();
        this.object.visible = !this.list.isEmpty;
    }
}

/// Points of constant size on the screen.
export class DebugPoints {
    readonly object: Points;
    private readonly list = new VertexList();

    constructor(pixels: number) {
        const material = new PointsMaterial({
            size: pixels,
            sizeAttenuation: false,
            vertexColors: true,
        });
        material.depthTest = false;
        material.transparent = true;
        this.object = new Points(this.list.geometry, material);
        this.object.frustumCulled = false;
        this.object.renderOrder = 6;
        this.object.visible = false;
    }

    clear(): void {
        this.list.clear();
    }

    point(p: Vec3, color: Color): void {
        this.list.push(p[0], p[1], p[2], color);
    }

    flush(): void {
        this.list.flush();
        this.object.visible = !this.list.isEmpty;
    }
}
