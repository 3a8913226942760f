// Brings together what the user wants to see and what is drawn.

import { bodyReach } from './scene_bounds';
import type { Session } from '../store/session';
import type { Sight } from '../store/sight';
import type { Viewport } from './viewport';

export function connectOverlays(session: Session, sight: Sight, viewport: Viewport): void {
    sight.overlays.follow((on) => {
        const wanted = sight.wanted();
        for (const overlay of viewport.overlays) overlay.keepOnly(wanted, on.has('joints'));
        viewport.setTrails(on.has('trails'));
        viewport.setShadows(on.has('shadows'));
    });
    sight.color.follow((mode) => viewport.setColorMode(mode));
    session.contacts.listen((contacts) => {
        const parts = {
            contacts: sight.has('contacts'),
            friction: sight.has('friction'),
            penetration: sight.has('penetration'),
        };
        viewport.overlays[contacts.world]?.showContacts(
            contacts,
            parts,
            arrowLength(session, contacts.world),
        );
        viewport.invalidate();
    });
    session.lines.listen((lines) => {
        if (sight.wanted().has(lines.kind)) viewport.overlays[lines.world]?.showLines(lines);
        viewport.invalidate();
    });
    session.joints.listen((joints) => {
        viewport.overlays[joints.world]?.showJoints(
            joints,
            sight.has('joints'),
            arrowLength(session, joints.world),
        );
        viewport.invalidate();
    });
}

const lengths = new WeakMap<object, number>();

// Arrows are as long as a body of middling size, whatever the scale of the scene.
function arrowLength(session: Session, index: number): number {
    const world = session.worlds[index];
    if (!world) return 1;
    const known = lengths.get(world);
    if (known) return known;
    const reaches = [...world.bodies.values()]
        .filter((body) => body.type === 'dynamic')
        .map((body) => bodyReach(world, body) ?? 0)
        .sort((a, b) => a - b);
    const length = 1.5 * (reaches[Math.floor(reaches.length / 2)] ?? 0.5) || 0.5;
    lengths.set(world, length);
    return length;
}
