// The controls of the World tab. With the server's table of settings, label, range, unit, help and
// enabled state come from it. Without the table the page offers the choices of the welcome message.

import type { SettingEntry, Settings } from '../protocol/messages';

export interface SettingControl {
    name: string;
    label: string;
    kind: 'choice' | 'number' | 'integer' | 'boolean';
    /// Empty when neither the world nor the table gives a value: the method uses its own default.
    value: string;
    choices: string[];
    min?: number;
    max?: number;
    unit: string;
    help: string;
    /// Why the control is disabled; empty when it is enabled.
    disabledReason: string;
}

// These have controls of their own.
const excluded = new Set(['method', 'gravity']);
const kinds = new Set<string>(['choice', 'number', 'integer', 'boolean']);

const fallbackLabels: Record<string, string> = {
    integrator: 'Integrator',
    impact: 'Impact law',
    multi: 'Simultaneous impacts',
    resting: 'Resting contact',
    detection: 'Collision timing',
};

/// Controls from the table of settings, for worlds with these methods.
export function controlsFromTable(
    table: readonly SettingEntry[],
    settings: Settings,
    methods: readonly string[],
): SettingControl[] {
    return table
        .filter((entry) => kinds.has(entry.type) && !excluded.has(entry.name))
        .map((entry) => ({
            name: entry.name,
            label: entry.label ?? entry.name,
            kind: entry.type,
            value: textOf(settings[entry.name] ?? entry.default),
            choices: entry.choices ?? [],
            min: entry.min ?? undefined,
            max: entry.max ?? undefined,
            unit: entry.unit ?? '',
            help: entry.help ?? '',
            disabledReason: disabledReason(entry, methods),
        }));
}

/// Controls without a table: the choices of the welcome message, and substeps.
export function fallbackControls(
    choices: Record<string, string[]>,
    settings: Settings,
): SettingControl[] {
    const common = { unit: '', help: '', disabledReason: '' };
    const named = Object.entries(fallbackLabels)
        .filter(([name]) => name in choices)
        .map(([name, label]): SettingControl => {
            const value = textOf(settings[name]);
            return { name, label, kind: 'choice', value, choices: choices[name], ...common };
        });
    const substeps: SettingControl = {
        name: 'substeps',
        label: 'Substeps',
        kind: 'integer',
        value: textOf(settings.substeps ?? 4),
        choices: [],
        min: 1,
        max: 64,
        ...common,
    };
    return [...named, substeps];
}

/// The value to send for the text of a control; null when it is not a valid value.
export function parseSetting(
    control: SettingControl,
    text: string,
): string | number | boolean | null {
    if (control.kind === 'choice') return control.choices.includes(text) ? text : null;
    if (control.kind === 'boolean') return text === 'true';
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value)) return null;
    if (control.kind === 'integer' && !Number.isInteger(value)) return null;
    if (value < (control.min ?? -Infinity) || value > (control.max ?? Infinity)) return null;
    return value;
}

// A comparison has several methods: a setting is enabled when one of them uses it.
function disabledReason(entry: SettingEntry, methods: readonly string[]): string {
    if (!entry.methods || entry.methods.some((method) => methods.includes(method))) return '';
    const current = methods.join(' and ');
    if (entry.methods.length === 0) return `Not used by ${current}.`;
    return `Not used by ${current}; used by ${entry.methods.join(', ')}.`;
}

function textOf(value: unknown): string {
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : '';
}
