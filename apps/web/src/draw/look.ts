// The look of the stage in light and in dark.

export interface Look {
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

export const lightLook: Look = {
    skyTop: '#b9cfe4',
    skyBottom: '#eef2f5',
    ground: '#dfe3e6',
    line: '#a3adb6',
    sun: '#fff4e2',
    sunStrength: 2.3,
    skyLight: '#e6f0fb',
    groundLight: '#b5aea4',
    ambientStrength: 1.35,
    accent: '#0b63ce',
};

export const darkLook: Look = {
    skyTop: '#0d1219',
    skyBottom: '#232c37',
    ground: '#2a323b',
    line: '#4d5a67',
    sun: '#fff1dd',
    sunStrength: 2.2,
    skyLight: '#9fb4cc',
    groundLight: '#3a3a3c',
    ambientStrength: 1.0,
    accent: '#6cb6ff',
};
