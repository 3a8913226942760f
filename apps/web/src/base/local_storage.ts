// Local storage of preferences. Where the browser forbids it, nothing is kept.

export function saveLocal(key: string, value: unknown): void {
    try {
        localStorage.setItem(`rigor.${key}`, JSON.stringify(value));
    } catch {
        return;
    }
}

export function loadLocal<T>(key: string, otherwise: T): T {
    try {
        const text = localStorage.getItem(`rigor.${key}`);
        return text === null ? otherwise : (JSON.parse(text) as T);
    } catch {
        return otherwise;
    }
}
