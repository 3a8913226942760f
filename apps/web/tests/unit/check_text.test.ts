import { describe, expect, it } from 'vitest';
import type { LawVerdict } from '../../src/protocol/messages';
import { badgeText, lawText, power, scopeText } from '../../src/store/check_text';

const cone: LawVerdict = {
    law: 'cone',
    says: 'contacts push, within the friction cone',
    residual: 3.14e-12,
    tolerance: 1e-8,
    holds: true,
    time: 2,
    step: 120,
    bodies: ['floor', 'box'],
};
const verdict = {
    type: 'check',
    world: 0,
    method: 'faithful',
    from_step: 100,
    to_step: 220,
    worst: cone,
    laws: [cone],
} as const;

describe('the badge of the checker', () => {
    it('names law, residual, tolerance and place', () => {
        expect(lawText(cone)).toBe('cone 3.1e-12 of 1.0e-8, step 120, floor, box');
        expect(power(0)).toBe('0');
        expect(power(5.48)).toBe('5.5e0');
    });

    it('tells verdicts from their absence', () => {
        expect(badgeText(null)).toBe('not checked');
        expect(badgeText({ type: 'check', world: 0, status: 'running' })).toBe('checking…');
        expect(badgeText({ type: 'check', world: 0, status: 'none', reason: 'why' })).toBe(
            'no certificate: why',
        );
        const holds = { ...verdict, laws: [cone], status: 'holds' as const };
        expect(badgeText(holds)).toBe(
            'checked: worst residual cone 3.1e-12 of 1.0e-8, step 120, floor, box',
        );
        expect(badgeText({ ...holds, status: 'fails' })).toMatch(/^fails: cone/);
        expect(scopeText(holds)).toBe('120 steps under faithful, 101 to 220');
    });
});
