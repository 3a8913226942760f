// Keyboard shortcuts: dispatch of key events, and the help dialog.

import { isTyping, make, takesActivation } from '../base/dom';
import { sheetHead } from './controls';

export interface Shortcut {
    /// KeyboardEvent.key, with the prefixes "Ctrl+" and "Shift+" where needed.
    keys: string[];
    does: string;
    group: string;
    run?: () => void;
}

export class Shortcuts {
    readonly element = make('dialog', { class: 'sheet wide' });
    private readonly byKey = new Map<string, () => void>();
    /// Whether a key controls a vehicle or a driven body now.
    captured: (event: KeyboardEvent) => boolean = () => false;

    constructor(private readonly shortcuts: Shortcut[]) {
        for (const shortcut of shortcuts) {
            for (const key of shortcut.keys) if (shortcut.run) this.byKey.set(key, shortcut.run);
        }
        this.element.append(sheetHead(this.element, 'Keyboard, mouse and touch'), this.table());
        window.addEventListener('keydown', (event) => this.pressed(event));
    }

    open(): void {
        this.element.showModal();
    }

    private pressed(event: KeyboardEvent): void {
        if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
        if ((event.key === ' ' || event.key === 'Enter') && takesActivation(event.target)) return;
        if (this.captured(event)) return;
        const run = this.byKey.get(nameOf(event));
        if (!run) return;
        event.preventDefault();
        run();
    }

    private table(): HTMLElement {
        const groups = [...new Set(this.shortcuts.map((s) => s.group))];
        return make(
            'div',
            { class: 'shortcut-groups' },
            ...groups.map((group) => this.group(group)),
        );
    }

    private group(group: string): HTMLElement {
        const list = make('dl', { class: 'shortcut-list' });
        for (const shortcut of this.shortcuts.filter((s) => s.group === group)) {
            const keys = shortcut.keys
                .slice(0, 2)
                .flatMap((key, i) => [i > 0 ? ' or ' : '', make('kbd', {}, shown(key))]);
            list.append(make('div', {}, make('dt', {}, ...keys), make('dd', {}, shortcut.does)));
        }
        return make('section', {}, make('h3', {}, group), list);
    }
}

function nameOf(event: KeyboardEvent): string {
    const control = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
    const isNamed = event.key.length > 1 || event.key === ' ';
    const shift = event.shiftKey && (control || isNamed) ? 'Shift+' : '';
    const key = control && event.key.length === 1 ? event.key.toLowerCase() : event.key;
    return control + shift + key;
}

const shown = (key: string): string =>
    key.endsWith(' ') ? key.replace(' ', 'Space') : key.length === 1 ? key.toUpperCase() : key;
