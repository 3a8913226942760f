// The history of statistics, for plots and CSV. Seeking back drops the later samples.

import { length } from '../base/vector';
import type { StatsMessage, WorldStats } from '../protocol/messages';

const samplesKept = 1200;

export interface Sample {
    step: number;
    time: number;
    worlds: WorldStats[];
    plots: Map<string, number>;
}

export class StatsHistory {
    readonly samples: Sample[] = [];

    clear(): void {
        this.samples.length = 0;
    }

    add(stats: StatsMessage): void {
        while (this.samples.length > 0 && this.last.step >= stats.step) this.samples.pop();
        const plots = new Map(
            (stats.plots ?? []).map((p) => [`${p.world}/${p.body}/${p.quantity}`, p.value]),
        );
        this.samples.push({ step: stats.step, time: stats.time, worlds: stats.worlds, plots });
        if (this.samples.length > samplesKept) this.samples.shift();
    }

    get last(): Sample {
        return this.samples[this.samples.length - 1];
    }

    /// One column of values; missing ones are null.
    column(read: (sample: Sample) => number | undefined): (number | null)[] {
        return this.samples.map((sample) => {
            const value = read(sample);
            return value === undefined || !Number.isFinite(value) ? null : value;
        });
    }

    csv(): string {
        const lines = [csvHeader];
        for (const sample of this.samples) {
            sample.worlds.forEach((world, index) => lines.push(csvLine(sample, world, index)));
        }
        return lines.join('\n') + '\n';
    }
}

const csvHeader =
    'step,t,world,kinetic,potential,total,px,py,pz,momentum,lx,ly,lz,contacts,penetration,awake,step_ms,distance_rms,distance_max';

function csvLine(sample: Sample, w: WorldStats, index: number): string {
    return [
        sample.step,
        sample.time,
        index,
        w.energy.kinetic,
        w.energy.potential,
        w.energy.total,
        ...w.momentum,
        length(w.momentum),
        ...w.angular_momentum,
        w.contacts,
        w.penetration,
        w.awake,
        w.step_ms,
        w.distance?.rms ?? '',
        w.distance?.max ?? '',
    ].join(',');
}
