// Shows that the connection to the server was lost.

import { make } from '../base/dom';
import type { Connection } from '../protocol/connection';

export class ConnectionBanner {
    readonly element = make('div', {
        class: 'banner',
        role: 'status',
        'aria-live': 'assertive',
        'data-test': 'banner',
        hidden: true,
    });

    constructor(connection: Connection, onReconnect: () => void) {
        let wasLost = false;
        connection.status.listen((status) => {
            if (status === 'lost') {
                wasLost = true;
                this.element.textContent = 'Connection to the server lost. Reconnecting…';
            }
            this.element.hidden = status !== 'lost' && !(status === 'connecting' && wasLost);
            if (status === 'open' && wasLost) {
                wasLost = false;
                onReconnect();
            }
        });
    }
}
