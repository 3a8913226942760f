// The energy ledger: the work done on the bodies by each source. The remainder is the numerical error:
// the change of kinetic energy that no source accounts for.

import { make, replace } from '../base/dom';
import { quantity } from '../base/format';
import type { Session } from '../store/session';
import type { ViewOptions } from '../store/view_options';

const names: Record<string, string> = {
    gravity: 'gravity',
    forces: 'external forces',
    contact_normal: 'contact normal forces',
    contact_friction: 'contact friction',
    impact: 'impacts',
    joints: 'joints',
    damping: 'damping',
    edits: 'edits',
    remainder: 'remainder',
};

export class LedgerCard {
    readonly element = make('section', {
        class: 'ledger',
        'aria-label': 'Energy ledger',
        hidden: true,
    });
    private readonly rows = make('div', {});

    constructor(
        private readonly session: Session,
        private readonly viewOptions: ViewOptions,
    ) {
        this.element.append(make('h2', {}, 'Energy ledger: work since the start'), this.rows);
        session.stats.listen(() => this.show());
        viewOptions.overlays.observe(() => this.show());
    }

    private show(): void {
        const ledger = this.session.stats.value?.worlds[0]?.ledger;
        this.element.hidden = !this.viewOptions.has('ledger') || !ledger;
        if (this.element.hidden || !ledger) return;
        replace(this.rows, ...ledgerRows(ledger));
    }
}

export function ledgerRows(ledger: Record<string, number>): HTMLElement[] {
    const largest = Math.max(1e-12, ...Object.values(ledger).map(Math.abs));
    return Object.entries(names)
        .filter(([key]) => key in ledger)
        .map(([key, text]) => ledgerRow(key, text, ledger[key], largest));
}

function ledgerRow(key: string, text: string, value: number, largest: number): HTMLElement {
    const bar = make('span', { class: `ledger-bar ${value < 0 ? 'loss' : 'gain'}` });
    bar.style.width = `${(50 * Math.abs(value)) / largest}%`;
    return make(
        'div',
        { class: `ledger-row ${key}` },
        make('span', { class: 'ledger-name' }, text),
        make('span', { class: 'ledger-field' }, bar),
        make('span', { class: 'ledger-value' }, quantity(value, 'J')),
    );
}
