// Texts of the score board of a duel.

import type { Duel, DuelReadout } from '../protocol/messages';

/// Control below this is lost: the weapon does not follow the hand.
const lostBelow = 0.05;

export type Control = 'full' | 'regaining' | 'lost';

export function controlOf(share: number): Control {
    if (share < lostBelow) return 'lost';
    return share < 1 ? 'regaining' : 'full';
}

export const controlText: Record<Control, string> = {
    full: 'in control',
    regaining: 'regaining control',
    lost: 'control lost',
};

/// The duel is decided when its last round is over, or one side cannot be caught up with.
export function isDecided({ rounds }: Duel, { score, round, over }: DuelReadout): boolean {
    return over && (round >= rounds || 2 * Math.max(...score) > rounds);
}

export function duelText(duel: Duel, now: DuelReadout): string {
    const hit = now.last_hit ?? '';
    if (!now.over) return hit;
    const [a, b] = now.score;
    if (!isDecided(duel, now)) return [`Round ${now.round} is over.`, hit].join(' ').trim();
    if (a === b) return `The duel ends in a draw, ${a} : ${b}.`;
    return `The duel goes to ${duel.names[a > b ? 0 : 1]}, ${a} : ${b}.`;
}
