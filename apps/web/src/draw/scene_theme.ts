// Colors and lights of the 3D view in the light and the dark theme.

export interface SceneTheme {
    skyTop: string;
    skyBottom: string;
    ground: string;
    line: string;
    sun: string;
    sunStrength: number;
    skyLight: string;
    groundLight: string;
    ambientStrength: number;
    accent: string;
}

export const lightScene: SceneTheme = {
    skyTop: '#9fc0e0',
    skyBottom: '#eaf1f7',
    ground: '#eff1f3',
    line: '#a3adb6',
    sun: '#fff8ee',
    sunStrength: 2.0,
    skyLight: '#e6f0fb',
    groundLight: '#b5aea4',
    ambientStrength: 1.3,
    accent: '#0b63ce',
};

export const darkScene: SceneTheme = {
    skyTop: '#141c26',
    skyBottom: '#34404d',
    ground: '#4a5561',
    line: '#6d7c8b',
    sun: '#fff1dd',
    sunStrength: 2.1,
    skyLight: '#9fb4cc',
    groundLight: '#55565a',
    ambientStrength: 1.4,
    accent: '#6cb6ff',
};
