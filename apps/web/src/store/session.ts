// What the page knows of the show: one value for each message that has a lasting meaning. Panels listen
// to these and send through `send`; nothing else holds state that came from the server.

import { Bell, Signal } from '../base/signal';
import type { Connection } from '../protocol/connection';
import type {
    Action,
    BodyMessage,
    ClientMessage,
    ErrorMessage,
    EventEntry,
    GalleryEntry,
    MadeFile,
    PickedMessage,
    SceneMessage,
    ServerMessage,
    Settings,
    StateMessage,
    StatsMessage,
    WelcomeMessage,
} from '../protocol/messages';
import { WorldStore } from './world_store';
import { frameType, readBodies, readHeader } from '../protocol/frame';
import {
    contactsType,
    jointsType,
    linesType,
    readContacts,
    readJoints,
    readLines,
    type Contacts,
    type Joints,
    type Lines,
} from '../protocol/overlay';

const eventsKept = 500;

const idle: StateMessage = {
    type: 'state',
    open: false,
    running: false,
    speed: 1,
    real_speed: 0,
    step: 0,
    time: 0,
    first_step: 0,
    last_step: 0,
    undo: 0,
    redo: 0,
};

/// Time that is gone through again brings the same events again.
const keyOf = (event: EventEntry): string =>
    `${event.step} ${event.world} ${event.kind} ${event.text}`;

export class Session {
    readonly welcome = new Signal<WelcomeMessage | null>(null);
    readonly gallery = new Signal<GalleryEntry[]>([]);
    readonly scene = new Signal<SceneMessage | null>(null);
    readonly state = new Signal<StateMessage>(idle);
    readonly stats = new Signal<StatsMessage | null>(null);
    readonly events = new Signal<EventEntry[]>([]);
    readonly inspected = new Signal<BodyMessage | null>(null);
    readonly selected = new Signal<number | null>(null);
    readonly worlds: WorldStore[] = [];
    /// The text this page opened, when the scene is not one of the server's files.
    opened: { text: string; name: string } | null = null;

    readonly bodiesChanged = new Bell<WorldStore>();
    readonly picked = new Bell<PickedMessage>();
    readonly error = new Bell<ErrorMessage>();
    readonly notice = new Bell<string>();
    readonly recording = new Bell<MadeFile>();
    readonly sceneText = new Bell<MadeFile>();
    readonly contacts = new Bell<Contacts>();
    readonly lines = new Bell<Lines>();
    readonly joints = new Bell<Joints>();
    readonly settingsChanged = new Bell<WorldStore>();
    readonly frame = new Bell<number>();

    constructor(readonly connection: Connection) {
        connection.message.listen((message) => this.take(message));
        connection.binary.listen((view) => this.takeBinary(view));
    }

    send(message: ClientMessage): void {
        this.connection.send(message);
    }

    /// Opens the text of a file.
    openText(name: string, text: string): void {
        this.opened = { text, name };
        this.send({ type: 'open', text, name });
    }

    openScene(scene: string, methods?: string[]): void {
        this.opened = null;
        this.send(methods ? { type: 'open', scene, methods } : { type: 'open', scene });
    }

    act(action: Action): void {
        this.send({ type: 'act', action });
    }

    select(body: number | null): void {
        if (body === this.selected.value) return;
        this.selected.value = body;
        this.inspected.value = null;
        this.send({ type: 'inspect', body });
    }

    private take(message: ServerMessage): void {
        switch (message.type) {
            case 'welcome':
                this.welcome.value = message;
                break;
            case 'gallery':
                this.gallery.value = message.scenes;
                break;
            case 'scene':
                this.takeScene(message);
                break;
            case 'bodies_added':
                this.worlds[message.world]?.add(message.bodies, message.geometries);
                break;
            case 'bodies_removed':
                this.takeRemoval(message.world, message.bodies);
                break;
            case 'state':
                this.takeState(message);
                break;
            case 'stats':
                this.stats.value = message;
                break;
            case 'events':
                this.takeEvents(message.events);
                break;
            case 'body':
                this.takeBody(message);
                break;
            case 'settings':
                this.takeSettings(message.world, message.method, message.settings);
                break;
            case 'picked':
                this.picked.ring(message);
                break;
            case 'recording':
                this.recording.ring(message);
                break;
            case 'scene_text':
                this.sceneText.ring(message);
                break;
            case 'error':
                this.error.ring(message);
                break;
            case 'notice':
                this.notice.ring(message.text);
                break;
        }
        if (message.type === 'bodies_added' || message.type === 'bodies_removed') {
            const world = this.worlds[message.world];
            if (world) this.bodiesChanged.ring(world);
        }
    }

    private takeScene(message: SceneMessage): void {
        this.worlds.length = 0;
        message.worlds.forEach((world, index) => this.worlds.push(new WorldStore(index, world)));
        this.events.value = [];
        this.stats.value = null;
        this.selected.value = null;
        this.inspected.value = null;
        this.scene.value = message;
    }

    private takeRemoval(world: number, bodies: number[]): void {
        this.worlds[world]?.remove(bodies);
        if (this.selected.value !== null && bodies.includes(this.selected.value)) this.select(null);
    }

    private takeBody(message: BodyMessage): void {
        if (message.index !== this.selected.value) return;
        if (message.gone) this.select(null);
        else this.inspected.value = message;
    }

    private takeSettings(index: number, method: string, settings: Settings): void {
        const world = this.worlds[index];
        if (!world) return;
        world.method = method;
        world.settings = settings;
        this.settingsChanged.ring(world);
    }

    private takeEvents(events: EventEntry[]): void {
        const known = new Set(this.events.value.map(keyOf));
        const fresh = events.filter((event) => !known.has(keyOf(event)));
        if (fresh.length === 0) return;
        const all = [...this.events.value, ...fresh].sort((a, b) => a.step - b.step);
        this.events.value = all.slice(-eventsKept);
    }

    // What lay ahead and is no longer to come did not happen.
    private takeState(message: StateMessage): void {
        const state = { ...idle, ...message };
        const events = this.events.value.filter((event) => event.step <= state.last_step);
        if (events.length < this.events.value.length) this.events.value = events;
        this.state.value = state;
    }

    private takeBinary(view: DataView): void {
        const type = view.getUint8(0);
        if (type === frameType) this.takeFrame(view);
        else if (type === contactsType) this.contacts.ring(readContacts(view));
        else if (type === linesType) this.lines.ring(readLines(view));
        else if (type === jointsType) this.joints.ring(readJoints(view));
    }

    private takeFrame(view: DataView): void {
        const header = readHeader(view);
        const world = this.worlds[header.world];
        if (!world) return;
        world.takeFrame(header, view, readBodies);
        this.frame.ring(header.world);
    }
}
