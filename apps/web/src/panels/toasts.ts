// Short messages over the 3D view: notices disappear after a while, errors stay until closed.

import { make } from '../base/dom';
import { iconButton } from './controls';

const noticeMs = 5000;
const most = 4;

export class Toasts {
    readonly element = make('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

    notice(text: string): void {
        const toast = this.show(text, 'notice');
        setTimeout(() => toast.remove(), noticeMs);
    }

    error(text: string): void {
        this.show(text, 'error').setAttribute('role', 'alert');
    }

    private show(text: string, kind: string): HTMLElement {
        const last = this.element.lastElementChild;
        if (last instanceof HTMLElement && last.dataset.text === text) last.remove();
        const toast = make(
            'div',
            { class: `toast ${kind}`, 'data-text': text },
            make('span', {}, text),
        );
        toast.append(iconButton('close', 'Close message', () => toast.remove()));
        this.element.append(toast);
        while (this.element.children.length > most) this.element.firstElementChild!.remove();
        return toast;
    }
}
