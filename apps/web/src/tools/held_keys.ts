// Keys that act while held: they move the camera, the drag target, or the vehicles and driven bodies of
// the scene. Buttons of the touch pad hold keys too.
//
// In a scene with vehicles or bodies driven by keys, the keys of `driveCodes` go to them wherever the
// focus is, but for controls that use the key themselves. K gives the keys back to the camera.

import { isTyping } from '../base/dom';
import { Signal } from '../base/signal';
import { cross, normalize, scale, add, type Vec3 } from '../base/vector';
import type { Viewport } from '../draw/viewport';
import { takesKeys } from '../store/scene_roles';
import type { Session } from '../store/session';
import type { DragTool } from './drag_tool';
import { driveCodes, hasModifier, leavesToDriver } from './drive_keys';

const movePerSecond = 0.9;
const orbitPerSecond = 1.6;

export class HeldKeys {
    /// When true, keys go to the driven bodies of the scene instead of the camera.
    readonly driving = new Signal(false);
    private readonly down = new Set<string>();
    private codes: ReadonlySet<string>;
    private sent = '';

    constructor(
        private readonly session: Session,
        private readonly viewport: Viewport,
        private readonly dragTool: DragTool,
        private readonly canvas: HTMLElement,
    ) {
        this.codes = driveCodes(session.roles.value);
        window.addEventListener('keydown', (event) => this.pressed(event));
        window.addEventListener('keyup', (event) => this.hold(event.code, false));
        window.addEventListener('blur', () => this.releaseAll());
        window.addEventListener('pagehide', () => this.releaseAll());
        this.driving.listen(() => this.releaseAll());
        session.roles.listen((roles) => (this.codes = driveCodes(roles)));
        session.scene.listen(() => {
            this.releaseAll();
            this.driving.value = takesKeys(session.roles.value);
        });
    }

    /// Presses or releases a key, as the keyboard does.
    hold(code: string, isDown: boolean): void {
        const changed = isDown ? !this.down.has(code) : this.down.has(code);
        if (!changed) return;
        if (isDown) this.down.add(code);
        else this.down.delete(code);
        this.sendKeys();
    }

    /// Whether this press controls a vehicle or a driven body, so that it is no shortcut.
    takes(event: KeyboardEvent): boolean {
        return (
            this.driving.value &&
            this.codes.has(event.code) &&
            !hasModifier(event) &&
            leavesToDriver(event)
        );
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

    private pressed(event: KeyboardEvent): void {
        if (this.takes(event)) {
            event.preventDefault();
            this.hold(event.code, true);
        } else if (!this.driving.value && this.isForCamera(event)) {
            this.hold(event.code, true);
        }
    }

    private isForCamera(event: KeyboardEvent): boolean {
        if (hasModifier(event) || isTyping(event.target)) return false;
        const { activeElement } = document;
        const canvasHasFocus = activeElement === this.canvas || activeElement === document.body;
        return canvasHasFocus && !document.querySelector('dialog[open]');
    }

    private releaseAll(): void {
        this.down.clear();
        this.sendKeys();
    }

    // Pressed keys are actions of the history, so nothing is sent that changes nothing.
    private sendKeys(): void {
        const down = this.driving.value ? [...this.down].sort() : [];
        const text = down.join(' ');
        if (text === this.sent) return;
        this.sent = text;
        this.session.send({ type: 'keys', down });
    }
}
