// Element creation: `make('button', { class: 'x', onclick }, 'text')`. Functions become listeners and
// other values attributes. Nothing is parsed as markup, so names from scene files are harmless.

type Child = Node | string | null | undefined | false;
type Attribute = string | number | boolean | null | undefined | ((event: Event) => void);
type Attributes = Record<string, Attribute>;

export function make<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    // The default is to submit a form.
    if (element instanceof HTMLButtonElement) element.type = 'button';
    for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
    append(element, children);
    return element;
}

export function append(element: Element, children: Child[]): void {
    for (const child of children) if (child || child === '') element.append(child);
}

export function replace(element: Element, ...children: Child[]): void {
    element.replaceChildren();
    append(element, children);
}

function setAttribute(element: Element, name: string, value: Attribute): void {
    if (value === undefined || value === null || value === false) return;
    if (typeof value === 'function') {
        element.addEventListener(name.slice(2), value);
    } else {
        element.setAttribute(name, value === true ? '' : String(value));
    }
}

const svgSpace = 'http://www.w3.org/2000/svg';

/// An icon of stroked paths, 24 by 24; hidden from screen readers, since its button has a label.
export function icon(paths: string): SVGSVGElement {
    const svg = document.createElementNS(svgSpace, 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('class', 'icon');
    svg.setAttribute('aria-hidden', 'true');
    for (const d of paths.split('|')) {
        const path = document.createElementNS(svgSpace, 'path');
        path.setAttribute('d', d);
        svg.append(path);
    }
    return svg;
}

/// True when the target is a field that takes keyboard input.
export function isTyping(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target.isContentEditable) return true;
    if (target instanceof HTMLInputElement)
        return !['checkbox', 'radio', 'button'].includes(target.type);
    return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

const keyControls = 'button, a[href], summary, input, select, textarea, [role="button"]';

/// True when Enter and Space act on the target itself: it is a button or another control.
export function takesActivation(target: EventTarget | null): boolean {
    return target instanceof Element && target.closest(keyControls) !== null;
}

/// Makes Enter do what Space does: browsers leave it without effect on checkboxes and selects.
export function activateOnEnter(): void {
    window.addEventListener('keydown', ({ key, target }) => {
        if (key !== 'Enter') return;
        if (target instanceof HTMLInputElement && target.type === 'checkbox') target.click();
        else if (target instanceof HTMLSelectElement && !target.disabled) target.showPicker?.();
    });
}
