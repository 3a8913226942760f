// Which keys control the vehicles and driven bodies of a scene, and when they do.

import { isTyping, takesActivation } from '../base/dom';
import type { SceneRoles } from '../store/scene_roles';

const directions = [
    'KeyW',
    'KeyA',
    'KeyS',
    'KeyD',
    'ArrowUp',
    'ArrowLeft',
    'ArrowDown',
    'ArrowRight',
];
/// The hand brake of vehicles.
const handBrake = 'Space';
/// Of bodies that also move up and down.
const heightKeys = ['KeyQ', 'KeyE', 'PageUp', 'PageDown'];

/// The keys, as KeyboardEvent.code. A scene with vehicles alone leaves Q and E to the camera.
export function driveCodes({ vehicles, drivers }: SceneRoles): ReadonlySet<string> {
    const codes = new Set(directions);
    if (vehicles.length > 0) codes.add(handBrake);
    const isDriverMoved = drivers.some((driver) => driver.input === 'keys');
    if (isDriverMoved || vehicles.length === 0) for (const code of heightKeys) codes.add(code);
    return codes;
}

export const hasModifier = (event: KeyboardEvent): boolean =>
    event.ctrlKey || event.metaKey || event.altKey || (event.code === 'Space' && event.shiftKey);

const arrowControls = 'input, select, [role="radiogroup"], [role="tablist"], [role="menu"]';

/// Whether the focused element leaves this key to the vehicle: letters belong to text fields, arrows to
/// lists and sliders, Space to buttons.
export function leavesToDriver(event: KeyboardEvent): boolean {
    const { code, target } = event;
    if (document.querySelector('dialog[open]')) return false;
    const isSlider = target instanceof HTMLInputElement && target.type === 'range';
    if (isTyping(target) && !isSlider) return false;
    if (code === 'Space') return !takesActivation(target);
    const usesArrows = target instanceof Element && target.closest(arrowControls) !== null;
    return !(usesArrows && (code.startsWith('Arrow') || code.startsWith('Page')));
}
