// A file dropped anywhere on the page is opened.

import { make } from '../base/dom';

export class FileDrop {
    readonly element = make(
        'div',
        { class: 'drop-target', hidden: true },
        make('p', {}, 'Drop a scene or a recording to open it'),
    );

    constructor(private readonly use: (file: File) => void) {
        window.addEventListener('dragover', (event) => {
            event.preventDefault();
            this.element.hidden = false;
        });
        window.addEventListener('dragleave', (event) => {
            if (event.relatedTarget === null) this.element.hidden = true;
        });
        window.addEventListener('drop', (event) => this.dropped(event));
    }

    private dropped(event: DragEvent): void {
        event.preventDefault();
        this.element.hidden = true;
        const file = event.dataTransfer?.files[0];
        if (file) this.use(file);
    }
}
