// Light or dark theme: the system preference until the user chooses.

import { loadLocal, saveLocal } from '../base/local_storage';
import { Signal } from '../base/signal';

export type Theme = 'light' | 'dark';

export class ThemeSwitch {
    readonly theme: Signal<Theme>;

    constructor() {
        const system = matchMedia('(prefers-color-scheme: dark)');
        const chosen = loadLocal<Theme | null>('theme', null);
        this.theme = new Signal<Theme>(chosen ?? (system.matches ? 'dark' : 'light'));
        system.addEventListener('change', () => {
            if (loadLocal('theme', null) === null)
                this.theme.value = system.matches ? 'dark' : 'light';
        });
        this.theme.observe((theme) => (document.documentElement.dataset.theme = theme));
    }

    toggle(): void {
        this.theme.value = this.theme.value === 'dark' ? 'light' : 'dark';
        saveLocal('theme', this.theme.value);
    }
}
