// The top bar: gallery, scene name, method and actions.

import { make } from '../base/dom';
import type { Session } from '../store/session';
import { iconButton, select } from './controls';
import { Menu } from './menu';

export interface TopBarActions {
    gallery: () => void;
    openFile: () => void;
    compare: () => void;
    theme: () => void;
    help: () => void;
    panel: () => void;
    screenshot: () => void;
    video: () => void;
    csv: () => void;
    scene: () => void;
    saveRecording: () => void;
    loadRecording: () => void;
    setMethod: (method: string) => void;
}

export class TopBar {
    readonly element: HTMLElement;
    private readonly title = make('h1', { class: 'scene-name' }, 'Rigor');
    private readonly method = make('span', { class: 'method' });

    constructor(
        private readonly session: Session,
        private readonly actions: TopBarActions,
    ) {
        const gallery = iconButton('gallery', 'Gallery', actions.gallery, 'G');
        gallery.classList.add('labelled');
        gallery.append(make('span', {}, 'Gallery'));
        gallery.dataset.test = 'gallery';
        const compare = iconButton('compare', 'Compare methods', actions.compare, 'C');
        compare.dataset.test = 'compare';
        const open = iconButton('open', 'Open a scene or recording', actions.openFile, 'O');
        open.classList.add('open-file');
        const help = iconButton('help', 'Keyboard shortcuts', actions.help, '?');
        help.dataset.test = 'help';
        const panel = iconButton('panel', 'Show or hide the side panel', actions.panel, 'P');
        panel.dataset.test = 'panel';
        this.element = make(
            'header',
            { class: 'top-bar' },
            gallery,
            make('div', { class: 'title' }, this.title, this.method),
            make(
                'div',
                { class: 'top-actions', role: 'toolbar', 'aria-label': 'Scene' },
                open,
                compare,
                this.exportMenu(),
                iconButton('theme', 'Light or dark theme', actions.theme, 'L'),
                help,
                panel,
            ),
        );
        session.scene.observe(() => this.show());
        session.welcome.listen(() => this.show());
        session.settingsChanged.listen(() => this.show());
    }

    private exportMenu(): HTMLElement {
        const { actions } = this;
        return new Menu('save', 'Save and export', [
            { text: 'Save recording', test: 'save-recording', run: actions.saveRecording },
            { text: 'Load recording…', run: actions.loadRecording },
            { text: 'Export scene (JSON)', test: 'export-scene', run: actions.scene },
            { text: 'Export statistics (CSV)', test: 'export-csv', run: actions.csv },
            { text: 'Screenshot (PNG)', test: 'export-png', run: actions.screenshot },
            { text: 'Video (WebM): start or stop', test: 'export-video', run: actions.video },
        ]).element;
    }

    private show(): void {
        const scene = this.session.scene.value;
        this.title.textContent = scene?.name || 'Rigor';
        document.title = scene ? `${scene.name} – Rigor` : 'Rigor';
        const worlds = this.session.worlds;
        if (worlds.length === 1) this.offerMethods(worlds[0].method);
        else this.method.textContent = worlds.map((world) => world.method).join(' / ');
    }

    private offerMethods(method: string): void {
        const offered = this.session.welcome.value?.methods ?? [method];
        const list = offered.includes(method) ? offered : [method, ...offered];
        const choice = select(
            'Method',
            list.map((m) => [m, m] as const),
            method,
            this.actions.setMethod,
        );
        choice.dataset.test = 'method';
        this.method.replaceChildren(choice);
    }
}
