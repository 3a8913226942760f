// Keeps the camera on a body while following is on.

import type { Viewport } from '../draw/viewport';
import type { Session } from '../store/session';

export class CameraFollower {
    private body: number | null = null;

    constructor(
        private readonly session: Session,
        private readonly viewport: Viewport,
        private readonly started: () => void,
    ) {
        session.scene.listen(() => this.stop());
    }

    toggle(): void {
        if (this.body !== null) return this.stop();
        this.body = this.session.selected.value;
        if (this.body !== null) this.started();
    }

    stop(): void {
        if (this.body === null) return;
        this.body = null;
        this.viewport.rig.follow(null);
    }

    advance(): void {
        const world = this.session.worlds[0];
        if (this.body === null || !world) return;
        if (!world.bodies.has(this.body)) this.stop();
        else {
            const p = world.poses.shownPosition;
            this.viewport.rig.follow(
                [p[3 * this.body], p[3 * this.body + 1], p[3 * this.body + 2]],
                world.cell,
            );
        }
    }
}
