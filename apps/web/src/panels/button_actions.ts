// What the buttons of a scene do: what keys, timeline and tools do too.

import type { ButtonAction } from '../protocol/scene_control';
import type { ShortcutParts } from './shortcut_table';

type Parts = Pick<
    ShortcutParts,
    'session' | 'timeline' | 'checkBadge' | 'viewport' | 'picker' | 'toolbox'
>;

export function buttonActions(parts: Parts): (action: ButtonAction) => void {
    const { session, timeline, checkBadge, viewport, picker, toolbox } = parts;
    const atCenter = (tool: 'throw' | 'drop' | 'explode'): void => {
        const ray = viewport.centerRay();
        picker.pick(ray, (picked) => toolbox.use(picked, ray, tool));
    };
    const actions: Record<ButtonAction, () => void> = {
        restart: () => timeline.restart(),
        run: () => session.send({ type: 'run' }),
        pause: () => session.send({ type: 'pause' }),
        step: () => timeline.stepBy(1),
        step_back: () => timeline.stepBy(-1),
        undo: () => session.send({ type: 'undo' }),
        redo: () => session.send({ type: 'redo' }),
        throw: () => atCenter('throw'),
        drop: () => atCenter('drop'),
        explode: () => atCenter('explode'),
        check: () => checkBadge.run(),
    };
    return (action) => actions[action]();
}
