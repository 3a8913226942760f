// Keys that act while held: they move the camera, the drag target, or the driven bodies of the scene.

import { isTyping } from '../base/dom';
import { Signal } from '../base/signal';
import { cross, normalize, scale, add, type Vec3 } from '../base/vector';
import type { Viewport } from '../draw/viewport';
import type { Session } from '../store/session';
import type { DragTool } from './drag_tool';

const movePerSecond = 0.9;
const orbitPerSecond = 1.6;

export class HeldKeys {
    /// When true, keys go to the driven bodies of the scene instead of the camera.
    readonly driving = new Signal(false);
    private readonly down = new Set<string>();

    constructor(
        private readonly session: Session,
        private readonly viewport: Viewport,
        private readonly dragTool: DragTool,
        canvas: HTMLElement,
    ) {
        window.addEventListener('keydown', (event) => this.pressed(event, canvas));
        window.addEventListener('keyup', (event) => this.released(event.code));
        window.addEventListener('blur', () => this.releaseAll());
        this.driving.listen(() => this.releaseAll());
    }

    /// Moves the camera or the drag target by the keys that are down.
    advance(elapsedMs: number): void {
        if (this.down.size === 0 || this.driving.value) return;
        const seconds = Math.min(0.1, elapsedMs / 1000);
        const held = (plus: string, minus: string): number =>
            Number(this.down.has(plus)) - Number(this.down.has(minus));
        const sideways = held('ArrowRight', 'ArrowLeft');
        const upward = held('ArrowUp', 'ArrowDown');
        const { rig } = this.viewport;
        if (this.dragTool.isDragging)
            this.dragTool.moveBy(this.dragStep(sideways, upward, seconds));
        else rig.orbit(sideways * orbitPerSecond * seconds, upward * orbitPerSecond * seconds);
        const distance = movePerSecond * seconds;
        const ahead = held('KeyW', 'KeyS');
        const aside = held('KeyD', 'KeyA');
        const up = held('KeyE', 'KeyQ');
        if (ahead || aside || up) rig.moveBy(aside * distance, ahead * distance, up * distance);
    }

    private dragStep(sideways: number, upward: number, seconds: number): Vec3 {
        const { rig } = this.viewport;
        const right = normalize(cross(rig.forward, [0, 0, 1]));
        const step = add(scale(right, sideways), [0, 0, upward]);
        return scale(step, 0.5 * rig.view.distance * seconds);
    }

    private pressed(event: KeyboardEvent, canvas: HTMLElement): void {
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
        const canvasHasFocus =
            document.activeElement === canvas || document.activeElement === document.body;
        if (!canvasHasFocus || document.querySelector('dialog[open]')) return;
        if (this.down.has(event.code)) return;
        this.down.add(event.code);
        this.sendKeys();
    }

    private released(code: string): void {
        if (this.down.delete(code)) this.sendKeys();
    }

    private releaseAll(): void {
        this.down.clear();
        this.session.send({ type: 'keys', down: [] });
    }

    private sendKeys(): void {
        if (this.driving.value) this.session.send({ type: 'keys', down: [...this.down] });
    }
}
