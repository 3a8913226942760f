// Small scenes the tests open as files.

const floor = { name: 'floor', type: 'static', shapes: [{ type: 'plane', normal: [0, 0, 1] }] };
const cube = (name, position) => ({ name, position, shapes: [{ type: 'box', size: [1, 1, 1] }] });

/// Three cubes at rest on a floor, and one in the air.
export const cubes = {
    rigor: 1,
    name: 'three cubes',
    bodies: [
        floor,
        cube('left', [-2, 0, 0.5]),
        cube('middle', [0, 0, 0.5]),
        cube('right', [2, 0, 0.5]),
        cube('falling', [0, 0, 4]),
    ],
    camera: { position: [0, -12, 4], target: [0, 0, 1] },
};

/// A pendulum and a fast ball, so that every overlay has something to show.
export const mechanism = {
    rigor: 1,
    name: 'mechanism',
    bodies: [
        floor,
        { name: 'bob', position: [1, 0, 3], shapes: [{ type: 'sphere', radius: 0.3 }] },
        cube('block', [-2, 0, 0.5]),
        {
            name: 'shot',
            position: [-6, 0, 0.8],
            velocity: [40, 0, 0],
            continuous: true,
            shapes: [{ type: 'sphere', radius: 0.1 }],
        },
    ],
    joints: [
        {
            name: 'pin',
            type: 'hinge',
            a: 'bob',
            b: 'world',
            anchor: [0, 0, 3],
            axis: [0, 1, 0],
            limits: [-2, 2],
        },
    ],
    camera: { position: [0, -12, 4], target: [0, 0, 1.5] },
};

/// A ball in free flight that soon crosses the boundary of a periodic cell.
export const cell = {
    rigor: 1,
    name: 'cell',
    gravity: [0, 0, 0],
    bodies: [
        floor,
        {
            name: 'ball',
            position: [1.9, 0, 1],
            velocity: [2, 0, 0],
            shapes: [{ type: 'sphere', radius: 0.3 }],
        },
    ],
    periodic: [
        [-2, -2, 0],
        [2, 2, 4],
    ],
    camera: { position: [0, -12, 4], target: [0, 0, 1.5] },
};

/// As many bodies as the pile_mixed benchmark, of the same three kinds.
export const pile = {
    rigor: 1,
    name: 'pile of 4,000',
    bodies: [floor],
    generate: [
        {
            pattern: 'pile',
            count: 4000,
            region: [
                [-8, -8, 0.5],
                [8, 8, 24],
            ],
            jitter: 0.02,
            tilt: 0.4,
            seed: 1,
            bodies: [
                { shapes: [{ type: 'box', size: [0.5, 0.5, 0.5] }] },
                { shapes: [{ type: 'sphere', radius: 0.3 }] },
                { shapes: [{ type: 'capsule', radius: 0.2, length: 0.4 }] },
            ],
        },
    ],
    camera: { position: [26, -26, 16], target: [0, 0, 5] },
};

/// A negative radius on the sixth line.
export const broken = `{
  "rigor": 1,
  "name": "broken",
  "bodies": [
    { "name": "ball", "shapes": [
      { "type": "sphere", "radius": -1 } ] }
  ]
}`;
