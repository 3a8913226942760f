// A menu button (ARIA menu button pattern).

import { append, icon, make } from '../base/dom';
import { icons, type IconName } from './icons';

export interface MenuItem {
    text: string;
    test?: string;
    run: () => void;
}

export class Menu {
    readonly element: HTMLElement;
    private readonly button: HTMLButtonElement;
    private readonly list: HTMLElement;

    constructor(iconName: IconName, label: string, items: MenuItem[]) {
        this.button = make(
            'button',
            {
                class: 'icon-button',
                'aria-label': label,
                title: label,
                'aria-haspopup': 'menu',
                'aria-expanded': 'false',
            },
            icon(icons[iconName]),
        );
        this.list = make('div', { class: 'menu', role: 'menu', 'aria-label': label, hidden: true });
        append(
            this.list,
            items.map((item) => this.item(item)),
        );
        this.element = make('div', { class: 'menu-holder' }, this.button, this.list);
        this.button.addEventListener('click', () => this.show(this.list.hidden));
        this.list.addEventListener('keydown', (event) => this.moved(event));
        this.element.addEventListener('focusout', (event) => {
            if (!this.element.contains(event.relatedTarget as Node | null)) this.show(false);
        });
    }

    private item(item: MenuItem): HTMLElement {
        const run = (): void => {
            this.show(false);
            this.button.focus();
            item.run();
        };
        return make(
            'button',
            {
                class: 'menu-item',
                role: 'menuitem',
                tabindex: -1,
                'data-test': item.test,
                onclick: run,
            },
            item.text,
        );
    }

    private show(open: boolean): void {
        this.list.hidden = !open;
        this.button.setAttribute('aria-expanded', String(open));
        if (open) (this.list.firstElementChild as HTMLElement).focus();
    }

    private moved(event: KeyboardEvent): void {
        const items = [...this.list.children] as HTMLElement[];
        const now = items.indexOf(document.activeElement as HTMLElement);
        if (event.key === 'Escape') {
            this.show(false);
            this.button.focus();
        } else if (event.key === 'ArrowDown') items[(now + 1) % items.length].focus();
        else if (event.key === 'ArrowUp') items[(now - 1 + items.length) % items.length].focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
    }
}
