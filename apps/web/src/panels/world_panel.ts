// The World tab: warnings of the scene, method and settings, gravity, statistics.

import { make, replace } from '../base/dom';
import { digits, plural, quantity } from '../base/format';
import type { Vec3 } from '../base/vector';
import type { Session } from '../store/session';
import { controlsFromTable, fallbackControls } from '../store/setting_controls';
import { row, section, select } from './controls';
import { settingRow } from './setting_row';

export class WorldPanel {
    readonly element = make('div', { class: 'panel-content' });
    private readonly choices = make('div', {});
    private readonly about = make('div', {});
    private readonly counts = make('div', {});
    private readonly gravity = make('input', {
        type: 'range',
        min: -30,
        max: 10,
        step: 0.01,
        class: 'range',
        'aria-label': 'Gravity along z',
        'data-test': 'gravity',
    });
    private readonly gravityText = make('output', { class: 'row-value' });

    constructor(private readonly session: Session) {
        this.gravity.addEventListener('input', () => this.gravityChanged());
        this.gravity.addEventListener('change', () => this.sendGravity());
        this.element.append(
            this.about,
            section('Method and settings', this.choices),
            section(
                'Gravity',
                make(
                    'div',
                    { class: 'row' },
                    make('span', { class: 'row-name' }, 'Along z'),
                    this.gravityText,
                ),
                this.gravity,
                this.gravityPresets(),
            ),
            section('Statistics', this.counts),
        );
        session.scene.observe(() => this.showScene());
        session.welcome.listen(() => this.showScene());
        session.settingsChanged.listen(() => this.showScene());
        session.stats.listen(() => this.showCounts());
    }

    setMethod(method: string, world?: number): void {
        this.session.send(
            world === undefined
                ? { type: 'settings', method }
                : { type: 'settings', method, world },
        );
    }

    private showScene(): void {
        const scene = this.session.scene.value;
        const world = this.session.worlds[0];
        if (!scene || !world) return;
        const warnings = world.warnings.map((text) => make('li', {}, text));
        replace(
            this.about,
            make('h2', { class: 'body-name' }, scene.name),
            scene.about && make('p', { class: 'about' }, scene.about),
            warnings.length > 0 &&
                make('ul', { class: 'warnings', 'aria-label': 'Warnings' }, ...warnings),
        );
        this.showChoices();
        this.showGravity(world.settings.gravity ?? [0, 0, -9.81]);
    }

    private showChoices(): void {
        replace(this.choices, ...this.methodRows(), ...this.settingRows());
    }

    private methodRows(): HTMLElement[] {
        const methods = this.session.welcome.value?.methods;
        return this.session.worlds.map((world) => {
            const offered = (methods ?? [world.method]).map((m) => [m, m] as const);
            const choice = select('Method', offered, world.method, (m) =>
                this.setMethod(m, world.index),
            );
            choice.dataset.test = `method-${world.index}`;
            return row(
                this.session.worlds.length > 1 ? `Method ${world.index + 1}` : 'Method',
                choice,
            );
        });
    }

    private settingRows(): HTMLElement[] {
        const { worlds, settingsTable } = this.session;
        const { settings } = worlds[0];
        const methods = worlds.map((world) => world.method);
        const controls = settingsTable
            ? controlsFromTable(settingsTable, settings, methods)
            : fallbackControls(this.session.welcome.value?.settings ?? {}, settings);
        return controls.map((control) =>
            settingRow(control, (value) =>
                this.session.send({ type: 'settings', [control.name]: value }),
            ),
        );
    }

    private showGravity(gravity: Vec3): void {
        if (document.activeElement !== this.gravity) this.gravity.value = String(gravity[2]);
        this.gravityText.textContent = `${digits(gravity[2])} m/s²`;
    }

    private gravityChanged(): void {
        this.gravityText.textContent = `${digits(Number(this.gravity.value))} m/s²`;
    }

    private sendGravity(): void {
        const [x, y] = this.session.worlds[0]?.settings.gravity ?? [0, 0];
        this.session.act({ type: 'gravity', value: [x, y, Number(this.gravity.value)] });
    }

    private gravityPresets(): HTMLElement {
        const presets: [string, number][] = [
            ['Zero', 0],
            ['Moon', -1.62],
            ['Mars', -3.72],
            ['Earth', -9.81],
        ];
        return make(
            'div',
            { class: 'button-row' },
            ...presets.map(([text, value]) =>
                make(
                    'button',
                    {
                        class: 'button small',
                        onclick: () => this.setGravity(value),
                    },
                    text,
                ),
            ),
        );
    }

    private setGravity(value: number): void {
        this.gravity.value = String(value);
        this.gravityChanged();
        this.sendGravity();
    }

    private showCounts(): void {
        const stats = this.session.stats.value?.worlds[0];
        if (!stats || this.element.offsetParent === null) return;
        replace(
            this.counts,
            row('Bodies', `${stats.bodies}, ${stats.awake} awake`),
            row('Contacts', plural(stats.contacts, 'point')),
            row('Max. penetration', quantity(stats.penetration, 'm')),
            row('Total energy', quantity(stats.energy.total, 'J')),
            row('Ledger remainder', quantity(stats.ledger.remainder ?? 0, 'J')),
            row('Time per step', `${digits(stats.step_ms)} ms`),
            stats.unsolved ? row('Unconverged solves', String(stats.unsolved)) : null,
        );
    }
}
