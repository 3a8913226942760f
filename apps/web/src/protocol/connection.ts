// The WebSocket to the server: says hello, parses what comes, and when it breaks tries again by itself
// with growing pauses until it is back.

import { Bell, Signal } from '../base/signal';
import { protocolVersion, type ClientMessage, type ServerMessage } from './messages';

export type Link = 'connecting' | 'open' | 'lost';

const firstPause = 250;
const longestPause = 4000;

export class Connection {
    readonly link = new Signal<Link>('connecting');
    readonly message = new Bell<ServerMessage>();
    readonly binary = new Bell<DataView>();
    private socket: WebSocket | null = null;
    private pause = firstPause;

    constructor(private readonly address: string) {}

    open(): void {
        const socket = new WebSocket(this.address);
        socket.binaryType = 'arraybuffer';
        socket.onopen = () => this.opened();
        socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.received(event.data);
        socket.onclose = () => this.closed(socket);
        this.socket = socket;
    }

    /// Sends, or drops the message when there is no connection: the user sees that there is none.
    send(message: ClientMessage): boolean {
        if (this.socket?.readyState !== WebSocket.OPEN) return false;
        this.socket.send(JSON.stringify(message));
        return true;
    }

    private opened(): void {
        this.pause = firstPause;
        this.send({ type: 'hello', protocol: protocolVersion, see: [] });
        this.link.value = 'open';
    }

    private received(data: string | ArrayBuffer): void {
        if (typeof data === 'string') this.message.ring(JSON.parse(data) as ServerMessage);
        else this.binary.ring(new DataView(data));
    }

    private closed(socket: WebSocket): void {
        if (socket !== this.socket) return;
        this.link.value = 'lost';
        setTimeout(() => this.open(), this.pause);
        this.pause = Math.min(2 * this.pause, longestPause);
    }
}

/// The server's address for a page: same host, and the token the page was opened with.
export function socketAddress(page: Location): string {
    const scheme = page.protocol === 'https:' ? 'wss:' : 'ws:';
    const token = new URLSearchParams(page.search).get('token');
    return `${scheme}//${page.host}/ws${token ? `?token=${encodeURIComponent(token)}` : ''}`;
}
