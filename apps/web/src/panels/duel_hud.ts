// The score board of a duel: score, round, control of each side, and the end of a round.

import { make } from '../base/dom';
import { controlOf, controlText, duelText } from '../store/duel_text';
import type { DuelReadout } from '../protocol/messages';
import type { Session } from '../store/session';
import { textButton } from './controls';

interface Side {
    element: HTMLElement;
    name: HTMLElement;
    score: HTMLElement;
    control: HTMLElement;
    bar: HTMLElement;
}

const waiting: DuelReadout = { score: [0, 0], round: 1, over: false, control: [1, 1] };

export class DuelHud {
    readonly element: HTMLElement;
    private readonly sides = [side('left'), side('right')];
    private readonly round = make('span', { class: 'duel-round' });
    private readonly text = make('p', {
        class: 'duel-text',
        role: 'status',
        'data-test': 'duel-text',
    });
    private readonly again: HTMLButtonElement;

    constructor(private readonly session: Session) {
        this.again = textButton('Start again', () => this.startAgain(), 'primary');
        this.again.dataset.test = 'start-again';
        const [left, right] = this.sides;
        this.element = make(
            'section',
            { class: 'hud-card duel', 'aria-label': 'Duel', 'data-test': 'duel', hidden: true },
            make('div', { class: 'duel-sides' }, left.element, this.round, right.element),
            this.text,
            this.again,
        );
        session.roles.listen(() => this.show());
        session.hud.listen(() => this.show());
    }

    // Back to the first step: the first new input discards what was played before.
    private startAgain(): void {
        this.session.send({ type: 'restart' });
        this.session.send({ type: 'run' });
        document.querySelector<HTMLElement>('.canvas')?.focus({ preventScroll: true });
    }

    private show(): void {
        const { duel } = this.session.roles.value;
        this.element.hidden = duel === null;
        if (!duel) return;
        const now = this.session.hud.value?.duel ?? waiting;
        this.sides.forEach((part, i) => {
            const control = controlOf(now.control[i]);
            part.name.textContent = duel.names[i];
            part.score.textContent = String(now.score[i]);
            part.control.textContent = controlText[control];
            part.element.dataset.control = control;
            part.bar.style.width = `${Math.round(100 * now.control[i])}%`;
        });
        this.round.textContent = `Round ${now.round} of ${duel.rounds}`;
        const text = duelText(duel, now);
        if (this.text.textContent !== text) this.text.textContent = text;
        this.again.hidden = !now.over;
    }
}

function side(place: string): Side {
    const name = make('span', { class: 'duel-name' });
    const score = make('span', { class: 'duel-score', 'data-test': `score-${place}` });
    const control = make('span', { class: 'duel-control', 'data-test': `control-${place}` });
    const bar = make('span', { class: 'meter-fill' });
    const element = make(
        'div',
        { class: `duel-side ${place}` },
        name,
        score,
        make('span', { class: 'meter', 'aria-hidden': 'true' }, bar),
        control,
    );
    return { element, name, score, control, bar };
}
