// The keys that control the scene, shown over the 3D view.

import { make, replace } from '../base/dom';
import { loadLocal, saveLocal } from '../base/local_storage';
import { Signal } from '../base/signal';
import { pointerDrivers, takesKeys, type SceneRoles } from '../store/scene_roles';
import type { Session } from '../store/session';
import type { HeldKeys } from '../tools/held_keys';
import { iconButton } from './controls';

export interface LegendLine {
    keys: string[];
    does: string;
}

const vehicleLines: LegendLine[] = [
    { keys: ['W', '↑'], does: 'accelerate' },
    { keys: ['S', '↓'], does: 'brake, then reverse' },
    { keys: ['A', 'D', '←', '→'], does: 'steer' },
    { keys: ['Space'], does: 'hand brake' },
    { keys: ['B'], does: 'camera behind, or free' },
];

const driverLines: LegendLine[] = [
    { keys: ['W', 'A', 'S', 'D'], does: 'move, as the arrow keys do' },
    { keys: ['Q', 'E'], does: 'down and up' },
];

/// The lines of the legend for a scene; none when nothing in it is controlled.
export function legendLines(roles: SceneRoles, driving: boolean): LegendLine[] {
    const lines: LegendLine[] = [];
    const hasKeyDrivers = roles.drivers.some((driver) => driver.input === 'keys');
    const hasFreeDrivers = roles.drivers.some((d) => d.input === 'keys' && !d.grid);
    if (driving && roles.vehicles.length > 0) lines.push(...vehicleLines);
    else if (driving && hasKeyDrivers) lines.push(...driverLines.slice(0, hasFreeDrivers ? 2 : 1));
    if (takesKeys(roles))
        lines.push({ keys: ['K'], does: driving ? 'keys move the camera' : 'drive with the keys' });
    if (driving && roles.vehicles.length > 0)
        lines.push({ keys: ['Shift+Space'], does: 'run or pause' });
    if (pointerDrivers(roles).length > 0) {
        lines.push({ keys: ['Pointer'], does: 'moves the driven body, without a button' });
        lines.push({ keys: ['M'], does: 'pointer on or off' });
    }
    return lines;
}

export class KeyLegend {
    readonly element = make('section', {
        class: 'hud-card key-legend',
        'aria-label': 'Keys of this scene',
        'data-test': 'key-legend',
        hidden: true,
    });
    /// Wanted by the user; shown when there is something to tell.
    readonly isOpen = new Signal(loadLocal('legend', true));
    private readonly list = make('dl', {});

    constructor(
        private readonly session: Session,
        private readonly keys: HeldKeys,
    ) {
        const close = iconButton('close', 'Hide the keys', () => (this.isOpen.value = false));
        this.element.append(this.list, close);
        session.roles.listen(() => this.show());
        keys.driving.listen(() => this.show());
        this.isOpen.listen((open) => {
            saveLocal('legend', open);
            this.show();
        });
    }

    private show(): void {
        const lines = legendLines(this.session.roles.value, this.keys.driving.value);
        replace(
            this.list,
            ...lines.map(({ keys, does }) =>
                make(
                    'div',
                    {},
                    make('dt', {}, ...keys.map((key) => make('kbd', {}, key))),
                    make('dd', {}, does),
                ),
            ),
        );
        this.element.hidden = !this.isOpen.value || lines.length === 0;
    }
}
