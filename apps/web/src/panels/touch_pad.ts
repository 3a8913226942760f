// Buttons to drive a vehicle with fingers: steering on the left, brakes and throttle on the right. Each
// holds a key while it is pressed. A finger may slide from one button of a group to the next.

import { icon, make } from '../base/dom';
import { Signal } from '../base/signal';
import type { Session } from '../store/session';
import type { HeldKeys } from '../tools/held_keys';
import { icons, type IconName } from './icons';

interface PadButton {
    code: string;
    label: string;
    icon: IconName;
}

const steering: PadButton[] = [
    { code: 'KeyA', label: 'Steer left', icon: 'left' },
    { code: 'KeyD', label: 'Steer right', icon: 'right' },
];
const pedals: PadButton[] = [
    { code: 'Space', label: 'Hand brake', icon: 'handBrake' },
    { code: 'KeyS', label: 'Brake, then reverse', icon: 'down' },
    { code: 'KeyW', label: 'Accelerate', icon: 'up' },
];

/// How long a click of an assistive tool holds the key.
const clickMs = 400;

/// True on devices for fingers, and after the first touch on others.
export function touchSignal(): Signal<boolean> {
    const seen = new Signal(matchMedia('(pointer: coarse)').matches);
    window.addEventListener('pointerdown', (event) => {
        if (event.pointerType === 'touch') seen.value = true;
    });
    return seen;
}

export class TouchPad {
    readonly element: HTMLElement;

    constructor(
        private readonly session: Session,
        private readonly keys: HeldKeys,
        private readonly isTouch: Signal<boolean>,
    ) {
        this.element = make(
            'div',
            { class: 'touch-pad', 'data-test': 'touch-pad', hidden: true },
            this.group('Steering', steering),
            this.group('Pedals', pedals),
        );
        session.roles.listen(() => this.show());
        keys.driving.listen(() => this.show());
        isTouch.listen(() => this.show());
    }

    private show(): void {
        const hasVehicle = this.session.roles.value.vehicles.length > 0;
        this.element.hidden = !hasVehicle || !this.keys.driving.value || !this.isTouch.value;
    }

    private group(label: string, entries: PadButton[]): HTMLElement {
        const buttons = entries.map((entry) => this.button(entry));
        const group = make('div', { class: 'pad-group', role: 'group', 'aria-label': label });
        group.append(...buttons);
        const held = new Map<number, string>();
        const press = (event: PointerEvent): void => {
            const code = codeAt(buttons, event.clientX, event.clientY);
            const before = held.get(event.pointerId);
            if (code === before) return;
            if (code) held.set(event.pointerId, code);
            else held.delete(event.pointerId);
            if (before && ![...held.values()].includes(before)) this.hold(buttons, before, false);
            if (code) this.hold(buttons, code, true);
        };
        const lift = (event: PointerEvent): void => {
            const code = held.get(event.pointerId);
            held.delete(event.pointerId);
            if (code && ![...held.values()].includes(code)) this.hold(buttons, code, false);
        };
        group.addEventListener('pointerdown', (event) => {
            event.preventDefault();
            group.setPointerCapture(event.pointerId);
            press(event);
        });
        group.addEventListener('pointermove', (event) => {
            if (group.hasPointerCapture(event.pointerId)) press(event);
        });
        group.addEventListener('pointerup', lift);
        group.addEventListener('pointercancel', lift);
        group.addEventListener('contextmenu', (event) => event.preventDefault());
        return group;
    }

    private button(entry: PadButton): HTMLButtonElement {
        const button = make(
            'button',
            {
                class: 'pad-button',
                'aria-label': entry.label,
                'data-code': entry.code,
            },
            icon(icons[entry.icon]),
        );
        const isHold = (event: KeyboardEvent): boolean =>
            event.key === 'Enter' || event.key === ' ';
        const byKey = (event: KeyboardEvent, isDown: boolean): void => {
            if (!isHold(event)) return;
            event.preventDefault();
            this.hold([button], entry.code, isDown);
        };
        button.addEventListener('keydown', (event) => byKey(event, true));
        button.addEventListener('keyup', (event) => byKey(event, false));
        button.addEventListener('blur', () => this.hold([button], entry.code, false));
        // A click without a pointer is that of a screen reader or a switch.
        button.addEventListener('click', (event) => {
            if (event.detail !== 0) return;
            this.hold([button], entry.code, true);
            setTimeout(() => this.hold([button], entry.code, false), clickMs);
        });
        return button;
    }

    private hold(buttons: HTMLButtonElement[], code: string, isDown: boolean): void {
        this.keys.hold(code, isDown);
        for (const button of buttons)
            if (button.dataset.code === code) button.classList.toggle('held', isDown);
    }
}

/// The code of the button under a finger; null between and beside the buttons.
function codeAt(buttons: HTMLButtonElement[], x: number, y: number): string | null {
    const under = buttons.find((button) => {
        const box = button.getBoundingClientRect();
        return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
    });
    return under?.dataset.code ?? null;
}
