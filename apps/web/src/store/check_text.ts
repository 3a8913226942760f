// What the badge of the checker says.

import { plural } from '../base/format';
import type { CheckMessage, LawVerdict } from '../protocol/messages';

/// Two digits and an exponent: 3.1e-12.
export function power(value: number): string {
    return value === 0 ? '0' : value.toExponential(1).replace('e+', 'e');
}

/// The law with its worst residual, and where that was.
export function lawText(law: LawVerdict): string {
    return `${law.law} ${power(law.residual)} of ${power(law.tolerance)}, ${placeText(law)}`;
}

export function placeText({ step, bodies }: LawVerdict): string {
    return [`step ${step}`, ...bodies].join(', ');
}

export function badgeText(check: CheckMessage | null): string {
    if (!check) return 'not checked';
    switch (check.status) {
        case 'running':
            return 'checking…';
        case 'none':
            return `no certificate: ${check.reason}`;
        case 'holds':
            return `checked: worst residual ${lawText(check.worst)}`;
        case 'fails':
            return `fails: ${lawText(check.worst)}`;
    }
}

/// Which steps a verdict is about.
export function scopeText(check: CheckMessage): string {
    if (check.status !== 'holds' && check.status !== 'fails') return '';
    const count = check.to_step - check.from_step;
    return `${plural(count, 'step')} under ${check.method}, ${check.from_step + 1} to ${check.to_step}`;
}
