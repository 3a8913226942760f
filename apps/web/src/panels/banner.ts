// Says when the server is gone, and when it is back.

import { make } from '../base/dom';
import type { Connection } from '../protocol/connection';

export class Banner {
    readonly element = make('div', {
        class: 'banner',
        role: 'status',
        'aria-live': 'assertive',
        'data-test': 'banner',
        hidden: true,
    });

    constructor(connection: Connection, whenBack: () => void) {
        let wasLost = false;
        connection.link.listen((link) => {
            if (link === 'lost') {
                wasLost = true;
                this.element.textContent = 'The server does not answer. Trying again…';
            }
            this.element.hidden = link !== 'lost' && !(link === 'connecting' && wasLost);
            if (link === 'open' && wasLost) {
                wasLost = false;
                whenBack();
            }
        });
    }
}
