// The 3D view: renders all worlds with their overlays and the environment when something changed.

import { Color, NoToneMapping, PCFShadowMap, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import { normalize, subtract, type Vec3 } from '../base/vector';
import type { Session } from '../store/session';
import { CameraRig } from './camera_rig';
import type { ColorMode } from './colors';
import { Environment } from './environment';
import { Highlight } from './highlight';
import { lightScene, type SceneTheme } from './scene_theme';
import { DebugLines } from './debug_draw';
import { AdaptiveQuality } from './quality';
import { OverlayView } from './overlay_view';
import { sceneBounds } from './scene_bounds';
import { Trails } from './trails';
import { WorldView } from './world_view';

/// Layout of several worlds.
export type Layout = 'split' | 'ghost';

export interface Ray {
    world: number;
    origin: Vec3;
    direction: Vec3;
}

/// In CSS pixels from the top left corner of the canvas.
export interface Pane {
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface DrawCost {
    calls: number;
    triangles: number;
    /// Script time of the last frames in ms, newest last.
    script: number[];
}

const costsKept = 120;
// Beyond this distance from zero rendering is relative to a nearby origin, since the GPU uses floats.
const farAway = 500;

export class Viewport {
    readonly rig = new CameraRig();
    readonly trails = new Trails();
    readonly dragSpring = new DebugLines(true);
    readonly cost: DrawCost = { calls: 0, triangles: 0, script: [] };
    views: WorldView[] = [];
    overlays: OverlayView[] = [];
    origin: Vec3 = [0, 0, 0];
    private readonly renderer: WebGLRenderer;
    private readonly scene = new Scene();
    private readonly environment = new Environment();
    private readonly quality = new AdaptiveQuality(location.search);
    private readonly highlight = new Highlight();
    private readonly cell = new DebugLines(false);
    private layout: Layout = 'split';
    private theme: SceneTheme = lightScene;
    private mode: ColorMode = 'own';
    private trailsOn = false;
    private shadowsOn = true;
    private shapesOn = false;
    /// The scene camera of the view shown now.
    private openedCamera = '';
    private drawnAt = 0;
    private dirty = true;
    private framed = false;
    private idle = false;
    private lastTime = 0;
    private startedAt = 0;
    /// Lowest z of the scene at the start.
    private floor = 0;

    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly session: Session,
    ) {
        this.renderer = new WebGLRenderer({ canvas, antialias: true });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.toneMapping = NoToneMapping;
        this.renderer.info.autoReset = false;
        this.scene.add(
            this.environment.group,
            this.highlight.group,
            this.dragSpring.object,
            this.trails.marks.object,
            this.cell.object,
        );
        session.scene.listen(() => this.openScene());
        session.bodiesChanged.listen((world) => this.changeBodies(world.index));
        session.selected.listen((slot) => this.highlightBody(slot));
        session.frame.listen((world) => this.handleFrame(world));
        session.meshChanged.listen(() => this.invalidate());
    }

    /// Requests a frame after a change other than of poses.
    invalidate(): void {
        this.dirty = true;
    }

    resize(): void {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.quality.current.pixelRatio));
        this.renderer.setSize(width, height, false);
        this.dirty = true;
    }

    setTheme(theme: SceneTheme): void {
        this.theme = theme;
        this.environment.setTheme(theme);
        this.scene.background = new Color(theme.skyBottom);
        this.highlight.setColor(theme.accent);
        this.showCell();
        this.dirty = true;
    }

    setColorMode(mode: ColorMode): void {
        this.mode = mode;
        for (const view of this.views) view.setColorMode(mode);
        this.dirty = true;
    }

    setTrails(on: boolean): void {
        this.trailsOn = on;
        this.trails.clear();
        this.dirty = true;
    }

    /// Collision shapes instead of the meshes drawn over them.
    setShapes(on: boolean): void {
        this.shapesOn = on;
        for (const view of this.views) view.setShapes(on);
        this.dirty = true;
    }

    setShadows(on: boolean): void {
        this.shadowsOn = on;
        this.applyQuality();
    }

    setLayout(layout: Layout): void {
        this.layout = layout;
        this.views.forEach((view, index) => view.setGhost(layout === 'ghost' && index > 0));
        this.dirty = true;
    }

    /// Interpolates the shown poses at time `now`.
    advance(now: number): void {
        this.startedAt = performance.now();
        for (const world of this.session.worlds) world.poses.advance(now);
    }

    /// Renders a frame at time `now` if something changed.
    draw(now: number): void {
        let changed = this.rig.advance(Math.min(100, now - this.lastTime)) || this.dirty;
        this.lastTime = now;
        for (const world of this.session.worlds) changed ||= world.poses.hasChanged();
        this.idle = !changed;
        if (!changed || this.canvas.clientWidth === 0) return;
        this.dirty = false;
        this.placeAll();
        this.render();
        this.recordCost(performance.now() - this.startedAt);
        if (this.quality.frameDrawn(now - this.drawnAt)) this.applyQuality();
        this.drawnAt = now;
    }

    /// The last rendered frame is up to date.
    isIdle(): boolean {
        return this.idle && this.framed;
    }

    frameAll(atOnce = false): void {
        const ball = sceneBounds(this.session.worlds[0]);
        if (ball) this.rig.frame(ball.center, ball.radius, atOnce);
    }

    /// The picking ray of a point on the page, and the world of its pane.
    ray(clientX: number, clientY: number): Ray {
        const box = this.canvas.getBoundingClientRect();
        const atX = clientX - box.left;
        const atY = clientY - box.top;
        const panes = Array.from({ length: this.paneCount() }, (_, i) => this.pane(i));
        const hit = panes.findIndex((p) => atX < p.x + p.width && atY < p.y + p.height);
        const world = hit < 0 ? panes.length - 1 : hit;
        const pane = panes[world];
        const x = ((atX - pane.x) / pane.width) * 2 - 1;
        const y = 1 - ((atY - pane.y) / pane.height) * 2;
        const camera = this.rig.camera;
        this.rig.apply(this.origin);
        const far = new Vector3(x, y, 0.5).unproject(camera);
        const direction = normalize([
            far.x - camera.position.x,
            far.y - camera.position.y,
            far.z - camera.position.z,
        ]);
        return { world, origin: this.rig.eye, direction };
    }

    /// Projects a world point into the first pane, in CSS pixels of the canvas.
    project(point: Vec3): { x: number; y: number; visible: boolean } {
        const p = new Vector3(...subtract(point, this.origin)).project(this.rig.camera);
        const { width, height } = this.pane(0);
        return { x: ((p.x + 1) / 2) * width, y: ((1 - p.y) / 2) * height, visible: p.z < 1 };
    }

    /// The picking ray of the center of the first pane.
    centerRay(): Ray {
        const box = this.canvas.getBoundingClientRect();
        const { width, height } = this.pane(0);
        return this.ray(box.left + width / 2, box.top + height / 2);
    }

    paneCount(): number {
        return this.layout === 'split' ? Math.max(1, this.views.length) : 1;
    }

    /// The part of the canvas that shows a world: side by side, or stacked when the canvas is higher
    /// than wide.
    pane(index: number): Pane {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        const count = this.paneCount();
        if (height > width)
            return { x: 0, y: (index * height) / count, width, height: height / count };
        return { x: (index * width) / count, y: 0, width: width / count, height };
    }

    screenshot(): Promise<Blob> {
        this.render();
        return new Promise((done) => this.canvas.toBlob((blob) => done(blob!), 'image/png'));
    }

    private openScene(): void {
        for (const view of this.views) view.dispose();
        for (const overlay of this.overlays) overlay.dispose();
        this.views = this.session.worlds.map((world) => new WorldView(world, this.shapesOn));
        this.overlays = this.session.worlds.map(() => new OverlayView());
        for (const view of this.views) {
            view.setColorMode(this.mode);
            this.scene.add(view.group);
        }
        for (const overlay of this.overlays) this.scene.add(overlay.group);
        this.trails.clear();
        this.highlightBody(null);
        this.framed = false;
        this.setLayout(this.layout);
    }

    private changeBodies(world: number): void {
        this.views[world]?.applyBodyChanges();
        if (world === 0 && this.framed) this.showGround();
        this.dirty = true;
    }

    private handleFrame(world: number): void {
        if (!this.framed) this.initialize();
        if (this.trailsOn && world === 0) this.trails.record(this.session.worlds[0]);
        const store = this.session.worlds[world];
        this.overlays[world]?.setCenter(store.center, this.origin);
        if (this.views[world]?.colorsFollowValues) this.views[world].recolor();
    }

    // The first frame has the poses, from which origin, camera and ground are chosen.
    private initialize(): void {
        const world = this.session.worlds[0];
        world.poses.snap();
        this.framed = true;
        this.origin =
            Math.hypot(...world.center) > farAway
                ? (world.center.map(Math.round) as Vec3)
                : [0, 0, 0];
        this.openCamera();
        this.floor = sceneBounds(world)?.low ?? 0;
        this.showGround();
        this.showCell();
        this.dirty = true;
    }

    // A file that was edited is shown from where the user looked, unless its camera was edited.
    private openCamera(): void {
        const { camera, reloaded } = this.session.scene.value ?? {};
        const { width, height } = this.pane(0);
        this.rig.camera.aspect = width / Math.max(1, height);
        const text = JSON.stringify(camera ?? null);
        if (reloaded && text === this.openedCamera) return;
        this.openedCamera = text;
        if (camera) this.rig.open(camera);
        else this.frameAll(true);
    }

    private showGround(): void {
        this.environment.setPlanes(this.views[0].planes, this.floor, this.origin);
    }

    private showCell(): void {
        const cell = this.session.worlds[0]?.cell;
        this.cell.clear();
        if (cell)
            this.cell.box(
                subtract(cell.low, this.origin),
                subtract(cell.high, this.origin),
                new Color(this.theme.line),
            );
        this.cell.flush();
    }

    private highlightBody(slot: number | null): void {
        this.highlight.show(this.session.worlds[0], slot);
        this.dirty = true;
    }

    private placeAll(): void {
        for (const view of this.views) view.place(this.origin);
        for (const world of this.session.worlds) world.poses.clearChanged();
        this.highlight.place(this.session.worlds[0], this.origin, this.rig.view.distance * 0.0035);
        if (this.trailsOn) this.trails.draw(this.origin, new Color(this.theme.ground));
    }

    private render(): void {
        const size = this.renderer.getSize(new Vector2());
        const panes = this.paneCount();
        const { width, height } = this.pane(0);
        this.renderer.info.reset();
        this.rig.camera.aspect = width / height;
        this.rig.apply(this.origin);
        const { target, distance } = this.rig.view;
        const drawnTarget = new Vector3(...subtract(target, this.origin));
        this.environment.follow(this.rig.camera.position, drawnTarget, distance);
        this.renderer.setScissorTest(panes > 1);
        for (let i = 0; i < panes; ++i) {
            if (panes > 1) this.renderOnly(i);
            const pane = this.pane(i);
            const bottom = size.y - pane.y - pane.height;
            this.renderer.setViewport(pane.x, bottom, pane.width, pane.height);
            this.renderer.setScissor(pane.x, bottom, pane.width, pane.height);
            this.renderer.render(this.scene, this.rig.camera);
        }
        if (panes > 1) this.renderOnly(null);
        this.cost.calls = this.renderer.info.render.calls;
        this.cost.triangles = this.renderer.info.render.triangles;
    }

    private renderOnly(pane: number | null): void {
        this.views.forEach((view, i) => (view.group.visible = pane === null || i === pane));
        this.overlays.forEach(
            (overlay, i) => (overlay.group.visible = pane === null || i === pane),
        );
    }

    private applyQuality(): void {
        this.environment.setShadows(this.shadowsOn ? this.quality.current.shadows : 0);
        this.resize();
    }

    private recordCost(ms: number): void {
        this.cost.script.push(ms);
        if (this.cost.script.length > costsKept) this.cost.script.shift();
    }
}
