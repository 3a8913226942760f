// The gallery: a card for each scene with thumbnail, name, description and source; search; open file.

import { icon, make, replace } from '../base/dom';
import { plural } from '../base/format';
import type { GalleryEntry } from '../protocol/messages';
import type { Session } from '../store/session';
import { iconButton, textButton } from './controls';
import { icons } from './icons';

export class Gallery {
    readonly element: HTMLDialogElement;
    private readonly cards = make('ul', { class: 'cards' });
    private readonly count = make('p', { class: 'count', role: 'status' });
    private readonly search = make('input', {
        type: 'search',
        class: 'search',
        placeholder: 'Search scenes',
        'aria-label': 'Search scenes',
        'data-test': 'search',
    });

    constructor(
        private readonly session: Session,
        openFile: () => void,
    ) {
        const head = make(
            'header',
            { class: 'gallery-head' },
            make('h2', { id: 'gallery-title' }, 'Gallery'),
            make('div', { class: 'search-field' }, icon(icons.search), this.search),
            textButton('Open file…', openFile),
            iconButton('close', 'Close gallery', () => this.close(), 'Esc'),
        );
        const hint = make(
            'p',
            { class: 'hint' },
            'Or drop a scene or a recording anywhere on the page.',
        );
        this.element = make(
            'dialog',
            { class: 'gallery', 'aria-labelledby': 'gallery-title' },
            head,
            make('div', { class: 'gallery-body' }, this.count, this.cards, hint),
        );
        this.search.addEventListener('input', () => this.show());
        session.gallery.observe(() => this.show());
    }

    open(): void {
        this.session.send({ type: 'gallery' });
        if (!this.element.open) this.element.showModal();
        this.search.focus();
    }

    close(): void {
        this.element.close();
    }

    private show(): void {
        const all = this.session.gallery.value;
        const found = all.filter((entry) => matches(entry, this.search.value));
        replace(this.cards, ...found.map((entry) => this.card(entry)));
        this.count.textContent =
            found.length === all.length
                ? plural(all.length, 'scene')
                : `${found.length} of ${plural(all.length, 'scene')}`;
    }

    private card(entry: GalleryEntry): HTMLElement {
        const button = make(
            'button',
            {
                class: 'card',
                'data-scene': entry.file,
                onclick: () => this.choose(entry),
            },
            thumbnail(entry),
            make('span', { class: 'card-name' }, entry.name || entry.file),
            entry.about && make('span', { class: 'card-about' }, withoutSource(entry)),
            entry.source && make('span', { class: 'card-source' }, entry.source),
        );
        return make('li', {}, button);
    }

    private choose(entry: GalleryEntry): void {
        this.session.openScene(entry.file);
        this.close();
    }
}

function matches(entry: GalleryEntry, query: string): boolean {
    const text = [entry.name, entry.file, entry.about, entry.source, ...(entry.tags ?? [])]
        .join(' ')
        .toLowerCase();
    return query
        .toLowerCase()
        .split(/\s+/)
        .every((word) => text.includes(word));
}

function withoutSource(entry: GalleryEntry): string {
    const about = entry.about ?? '';
    return entry.source
        ? about
              .replace(entry.source, '')
              .replace(/\s*Source:\s*\.?\s*$/, '')
              .trim()
        : about;
}

/// The thumbnail of the scene, or its initial when there is none.
function thumbnail(entry: GalleryEntry): HTMLElement {
    const frame = make('span', { class: 'card-thumbnail' });
    frame.style.background = tint(entry.name || entry.file);
    const initial = make(
        'span',
        { class: 'card-initial', 'aria-hidden': 'true' },
        (entry.name || entry.file).charAt(0).toUpperCase(),
    );
    if (!entry.picture) {
        frame.append(initial);
        return frame;
    }
    const image = make('img', { src: entry.picture, alt: '', loading: 'lazy', decoding: 'async' });
    image.addEventListener('error', () => image.replaceWith(initial));
    frame.append(image);
    return frame;
}

const tints = ['#c9dbee', '#f0dcc0', '#cde5d2', '#eed3cf', '#d9d4ec', '#cbe4e4'];

function tint(text: string): string {
    let sum = 0;
    for (const letter of text) sum = (31 * sum + letter.charCodeAt(0)) % 997;
    return tints[sum % tints.length];
}
