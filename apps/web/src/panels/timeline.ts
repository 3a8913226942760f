// The timeline: run, pause, step, step back, restart, scrub through the history, speed.

import { icon, make } from '../base/dom';
import { clock, digits } from '../base/format';
import type { StateMessage } from '../protocol/messages';
import type { Session } from '../store/session';
import { iconButton, select } from './controls';
import { icons } from './icons';

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export class Timeline {
    readonly element: HTMLElement;
    private readonly runButton: HTMLButtonElement;
    private readonly scrub = make('input', {
        type: 'range',
        class: 'scrub',
        min: 0,
        max: 1,
        step: 1,
        'aria-label': 'History position (step)',
        'data-test': 'scrub',
    });
    private readonly time = make('output', { class: 'time', 'aria-label': 'Simulation time' });
    private readonly step = make('output', { class: 'step-number', 'aria-label': 'Step' });
    private readonly realSpeed = make('span', { class: 'real-speed' });
    private readonly speed: HTMLSelectElement;
    private scrubbing = false;
    private wantedStep: number | null = null;

    constructor(private readonly session: Session) {
        this.runButton = iconButton('run', 'Run', () => this.toggleRun(), 'Space');
        this.runButton.classList.add('primary');
        this.runButton.dataset.test = 'run';
        const choices = speeds.map((s) => [String(s), `${s}×`] as const);
        this.speed = select('Speed', choices, '1', (value) => this.setSpeed(Number(value)));
        this.element = this.layOut();
        this.scrub.addEventListener('input', () => this.scrubbed());
        this.scrub.addEventListener('change', () => (this.scrubbing = false));
        session.state.observe((state) => this.show(state));
        session.connection.status.listen(() => this.show(session.state.value));
    }

    toggleRun(): void {
        this.session.send({ type: this.session.state.value.running ? 'pause' : 'run' });
    }

    stepBy(count: number): void {
        this.session.send({ type: 'step', count });
    }

    restart(): void {
        this.session.send({ type: 'restart' });
    }

    setSpeed(value: number): void {
        this.session.send({ type: 'speed', value });
    }

    /// Selects the next speed of the list, up or down.
    changeSpeed(by: number): void {
        const now = this.session.state.value.speed;
        const at = speeds.findIndex((s) => s >= now - 1e-9);
        this.setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, at + by))]);
    }

    private layOut(): HTMLElement {
        const button = (
            name: 'restart' | 'back' | 'step',
            label: string,
            click: () => void,
            key: string,
        ) => {
            const made = iconButton(name, label, click, key);
            made.dataset.test = name;
            return made;
        };
        return make(
            'footer',
            { class: 'timeline', 'aria-label': 'Timeline' },
            make(
                'div',
                { class: 'timeline-buttons', role: 'group', 'aria-label': 'Run' },
                button('restart', 'Restart', () => this.restart(), 'Home'),
                button('back', 'Step back', () => this.stepBy(-1), ','),
                this.runButton,
                button('step', 'Step', () => this.stepBy(1), '.'),
            ),
            this.scrub,
            make('div', { class: 'readout' }, this.time, this.step),
            make('div', { class: 'speed' }, this.speed, this.realSpeed),
        );
    }

    private scrubbed(): void {
        this.scrubbing = true;
        const wanted = Number(this.scrub.value);
        // One seek is in flight at a time; the next is sent when the server has reached it.
        if (this.wantedStep === null) this.session.send({ type: 'seek', step: wanted });
        this.wantedStep = wanted;
    }

    private show(state: StateMessage): void {
        this.showRunning(state.running);
        if (this.wantedStep !== null && !state.seeking) {
            if (state.step === this.wantedStep) this.wantedStep = null;
            else if (this.scrubbing) this.session.send({ type: 'seek', step: this.wantedStep });
            else this.wantedStep = null;
        }
        this.scrub.min = String(state.first_step);
        this.scrub.max = String(Math.max(state.last_step, state.first_step + 1));
        if (!this.scrubbing) this.scrub.value = String(state.step);
        this.scrub.setAttribute('aria-valuetext', `step ${state.step} of ${state.last_step}`);
        this.time.textContent = clock(state.time);
        this.step.textContent = `step ${state.step}`;
        if (document.activeElement !== this.speed) this.showSpeed(state.speed);
        const slow = state.running && state.real_speed < 0.95 * state.speed;
        this.realSpeed.textContent = state.running ? `actual ${digits(state.real_speed)}×` : '';
        this.realSpeed.classList.toggle('slow', slow);
    }

    private showSpeed(value: number): void {
        const text = String(value);
        if (![...this.speed.options].some((option) => option.value === text)) {
            this.speed.append(make('option', { value: text }, `${digits(value)}×`));
        }
        this.speed.value = text;
    }

    private showRunning(running: boolean): void {
        const label = running ? 'Pause' : 'Run';
        if (this.runButton.getAttribute('aria-label') === label) return;
        this.runButton.setAttribute('aria-label', label);
        this.runButton.title = `${label} (Space)`;
        this.runButton.replaceChildren(icon(icons[running ? 'pause' : 'run']));
    }
}
