// Connects the view options and the overlay messages to the viewport.

import { boundingRadius } from './scene_bounds';
import type { Session } from '../store/session';
import type { ViewOptions } from '../store/view_options';
import type { Viewport } from './viewport';

export function connectOverlays(
    session: Session,
    viewOptions: ViewOptions,
    viewport: Viewport,
): void {
    viewOptions.overlays.observe((on) => {
        const wanted = viewOptions.subscription();
        for (const overlay of viewport.overlays) overlay.clearDisabled(wanted, on.has('joints'));
        viewport.setTrails(on.has('trails'));
        viewport.setShadows(on.has('shadows'));
        viewport.setShapes(on.has('shapes'));
    });
    viewOptions.color.observe((mode) => viewport.setColorMode(mode));
    session.contacts.listen((contacts) => {
        const parts = {
            contacts: viewOptions.has('contacts'),
            friction: viewOptions.has('friction'),
            penetration: viewOptions.has('penetration'),
        };
        viewport.overlays[contacts.world]?.showContacts(
            contacts,
            parts,
            arrowLength(session, contacts.world),
        );
        viewport.invalidate();
    });
    session.lines.listen((lines) => {
        if (viewOptions.subscription().has(lines.kind))
            viewport.overlays[lines.world]?.showLines(lines);
        viewport.invalidate();
    });
    session.joints.listen((joints) => {
        viewport.overlays[joints.world]?.showJoints(
            joints,
            viewOptions.has('joints'),
            arrowLength(session, joints.world),
        );
        viewport.invalidate();
    });
}

const lengths = new WeakMap<object, number>();

// Arrows are scaled to the median body, so that they suit scenes of any size.
function arrowLength(session: Session, index: number): number {
    const world = session.worlds[index];
    if (!world) return 1;
    const known = lengths.get(world);
    if (known) return known;
    const reaches = [...world.bodies.values()]
        .filter((body) => body.type === 'dynamic')
        .map((body) => boundingRadius(world, body) ?? 0)
        .sort((a, b) => a - b);
    const length = 1.5 * (reaches[Math.floor(reaches.length / 2)] ?? 0.5) || 0.5;
    lengths.set(world, length);
    return length;
}
