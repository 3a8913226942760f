// Folders of the page import downwards only:
// base <- protocol <- store <- draw <- tools <- panels <- main.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = resolve(__dirname, '../../src');
const layers = ['style', 'base', 'protocol', 'store', 'draw', 'tools', 'panels', '.'];

function files(folder: string): string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? files(path) : path.endsWith('.ts') ? [path] : [];
    });
}

const layerOf = (path: string): number => layers.indexOf(relative(source, dirname(path)) || '.');

describe('imports', () => {
    it('point down', () => {
        const upward: string[] = [];
        for (const path of files(source)) {
            for (const [, target] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
                const imported = join(dirname(path), target);
                if (layerOf(imported) > layerOf(path))
                    upward.push(`${relative(source, path)} imports ${relative(source, imported)}`);
            }
        }
        expect(upward).toEqual([]);
    });

    it('come from files of at most 450 lines', () => {
        const long = files(source).filter(
            (path) => readFileSync(path, 'utf8').split('\n').length > 450,
        );
        expect(long).toEqual([]);
    });
});
