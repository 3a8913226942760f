// The side panel with its tabs (ARIA tabs pattern with arrow keys). On a phone it is a bottom sheet.

import { make } from '../base/dom';
import { Signal } from '../base/signal';
import { iconButton, newId } from './controls';

export interface Tab {
    name: string;
    content: HTMLElement;
    shown?: () => void;
}

export class SidePanel {
    readonly element: HTMLElement;
    readonly open = new Signal(true);
    private readonly buttons: HTMLButtonElement[] = [];
    private readonly pages: HTMLElement[] = [];

    constructor(private readonly tabs: Tab[]) {
        const list = make('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panels' });
        this.element = make('aside', { class: 'side', 'aria-label': 'Panels' });
        for (const tab of tabs) this.addTab(tab, list);
        list.addEventListener('keydown', (event) => this.moved(event));
        const close = iconButton('close', 'Close panel', () => (this.open.value = false), 'P');
        this.element.append(make('div', { class: 'side-head' }, list, close), ...this.pages);
        this.open.observe((open) => (this.element.hidden = !open));
        this.choose(0);
    }

    show(name: string): void {
        this.open.value = true;
        this.choose(this.tabs.findIndex((tab) => tab.name === name));
    }

    isShowing(name: string): boolean {
        const at = this.tabs.findIndex((tab) => tab.name === name);
        return this.open.value && !this.pages[at].hidden;
    }

    private addTab(tab: Tab, list: HTMLElement): void {
        const page = make(
            'div',
            { class: 'tab-page', role: 'tabpanel', id: newId('page'), tabindex: 0 },
            tab.content,
        );
        const at = this.buttons.length;
        const button = make(
            'button',
            {
                class: 'tab',
                role: 'tab',
                id: newId('tab'),
                'aria-controls': page.id,
                'data-tab': tab.name,
                onclick: () => this.choose(at),
            },
            tab.name,
        );
        page.setAttribute('aria-labelledby', button.id);
        this.buttons.push(button);
        this.pages.push(page);
        list.append(button);
    }

    private choose(at: number): void {
        this.buttons.forEach((button, i) => {
            button.setAttribute('aria-selected', String(i === at));
            button.tabIndex = i === at ? 0 : -1;
        });
        this.pages.forEach((page, i) => (page.hidden = i !== at));
        this.tabs[at].shown?.();
    }

    private moved(event: KeyboardEvent): void {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        const now = this.buttons.findIndex((button) => button.tabIndex === 0);
        const next = (now + by + this.buttons.length) % this.buttons.length;
        this.choose(next);
        this.buttons[next].focus();
        event.preventDefault();
    }
}
