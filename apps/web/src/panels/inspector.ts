// The inspector: state, contacts and island of the selected body, and its editable properties.

import { make, replace } from '../base/dom';
import { digits, plural, quantity, vector } from '../base/format';
import { length } from '../base/vector';
import type { BodyEdit, BodyMessage } from '../protocol/messages';
import type { Session } from '../store/session';
import { row, section, textButton } from './controls';
import { ledgerRows } from './energy_ledger';

interface Field {
    name: keyof BodyEdit;
    text: string;
    unit: string;
    parts: 1 | 3;
    min?: number;
}

const fields: Field[] = [
    { name: 'mass', text: 'Mass', unit: 'kg', parts: 1, min: 0 },
    { name: 'friction', text: 'Friction', unit: '', parts: 1, min: 0 },
    { name: 'restitution', text: 'Restitution', unit: '', parts: 1, min: 0 },
    { name: 'velocity', text: 'Velocity', unit: 'm/s', parts: 3 },
    { name: 'angular_velocity', text: 'Angular velocity', unit: 'rad/s', parts: 3 },
];

const axes = ['x', 'y', 'z'];
// Smaller energies, in J, would be shown as 0.
const minShownJoules = 1e-9;

export class Inspector {
    readonly element = make('div', { class: 'panel-content' });
    private readonly readings = make('div', { 'data-test': 'readings' });
    private readonly island = make('section', { class: 'section island', 'data-test': 'island' });
    private readonly heading = make('h2', { class: 'body-name' });
    private readonly inputs = new Map<string, HTMLInputElement[]>();
    private readonly filled: HTMLElement;
    private readonly list = make('select', {
        class: 'select',
        'aria-label': 'Select a body',
        'data-test': 'body-list',
    });
    private readonly freezeButton = textButton('Freeze', () => this.freeze());

    constructor(
        private readonly session: Session,
        follow: () => void,
        plot: (body: number) => void,
    ) {
        this.list.addEventListener('change', () =>
            session.select(this.list.value === '' ? null : Number(this.list.value)),
        );
        this.filled = make(
            'div',
            {},
            this.heading,
            this.readings,
            this.island,
            section('Edit', ...fields.map((field) => this.fieldRow(field))),
            make(
                'div',
                { class: 'button-row' },
                textButton('Follow', follow),
                textButton(
                    'Plot',
                    () => session.selected.value !== null && plot(session.selected.value),
                ),
                this.freezeButton,
                textButton('Duplicate', () => this.act('duplicate')),
                textButton('Delete', () => this.act('delete'), 'danger'),
            ),
        );
        session.selected.listen(() => this.show());
        session.inspected.listen(() => this.show());
        session.scene.listen(() => this.listBodies());
        session.bodiesChanged.listen(() => this.listBodies());
        this.listBodies();
        this.show();
    }

    act(type: 'duplicate' | 'delete'): void {
        const body = this.session.selected.value;
        if (body !== null) this.session.act({ type, body });
    }

    freeze(): void {
        const body = this.session.selected.value;
        if (body !== null)
            this.session.act({ type: 'freeze', body, on: !this.session.inspected.value?.frozen });
    }

    private listBodies(): void {
        const bodies = [...(this.session.worlds[0]?.bodies.values() ?? [])];
        const options = bodies
            .slice(0, 500)
            .map((body) => make('option', { value: body.index }, body.name));
        replace(
            this.list,
            make('option', { value: '' }, plural(bodies.length, 'body', 'bodies')),
            ...options,
        );
        this.list.value = String(this.session.selected.value ?? '');
    }

    private show(): void {
        const selected = this.session.selected.value;
        this.list.value = String(selected ?? '');
        const body = this.session.inspected.value;
        if (selected === null) {
            const hint =
                'Click a body, or choose one from the list, to inspect its mass, motion and contacts.';
            replace(this.element, this.list, make('p', { class: 'hint' }, hint));
        } else if (body) {
            this.showBody(body);
            if (this.filled.parentElement !== this.element)
                replace(this.element, this.list, this.filled);
        }
    }

    private showBody(body: BodyMessage): void {
        this.heading.textContent = body.name;
        const state = body.frozen ? 'frozen' : body.awake ? 'awake' : 'asleep';
        replace(
            this.readings,
            row('Type', body.body_type === 'dynamic' ? `dynamic, ${state}` : body.body_type),
            row('Mass', quantity(body.mass, 'kg')),
            row('Position', vector(body.position, 'm')),
            row('Orientation (w, x, y, z)', vector(body.orientation, '')),
            row('Speed', quantity(length(body.velocity), 'm/s')),
            row('Momentum', `${digits(length(body.momentum))} kg·m/s`),
            row('Angular momentum', `${digits(length(body.angular_momentum))} kg·m²/s`),
            row('Kinetic energy', quantity(body.kinetic_energy, 'J')),
            row('Principal inertia', vector(body.principal_moments ?? [], 'kg·m²')),
            row('Contacts', this.contacts(body)),
        );
        this.showIsland(body.island);
        for (const field of fields) this.fill(field, body);
        this.freezeButton.textContent = body.frozen ? 'Unfreeze' : 'Freeze';
    }

    // Sources without work are left out; the remainder is always shown.
    private showIsland(island: BodyMessage['island']): void {
        this.island.hidden = !island;
        if (!island) return;
        const entries = Object.entries(island.ledger).filter(
            ([key, value]) => Math.abs(value) > minShownJoules || key === 'remainder',
        );
        replace(
            this.island,
            make(
                'h2',
                { title: 'Work done on this body and on all bodies that interacted with it' },
                `Energy ledger of the island (${plural(island.bodies, 'body', 'bodies')})`,
            ),
            ...ledgerRows(Object.fromEntries(entries)),
        );
    }

    private contacts(body: BodyMessage): HTMLElement {
        const list = make('span', { class: 'contact-list' });
        if (!body.contacts?.length) list.append('none');
        for (const contact of body.contacts?.slice(0, 6) ?? []) {
            const text = `${contact.name} (${plural(contact.points, 'point')}, ${digits(contact.impulse)} N·s)`;
            list.append(
                make(
                    'button',
                    {
                        class: 'link',
                        onclick: () => this.session.select(contact.body),
                    },
                    text,
                ),
            );
        }
        if (body.contacts?.length > 6) list.append(`and ${body.contacts.length - 6} more`);
        return list;
    }

    private fieldRow(field: Field): HTMLElement {
        const inputs = Array.from({ length: field.parts }, (_, k) => {
            const label = field.parts === 1 ? field.text : `${field.text} ${axes[k]}`;
            const unit = field.unit ? `, ${field.unit}` : '';
            const input = make('input', {
                type: 'number',
                step: 'any',
                class: 'number',
                'aria-label': label + unit,
            });
            if (field.min !== undefined) input.min = String(field.min);
            input.addEventListener('change', () => this.commit(field));
            return input;
        });
        this.inputs.set(field.name, inputs);
        return make(
            'div',
            { class: 'row field' },
            make(
                'span',
                { class: 'row-name' },
                field.text,
                field.unit && make('small', {}, ` ${field.unit}`),
            ),
            make('span', { class: 'row-value inputs' }, ...inputs),
        );
    }

    // A field with the focus is not overwritten.
    private fill(field: Field, body: BodyMessage): void {
        const inputs = this.inputs.get(field.name)!;
        if (inputs.includes(document.activeElement as HTMLInputElement)) return;
        const value = body[field.name as keyof BodyMessage];
        inputs.forEach((input, k) => {
            const number = Array.isArray(value) ? (value as number[])[k] : (value as number);
            input.value = Number.isFinite(number) ? String(Number(number.toPrecision(5))) : '';
            input.disabled =
                body.body_type === 'static' &&
                field.name !== 'friction' &&
                field.name !== 'restitution';
        });
    }

    private commit(field: Field): void {
        const body = this.session.selected.value;
        const numbers = this.inputs.get(field.name)!.map((input) => Number(input.value || NaN));
        if (body === null || numbers.some((n) => !Number.isFinite(n))) return;
        const value = field.parts === 1 ? numbers[0] : numbers;
        this.session.act({ type: 'edit', body, [field.name]: value });
    }
}
