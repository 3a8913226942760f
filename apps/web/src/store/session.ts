// The state of the session as received from the server: a signal for each lasting message, an emitter
// for each event. Panels listen to these and send requests; no other class keeps server state.

import { Emitter, Signal } from '../base/signal';
import type { Connection } from '../protocol/connection';
import type {
    Action,
    BodyMessage,
    CheckMessage,
    ClientMessage,
    DrivenEvent,
    ErrorMessage,
    EventEntry,
    GalleryEntry,
    HudMessage,
    ServerFile,
    PickedMessage,
    SceneMessage,
    ServerMessage,
    SettingEntry,
    Settings,
    StateMessage,
    StatsMessage,
    WelcomeMessage,
} from '../protocol/messages';
import { noRoles, rolesOf, type SceneRoles } from './scene_roles';
import { WorldStore } from './world_store';
import { frameType, readBodies, readHeader } from '../protocol/frame';
import { meshType, readMesh } from '../protocol/mesh';
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

/// Steps that are simulated again report the same events again.
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
    /// The verdict on the last steps; null until one was asked for in this scene.
    readonly check = new Signal<CheckMessage | null>(null);
    readonly selected = new Signal<number | null>(null);
    /// Readouts of vehicles and of the duel; null until the server sent some.
    readonly hud = new Signal<HudMessage | null>(null);
    /// What can be controlled in the scene; set before `scene`, and again when bodies come and go.
    readonly roles = new Signal<SceneRoles>(noRoles);
    readonly worlds: WorldStore[] = [];
    /// The scene text opened by this page, when it is not one of the server's files.
    opened: { text: string; name: string } | null = null;

    readonly bodiesChanged = new Emitter<WorldStore>();
    readonly picked = new Emitter<PickedMessage>();
    readonly error = new Emitter<ErrorMessage>();
    readonly notice = new Emitter<string>();
    readonly recording = new Emitter<ServerFile>();
    readonly sceneText = new Emitter<ServerFile>();
    readonly contacts = new Emitter<Contacts>();
    readonly lines = new Emitter<Lines>();
    readonly joints = new Emitter<Joints>();
    readonly driven = new Emitter<DrivenEvent[]>();
    readonly settingsChanged = new Emitter<WorldStore>();
    readonly frame = new Emitter<number>();
    /// The vertices of a mesh in this world changed.
    readonly meshChanged = new Emitter<number>();

    constructor(readonly connection: Connection) {
        connection.message.listen((message) => this.handle(message));
        connection.binary.listen((view) => this.handleBinary(view));
    }

    /// The server's table of settings; null when it sends none.
    get settingsTable(): SettingEntry[] | null {
        return this.worlds[0]?.settingsTable ?? this.welcome.value?.settings_table ?? null;
    }

    send(message: ClientMessage): void {
        this.connection.send(message);
    }

    /// Opens the text of a scene file.
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

    private handle(message: ServerMessage): void {
        switch (message.type) {
            case 'welcome':
                this.welcome.value = message;
                break;
            case 'gallery':
                this.gallery.value = message.scenes;
                break;
            case 'scene':
                this.handleScene(message);
                break;
            case 'bodies_added':
                this.worlds[message.world]?.add(message.bodies, message.geometries);
                this.handleBodyChange(message.world);
                break;
            case 'bodies_removed':
                this.handleRemoval(message.world, message.bodies);
                break;
            case 'state':
                this.handleState(message);
                break;
            case 'stats':
                this.stats.value = message;
                break;
            case 'hud':
                // Parts that a message leaves out stay as they were.
                this.hud.value = { ...this.hud.value, ...message };
                break;
            case 'driven':
                this.driven.emit(message.events);
                break;
            case 'events':
                this.handleEvents(message.events);
                break;
            case 'body':
                this.handleBody(message);
                break;
            case 'settings':
                this.handleSettings(message.world, message.method, message.settings);
                break;
            case 'picked':
                this.picked.emit(message);
                break;
            case 'recording':
                this.recording.emit(message);
                break;
            case 'scene_text':
                this.sceneText.emit(message);
                break;
            case 'check':
                this.check.value = message;
                break;
            case 'error':
                this.error.emit(message);
                break;
            case 'notice':
                this.notice.emit(message.text);
                break;
        }
    }

    private handleScene(message: SceneMessage): void {
        this.worlds.length = 0;
        message.worlds.forEach((world, index) => this.worlds.push(new WorldStore(index, world)));
        this.events.value = [];
        this.stats.value = null;
        this.selected.value = null;
        this.inspected.value = null;
        this.check.value = null;
        this.hud.value = null;
        this.roles.value = rolesOf(message, this.worlds[0].bodies);
        this.scene.value = message;
    }

    private handleRemoval(world: number, bodies: number[]): void {
        this.worlds[world]?.remove(bodies);
        if (this.selected.value !== null && bodies.includes(this.selected.value)) this.select(null);
        this.handleBodyChange(world);
    }

    private handleBodyChange(index: number): void {
        const world = this.worlds[index];
        if (!world || !this.scene.value) return;
        this.bodiesChanged.emit(world);
        if (index === 0) this.roles.value = rolesOf(this.scene.value, world.bodies);
    }

    private handleBody(message: BodyMessage): void {
        if (message.index !== this.selected.value) return;
        if (message.gone) this.select(null);
        else this.inspected.value = message;
    }

    private handleSettings(index: number, method: string, settings: Settings): void {
        const world = this.worlds[index];
        if (!world) return;
        world.method = method;
        world.settings = settings;
        this.settingsChanged.emit(world);
    }

    private handleEvents(events: EventEntry[]): void {
        const known = new Set(this.events.value.map(keyOf));
        const fresh = events.filter((event) => !known.has(keyOf(event)));
        if (fresh.length === 0) return;
        const all = [...this.events.value, ...fresh].sort((a, b) => a.step - b.step);
        this.events.value = all.slice(-eventsKept);
    }

    // An action in the past drops the steps after it, and their events.
    private handleState(message: StateMessage): void {
        const state = { ...idle, ...message };
        const events = this.events.value.filter((event) => event.step <= state.last_step);
        if (events.length < this.events.value.length) this.events.value = events;
        this.state.value = state;
    }

    private handleBinary(view: DataView): void {
        const type = view.getUint8(0);
        if (type === frameType) this.handleFrame(view);
        else if (type === contactsType) this.contacts.emit(readContacts(view));
        else if (type === linesType) this.lines.emit(readLines(view));
        else if (type === jointsType) this.joints.emit(readJoints(view));
        else if (type === meshType) this.handleMesh(view);
    }

    private handleMesh(view: DataView): void {
        const mesh = readMesh(view);
        this.worlds[mesh.world]?.deform(mesh);
        this.meshChanged.emit(mesh.world);
    }

    private handleFrame(view: DataView): void {
        const header = readHeader(view);
        const world = this.worlds[header.world];
        if (!world) return;
        world.handleFrame(header, view, readBodies);
        this.frame.emit(header.world);
    }
}
