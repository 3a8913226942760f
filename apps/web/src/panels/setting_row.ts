// One row of the settings: label, control, unit; tooltip and accessible description.

import { make } from '../base/dom';
import { parseSetting, type SettingControl } from '../store/setting_controls';
import { newId, select } from './controls';

export type SettingValue = string | number | boolean;

/// A row whose control sends valid values; an invalid entry is reset to the last value.
export function settingRow(
    control: SettingControl,
    send: (value: SettingValue) => void,
): HTMLElement {
    const input = inputOf(control, send);
    const description = [control.help, control.disabledReason].filter(Boolean).join(' ');
    const note = make('span', { class: 'visually-hidden', id: newId('setting') }, description);
    input.disabled = control.disabledReason !== '';
    input.dataset.setting = control.name;
    if (description) {
        input.setAttribute('aria-describedby', note.id);
        input.title = description;
    }
    return make(
        'div',
        { class: `row ${input.disabled ? 'disabled' : ''}`, title: description || undefined },
        make(
            'span',
            { class: 'row-name' },
            control.label,
            control.unit && make('small', {}, ` ${control.unit}`),
        ),
        make('span', { class: 'row-value' }, input, description && note),
    );
}

function inputOf(
    control: SettingControl,
    send: (value: SettingValue) => void,
): HTMLInputElement | HTMLSelectElement {
    const commit = (text: string): boolean => {
        const value = parseSetting(control, text);
        if (value !== null) send(value);
        return value !== null;
    };
    if (control.kind === 'choice') return choiceOf(control, commit);
    if (control.kind === 'boolean') return switchOf(control, commit);
    return numberOf(control, commit);
}

function choiceOf(control: SettingControl, commit: (text: string) => boolean): HTMLSelectElement {
    const { label, value, choices } = control;
    const offered = choices.includes(value) ? choices : [value, ...choices];
    const options = offered.map((choice) => [choice, choice || 'default'] as const);
    return select(label, options, value, commit);
}

function switchOf(control: SettingControl, commit: (text: string) => boolean): HTMLInputElement {
    const box = make('input', {
        type: 'checkbox',
        role: 'switch',
        class: 'switch',
        'aria-label': control.label,
    });
    box.checked = control.value === 'true';
    box.addEventListener('change', () => commit(String(box.checked)));
    return box;
}

function numberOf(control: SettingControl, commit: (text: string) => boolean): HTMLInputElement {
    const { label, unit, value, min, max, kind } = control;
    const input = make('input', {
        type: 'number',
        class: 'number',
        step: kind === 'integer' ? 1 : 'any',
        min,
        max,
        placeholder: 'default',
        'aria-label': unit ? `${label}, ${unit}` : label,
    });
    input.value = value;
    input.addEventListener('change', () => {
        if (!commit(input.value)) input.value = value;
    });
    return input;
}
