// Picking by ray cast on the server. Replies arrive in the order of the requests.

import type { PickedMessage } from '../protocol/messages';
import type { Session } from '../store/session';
import type { Ray } from '../draw/viewport';

export class Picker {
    private readonly waiting: ((picked: PickedMessage) => void)[] = [];

    constructor(private readonly session: Session) {
        session.picked.listen((picked) => this.waiting.shift()?.(picked));
        session.connection.status.listen(() => (this.waiting.length = 0));
    }

    pick(ray: Ray, use: (picked: PickedMessage) => void): void {
        this.waiting.push(use);
        this.session.send({
            type: 'pick',
            origin: ray.origin,
            direction: ray.direction,
            world: ray.world,
        });
    }
}
