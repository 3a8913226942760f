// Body colors: those of the scene, or a color map of a quantity. Tables are linear RGB.

import { Color } from 'three';

export type ColorMode = string; // 'own' (scene colors) or a mode of the server

export interface LegendEntry {
    color: string;
    text: string;
}

// Muted, of similar lightness, distinct by hue.
const ownPalette = [
    '#6f9bc8',
    '#d9a066',
    '#7fb08a',
    '#c9837b',
    '#9a8fc4',
    '#c7b566',
    '#6fb0b3',
    '#b98fb0',
];
const categoryPalette = [
    '#4e79a7',
    '#f28e2b',
    '#59a14f',
    '#e15759',
    '#b07aa1',
    '#edc948',
    '#76b7b2',
    '#ff9da7',
    '#9c755f',
    '#8cd17d',
    '#499894',
    '#d37295',
];
const fixedColor = '#9aa0a6';
const kinematicColor = '#8fa3b8';
export const sleepLegend: LegendEntry[] = [
    { color: fixedColor, text: 'static' },
    { color: '#e0a050', text: 'awake' },
    { color: '#4a6fa5', text: 'asleep' },
    { color: '#7fd0e0', text: 'frozen' },
];

// The upper part of viridis: perceptually uniform, safe for color blindness, and light enough on a
// dark ground.
const scaleCorners = ['#5567a9', '#3f7fae', '#2a96a5', '#2fae8d', '#5dc46b', '#a4d73f', '#fde725'];

const categories = new Set(['body', 'material', 'island']);

export const isCategorical = (mode: ColorMode): boolean => categories.has(mode);
export const isScale = (mode: ColorMode): boolean =>
    mode !== 'own' && mode !== 'sleep' && !isCategorical(mode);

/// The color map of a mode: 256 colors, three floats each.
export function colorTable(mode: ColorMode): Float32Array {
    const table = new Float32Array(256 * 3);
    for (let value = 0; value < 256; ++value) colorOf(mode, value).toArray(table, 3 * value);
    return table;
}

function colorOf(mode: ColorMode, value: number): Color {
    if (mode === 'sleep') return new Color(sleepLegend[value]?.color ?? fixedColor);
    if (mode !== 'body' && isCategorical(mode) && value === 0) return new Color(fixedColor);
    if (isCategorical(mode)) return new Color(categoryPalette[value % categoryPalette.length]);
    const at = (value / 255) * (scaleCorners.length - 1);
    const lower = Math.min(Math.floor(at), scaleCorners.length - 2);
    return new Color(scaleCorners[lower]).lerp(new Color(scaleCorners[lower + 1]), at - lower);
}

export const scaleGradient = `linear-gradient(to right, ${scaleCorners.join(', ')})`;

/// The color given by the scene, or one from the palette by body index.
export function ownColor(given: string | undefined, type: string, index: number): Color {
    if (type === 'static') return new Color(given ?? fixedColor);
    if (type === 'kinematic') return new Color(given ?? kinematicColor);
    const color = new Color(given ?? ownPalette[index % ownPalette.length]);
    // Lightness varies with the index, so that equal neighbors (bricks of a wall) can be told apart.
    return color.multiplyScalar(0.8 + (0.3 * (((index * 2654435761) >>> 8) % 256)) / 255);
}
