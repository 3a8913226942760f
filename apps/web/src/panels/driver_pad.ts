// The pad for bodies that the pointer moves: a square with the 3 by 3 grid of key poses. A finger or the
// mouse sets the point; with the focus on it, arrow keys move it and Home centers it.

import { make } from '../base/dom';
import { pointerDrivers } from '../store/scene_roles';
import type { Session } from '../store/session';
import type { PointerDriver } from '../tools/pointer_driver';

const keyStep = 0.1;
const hitMs = 400;

const keySteps: Record<string, [number, number]> = {
    ArrowLeft: [-keyStep, 0],
    ArrowRight: [keyStep, 0],
    ArrowUp: [0, keyStep],
    ArrowDown: [0, -keyStep],
};

export class DriverPad {
    readonly element: HTMLElement;
    private readonly dot = make('span', { class: 'pad-dot', 'aria-hidden': 'true' });
    private readonly pad: HTMLElement;
    private hitTimer = 0;

    constructor(
        private readonly session: Session,
        private readonly pointer: PointerDriver,
    ) {
        this.pad = make(
            'div',
            {
                class: 'pad',
                tabindex: 0,
                role: 'application',
                'aria-label': 'Position of the driven body: arrow keys move it, Home centers it',
                'data-test': 'driver-pad',
            },
            this.dot,
        );
        this.element = make('div', { class: 'hud-card pad-card', hidden: true }, this.pad);
        this.pad.addEventListener('pointerdown', (event) => {
            this.pad.setPointerCapture(event.pointerId);
            this.moved(event);
        });
        this.pad.addEventListener('pointermove', (event) => this.moved(event));
        this.pad.addEventListener('keydown', (event) => this.pressed(event));
        this.pad.addEventListener('contextmenu', (event) => event.preventDefault());
        session.roles.listen(() => this.show());
        pointer.isOn.listen(() => this.show());
        session.driven.listen((events) => this.showHits(events.map((event) => event.body)));
        pointer.point.observe(({ x, y }) => {
            this.dot.style.left = `${50 + 50 * x}%`;
            this.dot.style.top = `${50 - 50 * y}%`;
        });
    }

    private show(): void {
        const hasGrid = pointerDrivers(this.session.roles.value).some((driver) => driver.grid);
        this.element.hidden = !hasGrid || !this.pointer.isOn.value;
    }

    // A mouse sets the point by moving over the pad, a finger while it is down.
    private moved(event: PointerEvent): void {
        const box = this.pad.getBoundingClientRect();
        this.pointer.moveTo({
            x: (2 * (event.clientX - box.left)) / box.width - 1,
            y: 1 - (2 * (event.clientY - box.top)) / box.height,
        });
    }

    private pressed(event: KeyboardEvent): void {
        const step = keySteps[event.key];
        const { x, y } = this.pointer.point.value;
        if (step) this.pointer.moveTo({ x: x + step[0], y: y + step[1] });
        else if (event.key === 'Home') this.pointer.moveTo({ x: 0, y: 0 });
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    private showHits(bodies: number[]): void {
        const own = pointerDrivers(this.session.roles.value);
        if (!own.some((driver) => bodies.includes(driver.body))) return;
        this.pad.classList.add('hit');
        clearTimeout(this.hitTimer);
        this.hitTimer = window.setTimeout(() => this.pad.classList.remove('hit'), hitMs);
    }
}
