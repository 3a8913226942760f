// The Display tab: color mode and overlays, each a switch with its legend.

import { make, replace } from '../base/dom';
import { digits } from '../base/format';
import { isCategorical, scaleGradient, sleepLegend, type LegendEntry } from '../draw/colors';
import { overlayColors } from '../draw/overlay_colors';
import { depthScale } from '../draw/overlay_view';
import type { Session } from '../store/session';
import type { Overlay, ViewOptions } from '../store/view_options';
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
        hint: 'contact points, normal impulses as arrows',
        legend: [
            { color: overlayColors.sticking, text: 'sticking' },
            { color: overlayColors.sliding, text: 'sliding' },
            { color: overlayColors.inactive, text: 'no impulse' },
        ],
    },
    {
        overlay: 'friction',
        text: 'Friction',
        hint: 'friction impulses, on the same scale',
        legend: [{ color: overlayColors.friction, text: 'friction impulse' }],
    },
    {
        overlay: 'penetration',
        text: 'Penetration',
        hint: `depth, magnified ${depthScale} times`,
        legend: [{ color: overlayColors.depth, text: 'depth' }],
    },
    {
        overlay: 'joints',
        text: 'Joints',
        hint: 'anchors, axes, limits and error',
        legend: [
            { color: overlayColors.joint, text: 'anchor, axis' },
            { color: overlayColors.jointError, text: 'error' },
            { color: overlayColors.limit, text: 'limits' },
        ],
    },
    {
        overlay: 'axes',
        text: 'Centers of mass',
        hint: 'with principal axes of inertia',
        legend: [
            { color: overlayColors.axis1, text: 'major' },
            { color: overlayColors.axis2, text: 'intermediate' },
            { color: overlayColors.axis3, text: 'minor' },
        ],
    },
    {
        overlay: 'bounds',
        text: 'Bounding boxes',
        hint: 'AABBs of the shapes',
        legend: [{ color: overlayColors.bounds, text: 'AABB' }],
    },
    {
        overlay: 'tree',
        text: 'Broadphase tree',
        hint: 'bounding volume hierarchy',
        legend: [{ color: overlayColors.tree, text: 'node' }],
    },
    {
        overlay: 'sweep',
        text: 'Continuous collision',
        hint: 'swept paths of fast bodies in one step',
        legend: [{ color: overlayColors.sweep, text: 'swept path' }],
    },
    {
        overlay: 'trails',
        text: 'Trails',
        hint: 'recent paths of the bodies',
        legend: [{ color: overlayColors.trail, text: 'path' }],
    },
    {
        overlay: 'shapes',
        text: 'Collision shapes',
        hint: 'instead of the meshes drawn over them',
        legend: [],
    },
    { overlay: 'ledger', text: 'Energy ledger', hint: 'work done by each source', legend: [] },
    { overlay: 'shadows', text: 'Shadows', hint: '', legend: [] },
];

const modeNames: Record<string, string> = {
    own: 'Scene colors',
    momentum: 'Momentum',
    speed: 'Speed',
    body: 'Body',
    material: 'Material',
    island: 'Island',
    sleep: 'Sleep state',
    energy: 'Kinetic energy',
    stress: 'Contact force',
};

export class DisplayPanel {
    readonly element = make('div', { class: 'panel-content' });
    /// The legend shown over the 3D view.
    readonly legend = make('div', {
        class: 'legend',
        'aria-label': 'Legend',
        role: 'group',
        hidden: true,
    });
    private readonly colorRow = make('div', {});

    constructor(
        private readonly session: Session,
        private readonly viewOptions: ViewOptions,
    ) {
        this.element.append(
            section('Color bodies by', this.colorRow),
            section('Overlays', ...rows.map((r) => this.overlayRow(r))),
        );
        session.welcome.observe(() => this.offerColors());
        viewOptions.color.observe(() => this.showChoices());
        viewOptions.overlays.listen(() => this.showChoices());
        session.stats.listen(() => this.showScale());
    }

    /// Toggles an overlay, from the keyboard.
    toggle(overlay: Overlay): void {
        this.viewOptions.set(overlay, !this.viewOptions.has(overlay));
    }

    // Options are also changed by keys and by the probe.
    private showChoices(): void {
        for (const row of this.element.querySelectorAll<HTMLElement>('[data-overlay]')) {
            row.querySelector('input')!.checked = this.viewOptions.has(
                row.dataset.overlay as Overlay,
            );
        }
        const choice = this.colorRow.querySelector('select');
        if (choice) choice.value = this.viewOptions.color.value;
        this.showLegend();
    }

    private overlayRow(r: OverlayRow): HTMLElement {
        const row = toggle(
            r.text,
            this.viewOptions.has(r.overlay),
            (on) => this.viewOptions.set(r.overlay, on),
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
            this.viewOptions.color.value,
            (mode) => (this.viewOptions.color.value = mode),
        );
        element.dataset.test = 'color';
        replace(this.colorRow, element);
    }

    private showLegend(): void {
        const mode = this.viewOptions.color.value;
        const shown = rows.filter((r) => r.legend.length > 0 && this.viewOptions.has(r.overlay));
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
        const part = make('div', { class: 'legend-part' }, make('b', {}, name));
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
        const scale = this.session.stats.value?.colors?.[this.viewOptions.color.value];
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
