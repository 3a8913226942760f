// What can be controlled in a scene: vehicles, driven bodies, the two sides of a duel.

import type { Body, Driver, Duel, SceneMessage, Vehicle } from '../protocol/messages';

export interface SceneRoles {
    readonly vehicles: readonly Vehicle[];
    readonly drivers: readonly Driver[];
    readonly duel: Duel | null;
}

export const noRoles: SceneRoles = { vehicles: [], drivers: [], duel: null };

/// The roles whose bodies are there: a chassis that was deleted or broke is no vehicle. They are fields
/// of the scene or of its first world. A server without `drivers` takes keys alone, for bodies that name
/// them as their driver.
export function rolesOf(scene: SceneMessage, bodies: ReadonlyMap<number, Body>): SceneRoles {
    const world = scene.worlds[0];
    const vehicles = scene.vehicles ?? world?.vehicles ?? [];
    const drivers = scene.drivers ?? world?.drivers ?? driversOf(bodies);
    return {
        vehicles: vehicles.filter((vehicle) => bodies.has(vehicle.chassis)),
        drivers: drivers.filter((driver) => bodies.has(driver.body)),
        duel: scene.duel ?? world?.duel ?? null,
    };
}

/// Whether the keyboard controls something in the scene.
export const takesKeys = ({ vehicles, drivers }: SceneRoles): boolean =>
    vehicles.length > 0 || drivers.some((driver) => driver.input === 'keys');

/// The bodies that the pointer moves.
export const pointerDrivers = ({ drivers }: SceneRoles): Driver[] =>
    drivers.filter((driver) => driver.input === 'mouse');

function driversOf(bodies: ReadonlyMap<number, Body>): Driver[] {
    return [...bodies.values()]
        .filter((body) => body.driver === 'keys')
        .map((body) => ({ body: body.index, input: 'keys', grid: false }));
}

/// The vehicle that is shown and chased: the one with the selected body, else the first.
export function currentVehicle({ vehicles }: SceneRoles, selected: number | null): Vehicle | null {
    const hasSelected = ({ chassis, wheels }: Vehicle): boolean =>
        selected !== null && (chassis === selected || wheels.includes(selected));
    return vehicles.find(hasSelected) ?? vehicles[0] ?? null;
}
