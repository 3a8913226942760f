// The profile of a step: a bar with one segment for each stage.

import { make, replace } from '../base/dom';
import { digits } from '../base/format';
import type { Session } from '../store/session';
import { section } from './controls';

const smoothing = 0.2;
const colors = 8;

export class ProfileBar {
    private readonly bar = make('div', {
        class: 'profile-bar',
        role: 'img',
        'aria-label': 'Step time by stage',
    });
    private readonly list = make('div', { class: 'profile-list' });
    readonly element = section('Profile, ms per step', this.bar, this.list);
    private readonly smooth = new Map<string, number>();

    constructor(session: Session) {
        session.scene.listen(() => this.smooth.clear());
        session.stats.listen((stats) => {
            if (stats?.worlds[0]) this.take(stats.worlds[0].stages ?? []);
        });
    }

    private take(stages: [string, number][]): void {
        for (const [name, ms] of stages) {
            const old = this.smooth.get(name) ?? ms;
            this.smooth.set(name, old + smoothing * (ms - old));
        }
        if (this.element.offsetParent !== null) this.show(stages.map(([name]) => name));
    }

    private show(names: string[]): void {
        const total = names.reduce((sum, name) => sum + this.smooth.get(name)!, 0) || 1;
        replace(
            this.bar,
            ...names.map((name, i) => this.segment(i, this.smooth.get(name)! / total, name)),
        );
        replace(
            this.list,
            ...names.map((name, i) =>
                make(
                    'div',
                    { class: 'profile-row' },
                    make('span', { class: `dot stage-${i % colors}` }),
                    make('span', { class: 'profile-name' }, name),
                    make('span', { class: 'profile-ms' }, digits(this.smooth.get(name)!)),
                ),
            ),
        );
    }

    private segment(index: number, share: number, name: string): HTMLElement {
        const segment = make('span', {
            class: `profile-segment stage-${index % colors}`,
            title: name,
        });
        segment.style.flexGrow = String(Math.max(0.001, share));
        return segment;
    }
}
