import { describe, expect, it } from 'vitest';
import type { SettingEntry } from '../../src/protocol/messages';
import {
    controlsFromTable,
    fallbackControls,
    parseSetting,
} from '../../src/store/setting_controls';
import settingsTable from '../settings_table.json';

const table = settingsTable as SettingEntry[];
const controls = (settings = {}, methods = ['fast']) => controlsFromTable(table, settings, methods);
const control = (name: string, settings = {}, methods = ['fast']) =>
    controls(settings, methods).find((c) => c.name === name)!;

describe('controls from the table of settings', () => {
    it('take label, range, unit and help from it', () => {
        expect(control('tolerance')).toMatchObject({
            label: 'Contact tolerance',
            kind: 'number',
            min: 0,
            max: 0.01,
            unit: 'm',
            help: 'Separation below which bodies are in contact.',
        });
    });

    it('show the value of the world, else the default of the table, else none', () => {
        expect(control('substeps', { substeps: 8 }).value).toBe('8');
        expect(control('substeps').value).toBe('4');
        expect(control('impact').value).toBe('');
        expect(control('sleeping').value).toBe('true');
    });

    it('are disabled with a reason when the method does not use the setting', () => {
        expect(control('substeps').disabledReason).toBe('');
        expect(control('impact').disabledReason).toBe('Not used by fast; used by faithful.');
        expect(control('impact', {}, ['faithful']).disabledReason).toBe('');
        expect(control('sleeping', {}, ['free']).disabledReason).toMatch(/^Not used by free/);
    });

    it('are enabled in a comparison when one of the methods uses the setting', () => {
        expect(control('impact', {}, ['fast', 'faithful']).disabledReason).toBe('');
        expect(control('substeps', {}, ['faithful', 'free']).disabledReason).toBe(
            'Not used by faithful and free; used by fast.',
        );
    });

    it('leave out settings with controls of their own and unknown types', () => {
        const names = controls().map((c) => c.name);
        expect(names).toEqual(['substeps', 'impact', 'tolerance', 'sleeping']);
    });

    it('reject values outside the range, and fractions of integers', () => {
        expect(parseSetting(control('substeps'), '8')).toBe(8);
        expect(parseSetting(control('substeps'), '0')).toBeNull();
        expect(parseSetting(control('substeps'), '2.5')).toBeNull();
        expect(parseSetting(control('tolerance'), '1')).toBeNull();
        expect(parseSetting(control('tolerance'), '')).toBeNull();
        expect(parseSetting(control('impact'), 'newton')).toBe('newton');
        expect(parseSetting(control('impact'), 'none')).toBeNull();
        expect(parseSetting(control('sleeping'), 'false')).toBe(false);
    });
});

describe('controls without a table', () => {
    it('offer the choices of the welcome message and substeps, all enabled', () => {
        const all = fallbackControls({ multi: ['propagation'], detection: ['static'] }, {});
        expect(all.map((c) => c.label)).toEqual([
            'Simultaneous impacts',
            'Collision timing',
            'Substeps',
        ]);
        expect(all.every((c) => c.disabledReason === '')).toBe(true);
        expect(all[2]).toMatchObject({ value: '4', min: 1, max: 64 });
    });
});
