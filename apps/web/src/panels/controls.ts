// Controls shared by the panels.

import { icon, make } from '../base/dom';
import { icons, type IconName } from './icons';

/// A square icon button; the label is its accessible name and its tooltip.
export function iconButton(
    name: IconName,
    label: string,
    click: () => void,
    key = '',
): HTMLButtonElement {
    const title = key ? `${label} (${key})` : label;
    return make(
        'button',
        { class: 'icon-button', 'aria-label': label, title, onclick: click },
        icon(icons[name]),
    );
}

export function textButton(text: string, click: () => void, kind = ''): HTMLButtonElement {
    return make('button', { class: `button ${kind}`, onclick: click }, text);
}

/// A switch with its label; the whole row is clickable.
export function toggle(
    text: string,
    on: boolean,
    change: (on: boolean) => void,
    hint = '',
): HTMLLabelElement {
    const box = make('input', { type: 'checkbox', role: 'switch', class: 'switch' });
    box.checked = on;
    box.addEventListener('change', () => change(box.checked));
    return make(
        'label',
        { class: 'toggle' },
        box,
        make('span', { class: 'toggle-text' }, text, hint && make('small', {}, hint)),
    );
}

export function select(
    label: string,
    choices: readonly (readonly [string, string])[],
    chosen: string,
    change: (value: string) => void,
): HTMLSelectElement {
    const element = make('select', { class: 'select', 'aria-label': label });
    for (const [value, text] of choices) element.append(make('option', { value }, text));
    element.value = chosen;
    element.addEventListener('change', () => change(element.value));
    return element;
}

/// A row with a name on the left and a value on the right.
export function row(name: string, ...value: (Node | string)[]): HTMLDivElement {
    return make(
        'div',
        { class: 'row' },
        make('span', { class: 'row-name' }, name),
        make('span', { class: 'row-value' }, ...value),
    );
}

export function section(title: string, ...content: (Node | string)[]): HTMLElement {
    return make('section', { class: 'section' }, make('h2', {}, title), ...content);
}

/// The header of a dialog: title and close button.
export function sheetHead(dialog: HTMLDialogElement, title: string): HTMLElement {
    const heading = make('h2', { id: newId('title') }, title);
    dialog.setAttribute('aria-labelledby', heading.id);
    return make(
        'header',
        { class: 'sheet-head' },
        heading,
        iconButton('close', 'Close', () => dialog.close(), 'Esc'),
    );
}

let identifiers = 0;
export const newId = (prefix: string): string => `${prefix}-${++identifiers}`;
