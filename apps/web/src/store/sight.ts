// What the user wants to see: which overlays are on and what colors mean. Kept across visits, and told to
// the server whenever it changes or the connection is new.

import { recall, remember } from '../base/memory';
import { Signal } from '../base/signal';
import type { Session } from './session';

export type Overlay =
    | 'contacts'
    | 'friction'
    | 'penetration'
    | 'joints'
    | 'axes'
    | 'bounds'
    | 'tree'
    | 'sweep'
    | 'trails'
    | 'ledger'
    | 'shadows';

// What an overlay needs from the server; the others are drawn from what the page has.
const asked: Partial<Record<Overlay, string>> = {
    contacts: 'contacts',
    friction: 'contacts',
    penetration: 'contacts',
    joints: 'joints',
    axes: 'axes',
    bounds: 'bounds',
    tree: 'tree',
    sweep: 'sweep',
};

export class Sight {
    readonly overlays: Signal<ReadonlySet<Overlay>>;
    readonly color: Signal<string>;

    constructor(private readonly session: Session) {
        this.overlays = new Signal<ReadonlySet<Overlay>>(
            new Set(recall<Overlay[]>('overlays', ['shadows'])),
        );
        this.color = new Signal(recall('color', 'own'));
        this.overlays.listen((on) => remember('overlays', [...on]));
        this.color.listen((color) => remember('color', color));
        this.overlays.listen(() => this.tell());
        this.color.listen(() => this.tell());
        session.welcome.listen(() => this.tell());
        session.scene.listen(() => this.tell());
    }

    has(overlay: Overlay): boolean {
        return this.overlays.value.has(overlay);
    }

    set(overlay: Overlay, on: boolean): void {
        const next = new Set(this.overlays.value);
        if (on) next.add(overlay);
        else next.delete(overlay);
        this.overlays.value = next;
    }

    /// What the server is asked for. Threads and rods are always seen, or what hangs on them would float.
    wanted(): Set<string> {
        const what = new Set<string>();
        for (const overlay of this.overlays.value) if (asked[overlay]) what.add(asked[overlay]);
        const joints = this.session.worlds[0]?.joints ?? [];
        if (joints.some((joint) => joint.type === 'distance')) what.add('joints');
        return what;
    }

    private tell(): void {
        const color = this.color.value === 'own' ? null : this.color.value;
        this.session.send({ type: 'see', what: [...this.wanted()], color });
    }
}
