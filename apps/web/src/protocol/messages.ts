// The JSON messages of the protocol, specified in docs/design/viewer.md.

import type { Quat, Vec3 } from '../base/vector';
import type { ControlValue, SceneControl } from './scene_control';

export const protocolVersion = 1;

export type ShapeKind =
    'sphere' | 'box' | 'capsule' | 'cylinder' | 'cone' | 'hull' | 'mesh' | 'height_field' | 'plane';

export interface Geometry {
    type: ShapeKind;
    radius?: number;
    length?: number;
    height?: number;
    size?: number[];
    normal?: Vec3;
    offset?: number;
    points?: Vec3[];
    vertices?: number[];
    triangles?: number[];
    columns?: number;
    rows?: number;
    heights?: number[];
    rounding?: number;
}

export interface Shape {
    geometry: number;
    position?: Vec3;
    orientation?: Quat;
    /// "#rrggbb"
    color?: string;
    material?: number;
    sensor?: boolean;
}

export type BodyType = 'static' | 'kinematic' | 'dynamic';

export interface Body {
    index: number;
    name: string;
    type: BodyType;
    mass?: number;
    tag?: string;
    /// Input that drives the body: "keys", "mouse" or "socket".
    driver?: string;
    /// Its meshes change while the world runs.
    deforms?: boolean;
    shapes: Shape[];
    /// A mesh that is drawn instead of the shapes.
    look?: Look;
}

export interface Look {
    geometry: number;
    /// "#rrggbb"
    color?: string;
}

/// Slots of the bodies of a vehicle.
export interface Vehicle {
    name: string;
    chassis: number;
    wheels: number[];
}

export type DriverInput = 'mouse' | 'keys' | 'socket';

/// A body that is moved by a user or a program. With a grid, two numbers choose its pose.
export interface Driver {
    body: number;
    input: DriverInput;
    grid: boolean;
}

export interface Duel {
    names: [string, string];
    rounds: number;
}

/// What of a scene can be controlled.
export interface Roles {
    vehicles?: Vehicle[];
    drivers?: Driver[];
    duel?: Duel;
}

export interface Joint {
    index: number;
    name: string;
    type: string;
    a: number | null;
    b: number | null;
    limits?: [number, number];
}

export interface Camera {
    position: Vec3;
    target: Vec3;
    up?: Vec3;
    fov_deg?: number;
}

export interface World extends Roles {
    method: string;
    settings: Settings;
    bodies: Body[];
    geometries: Geometry[];
    joints?: Joint[];
    materials?: string[];
    /// Low and high corner of the periodic cell.
    periodic?: [Vec3, Vec3];
    warnings?: string[];
    settings_table?: SettingEntry[];
}

export type Settings = Record<string, unknown> & { gravity?: Vec3 };

export interface SceneMessage extends Roles {
    type: 'scene';
    name: string;
    about?: string;
    file?: string;
    time_step: number;
    camera?: Camera;
    worlds: World[];
    /// The file changed on disk, or a control gave the scene another value, and it was opened again.
    reloaded?: boolean;
    controls?: SceneControl[];
}

/// One row of the server's table of settings.
export interface SettingEntry {
    name: string;
    label?: string;
    type: 'number' | 'integer' | 'choice' | 'boolean';
    choices?: string[] | null;
    min?: number | null;
    max?: number | null;
    unit?: string | null;
    default?: string | number | boolean | null;
    help?: string | null;
    /// The methods that use the setting; all of them when left out.
    methods?: string[];
}

export interface WelcomeMessage {
    type: 'welcome';
    protocol: number;
    version: string;
    /// The id of this client, which is also the `hand` of its grabs.
    client: number;
    methods: string[];
    see: string[];
    colors: string[];
    settings: Record<string, string[]>;
    settings_table?: SettingEntry[];
}

export interface GalleryEntry {
    file: string;
    name: string;
    about?: string;
    source?: string;
    tags?: string[];
    picture?: string | null;
}

export interface Grab {
    world: number;
    hand: number;
    body: number;
    /// In the body frame.
    point: Vec3;
    target: Vec3;
    force: number;
}

export interface StateMessage {
    type: 'state';
    open: boolean;
    running: boolean;
    speed: number;
    real_speed: number;
    step: number;
    time: number;
    first_step: number;
    last_step: number;
    seeking?: boolean;
    undo: number;
    redo: number;
    hashes?: string[];
    grabs?: Grab[];
    /// Frozen bodies of the first world.
    frozen?: number[];
}

export interface WorldStats {
    energy: { kinetic: number; potential: number; total: number };
    momentum: Vec3;
    angular_momentum: Vec3;
    ledger: Record<string, number>;
    contacts: number;
    penetration: number;
    bodies: number;
    awake: number;
    step_ms: number;
    stages: [string, number][];
    finished?: boolean;
    unsolved?: number;
    residual?: number;
    distance?: { rms: number; max: number };
}

export interface ColorScale {
    max: number;
    unit: string;
}

export interface PlotValue {
    world: number;
    body: number;
    quantity: string;
    value: number;
}

export interface StatsMessage {
    type: 'stats';
    step: number;
    time: number;
    worlds: WorldStats[];
    colors?: Record<string, ColorScale>;
    plots?: PlotValue[];
}

export interface EventEntry {
    step: number;
    time: number;
    world: number;
    kind: string;
    text: string;
    bodies?: number[];
    value?: number;
}

export interface BodyMessage {
    type: 'body';
    world: number;
    index: number;
    gone?: boolean;
    name: string;
    body_type: BodyType;
    mass: number;
    position: Vec3;
    orientation: Quat;
    velocity: Vec3;
    angular_velocity: Vec3;
    momentum: Vec3;
    angular_momentum: Vec3;
    kinetic_energy: number;
    principal_moments: Vec3;
    friction: number;
    restitution: number;
    density: number;
    awake: boolean;
    frozen: boolean;
    contacts: { body: number; name: string; points: number; impulse: number }[];
    joints: unknown[];
    /// The bodies that interacted with this one since the start; of dynamic bodies only.
    island?: { bodies: number; ledger: Record<string, number> };
}

export interface PickedMessage {
    type: 'picked';
    world: number;
    body: number | null;
    name?: string;
    point?: Vec3;
    normal?: Vec3;
    local_point?: Vec3;
    distance?: number;
}

export interface VehicleReadout {
    chassis: number;
    /// m/s
    speed: number;
    /// -1 is reverse, 0 neutral.
    gear: number;
    rpm: number;
    throttle: number;
    brake: number;
    hand_brake: boolean;
}

export interface DuelReadout {
    score: [number, number];
    round: number;
    over: boolean;
    /// How much of the control over its weapon each side has, 0 to 1.
    control: [number, number];
    last_hit?: string;
}

export interface HudMessage {
    type: 'hud';
    vehicles?: VehicleReadout[];
    duel?: DuelReadout;
}

/// What a collision did to a driven body.
export interface DrivenEvent {
    body: number;
    step: number;
    position: Vec3;
    orientation: Quat;
    velocity: Vec3;
    angular_velocity: Vec3;
    impulse: Vec3;
    angular_impulse: Vec3;
}

/// A law of mechanics with its worst residual in the checked steps.
export interface LawVerdict {
    law: string;
    says: string;
    residual: number;
    tolerance: number;
    holds: boolean;
    time: number;
    step: number;
    bodies: string[];
}

/// Whether the last steps obey the laws: the verdict of rigor-check.
export type CheckMessage = { type: 'check'; world: number } & (
    | { status: 'running' }
    | { status: 'none'; reason: string }
    | {
          status: 'holds' | 'fails';
          method: string;
          from_step: number;
          to_step: number;
          /// The law that is nearest to its tolerance, or farthest beyond it.
          worst: LawVerdict;
          laws: LawVerdict[];
      }
);

export interface ErrorMessage {
    type: 'error';
    message: string;
    about?: string;
    file?: string;
    line?: number;
    column?: number;
}

/// A file generated by the server for download: a recording or a scene.
export interface ServerFile {
    name: string;
    text: string;
}

export type ServerMessage =
    | WelcomeMessage
    | { type: 'gallery'; scenes: GalleryEntry[] }
    | SceneMessage
    | { type: 'bodies_added'; world: number; bodies: Body[]; geometries?: Geometry[] }
    | { type: 'bodies_removed'; world: number; bodies: number[] }
    | { type: 'settings'; world: number; method: string; settings: Settings }
    | StateMessage
    | StatsMessage
    | HudMessage
    | { type: 'driven'; events: DrivenEvent[] }
    | { type: 'events'; events: EventEntry[] }
    | BodyMessage
    | PickedMessage
    | ({ type: 'recording' } & ServerFile)
    | ({ type: 'scene_text' } & ServerFile)
    | CheckMessage
    | ErrorMessage
    | { type: 'notice'; text: string };

export type DropShape = 'sphere' | 'capsule' | 'cube' | 'cylinder' | 'cone' | 'hull' | 'stack';

export interface Motor {
    target_velocity?: number;
    target_position?: number;
    max_force?: number;
}

export type Action =
    | { type: 'grab'; body: number; point: Vec3; target: Vec3; stiffness?: number }
    | { type: 'move_grab'; target: Vec3 }
    | { type: 'release' }
    | { type: 'push'; body: number; point: Vec3; impulse: Vec3 }
    | { type: 'throw'; position: Vec3; velocity: Vec3; radius?: number; density?: number }
    | { type: 'drop'; shape: DropShape; position: Vec3; size?: number }
    | { type: 'delete'; body: number }
    | { type: 'duplicate'; body: number; position?: Vec3 }
    | { type: 'freeze'; body: number; on: boolean }
    | { type: 'explode'; point: Vec3; strength: number; radius: number }
    | { type: 'gravity'; value: Vec3 }
    | ({ type: 'edit'; body: number } & BodyEdit)
    | { type: 'joint'; name: string; motor: Motor | null };

export interface BodyEdit {
    mass?: number;
    friction?: number;
    restitution?: number;
    position?: Vec3;
    velocity?: Vec3;
    angular_velocity?: Vec3;
}

export type ClientMessage =
    | { type: 'hello'; protocol: number; see?: string[]; color?: string | null }
    | { type: 'gallery' | 'run' | 'pause' | 'restart' | 'undo' | 'redo' | 'save' }
    | {
          type: 'open';
          scene?: string;
          text?: string;
          name?: string;
          method?: string;
          methods?: string[];
      }
    | { type: 'step'; count: number }
    | { type: 'seek'; step: number }
    | { type: 'speed'; value: number }
    | { type: 'settings'; [name: string]: unknown }
    | { type: 'control'; index: number; value: ControlValue }
    | { type: 'see'; what: string[]; color: string | null }
    | { type: 'act'; action: Action; world?: number }
    | { type: 'inspect'; body: number | null; world?: number }
    | { type: 'plot'; body: number; quantities: string[]; world?: number }
    | { type: 'pick'; origin: Vec3; direction: Vec3; world?: number }
    | { type: 'load'; recording: string }
    | { type: 'export'; world?: number }
    | { type: 'check'; world?: number }
    | { type: 'keys'; down: string[] }
    | { type: 'input'; body: number; x: number; y: number }
    | { type: 'input'; body: number; position: Vec3; orientation: Quat };
