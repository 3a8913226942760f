import { Color } from 'three';
import { describe, expect, it } from 'vitest';
import { CameraRig } from '../../src/draw/camera_rig';
import { Trails } from '../../src/draw/trails';
import { periodicCell } from '../../src/base/periodic_cell';
import { WorldStore } from '../../src/store/world_store';

const corners: [[number, number, number], [number, number, number]] = [
    [0, 0, 0],
    [4, 4, 4],
];

function ballAt(periodic?: typeof corners): {
    store: WorldStore;
    put: (x: number, time: number) => void;
} {
    const store = new WorldStore(0, {
        method: 'faithful',
        settings: {},
        geometries: [],
        periodic,
        bodies: [{ index: 0, name: 'ball', type: 'dynamic', shapes: [] }],
    });
    store.poses.reserve(1);
    store.poses.shownOrientation[0] = 1;
    const put = (x: number, time: number): void => {
        store.poses.position[0] = x;
        store.time = time;
    };
    return { store, put };
}

describe('in a periodic cell', () => {
    it('a trail ends at the boundary and continues from the other side', () => {
        for (const [periodic, lines] of [
            [corners, 2],
            [undefined, 3],
        ] as const) {
            const { store, put } = ballAt(periodic);
            const trails = new Trails();
            [3.2, 3.8, 0.4, 1].forEach((x, i) => {
                put(x, i / 60);
                trails.record(store);
            });
            trails.draw([0, 0, 0], new Color());
            expect(trails.marks.object.geometry.drawRange.count).toBe(2 * lines);
        }
    });

    it('a following camera crosses the boundary with its body', () => {
        const rig = new CameraRig();
        const cell = periodicCell(corners);
        const lag = (x: number): number => x - rig.view.target[0];
        for (const x of [3, 3.5]) {
            rig.follow([x, 0, 0], cell);
            rig.advance(16);
        }
        const before = lag(3.5);
        rig.follow([0, 0, 0], cell);
        expect(lag(0)).toBeCloseTo(before + 0.5, 9);
    });
});
