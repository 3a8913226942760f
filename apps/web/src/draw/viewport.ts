// The canvas: every world of the show, its overlays and surroundings, drawn when something changed.

import { Color, NoToneMapping, PCFShadowMap, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import { normalize, subtract, type Vec3 } from '../base/vec';
import type { Session } from '../store/session';
import { CameraRig } from './camera_rig';
import type { ColorMode } from './colors';
import { Environment } from './environment';
import { Highlight } from './highlight';
import { lightLook, type Look } from './look';
import { LineMarks } from './marks';
import { QualityGovernor } from './quality';
import { OverlayView } from './overlay_view';
import { sceneBounds } from './scene_bounds';
import { Trails } from './trails';
import { WorldView } from './world_view';

/// How several worlds are shown.
export type Layout = 'split' | 'ghost';

export interface Ray {
    world: number;
    origin: Vec3;
    direction: Vec3;
}

/// In CSS pixels from the upper left corner of the canvas.
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
// Far from zero the drawing is relative to a point nearby, since a GPU has floats only.
const farAway = 500;

export class Viewport {
    readonly rig = new CameraRig();
    readonly trails = new Trails();
    readonly hand = new LineMarks(true);
    readonly cost: DrawCost = { calls: 0, triangles: 0, script: [] };
    views: WorldView[] = [];
    overlays: OverlayView[] = [];
    origin: Vec3 = [0, 0, 0];
    private readonly renderer: WebGLRenderer;
    private readonly scene = new Scene();
    private readonly environment = new Environment();
    private readonly quality = new QualityGovernor(location.search);
    private readonly highlight = new Highlight();
    private readonly cell = new LineMarks(false);
    private layout: Layout = 'split';
    private look: Look = lightLook;
    private mode: ColorMode = 'own';
    private trailsOn = false;
    private shadowsOn = true;
    private drawnAt = 0;
    private dirty = true;
    private framed = false;
    private still = false;
    private lastTime = 0;
    private begun = 0;
    /// Where the lowest body was at the start.
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
            this.hand.object,
            this.trails.marks.object,
            this.cell.object,
        );
        session.scene.listen(() => this.openScene());
        session.bodiesChanged.listen((world) => this.changeBodies(world.index));
        session.selected.listen((slot) => this.outline(slot));
        session.frame.listen((world) => this.takeFrame(world));
    }

    /// To be called whenever something outside the poses changed what is to be seen.
    invalidate(): void {
        this.dirty = true;
    }

    resize(): void {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.quality.current.pixelRatio));
        this.renderer.setSize(width, height, false);
        this.dirty = true;
    }

    setLook(look: Look): void {
        this.look = look;
        this.environment.setLook(look);
        this.scene.background = new Color(look.skyBottom);
        this.highlight.setColor(look.accent);
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

    setShadows(on: boolean): void {
        this.shadowsOn = on;
        this.applyQuality();
    }

    setLayout(layout: Layout): void {
        this.layout = layout;
        this.views.forEach((view, index) => view.setGhost(layout === 'ghost' && index > 0));
        this.dirty = true;
    }

    /// Moves the bodies to where they are shown at time `now`.
    advance(now: number): void {
        this.begun = performance.now();
        for (const world of this.session.worlds) world.poses.advance(now);
    }

    /// Draws what is shown at time `now`, if it changed.
    draw(now: number): void {
        let changed = this.rig.advance(Math.min(100, now - this.lastTime)) || this.dirty;
        this.lastTime = now;
        for (const world of this.session.worlds) changed ||= world.poses.hasChanged();
        this.still = !changed;
        if (!changed || this.canvas.clientWidth === 0) return;
        this.dirty = false;
        this.placeAll();
        this.render();
        this.note(performance.now() - this.begun);
        if (this.quality.drew(now - this.drawnAt)) this.applyQuality();
        this.drawnAt = now;
    }

    /// The last picture shows everything there is to show.
    isStill(): boolean {
        return this.still && this.framed;
    }

    frameAll(atOnce = false): void {
        const ball = sceneBounds(this.session.worlds[0]);
        if (ball) this.rig.frame(ball.center, ball.radius, atOnce);
    }

    /// The ray under a point of the page, and the world it looks into.
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

    /// Where a point of the world is on the page (in the first pane), in CSS pixels of the canvas.
    project(point: Vec3): { x: number; y: number; visible: boolean } {
        const p = new Vector3(...subtract(point, this.origin)).project(this.rig.camera);
        const { width, height } = this.pane(0);
        return { x: ((p.x + 1) / 2) * width, y: ((1 - p.y) / 2) * height, visible: p.z < 1 };
    }

    paneCount(): number {
        return this.layout === 'split' ? Math.max(1, this.views.length) : 1;
    }

    /// The part of the canvas that shows a world: side by side, or one above the other where that is wider.
    pane(index: number): Pane {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        const count = this.paneCount();
        if (height > width)
            return { x: 0, y: (index * height) / count, width, height: height / count };
        return { x: (index * width) / count, y: 0, width: width / count, height };
    }

    picture(): Promise<Blob> {
        this.render();
        return new Promise((done) => this.canvas.toBlob((blob) => done(blob!), 'image/png'));
    }

    private openScene(): void {
        for (const view of this.views) view.dispose();
        for (const overlay of this.overlays) overlay.dispose();
        this.views = this.session.worlds.map((world) => new WorldView(world));
        this.overlays = this.session.worlds.map(() => new OverlayView());
        for (const view of this.views) {
            view.setColorMode(this.mode);
            this.scene.add(view.group);
        }
        for (const overlay of this.overlays) this.scene.add(overlay.group);
        this.trails.clear();
        this.outline(null);
        this.framed = false;
        this.setLayout(this.layout);
    }

    private changeBodies(world: number): void {
        this.views[world]?.takeChanges();
        if (world === 0 && this.framed) this.showGround();
        this.dirty = true;
    }

    private takeFrame(world: number): void {
        if (!this.framed) this.settle();
        if (this.trailsOn && world === 0) this.trails.record(this.session.worlds[0]);
        const store = this.session.worlds[world];
        this.overlays[world]?.setMiddle(store.middle, this.origin);
        if (this.views[world]?.colorsFollowValues) this.views[world].recolor();
    }

    // With the first frame it is known where things are: choose the origin, the camera and the ground.
    private settle(): void {
        const world = this.session.worlds[0];
        world.poses.snap();
        this.framed = true;
        this.origin =
            Math.hypot(...world.middle) > farAway
                ? (world.middle.map(Math.round) as Vec3)
                : [0, 0, 0];
        const camera = this.session.scene.value?.camera;
        const { width, height } = this.pane(0);
        this.rig.camera.aspect = width / Math.max(1, height);
        if (camera) this.rig.open(camera);
        else this.frameAll(true);
        this.floor = sceneBounds(world)?.low ?? 0;
        this.showGround();
        this.showCell();
        this.dirty = true;
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
                new Color(this.look.line),
            );
        this.cell.flush();
    }

    private outline(slot: number | null): void {
        this.highlight.show(this.session.worlds[0], slot);
        this.dirty = true;
    }

    private placeAll(): void {
        for (const view of this.views) view.place(this.origin);
        for (const world of this.session.worlds) world.poses.clearChanged();
        this.highlight.place(this.session.worlds[0], this.origin, this.rig.view.distance * 0.0035);
        if (this.trailsOn) this.trails.draw(this.origin, new Color(this.look.ground));
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
            if (panes > 1) this.showOnly(i);
            const pane = this.pane(i);
            const bottom = size.y - pane.y - pane.height;
            this.renderer.setViewport(pane.x, bottom, pane.width, pane.height);
            this.renderer.setScissor(pane.x, bottom, pane.width, pane.height);
            this.renderer.render(this.scene, this.rig.camera);
        }
        if (panes > 1) this.showOnly(null);
        this.cost.calls = this.renderer.info.render.calls;
        this.cost.triangles = this.renderer.info.render.triangles;
    }

    private showOnly(pane: number | null): void {
        this.views.forEach((view, i) => (view.group.visible = pane === null || i === pane));
        this.overlays.forEach(
            (overlay, i) => (overlay.group.visible = pane === null || i === pane),
        );
    }

    private applyQuality(): void {
        this.environment.setShadows(this.shadowsOn ? this.quality.current.shadows : 0);
        this.resize();
    }

    private note(ms: number): void {
        this.cost.script.push(ms);
        if (this.cost.script.length > costsKept) this.cost.script.shift();
    }
}
