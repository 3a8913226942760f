// The force of the drag spring, shown at its end.

import { make } from '../base/dom';
import { quantity } from '../base/format';
import type { Vec3 } from '../base/vector';
import type { Viewport } from '../draw/viewport';

export class ForceLabel {
    readonly element = make('output', {
        class: 'force',
        'aria-label': 'Drag force',
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
