// The event log: hits, broken joints, sleep. A click seeks to the step of the event.

import { make, replace } from '../base/dom';
import { clock, plural } from '../base/format';
import type { EventEntry } from '../protocol/messages';
import type { Session } from '../store/session';
import { toggle } from './controls';

const shownEvents = 120;
const kindNames: Record<string, string> = {
    hit: 'Hits',
    joint_broken: 'Broken joints',
    slept: 'Fell asleep',
    woken: 'Woke up',
    quarantined: 'Quarantined',
    sensor_entered: 'Sensor entered',
    sensor_left: 'Sensor left',
    whole: 'Did not break',
    unfinished: 'Steps over the time limit',
};

export class EventLog {
    readonly element = make('div', { class: 'panel-content' });
    private readonly list = make('ol', { class: 'events', 'data-test': 'events' });
    private readonly count = make('p', { class: 'hint' });
    private readonly hidden = new Set<string>();
    private pending = false;

    constructor(private readonly session: Session) {
        const filters = ['hit', 'joint_broken', 'slept', 'woken'].map((kind) =>
            toggle(kindNames[kind], true, (on) => this.filter(kind, on)),
        );
        this.element.append(
            make('details', { class: 'filters' }, make('summary', {}, 'Filter events'), ...filters),
            this.count,
            this.list,
        );
        session.events.observe(() => this.schedule());
    }

    private filter(kind: string, on: boolean): void {
        if (on) this.hidden.delete(kind);
        else this.hidden.add(kind);
        this.schedule();
    }

    /// Called when the tab is shown.
    refresh(): void {
        this.schedule();
    }

    private schedule(): void {
        if (this.pending) return;
        this.pending = true;
        setTimeout(() => {
            this.pending = false;
            if (this.element.offsetParent !== null) this.show();
        }, 200);
    }

    private show(): void {
        const events = this.session.events.value.filter((event) => !this.hidden.has(event.kind));
        this.count.textContent =
            events.length === 0
                ? 'No events yet. Hits, broken joints and sleep changes are listed here.'
                : `${plural(events.length, 'event')}, newest first. Click one to seek to its step.`;
        replace(
            this.list,
            ...events
                .slice(-shownEvents)
                .reverse()
                .map((event) => this.entry(event)),
        );
    }

    private entry(event: EventEntry): HTMLElement {
        return make(
            'li',
            { class: `event ${event.kind}` },
            make(
                'button',
                { class: 'event-button', onclick: () => this.go(event) },
                make('span', { class: 'event-time' }, clock(event.time)),
                make('span', { class: 'event-text' }, event.text),
            ),
        );
    }

    private go(event: EventEntry): void {
        this.session.send({ type: 'seek', step: event.step });
        const body = event.bodies?.[0];
        if (body !== undefined) this.session.select(body);
    }
}
