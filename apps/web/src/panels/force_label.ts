// The force of a drag, beside the end of its spring.

import { make } from '../base/dom';
import { quantity } from '../base/format';
import type { Vec3 } from '../base/vec';
import type { Viewport } from '../draw/viewport';

export class ForceLabel {
    readonly element = make('output', {
        class: 'force',
        'aria-label': 'Force of the drag',
        'data-test': 'force',
        hidden: true,
    });

    constructor(private readonly viewport: Viewport) {}

    show(force: number | null, at: Vec3): void {
        this.element.hidden = force === null;
        if (force === null) return;
        this.element.textContent = quantity(force, 'N');
        const { x, y } = this.viewport.project(at);
        this.element.style.transform = `translate(${Math.round(x + 14)}px, ${Math.round(y - 28)}px)`;
    }
}
