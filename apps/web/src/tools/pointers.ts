// Mouse, pen and touch on the stage. One pointer uses the tool or turns the view; the right button or
// Shift moves it; two fingers move and zoom; the wheel zooms.

import type { Viewport } from '../draw/viewport';
import type { PickedMessage } from '../protocol/messages';
import type { Hand } from './hand';
import type { Picker } from './picker';
import type { Toolbox } from './toolbox';

interface Pointer {
    x: number;
    y: number;
    startX: number;
    startY: number;
    moved: boolean;
}

type Mode = 'undecided' | 'turn' | 'pan' | 'drag' | 'pinch';

// A pointer that moved less than this was a click.
const clickPixels = 5;
const turnPerPixel = 0.006;

export class Pointers {
    private readonly pointers = new Map<number, Pointer>();
    private mode: Mode = 'turn';
    private picked: PickedMessage | null = null;

    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly viewport: Viewport,
        private readonly picker: Picker,
        private readonly toolbox: Toolbox,
        private readonly hand: Hand,
    ) {
        canvas.addEventListener('pointerdown', (event) => this.down(event));
        canvas.addEventListener('pointermove', (event) => this.move(event));
        canvas.addEventListener('pointerup', (event) => this.up(event));
        canvas.addEventListener('pointercancel', (event) => this.up(event));
        canvas.addEventListener('contextmenu', (event) => event.preventDefault());
        canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    }

    private down(event: PointerEvent): void {
        this.canvas.focus({ preventScroll: true });
        this.canvas.setPointerCapture(event.pointerId);
        const { clientX: x, clientY: y } = event;
        this.pointers.set(event.pointerId, { x, y, startX: x, startY: y, moved: false });
        if (this.pointers.size > 1) {
            this.hand.release();
            this.mode = 'pinch';
        } else if (event.button === 0 && !event.shiftKey) {
            this.begin(event);
        } else {
            this.mode = event.button === 1 ? 'turn' : 'pan';
        }
    }

    // Whether the left button drags a body or turns the view is known when the server has said what is there.
    private begin(event: PointerEvent): void {
        const ray = this.viewport.ray(event.clientX, event.clientY);
        this.mode = this.toolbox.tool.value === 'drag' ? 'undecided' : 'turn';
        this.picked = null;
        const pointer = this.pointers.get(event.pointerId)!;
        this.picker.pick(ray, (picked) => {
            this.picked = picked;
            const isHeld = this.pointers.get(event.pointerId) === pointer;
            if (isHeld && this.mode === 'undecided') this.decide(picked, pointer);
            else if (!isHeld && !pointer.moved) this.click(picked, event);
        });
    }

    private decide(picked: PickedMessage, pointer: Pointer): void {
        const canBeDragged = picked.body !== null && this.isDynamic(picked);
        this.mode = canBeDragged ? 'drag' : 'turn';
        if (canBeDragged && pointer.moved) this.grab();
    }

    private isDynamic(picked: PickedMessage): boolean {
        const world = this.viewport.views[picked.world]?.store;
        return world?.bodies.get(picked.body!)?.type === 'dynamic';
    }

    private click(picked: PickedMessage, event: PointerEvent): void {
        this.toolbox.use(picked, this.viewport.ray(event.clientX, event.clientY));
    }

    private move(event: PointerEvent): void {
        const pointer = this.pointers.get(event.pointerId);
        if (!pointer) return;
        const before = this.spread();
        const dx = event.clientX - pointer.x;
        const dy = event.clientY - pointer.y;
        pointer.x = event.clientX;
        pointer.y = event.clientY;
        pointer.moved ||=
            Math.hypot(pointer.x - pointer.startX, pointer.y - pointer.startY) > clickPixels;
        if (!pointer.moved) return;
        if (this.mode === 'pinch') this.pinch(before, dx, dy);
        else if (this.mode === 'turn')
            this.viewport.rig.turn(-dx * turnPerPixel, dy * turnPerPixel);
        else if (this.mode === 'pan') this.pan(dx, dy);
        else if (this.mode === 'drag') this.drag(event);
    }

    private drag(event: PointerEvent): void {
        this.grab();
        this.hand.moveTo(this.viewport.ray(event.clientX, event.clientY));
    }

    // Once for each press: a body that is deleted or let go in mid-drag is not taken again.
    private grab(): void {
        if (this.picked) this.hand.grab(this.picked);
        this.picked = null;
    }

    private up(event: PointerEvent): void {
        const pointer = this.pointers.get(event.pointerId);
        this.pointers.delete(event.pointerId);
        this.hand.release();
        if (
            pointer &&
            !pointer.moved &&
            event.button === 0 &&
            this.mode !== 'pinch' &&
            this.mode !== 'pan'
        ) {
            // Without an answer yet, the answer makes it a click.
            if (this.picked) this.click(this.picked, event);
        }
        if (this.pointers.size === 0) this.mode = 'turn';
    }

    private pan(dx: number, dy: number): void {
        this.viewport.rig.pan(dx / this.canvas.clientHeight, dy / this.canvas.clientHeight);
    }

    private pinch(before: number, dx: number, dy: number): void {
        const after = this.spread();
        if (before > 0 && after > 0) this.viewport.rig.zoom(before / after);
        this.pan(dx / 2, dy / 2);
    }

    /// The distance between two fingers.
    private spread(): number {
        const [a, b] = [...this.pointers.values()];
        return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
        this.viewport.rig.zoom(
            Math.exp(Math.max(-200, Math.min(200, event.deltaY * lines)) * 0.0015),
        );
    }
}
