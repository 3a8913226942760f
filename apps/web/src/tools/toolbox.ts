// The tools: what a click on the 3D view does.

import { add, dot, length, scale, type Vec3 } from '../base/vector';
import { Signal } from '../base/signal';
import type { Ray, Viewport } from '../draw/viewport';
import { sceneBounds } from '../draw/scene_bounds';
import type { DropShape, PickedMessage } from '../protocol/messages';
import type { Session } from '../store/session';

export type ToolName =
    'drag' | 'inspect' | 'push' | 'throw' | 'drop' | 'delete' | 'duplicate' | 'freeze' | 'explode';

export interface Tool {
    name: ToolName;
    label: string;
    hint: string;
}

export const tools: Tool[] = [
    {
        name: 'drag',
        label: 'Drag',
        hint: 'Drag a body; click to select it; drag the background to orbit',
    },
    { name: 'inspect', label: 'Inspect', hint: 'Click a body to inspect it' },
    { name: 'push', label: 'Push', hint: 'Click a body to apply an impulse away from the camera' },
    { name: 'throw', label: 'Throw', hint: 'Click to throw a ball from the camera' },
    { name: 'drop', label: 'Drop', hint: 'Click to drop a new body there' },
    { name: 'delete', label: 'Delete', hint: 'Click a body to delete it' },
    { name: 'duplicate', label: 'Duplicate', hint: 'Click a body to duplicate it' },
    { name: 'freeze', label: 'Freeze', hint: 'Click a body to freeze or unfreeze it' },
    { name: 'explode', label: 'Explode', hint: 'Click a point to apply a radial impulse' },
];

export const dropShapes: DropShape[] = [
    'sphere',
    'capsule',
    'cube',
    'cylinder',
    'cone',
    'hull',
    'stack',
];

const pushSpeed = 3;
// The server's limit for the size of a dropped body, in m.
const maxDropSize = 100;
// A hit farther away than this, in view distances, is the ground near the horizon and not a target.
const farHit = 10;

export class Toolbox {
    readonly tool = new Signal<ToolName>('drag');
    readonly shape = new Signal<DropShape>('cube');

    constructor(
        private readonly session: Session,
        private readonly viewport: Viewport,
    ) {}

    /// Applies a tool to the pick result of `ray`.
    use(picked: PickedMessage, ray: Ray, tool = this.tool.value): void {
        const { body, point } = picked;
        switch (tool) {
            case 'drag':
            case 'inspect':
                this.session.select(body);
                break;
            case 'push':
                if (body !== null && point) this.push(body, point, ray);
                break;
            case 'throw':
                this.throwBall(ray);
                break;
            case 'drop':
                this.drop(picked, ray);
                break;
            case 'delete':
                if (body !== null) this.session.act({ type: 'delete', body });
                break;
            case 'duplicate':
                if (body !== null) this.session.act({ type: 'duplicate', body });
                break;
            case 'freeze':
                if (body !== null) this.freeze(body);
                break;
            case 'explode':
                this.explode(picked, ray);
                break;
        }
    }

    private push(body: number, point: Vec3, ray: Ray): void {
        const mass = this.session.worlds[0]?.bodies.get(body)?.mass ?? 1;
        this.session.act({
            type: 'push',
            body,
            point,
            impulse: scale(ray.direction, pushSpeed * mass),
        });
    }

    /// Throws from the camera along the ray, with speed and size that suit the scene.
    throwBall(ray: Ray): void {
        const reach = this.viewport.rig.view.distance;
        const radius = Math.max(0.02, 0.022 * reach);
        const position = add(ray.origin, scale(ray.direction, 0.12 * reach));
        const speed = Math.max(4, 1.6 * reach);
        this.session.act({
            type: 'throw',
            position,
            velocity: scale(ray.direction, speed),
            radius,
            density: 2000,
        });
    }

    private drop(picked: PickedMessage, ray: Ray): void {
        const size = Math.min(maxDropSize, Math.max(0.02, 0.05 * this.viewport.rig.view.distance));
        const place = this.targetOf(picked, ray);
        const position: Vec3 = [place[0], place[1], place[2] + 2 * size];
        this.session.act({ type: 'drop', shape: this.shape.value, position, size });
    }

    private freeze(body: number): void {
        const on = !this.session.state.value.frozen?.includes(body);
        this.session.act({ type: 'freeze', body, on });
    }

    // Gives the body of median mass about three times the speed of a push at the center.
    private explode(picked: PickedMessage, ray: Ray): void {
        const point = this.targetOf(picked, ray);
        const masses = [...(this.session.worlds[0]?.bodies.values() ?? [])]
            .map((body) => body.mass ?? 0)
            .filter((mass) => mass > 0 && Number.isFinite(mass))
            .sort((a, b) => a - b);
        const mass = masses[Math.floor(masses.length / 2)] ?? 1;
        const radius = 0.35 * this.viewport.rig.view.distance;
        this.session.act({ type: 'explode', point, strength: 3 * pushSpeed * mass, radius });
    }

    private targetOf({ point, distance = 0 }: PickedMessage, ray: Ray): Vec3 {
        const isNear = distance <= farHit * this.viewport.rig.view.distance;
        return point && isNear ? point : this.pointAhead(ray);
    }

    /// For a ray without a near hit: its point nearest to the center of the scene.
    private pointAhead(ray: Ray): Vec3 {
        const center = sceneBounds(this.session.worlds[0])?.center ?? this.viewport.rig.view.target;
        const offset: Vec3 = [
            center[0] - ray.origin[0],
            center[1] - ray.origin[1],
            center[2] - ray.origin[2],
        ];
        const along = Math.max(0.1 * length(offset), dot(offset, ray.direction));
        return add(ray.origin, scale(ray.direction, along));
    }
}
