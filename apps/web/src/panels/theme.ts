// Light or dark: as the system says, until the user chooses.

import { recall, remember } from '../base/memory';
import { Signal } from '../base/signal';

export type Theme = 'light' | 'dark';

export class ThemeSwitch {
    readonly theme: Signal<Theme>;

    constructor() {
        const system = matchMedia('(prefers-color-scheme: dark)');
        const chosen = recall<Theme | null>('theme', null);
        this.theme = new Signal<Theme>(chosen ?? (system.matches ? 'dark' : 'light'));
        system.addEventListener('change', () => {
            if (recall('theme', null) === null)
                this.theme.value = system.matches ? 'dark' : 'light';
        });
        this.theme.follow((theme) => (document.documentElement.dataset.theme = theme));
    }

    toggle(): void {
        this.theme.value = this.theme.value === 'dark' ? 'light' : 'dark';
        remember('theme', this.theme.value);
    }
}
