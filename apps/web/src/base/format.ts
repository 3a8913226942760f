// Number formatting: three significant digits, SI prefixes, clock times.

const prefixes: [number, string][] = [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
    [1, ''],
    [1e-3, 'm'],
    [1e-6, 'µ'],
    [1e-9, 'n'],
];

/// 0.0123 m -> "12.3 mm". Kilograms keep their prefix.
export function quantity(value: number, unit: string): string {
    if (!Number.isFinite(value)) return `– ${unit}`;
    if (unit === 'kg' || unit === '' || unit.includes('/') || unit.includes('·')) {
        return `${digits(value)} ${unit}`.trim();
    }
    const size = Math.abs(value);
    if (size < 1e-9) return `0 ${unit}`;
    const [scale, prefix] =
        prefixes.find(([s]) => size >= s * 0.9995) ?? prefixes[prefixes.length - 1];
    return `${digits(value / scale)} ${prefix}${unit}`;
}

/// Three significant digits; an exponent only for very large or small numbers.
export function digits(value: number): string {
    if (!Number.isFinite(value)) return '–';
    const size = Math.abs(value);
    if (size === 0) return '0';
    if (size >= 1e6 || size < 1e-4) return value.toExponential(2).replace('e+', 'e');
    if (size >= 1000) return String(Math.round(value));
    return String(Number(value.toPrecision(3)));
}

export function vector(v: ArrayLike<number>, unit: string): string {
    return `${Array.from(v, (x) => digits(Math.abs(x) < 1e-12 ? 0 : x)).join(', ')} ${unit}`;
}

/// 75.25 s -> "1:15.25".
export function clock(seconds: number): string {
    const minutes = Math.floor(seconds / 60);
    return `${minutes}:${(seconds - 60 * minutes).toFixed(2).padStart(5, '0')}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
    return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/// A file name from the name of a scene.
export function fileName(name: string, ending: string): string {
    const plain = name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '_')
        .replace(/^_+|_+$/g, '');
    return `${plain || 'scene'}.${ending}`;
}
