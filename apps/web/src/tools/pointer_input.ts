// Mouse, pen and touch on the 3D view. One pointer uses the tool or orbits; the right button or Shift
// pans; two fingers pan and zoom; the wheel zooms.

import type { Viewport } from '../draw/viewport';
import type { PickedMessage } from '../protocol/messages';
import type { DragTool } from './drag_tool';
import type { Picker } from './picker';
import type { Toolbox } from './toolbox';

interface Pointer {
    x: number;
    y: number;
    startX: number;
    startY: number;
    moved: boolean;
}

type Mode = 'undecided' | 'orbit' | 'pan' | 'drag' | 'pinch';

// A pointer that moved less than this made a click.
const clickPixels = 5;
const orbitPerPixel = 0.006;

export class PointerInput {
    private readonly pointers = new Map<number, Pointer>();
    private mode: Mode = 'orbit';
    private picked: PickedMessage | null = null;

    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly viewport: Viewport,
        private readonly picker: Picker,
        private readonly toolbox: Toolbox,
        private readonly dragTool: DragTool,
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
            this.dragTool.release();
            this.mode = 'pinch';
        } else if (event.button === 0 && !event.shiftKey) {
            this.begin(event);
        } else {
            this.mode = event.button === 1 ? 'orbit' : 'pan';
        }
    }

    // Whether the left button drags a body or orbits is decided when the pick result arrives.
    private begin(event: PointerEvent): void {
        const ray = this.viewport.ray(event.clientX, event.clientY);
        this.mode = this.toolbox.tool.value === 'drag' ? 'undecided' : 'orbit';
        this.picked = null;
        const pointer = this.pointers.get(event.pointerId)!;
        this.picker.pick(ray, (picked) => {
            this.picked = picked;
            const isHeld = this.pointers.get(event.pointerId) === pointer;
            if (isHeld && this.mode === 'undecided') this.decide(picked, pointer);
            else if (!isHeld && !pointer.moved) this.click(picked, event);
        });
    }

    // The motion made before the pick result arrived is not lost.
    private decide(picked: PickedMessage, pointer: Pointer): void {
        const canBeDragged = picked.body !== null && this.isDynamic(picked);
        this.mode = canBeDragged ? 'drag' : 'orbit';
        if (!pointer.moved) return;
        if (canBeDragged) this.drag(pointer.x, pointer.y);
        else this.orbit(pointer.x - pointer.startX, pointer.y - pointer.startY);
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
        else if (this.mode === 'orbit') this.orbit(dx, dy);
        else if (this.mode === 'pan') this.pan(dx, dy);
        else if (this.mode === 'drag') this.drag(event.clientX, event.clientY);
    }

    private drag(x: number, y: number): void {
        this.grab();
        this.dragTool.moveTo(this.viewport.ray(x, y));
    }

    private orbit(dx: number, dy: number): void {
        this.viewport.rig.orbit(-dx * orbitPerPixel, dy * orbitPerPixel);
    }

    // Once for each press: a body deleted or released during the drag is not grabbed again.
    private grab(): void {
        if (this.picked) this.dragTool.grab(this.picked);
        this.picked = null;
    }

    private up(event: PointerEvent): void {
        const pointer = this.pointers.get(event.pointerId);
        this.pointers.delete(event.pointerId);
        this.dragTool.release();
        if (
            pointer &&
            !pointer.moved &&
            event.button === 0 &&
            this.mode !== 'pinch' &&
            this.mode !== 'pan'
        ) {
            // If the pick result is still due, it makes the click when it arrives.
            if (this.picked) this.click(this.picked, event);
        }
        if (this.pointers.size === 0) this.mode = 'orbit';
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
