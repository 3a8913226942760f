// A value that tells its listeners when it changes: all the reactivity the page needs.

export type Stop = () => void;

export class Signal<T> {
    private listeners = new Set<(value: T) => void>();

    constructor(private current: T) {}

    get value(): T {
        return this.current;
    }

    set value(next: T) {
        if (Object.is(next, this.current)) return;
        this.current = next;
        this.notify();
    }

    /// Tells the listeners although the value is the same object as before.
    notify(): void {
        for (const listener of [...this.listeners]) listener(this.current);
    }

    listen(listener: (value: T) => void): Stop {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    /// Listens, and is told the present value at once.
    follow(listener: (value: T) => void): Stop {
        listener(this.current);
        return this.listen(listener);
    }
}

/// An occurrence without a lasting value.
export class Bell<T> {
    private listeners = new Set<(value: T) => void>();

    ring(value: T): void {
        for (const listener of [...this.listeners]) listener(value);
    }

    listen(listener: (value: T) => void): Stop {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }
}
