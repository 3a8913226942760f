// What can be seen: what colors mean, and overlays, each a switch with its legend.

import { make, replace } from '../base/dom';
import { digits } from '../base/format';
import { isCategorical, scaleGradient, sleepLegend, type LegendEntry } from '../draw/colors';
import { overlayColors } from '../draw/overlay_colors';
import { depthScale } from '../draw/overlay_view';
import type { Session } from '../store/session';
import type { Overlay, Sight } from '../store/sight';
import { section, select, toggle } from './controls';

interface OverlayRow {
    overlay: Overlay;
    text: string;
    hint: string;
    legend: LegendEntry[];
}

const rows: OverlayRow[] = [
    {
        overlay: 'contacts',
        text: 'Contacts',
        hint: 'points; arrows along the normal, as long as the impulse',
        legend: [
            { color: overlayColors.sticks, text: 'sticks' },
            { color: overlayColors.slips, text: 'slips' },
            { color: overlayColors.idle, text: 'no force' },
        ],
    },
    {
        overlay: 'friction',
        text: 'Friction',
        hint: 'arrows on the same scale',
        legend: [{ color: overlayColors.friction, text: 'friction impulse' }],
    },
    {
        overlay: 'penetration',
        text: 'Penetration',
        hint: `depth, drawn ${depthScale} times`,
        legend: [{ color: overlayColors.depth, text: 'depth' }],
    },
    {
        overlay: 'joints',
        text: 'Joints',
        hint: 'anchors and axes, error, limits',
        legend: [
            { color: overlayColors.joint, text: 'anchor, axis' },
            { color: overlayColors.jointError, text: 'error' },
            { color: overlayColors.limit, text: 'limits' },
        ],
    },
    {
        overlay: 'axes',
        text: 'Centers of mass',
        hint: 'with principal axes',
        legend: [
            { color: overlayColors.axis1, text: 'longest' },
            { color: overlayColors.axis2, text: 'middle' },
            { color: overlayColors.axis3, text: 'shortest' },
        ],
    },
    {
        overlay: 'bounds',
        text: 'Bounds',
        hint: 'boxes about shapes',
        legend: [{ color: overlayColors.bounds, text: 'box' }],
    },
    {
        overlay: 'tree',
        text: 'Tree',
        hint: 'of the broadphase',
        legend: [{ color: overlayColors.tree, text: 'node' }],
    },
    {
        overlay: 'sweep',
        text: 'Sweep paths',
        hint: 'of fast bodies in one step',
        legend: [{ color: overlayColors.sweep, text: 'path' }],
    },
    {
        overlay: 'trails',
        text: 'Trails',
        hint: 'where bodies have been',
        legend: [{ color: overlayColors.trail, text: 'path' }],
    },
    { overlay: 'ledger', text: 'Ledger', hint: 'where the energy went', legend: [] },
    { overlay: 'shadows', text: 'Shadows', hint: '', legend: [] },
];

const modeNames: Record<string, string> = {
    own: 'as the scene says',
    momentum: 'momentum',
    speed: 'speed',
    body: 'body',
    material: 'material',
    island: 'island',
    sleep: 'sleep',
    energy: 'kinetic energy',
    stress: 'stress (contact force)',
};

export class SeePanel {
    readonly element = make('div', { class: 'panel-content' });
    /// The legend of the stage, beside the picture.
    readonly legend = make('div', {
        class: 'legend',
        'aria-label': 'Legend',
        role: 'group',
        hidden: true,
    });
    private readonly colorRow = make('div', {});

    constructor(
        private readonly session: Session,
        private readonly sight: Sight,
    ) {
        this.element.append(
            section('Color bodies by', this.colorRow),
            section('Show', ...rows.map((r) => this.overlayRow(r))),
        );
        session.welcome.follow(() => this.offerColors());
        sight.color.follow(() => this.showChoices());
        sight.overlays.listen(() => this.showChoices());
        session.stats.listen(() => this.showScale());
    }

    /// Turns an overlay over, from the keyboard.
    flip(overlay: Overlay): void {
        this.sight.set(overlay, !this.sight.has(overlay));
    }

    // Whoever chose: a click, a key or the probe.
    private showChoices(): void {
        for (const row of this.element.querySelectorAll<HTMLElement>('[data-overlay]')) {
            row.querySelector('input')!.checked = this.sight.has(row.dataset.overlay as Overlay);
        }
        const choice = this.colorRow.querySelector('select');
        if (choice) choice.value = this.sight.color.value;
        this.showLegend();
    }

    private overlayRow(r: OverlayRow): HTMLElement {
        const row = toggle(
            r.text,
            this.sight.has(r.overlay),
            (on) => this.sight.set(r.overlay, on),
            r.hint,
        );
        row.dataset.overlay = r.overlay;
        return make('div', { class: 'overlay-row' }, row, r.legend.length > 0 && entries(r.legend));
    }

    private offerColors(): void {
        const offered = ['own', ...(this.session.welcome.value?.colors ?? [])];
        const unique = [...new Set(offered)].map(
            (mode) => [mode, modeNames[mode] ?? mode] as const,
        );
        const element = select(
            'Color bodies by',
            unique,
            this.sight.color.value,
            (mode) => (this.sight.color.value = mode),
        );
        element.dataset.test = 'color';
        replace(this.colorRow, element);
    }

    private showLegend(): void {
        const mode = this.sight.color.value;
        const shown = rows.filter((r) => r.legend.length > 0 && this.sight.has(r.overlay));
        replace(
            this.legend,
            mode !== 'own' && this.colorLegend(mode),
            ...shown.map((r) =>
                make('div', { class: 'legend-part' }, make('b', {}, r.text), entries(r.legend)),
            ),
        );
        this.legend.hidden = mode === 'own' && shown.length === 0;
        this.showScale();
    }

    private colorLegend(mode: string): HTMLElement {
        const name = modeNames[mode] ?? mode;
        const part = make('div', { class: 'legend-part' }, make('b', {}, capital(name)));
        if (mode === 'sleep') part.append(entries(sleepLegend));
        else if (isCategorical(mode))
            part.append(make('span', { class: 'legend-entry' }, `one color for each ${mode}`));
        else part.append(this.scale());
        return part;
    }

    private scale(): HTMLElement {
        const bar = make('span', { class: 'scale-bar' });
        bar.style.background = scaleGradient;
        return make(
            'span',
            { class: 'scale' },
            make('span', {}, '0'),
            bar,
            make('span', { class: 'scale-max' }, '–'),
        );
    }

    private showScale(): void {
        const scale = this.session.stats.value?.colors?.[this.sight.color.value];
        const label = this.legend.querySelector('.scale-max');
        if (label) label.textContent = scale ? `${digits(scale.max)} ${scale.unit}` : '–';
    }
}

function entries(legend: LegendEntry[]): HTMLElement {
    const list = make('span', { class: 'legend-entries' });
    for (const entry of legend) {
        const dot = make('span', { class: 'dot' });
        dot.style.background = entry.color;
        list.append(make('span', { class: 'legend-entry' }, dot, entry.text));
    }
    return list;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
