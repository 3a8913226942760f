import { describe, expect, it } from 'vitest';
import type { Ray } from '../../src/draw/viewport';
import type { Body, SceneMessage } from '../../src/protocol/messages';
import { controlOf, duelText, isDecided } from '../../src/store/duel_text';
import { currentVehicle, rolesOf, takesKeys } from '../../src/store/scene_roles';
import { driveCodes } from '../../src/tools/drive_keys';
import { onPlane, padPoint } from '../../src/tools/pointer_driver';

const bodies = new Map<number, Body>(
    [0, 1, 2, 3].map((index) => [index, { index, name: `b${index}`, type: 'dynamic', shapes: [] }]),
);
const scene = (parts: Partial<SceneMessage>): SceneMessage => ({
    type: 'scene',
    name: '',
    time_step: 0.01,
    worlds: [{ method: 'fast', settings: {}, bodies: [], geometries: [] }],
    ...parts,
});
const car = { name: 'car', chassis: 1, wheels: [2, 3] };

describe('roles of a scene', () => {
    it('are read from the scene or from its first world', () => {
        expect(rolesOf(scene({ vehicles: [car] }), bodies).vehicles).toEqual([car]);
        const inWorld = scene({});
        inWorld.worlds[0].vehicles = [car];
        expect(rolesOf(inWorld, bodies).vehicles).toEqual([car]);
    });

    it('end with their bodies', () => {
        const without = new Map(bodies);
        without.delete(1);
        const roles = rolesOf(scene({ vehicles: [car] }), without);
        expect(roles.vehicles).toEqual([]);
        expect(takesKeys(roles)).toBe(false);
    });

    it('take keys from bodies when the server lists no drivers', () => {
        const driven = new Map(bodies).set(0, { ...bodies.get(0)!, driver: 'keys' });
        expect(takesKeys(rolesOf(scene({}), driven))).toBe(true);
        const moused = new Map(bodies).set(0, { ...bodies.get(0)!, driver: 'mouse' });
        expect(rolesOf(scene({}), moused).drivers).toEqual([]);
    });

    it('prefer the vehicle of the selected body', () => {
        const other = { name: 'other', chassis: 0, wheels: [] };
        const roles = rolesOf(scene({ vehicles: [other, car] }), bodies);
        expect(currentVehicle(roles, 3)).toBe(car);
        expect(currentVehicle(roles, null)).toBe(other);
    });

    it('say which keys drive', () => {
        const vehicles = driveCodes(rolesOf(scene({ vehicles: [car] }), bodies));
        expect(vehicles.has('Space') && !vehicles.has('KeyQ')).toBe(true);
        const driver = { body: 0, input: 'keys' as const, grid: false };
        const drivers = driveCodes(rolesOf(scene({ drivers: [driver] }), bodies));
        expect(drivers.has('KeyQ') && !drivers.has('Space')).toBe(true);
    });
});

describe('the pointer', () => {
    it('maps the central square to -1..1, up being positive', () => {
        expect(padPoint(400, 300, 800, 600)).toEqual({ x: 0, y: 0 });
        expect(padPoint(400 + 252, 300, 800, 600)).toEqual({ x: 1, y: 0 });
        expect(padPoint(400, 300 - 126, 800, 600)).toEqual({ x: 0, y: 0.5 });
        expect(padPoint(0, 600, 800, 600)).toEqual({ x: -1, y: -1 });
    });

    it('meets the plane that faces the camera, and nothing behind it', () => {
        const at: Ray = { world: 0, origin: [0, 0, 0], direction: [0, 1, 0] };
        expect(onPlane(at, [5, 3, 5], [0, 1, 0])).toEqual([0, 3, 0]);
        expect(onPlane(at, [5, -3, 5], [0, 1, 0])).toBeNull();
        expect(onPlane(at, [5, 3, 5], [1, 0, 0])).toBeNull();
    });
});

describe('a duel', () => {
    const duel = { names: ['you', 'other'] as [string, string], rounds: 3 };
    const now = {
        score: [1, 0] as [number, number],
        round: 1,
        control: [1, 1] as [number, number],
    };

    it('is decided by a majority or by its last round', () => {
        expect(isDecided(duel, { ...now, over: true })).toBe(false);
        expect(isDecided(duel, { ...now, score: [2, 0], round: 2, over: true })).toBe(true);
        expect(isDecided(duel, { ...now, score: [1, 1], round: 3, over: true })).toBe(true);
        expect(isDecided(duel, { ...now, score: [2, 0], round: 3, over: false })).toBe(false);
    });

    it('tells rounds and the end', () => {
        expect(duelText(duel, { ...now, over: false, last_hit: 'blades meet' })).toBe(
            'blades meet',
        );
        expect(duelText(duel, { ...now, over: true })).toBe('Round 1 is over.');
        expect(duelText(duel, { ...now, score: [1, 2], round: 3, over: true })).toBe(
            'The duel goes to other, 1 : 2.',
        );
        expect(duelText(duel, { ...now, score: [1, 1], round: 3, over: true })).toBe(
            'The duel ends in a draw, 1 : 1.',
        );
    });

    it('tells control apart', () => {
        expect([0, 0.04, 0.5, 1].map(controlOf)).toEqual(['lost', 'lost', 'regaining', 'full']);
    });
});
