// The controls that a scene file asks for, as the scene message has them.

export type ControlValue = string | number | boolean;

export type ButtonAction =
    | 'restart'
    | 'run'
    | 'pause'
    | 'step'
    | 'step_back'
    | 'undo'
    | 'redo'
    | 'throw'
    | 'drop'
    | 'explode'
    | 'check';

/// A control that the scene file asks for; `value` is what the open scene has at `path`.
export type SceneControl = { label: string; unit?: string } & (
    | { type: 'slider'; path: string; value: number; range: [number, number]; step?: number }
    | { type: 'switch' | 'choice'; path: string; value: ControlValue; values: ControlValue[] }
    | { type: 'button'; action: ButtonAction }
);
