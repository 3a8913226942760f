// The speedometer of a vehicle, and the switches of its camera and keys.

import { make } from '../base/dom';
import type { Signal } from '../base/signal';
import type { VehicleReadout } from '../protocol/messages';
import { currentVehicle } from '../store/scene_roles';
import type { Session } from '../store/session';
import type { HeldKeys } from '../tools/held_keys';
import type { ChaseCamera } from './chase_camera';
import { iconButton } from './controls';
import type { IconName } from './icons';
import type { KeyLegend } from './key_legend';

const kilometersPerHour = 3.6;

export const speedText = (speed: number): string =>
    Number.isFinite(speed) ? String(Math.round(Math.abs(speed) * kilometersPerHour)) : '–';

export function gearText(gear: number): string {
    if (gear < 0) return 'R';
    return gear === 0 ? 'N' : String(gear);
}

/// To the next fifty: the last digits of an engine's speed cannot be read.
export const rpmText = (rpm: number): string => String(50 * Math.round(rpm / 50));

export class DriveHud {
    readonly element: HTMLElement;
    private readonly speed = make('span', { class: 'speed-number', 'data-test': 'speed' }, '–');
    private readonly gear = make('span', { class: 'gear', 'data-test': 'gear' }, '–');
    private readonly rpm = make('span', { 'data-test': 'rpm' }, '–');
    private readonly throttle = make('span', { class: 'meter-fill' });
    private readonly brake = make('span', { class: 'meter-fill brake' });
    private readonly handBrake = make('span', { class: 'hand-brake', hidden: true }, 'hand brake');

    constructor(
        private readonly session: Session,
        keys: HeldKeys,
        chase: ChaseCamera,
        legend: KeyLegend,
    ) {
        const camera = switchButton('follow', 'Camera behind the vehicle', 'B', chase.isOn);
        camera.dataset.test = 'chase';
        const drive = switchButton('keys', 'Keys control the vehicle', 'K', keys.driving);
        drive.dataset.test = 'drive-keys';
        const help = switchButton('help', 'Keys of this scene', '', legend.isOpen);
        help.dataset.test = 'legend-switch';
        this.element = make(
            'section',
            {
                class: 'hud-card speedometer',
                'aria-label': 'Speedometer',
                'data-test': 'speedometer',
                hidden: true,
            },
            make('div', { class: 'speed-line' }, this.speed, make('small', {}, 'km/h')),
            make(
                'div',
                { class: 'drive-details' },
                make('span', {}, 'gear ', this.gear),
                make('span', { class: 'rpm' }, this.rpm, ' rpm'),
                this.handBrake,
            ),
            make(
                'div',
                { class: 'meters', 'aria-hidden': 'true' },
                make('span', { class: 'meter' }, this.throttle),
                make('span', { class: 'meter' }, this.brake),
            ),
            make('div', { class: 'drive-switches' }, camera, drive, help),
        );
        session.roles.listen(() => this.show());
        session.hud.listen(() => this.show());
        session.selected.listen(() => this.show());
    }

    private show(): void {
        const vehicle = currentVehicle(this.session.roles.value, this.session.selected.value);
        this.element.hidden = vehicle === null;
        if (!vehicle) return;
        const all = this.session.hud.value?.vehicles ?? [];
        const now = all.find((readout) => readout.chassis === vehicle.chassis);
        if (now) this.showReadout(now);
        else this.speed.textContent = this.gear.textContent = this.rpm.textContent = '–';
        this.handBrake.hidden = !now?.hand_brake;
    }

    private showReadout(now: VehicleReadout): void {
        this.speed.textContent = speedText(now.speed);
        this.gear.textContent = gearText(now.gear);
        this.rpm.textContent = rpmText(now.rpm);
        this.throttle.style.width = `${100 * now.throttle}%`;
        this.brake.style.width = `${100 * now.brake}%`;
    }
}

function switchButton(
    name: IconName,
    label: string,
    key: string,
    isOn: Signal<boolean>,
): HTMLButtonElement {
    const button = iconButton(name, label, () => (isOn.value = !isOn.value), key);
    isOn.observe((on) => button.setAttribute('aria-pressed', String(on)));
    return button;
}
