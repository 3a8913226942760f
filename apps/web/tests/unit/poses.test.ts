import { describe, expect, it } from 'vitest';
import { readBodies, readHeader } from '../../src/protocol/frame';
import { periodicCell } from '../../src/base/periodic_cell';
import { Poses } from '../../src/store/poses';
import { encodeFrame } from './encode_frame';

const frame = (x: number, slot = 0): DataView =>
    encodeFrame({ unit: 1e-3, bodies: [{ slot, position: [x, 0, 0], orientation: [1, 0, 0, 0] }] });

function take(poses: Poses, view: DataView, now: number): void {
    poses.beginFrame(now);
    readBodies(view, readHeader(view), poses);
}

describe('shown poses', () => {
    it('start at the first received pose, not at the origin', () => {
        const poses = new Poses();
        take(poses, frame(5), 0);
        expect(poses.shownPosition[0]).toBeCloseTo(5, 3);
    });

    it('move evenly from one frame to the next and then stop', () => {
        const poses = new Poses();
        for (let i = 0; i <= 60; ++i) {
            take(poses, frame(i * 0.1), i * 16);
            poses.advance(i * 16 + 16);
        }
        take(poses, frame(6.1), 61 * 16);
        poses.advance(61 * 16 + 8);
        expect(poses.shownPosition[0]).toBeGreaterThan(6.02);
        expect(poses.shownPosition[0]).toBeLessThan(6.08);
        poses.advance(61 * 16 + 200);
        expect(poses.shownPosition[0]).toBeCloseTo(6.1, 2);
        poses.clearChanged();
        poses.advance(61 * 16 + 300);
        expect(poses.hasChanged()).toBe(false);
    });

    it('never go back, though a frame may arrive after the rendering time', () => {
        const poses = new Poses();
        take(poses, frame(0), 0);
        take(poses, frame(1), 16);
        poses.advance(24);
        const before = poses.shownPosition[0];
        take(poses, frame(2), 40);
        poses.advance(30);
        expect(poses.shownPosition[0]).toBeGreaterThanOrEqual(before);
    });

    it('do not lag when rendering is slower than frames arrive', () => {
        const poses = new Poses();
        for (let i = 0; i <= 60; ++i) {
            take(poses, frame(i * 0.1), i * 16);
            if (i % 6 === 0) poses.advance(i * 16 + 2);
        }
        expect(poses.shownPosition[0]).toBeGreaterThan(5.8);
    });

    it('of a body that is missing in later frames reach its last pose', () => {
        const poses = new Poses();
        take(poses, frame(0, 0), 0);
        take(poses, frame(1, 0), 16);
        poses.advance(20);
        for (let i = 2; i < 6; ++i) {
            take(poses, frame(i, 1), 16 * i);
            poses.advance(16 * i + 4);
        }
        expect(poses.shownPosition[0]).toBeCloseTo(1, 6);
    });

    it('enter a periodic cell on the other side and never cross it', () => {
        const poses = new Poses(
            periodicCell([
                [0, 0, 0],
                [4, 4, 4],
            ]),
        );
        let last = 0;
        for (let i = 0; i < 40; ++i) {
            take(poses, frame((i * 0.3) % 4), i * 16);
            for (const ms of [5, 10, 16]) {
                poses.advance(i * 16 + ms);
                const step = poses.shownPosition[0] - last;
                expect(Math.min(Math.abs(step), Math.abs(step + 4)), `frame ${i}`).toBeLessThan(
                    0.31,
                );
                last = poses.shownPosition[0];
            }
        }
    });

    it('keep their content when the arrays grow', () => {
        const poses = new Poses();
        take(poses, frame(3, 2), 0);
        poses.reserve(10_000);
        expect(poses.shownPosition[6]).toBeCloseTo(3, 3);
    });
});
