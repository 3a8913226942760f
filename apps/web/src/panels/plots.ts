// Live plots: energy, momentum, penetration, contacts, time per step, deviation between worlds, and
// quantities of a body. Drawn by uPlot, at most five times a second.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { make, replace } from '../base/dom';
import { digits } from '../base/format';
import { length } from '../base/vector';
import type { StatsHistory, Sample } from '../store/stats_history';
import type { Session } from '../store/session';
import { iconButton, section, select } from './controls';

interface Series {
    text: string;
    read: (sample: Sample) => number | undefined;
}

interface PlotSpec {
    title: string;
    unit: string;
    series: Series[];
}

const lineColors = ['--plot-1', '--plot-2', '--plot-3', '--plot-4'];
const redrawMs = 200;
const plotHeight = 120;

export const bodyQuantities: [string, string][] = [
    ['speed', 'm/s'],
    ['height', 'm'],
    ['kinetic_energy', 'J'],
    ['momentum', 'kg·m/s'],
    ['angular_speed', 'rad/s'],
];

export class Plots {
    readonly element = make('div', { class: 'panel-content plots' });
    private readonly list = make('div', {});
    private plots: { chart: uPlot; spec: PlotSpec }[] = [];
    private body: { slot: number; quantity: string } | null = null;
    private drawnAt = 0;

    constructor(
        private readonly session: Session,
        private readonly history: StatsHistory,
    ) {
        this.element.append(this.list);
        session.scene.listen(() => this.reset());
        session.stats.listen((stats) => {
            if (!stats) return;
            history.add(stats);
            this.draw();
        });
    }

    /// Plots a quantity of a body from now on.
    plotBody(slot: number, quantity = 'speed'): void {
        this.body = { slot, quantity };
        this.session.send({ type: 'plot', body: slot, quantities: [quantity] });
        this.build();
    }

    /// Called when the theme or the size of the panel changed.
    rebuild(): void {
        if (this.element.isConnected) this.build();
    }

    private reset(): void {
        this.history.clear();
        this.body = null;
        this.build();
    }

    private build(): void {
        for (const { chart } of this.plots) chart.destroy();
        this.plots = [];
        replace(this.list);
        if (this.body) this.list.append(this.bodyPlot(this.body));
        for (const spec of specs(this.session.worlds.map((world) => world.method))) {
            this.list.append(this.plotSection(spec));
        }
        this.draw(true);
    }

    private bodyPlot(body: { slot: number; quantity: string }): HTMLElement {
        const name = this.session.worlds[0]?.name(body.slot) ?? '';
        const unit = bodyQuantities.find(([quantity]) => quantity === body.quantity)?.[1] ?? '';
        const key = `0/${body.slot}/${body.quantity}`;
        const choices = bodyQuantities.map(
            ([quantity]) => [quantity, quantity.replace('_', ' ')] as const,
        );
        const choice = select('Quantity', choices, body.quantity, (quantity) =>
            this.plotBody(body.slot, quantity),
        );
        const series = [
            {
                text: body.quantity.replace('_', ' '),
                read: (sample: Sample) => sample.plots.get(key),
            },
        ];
        const plot = this.plotSection({ title: name, unit, series });
        plot.querySelector('h2')!.append(
            ' ',
            choice,
            iconButton('close', 'Close this plot', () => this.closeBody()),
        );
        return plot;
    }

    private closeBody(): void {
        if (this.body) this.session.send({ type: 'plot', body: this.body.slot, quantities: [] });
        this.body = null;
        this.build();
    }

    private plotSection(spec: PlotSpec): HTMLElement {
        const box = make('div', {
            class: 'plot',
            role: 'img',
            'aria-label': `${spec.title} over time`,
        });
        const chart = new uPlot(options(spec), emptyData(spec), box);
        this.plots.push({ chart, spec });
        return section(spec.unit ? `${spec.title}, ${spec.unit}` : spec.title, box);
    }

    private draw(now = false): void {
        const time = performance.now();
        if (!this.element.isConnected || this.element.offsetParent === null) return;
        if (!now && time - this.drawnAt < redrawMs) return;
        this.drawnAt = time;
        const x = this.history.samples.map((sample) => sample.time);
        const width = Math.max(120, this.list.clientWidth);
        for (const { chart, spec } of this.plots) {
            if (chart.width !== width) chart.setSize({ width, height: plotHeight });
            chart.setData([
                x,
                ...spec.series.map((s) => this.history.column(s.read)),
            ] as uPlot.AlignedData);
        }
    }
}

function specs(methods: string[]): PlotSpec[] {
    const forEach = (read: (sample: Sample, world: number) => number | undefined): Series[] =>
        methods.map((text, world) => ({ text, read: (sample) => read(sample, world) }));
    const several = methods.length > 1;
    const energy: Series[] = several
        ? forEach((s, w) => s.worlds[w]?.energy.total)
        : [
              { text: 'kinetic', read: (s) => s.worlds[0]?.energy.kinetic },
              { text: 'potential', read: (s) => s.worlds[0]?.energy.potential },
              { text: 'total', read: (s) => s.worlds[0]?.energy.total },
          ];
    const plots: PlotSpec[] = [
        { title: several ? 'Total energy' : 'Energy', unit: 'J', series: energy },
        {
            title: 'Momentum',
            unit: 'kg·m/s',
            series: forEach((s, w) => s.worlds[w] && length(s.worlds[w].momentum)),
        },
        {
            title: 'Penetration',
            unit: 'mm',
            series: forEach((s, w) => s.worlds[w] && 1000 * s.worlds[w].penetration),
        },
        { title: 'Contacts', unit: '', series: forEach((s, w) => s.worlds[w]?.contacts) },
        { title: 'Time per step', unit: 'ms', series: forEach((s, w) => s.worlds[w]?.step_ms) },
    ];
    if (several) plots.unshift(deviationPlot(methods));
    return plots;
}

function deviationPlot(methods: string[]): PlotSpec {
    const series = methods.slice(1).map((text, i) => ({
        text: `${text}, max`,
        read: (sample: Sample) => sample.worlds[i + 1]?.distance?.max,
    }));
    return { title: `Deviation from ${methods[0]}`, unit: 'm', series };
}

const emptyData = (spec: PlotSpec): uPlot.AlignedData =>
    [[], ...spec.series.map(() => [])] as uPlot.AlignedData;

function options(spec: PlotSpec): uPlot.Options {
    const style = getComputedStyle(document.documentElement);
    const color = (name: string): string => style.getPropertyValue(name).trim();
    const axis: uPlot.Axis = {
        stroke: color('--text-2'),
        font: '11px system-ui, sans-serif',
        grid: { stroke: color('--line'), width: 1 },
        ticks: { show: false },
    };
    return {
        width: 280,
        height: plotHeight,
        cursor: { y: false, points: { size: 6 } },
        legend: { show: true, live: true },
        scales: { x: { time: false } },
        axes: [
            { ...axis, size: 22 },
            { ...axis, size: 46, values: (_, ticks) => ticks.map((tick) => digits(tick)) },
        ],
        series: [
            { label: 't, s', value: (_, value) => (value === null ? '–' : digits(value)) },
            ...spec.series.map((s, i) => ({
                label: s.text,
                stroke: color(lineColors[i % lineColors.length]),
                width: 1.5,
                value: (_: uPlot, value: number | null) => (value === null ? '–' : digits(value)),
            })),
        ],
    };
}
