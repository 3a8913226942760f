// Comparison of methods: the same scene with two or three methods, side by side or as ghosts.

import { make, replace } from '../base/dom';
import type { Layout, Viewport } from '../draw/viewport';
import type { Session } from '../store/session';
import { select, sheetHead, textButton, toggle } from './controls';

const maxMethods = 3;

export class ComparePanel {
    readonly element = make('dialog', { class: 'sheet' });
    /// The names of the methods over their panes.
    readonly labels = make('div', { class: 'pane-labels', 'aria-hidden': 'true', hidden: true });
    private readonly methods = make('div', { class: 'method-choices' });
    private layout: Layout = 'split';
    private chosen: string[] = [];

    constructor(
        private readonly session: Session,
        private readonly viewport: Viewport,
    ) {
        this.element.append(
            sheetHead(this.element, 'Compare methods'),
            make(
                'p',
                { class: 'hint' },
                'Restarts the scene with two or three methods in lockstep. The Plots tab shows the deviation from the first.',
            ),
            this.methods,
            this.layoutChoice(),
            make(
                'div',
                { class: 'button-row end' },
                textButton('Single method', () => this.single()),
                this.startButton(),
            ),
        );
        session.scene.listen(() => this.showLabels());
        session.settingsChanged.listen(() => this.showLabels());
    }

    open(): void {
        const now = this.session.worlds.map((world) => world.method);
        const offered = this.session.welcome.value?.methods ?? [];
        const other = ['faithful', 'fast', ...offered].find(
            (m) => offered.includes(m) && !now.includes(m),
        );
        this.chosen = now.length > 1 ? now : [...now, ...(other ? [other] : [])];
        this.show();
        this.element.showModal();
    }

    setLayout(layout: Layout): void {
        this.layout = layout;
        this.viewport.setLayout(layout);
        this.showLabels();
    }

    /// Restarts the scene with the methods.
    start(methods: string[]): void {
        this.session.send({ type: 'open', ...this.source(), methods });
        this.element.close();
    }

    private single(): void {
        this.session.send({ type: 'open', ...this.source(), method: this.chosen[0] });
        this.element.close();
    }

    private source(): { scene?: string; text?: string; name?: string } {
        const opened = this.session.opened;
        return opened ?? { scene: this.session.scene.value?.file };
    }

    private startButton(): HTMLButtonElement {
        const button = textButton(
            'Compare',
            () => this.start(this.chosen.slice(0, maxMethods)),
            'primary',
        );
        button.dataset.test = 'compare-start';
        return button;
    }

    private show(): void {
        const offered = (this.session.welcome.value?.methods ?? []).map((m) => [m, m] as const);
        const rows = this.chosen.map((method, i) => {
            const choice = select(`Method ${i + 1}`, offered, method, (m) => (this.chosen[i] = m));
            choice.dataset.test = `compare-${i}`;
            return choice;
        });
        const more =
            this.chosen.length < maxMethods &&
            textButton('Add method', () => {
                this.chosen.push(offered[0]?.[0] ?? 'fast');
                this.show();
            });
        replace(this.methods, ...rows, more);
    }

    private layoutChoice(): HTMLElement {
        return toggle(
            'Ghost overlay',
            false,
            (on) => this.setLayout(on ? 'ghost' : 'split'),
            'instead of side by side',
        );
    }

    private showLabels(): void {
        const worlds = this.session.worlds;
        this.labels.hidden = worlds.length < 2;
        this.labels.classList.toggle('ghost', this.layout === 'ghost');
        replace(
            this.labels,
            ...worlds.map((world, i) =>
                make(
                    'span',
                    { class: 'pane-label' },
                    this.layout === 'ghost' && i > 0 ? `${world.method} (ghost)` : world.method,
                ),
            ),
        );
    }
}
