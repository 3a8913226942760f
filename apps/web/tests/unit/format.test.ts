import { describe, expect, it } from 'vitest';
import { clock, digits, fileName, plural, quantity } from '../../src/base/format';

describe('number formatting', () => {
    it('has three digits and a fitting SI prefix', () => {
        expect(quantity(0.012345, 'm')).toBe('12.3 mm');
        expect(quantity(12345, 'J')).toBe('12.3 kJ');
        expect(quantity(-4.2e-7, 'N')).toBe('-420 nN');
        expect(quantity(0, 'N')).toBe('0 N');
        expect(quantity(2500, 'kg')).toBe('2500 kg');
    });

    it('avoids exponents', () => {
        expect(digits(123.456)).toBe('123');
        expect(digits(0.00123)).toBe('0.00123');
        expect(digits(1e9)).toBe('1.00e9');
        expect(digits(NaN)).toBe('–');
    });

    it('formats clock times, counts and file names', () => {
        expect(clock(75.254)).toBe('1:15.25');
        expect(plural(1, 'body', 'bodies')).toBe('1 body');
        expect(plural(4000, 'body', 'bodies')).toBe('4,000 bodies');
        expect(fileName('Newton’s cradle (5)', 'png')).toBe('newton_s_cradle_5.png');
    });
});
