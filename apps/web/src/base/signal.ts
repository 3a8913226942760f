// Signal (an observable value) and Emitter (an event): all the reactivity of the page.

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

    /// Notifies the listeners although the value is the same object.
    notify(): void {
        for (const listener of [...this.listeners]) listener(this.current);
    }

    listen(listener: (value: T) => void): Stop {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    /// Calls the listener with the current value, then on every change.
    observe(listener: (value: T) => void): Stop {
        listener(this.current);
        return this.listen(listener);
    }
}

/// An event without a lasting value.
export class Emitter<T> {
    private listeners = new Set<(value: T) => void>();

    emit(value: T): void {
        for (const listener of [...this.listeners]) listener(value);
    }

    listen(listener: (value: T) => void): Stop {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }
}
