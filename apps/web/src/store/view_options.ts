// View options: enabled overlays and color mode. They are kept in local storage and sent to the server
// as the subscription of this page.

import { loadLocal, saveLocal } from '../base/local_storage';
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
    | 'shapes'
    | 'shadows';

// Data that an overlay needs from the server; the others need none.
const serverData: Partial<Record<Overlay, string>> = {
    contacts: 'contacts',
    friction: 'contacts',
    penetration: 'contacts',
    joints: 'joints',
    axes: 'axes',
    bounds: 'bounds',
    tree: 'tree',
    sweep: 'sweep',
};

export class ViewOptions {
    readonly overlays: Signal<ReadonlySet<Overlay>>;
    readonly color: Signal<string>;

    constructor(private readonly session: Session) {
        this.overlays = new Signal<ReadonlySet<Overlay>>(
            new Set(loadLocal<Overlay[]>('overlays', ['shadows'])),
        );
        this.color = new Signal(loadLocal('color', 'own'));
        this.overlays.listen((on) => saveLocal('overlays', [...on]));
        this.color.listen((color) => saveLocal('color', color));
        this.overlays.listen(() => this.sendSubscription());
        this.color.listen(() => this.sendSubscription());
        session.welcome.listen(() => this.sendSubscription());
        session.scene.listen(() => this.sendSubscription());
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

    /// The overlay data this page subscribes to. Distance joints and tracks are always drawn, or bodies
    /// that hang on them would seem to float.
    subscription(): Set<string> {
        const what = new Set<string>();
        for (const overlay of this.overlays.value)
            if (serverData[overlay]) what.add(serverData[overlay]);
        const joints = this.session.worlds[0]?.joints ?? [];
        if (joints.some((joint) => joint.type === 'distance')) what.add('joints');
        if (joints.some((joint) => joint.type === 'track')) what.add('tracks');
        return what;
    }

    private sendSubscription(): void {
        const color = this.color.value === 'own' ? null : this.color.value;
        this.session.send({ type: 'see', what: [...this.subscription()], color });
    }
}
