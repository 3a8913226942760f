import { describe, expect, it } from 'vitest';
import { readBodies, readHeader } from '../../src/protocol/frame';
import { Poses } from '../../src/store/poses';
import { encodeFrame, type FrameBody } from './encode_frame';

function decode(view: DataView): Poses {
    const poses = new Poses();
    poses.beginFrame(0);
    readBodies(view, readHeader(view), poses);
    return poses;
}

const random = (() => {
    let state = 1;
    return () => ((state = (state * 48271) % 2147483647) / 2147483647) * 2 - 1;
})();

function randomTurn(): [number, number, number, number] {
    const q = [random(), random(), random(), random()];
    const size = Math.hypot(...q);
    return q.map((x) => x / size) as [number, number, number, number];
}

describe('a pose frame', () => {
    it('has a header', () => {
        const header = readHeader(
            encodeFrame({
                world: 2,
                full: true,
                sequence: 7,
                step: 2 ** 40,
                time: 12.5,
                center: [1, -2, 3],
                unit: 0.25,
                bodies: [],
            }),
        );
        expect(header).toEqual({
            world: 2,
            full: true,
            hasValues: false,
            sequence: 7,
            step: 2 ** 40,
            time: 12.5,
            center: [1, -2, 3],
            unit: 0.25,
        });
    });

    it('restores positions to half a unit, at both ends of the range and far from the origin', () => {
        const unit = Math.fround(1e-4);
        const center: [number, number, number] = [1e6, -3, 0];
        const reach = (2 ** 20 - 1) * unit;
        const bodies: FrameBody[] = [-reach, -0.3, 0, 0.00007, reach].map((x, slot) => ({
            slot,
            position: [center[0] + x, center[1] - x, center[2] + x],
            orientation: [1, 0, 0, 0],
        }));
        const poses = decode(encodeFrame({ bodies, center, unit }));
        for (const body of bodies) {
            for (let k = 0; k < 3; ++k) {
                expect(Math.abs(poses.position[3 * body.slot + k] - body.position[k])).toBeLessThan(
                    0.5001 * unit + 1e-9,
                );
            }
        }
    });

    it('restores orientations, whichever component is the largest', () => {
        const bodies: FrameBody[] = Array.from({ length: 500 }, (_, slot) => ({
            slot,
            position: [0, 0, 0],
            orientation: randomTurn(),
        }));
        const poses = decode(encodeFrame({ bodies }));
        for (const { slot, orientation } of bodies) {
            const got = poses.orientation.subarray(4 * slot, 4 * slot + 4);
            const alike = Math.abs(orientation.reduce((sum, x, i) => sum + x * got[i], 0));
            expect(2 * Math.acos(Math.min(1, alike))).toBeLessThan(2e-3);
            expect(Math.hypot(...got)).toBeCloseTo(1, 5);
        }
    });

    it('restores slots, sleep flags and color values', () => {
        const bodies: FrameBody[] = [3, 4, 9].map((slot) => ({
            slot,
            position: [slot, 0, 0],
            orientation: [1, 0, 0, 0],
            asleep: slot === 4,
            value: 10 * slot,
        }));
        const poses = decode(encodeFrame({ bodies, unit: 1e-3, values: true }));
        expect([3, 4, 9].map((slot) => Math.round(poses.position[3 * slot]))).toEqual([3, 4, 9]);
        expect([3, 4, 9].map((slot) => poses.asleep[slot])).toEqual([0, 1, 0]);
        expect([3, 4, 9].map((slot) => poses.value[slot])).toEqual([30, 40, 90]);
        expect(poses.isPlaced(5)).toBe(false);
    });

    it('that is truncated is rejected before anything is written', () => {
        const whole = encodeFrame({
            bodies: [{ slot: 0, position: [1, 1, 1], orientation: [1, 0, 0, 0] }],
        });
        const cut = new DataView(whole.buffer, 0, whole.byteLength - 1);
        expect(() => decode(cut)).toThrow(RangeError);
    });
});
