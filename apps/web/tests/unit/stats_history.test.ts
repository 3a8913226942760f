import { describe, expect, it } from 'vitest';
import type { StatsMessage, WorldStats } from '../../src/protocol/messages';
import { StatsHistory } from '../../src/store/stats_history';

const world: WorldStats = {
    energy: { kinetic: 1, potential: 2, total: 3 },
    momentum: [3, 4, 0],
    angular_momentum: [0, 0, 1],
    ledger: {},
    contacts: 2,
    penetration: 0.001,
    bodies: 3,
    awake: 1,
    step_ms: 0.5,
    stages: [],
};
const stats = (step: number): StatsMessage => ({
    type: 'stats',
    step,
    time: step / 60,
    worlds: [world],
});

describe('the history of statistics', () => {
    it('drops later samples after seeking back', () => {
        const history = new StatsHistory();
        for (const step of [1, 2, 3, 4]) history.add(stats(step));
        history.add(stats(2));
        expect(history.samples.map((s) => s.step)).toEqual([1, 2]);
    });

    it('exports a CSV line for each sample and world', () => {
        const history = new StatsHistory();
        history.add(stats(6));
        const [header, line] = history.csv().trim().split('\n');
        expect(header.split(',').length).toBe(line.split(',').length);
        expect(line).toContain('6,0.1,0,1,2,3,3,4,0,5');
    });
});
