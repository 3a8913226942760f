// The badge of the checker: asks the server to check the last steps, and shows the worst residual. Its
// list has every law.

import { make, replace } from '../base/dom';
import { badgeText, placeText, power, scopeText } from '../store/check_text';
import type { CheckMessage, LawVerdict } from '../protocol/messages';
import type { Session } from '../store/session';
import { textButton } from './controls';

export class CheckBadge {
    readonly element: HTMLElement;
    private readonly button: HTMLButtonElement;
    private readonly text = make('summary', { 'data-test': 'check-text' });
    private readonly laws = make('div', { class: 'check-laws', 'data-test': 'check-laws' });
    private readonly details = make('details', {}, this.text, this.laws);
    private readonly status = make('span', { class: 'visually-hidden', role: 'status' });

    constructor(private readonly session: Session) {
        this.button = textButton('Check', () => this.run());
        this.button.title = 'Check the last 2 s against the laws of mechanics (J)';
        this.button.dataset.test = 'check';
        this.element = make(
            'section',
            { class: 'check-badge', 'aria-label': 'Checker', 'data-test': 'check-badge' },
            this.button,
            this.details,
            this.status,
        );
        session.scene.observe((scene) => (this.element.hidden = scene === null));
        session.check.observe((check) => this.show(check));
    }

    run(): void {
        if (!this.button.disabled) this.session.send({ type: 'check' });
    }

    private show(check: CheckMessage | null): void {
        this.element.dataset.status = check?.status ?? 'unknown';
        this.button.disabled = check?.status === 'running';
        this.text.textContent = badgeText(check);
        this.status.textContent = check ? badgeText(check) : '';
        const judged = check && (check.status === 'holds' || check.status === 'fails');
        if (!judged) this.details.open = false;
        replace(this.laws, judged && make('p', {}, scopeText(check)), judged && table(check.laws));
    }
}

/// Laws that fail first, then those nearest to their tolerance.
function table(laws: LawVerdict[]): HTMLElement {
    const share = (law: LawVerdict): number => law.residual / law.tolerance;
    const heads = ['law', 'residual', 'of', 'where'];
    return make(
        'table',
        {},
        make('thead', {}, make('tr', {}, ...heads.map((head) => make('th', {}, head)))),
        make(
            'tbody',
            {},
            ...[...laws]
                .sort((a, b) => share(b) - share(a))
                .map((law) =>
                    make(
                        'tr',
                        { class: law.holds ? '' : 'failed', title: law.says },
                        make('th', { scope: 'row' }, law.law),
                        make('td', {}, power(law.residual)),
                        make('td', {}, power(law.tolerance)),
                        make('td', {}, law.residual > 0 ? placeText(law) : ''),
                    ),
                ),
        ),
    );
}
