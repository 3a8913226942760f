// Overlay colors, shared by drawing and legends.

import { Color } from 'three';

export const overlayColors = {
    sticking: '#2f9e5b',
    sliding: '#e8862e',
    inactive: '#8a939c',
    friction: '#c2459a',
    depth: '#e03131',
    joint: '#3b82d6',
    jointError: '#e03131',
    distanceJoint: '#7d8791',
    limit: '#b8860b',
    axis1: '#d9483b',
    axis2: '#3f9b4f',
    axis3: '#3b74d6',
    bounds: '#8a6fd1',
    tree: '#58a6a6',
    sweep: '#d19a2f',
    tracks: '#4a5563',
    trail: '#5b8def',
    spring: '#f08c00',
} as const;

export type OverlayColor = keyof typeof overlayColors;

const made = new Map<OverlayColor, Color>();

export function overlayColor(name: OverlayColor): Color {
    let color = made.get(name);
    if (!color) made.set(name, (color = new Color(overlayColors[name])));
    return color;
}
