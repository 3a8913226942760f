// The WebSocket to the server. It sends hello, parses messages, and reconnects with exponential
// backoff when the connection is lost.

import { Emitter, Signal } from '../base/signal';
import { protocolVersion, type ClientMessage, type ServerMessage } from './messages';

export type ConnectionStatus = 'connecting' | 'open' | 'lost';

const firstRetryMs = 250;
const maxRetryMs = 4000;

export class Connection {
    readonly status = new Signal<ConnectionStatus>('connecting');
    readonly message = new Emitter<ServerMessage>();
    readonly binary = new Emitter<DataView>();
    private socket: WebSocket | null = null;
    private retryMs = firstRetryMs;

    constructor(private readonly address: string) {}

    open(): void {
        const socket = new WebSocket(this.address);
        socket.binaryType = 'arraybuffer';
        socket.onopen = () => this.opened();
        socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.received(event.data);
        socket.onclose = () => this.closed(socket);
        this.socket = socket;
    }

    /// Sends the message, or drops it without a connection, which the banner shows.
    send(message: ClientMessage): boolean {
        if (this.socket?.readyState !== WebSocket.OPEN) return false;
        this.socket.send(JSON.stringify(message));
        return true;
    }

    private opened(): void {
        this.retryMs = firstRetryMs;
        this.send({ type: 'hello', protocol: protocolVersion, see: [] });
        this.status.value = 'open';
    }

    private received(data: string | ArrayBuffer): void {
        if (typeof data === 'string') this.message.emit(JSON.parse(data) as ServerMessage);
        else this.binary.emit(new DataView(data));
    }

    private closed(socket: WebSocket): void {
        if (socket !== this.socket) return;
        this.status.value = 'lost';
        setTimeout(() => this.open(), this.retryMs);
        this.retryMs = Math.min(2 * this.retryMs, maxRetryMs);
    }
}

/// The WebSocket address: the host of the page and the token of its address.
export function socketAddress(page: Location): string {
    const scheme = page.protocol === 'https:' ? 'wss:' : 'ws:';
    const token = new URLSearchParams(page.search).get('token');
    return `${scheme}//${page.host}/ws${token ? `?token=${encodeURIComponent(token)}` : ''}`;
}
