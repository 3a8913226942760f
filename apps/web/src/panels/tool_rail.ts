// The tool bar: the tools, undo and redo, and the shapes of the drop tool.

import { icon, make } from '../base/dom';
import { dropShapes, tools, type Tool, type Toolbox } from '../tools/toolbox';
import type { Session } from '../store/session';
import { iconButton } from './controls';
import { icons } from './icons';

export class ToolRail {
    readonly element: HTMLElement;
    readonly hint = make('p', { class: 'tool-hint', role: 'status' });
    private readonly shapes: HTMLElement;

    constructor(
        private readonly toolbox: Toolbox,
        session: Session,
    ) {
        const group = make('div', {
            class: 'tool-group',
            role: 'radiogroup',
            'aria-label': 'Tool',
        });
        tools.forEach((tool, i) => group.append(this.toolButton(tool, i + 1)));
        this.shapes = this.shapeChoice();
        const undo = iconButton('undo', 'Undo', () => session.send({ type: 'undo' }), 'Ctrl+Z');
        const redo = iconButton(
            'redo',
            'Redo',
            () => session.send({ type: 'redo' }),
            'Ctrl+Shift+Z',
        );
        undo.dataset.test = 'undo';
        redo.dataset.test = 'redo';
        session.state.observe((state) => {
            undo.disabled = !state.undo;
            redo.disabled = !state.redo;
        });
        const undoGroup = make(
            'div',
            { class: 'tool-group', role: 'group', 'aria-label': 'Undo and redo' },
            undo,
            redo,
        );
        this.element = make(
            'nav',
            { class: 'tool-rail', 'aria-label': 'Tools' },
            group,
            undoGroup,
            this.shapes,
        );
        group.addEventListener('keydown', (event) => this.moved(event));
        toolbox.tool.observe(() => this.show());
        toolbox.shape.observe(() => this.show());
    }

    private toolButton(tool: Tool, key: number): HTMLButtonElement {
        return make(
            'button',
            {
                class: 'icon-button tool',
                role: 'radio',
                'aria-label': tool.label,
                'data-tool': tool.name,
                title: `${tool.label} (${key}): ${tool.hint}`,
                onclick: () => (this.toolbox.tool.value = tool.name),
            },
            icon(icons[tool.name]),
        );
    }

    private shapeChoice(): HTMLElement {
        const buttons = dropShapes.map((shape) =>
            make(
                'button',
                {
                    class: 'button small',
                    role: 'radio',
                    'data-shape': shape,
                    onclick: () => (this.toolbox.shape.value = shape),
                },
                shape,
            ),
        );
        return make(
            'div',
            { class: 'shape-choice', role: 'radiogroup', 'aria-label': 'Shape of the drop tool' },
            ...buttons,
        );
    }

    private show(): void {
        if (!this.element) return;
        const chosen = this.toolbox.tool.value;
        for (const button of this.element.querySelectorAll<HTMLButtonElement>('[data-tool]')) {
            const on = button.dataset.tool === chosen;
            button.setAttribute('aria-checked', String(on));
            button.tabIndex = on ? 0 : -1;
        }
        for (const button of this.shapes.querySelectorAll<HTMLButtonElement>('[data-shape]')) {
            button.setAttribute(
                'aria-checked',
                String(button.dataset.shape === this.toolbox.shape.value),
            );
        }
        this.shapes.hidden = chosen !== 'drop';
        this.hint.textContent = tools.find((tool) => tool.name === chosen)!.hint;
    }

    private moved(event: KeyboardEvent): void {
        const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        const now = tools.findIndex((tool) => tool.name === this.toolbox.tool.value);
        const next = tools[(now + by + tools.length) % tools.length];
        this.toolbox.tool.value = next.name;
        this.element.querySelector<HTMLButtonElement>(`[data-tool="${next.name}"]`)!.focus();
        event.preventDefault();
    }
}
