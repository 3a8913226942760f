// What the page remembers from one visit to the next. A browser that forbids storage only forgets.

export function remember(key: string, value: unknown): void {
    try {
        localStorage.setItem(`rigor.${key}`, JSON.stringify(value));
    } catch {
        return;
    }
}

export function recall<T>(key: string, otherwise: T): T {
    try {
        const text = localStorage.getItem(`rigor.${key}`);
        return text === null ? otherwise : (JSON.parse(text) as T);
    } catch {
        return otherwise;
    }
}
