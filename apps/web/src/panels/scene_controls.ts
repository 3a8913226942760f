// The controls that the scene file asks for, over the 3D view. A change opens the scene again with the
// new value; while one is under way the newest of the next ones waits.

import { make, replace } from '../base/dom';
import { digits } from '../base/format';
import type { ButtonAction, ControlValue, SceneControl } from '../protocol/scene_control';
import type { Session } from '../store/session';
import { row, select, textButton, toggle } from './controls';

type ShowValue = (value: ControlValue) => void;

/// A control without its value: the panel is built again when one of these changed.
const shapeOf = (control: SceneControl): string => JSON.stringify({ ...control, value: null });

const textOf = (value: ControlValue, unit = ''): string => {
    const text = typeof value === 'number' ? digits(value) : String(value);
    return unit ? `${text} ${unit}` : text;
};

export class SceneControls {
    readonly element = make('details', {
        class: 'hud-card scene-controls',
        'data-test': 'scene-controls',
        open: true,
        hidden: true,
    });
    private readonly list = make('div', { class: 'scene-controls-list' });
    private shapes = '';
    private show: ShowValue[] = [];
    private isWaiting = false;
    private next: { index: number; value: ControlValue } | null = null;

    constructor(
        private readonly session: Session,
        private readonly act: (action: ButtonAction) => void,
    ) {
        this.element.append(make('summary', {}, 'Controls'), this.list);
        session.scene.observe(() => this.showScene());
        session.error.listen(() => this.answered());
        session.connection.status.listen(() => {
            this.isWaiting = false;
            this.next = null;
        });
    }

    private showScene(): void {
        const controls = this.session.scene.value?.controls ?? [];
        const shapes = controls.map(shapeOf).join();
        if (shapes !== this.shapes) this.build(controls);
        this.shapes = shapes;
        this.element.hidden = controls.length === 0;
        this.answered();
    }

    // Values that wait to be sent stay on show.
    private answered(): void {
        this.isWaiting = false;
        const controls = this.session.scene.value?.controls ?? [];
        controls.forEach((control, i) => {
            if (control.type !== 'button' && this.next?.index !== i) this.show[i](control.value);
        });
        if (!this.next) return;
        const { index, value } = this.next;
        this.next = null;
        this.set(index, value);
    }

    private set(index: number, value: ControlValue): void {
        if (this.isWaiting) {
            this.next = { index, value };
            return;
        }
        this.isWaiting = true;
        this.session.send({ type: 'control', index, value });
    }

    private build(controls: SceneControl[]): void {
        this.show = [];
        this.next = null;
        replace(this.list, ...controls.map((control, index) => this.make(control, index)));
    }

    private make(control: SceneControl, index: number): HTMLElement {
        const set = (value: ControlValue): void => this.set(index, value);
        const [element, show] = this.elementOf(control, set);
        element.dataset.control = control.label;
        this.show.push(show);
        return element;
    }

    private elementOf(
        control: SceneControl,
        set: (value: ControlValue) => void,
    ): [HTMLElement, ShowValue] {
        switch (control.type) {
            case 'slider':
                return sliderOf(control, set);
            case 'switch':
                return switchOf(control, set);
            case 'choice':
                return choiceOf(control, set);
            case 'button':
                return [textButton(control.label, () => this.act(control.action)), () => undefined];
        }
    }
}

function sliderOf(
    control: SceneControl & { type: 'slider' },
    set: ShowValue,
): [HTMLElement, ShowValue] {
    const { label, unit, range, step } = control;
    const slider = make('input', {
        type: 'range',
        class: 'range',
        min: range[0],
        max: range[1],
        step: step ?? 'any',
        'aria-label': label,
    });
    const text = make('output', {});
    const showText = (value: ControlValue): void => {
        text.textContent = textOf(value, unit);
        slider.setAttribute('aria-valuetext', text.textContent);
    };
    slider.addEventListener('input', () => showText(Number(slider.value)));
    slider.addEventListener('change', () => set(Number(slider.value)));
    const show = (value: ControlValue): void => {
        slider.value = String(value);
        showText(value);
    };
    return [make('div', {}, row(label, text), slider), show];
}

function switchOf(
    control: SceneControl & { type: 'switch' | 'choice' },
    set: ShowValue,
): [HTMLElement, ShowValue] {
    const [off, on] = control.values;
    const element = toggle(control.label, false, (isOn) => set(isOn ? on : off));
    const box = element.querySelector('input')!;
    return [element, (value) => (box.checked = value === on)];
}

function choiceOf(
    control: SceneControl & { type: 'switch' | 'choice' },
    set: ShowValue,
): [HTMLElement, ShowValue] {
    const { label, unit, values } = control;
    const options = values.map((value, i) => [String(i), textOf(value, unit)] as const);
    const choice = select(label, options, '0', (i) => set(values[Number(i)]));
    const show = (value: ControlValue): void => {
        choice.value = String(values.indexOf(value));
    };
    return [row(label, choice), show];
}
