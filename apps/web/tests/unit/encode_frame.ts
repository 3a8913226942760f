// A simple frame encoder after docs/design/viewer.md, the counterpart of the decoder under test.

export interface FrameBody {
    slot: number;
    position: [number, number, number];
    orientation: [number, number, number, number];
    asleep?: boolean;
    value?: number;
}

export interface FrameParts {
    world?: number;
    full?: boolean;
    sequence?: number;
    step?: number;
    time?: number;
    center?: [number, number, number];
    unit?: number;
    values?: boolean;
    bodies: FrameBody[];
}

export function encodeFrame(parts: FrameParts): DataView {
    const runs = runsOf(parts.bodies.map((body) => body.slot));
    const count = parts.bodies.length;
    const size = 56 + 8 * runs.length + 14 * count + (parts.values ? count : 0);
    const view = new DataView(new ArrayBuffer(size));
    const center = parts.center ?? [0, 0, 0];
    const unit = Math.fround(parts.unit ?? 1e-4);
    view.setUint8(0, 1);
    view.setUint8(1, parts.world ?? 0);
    view.setUint8(2, (parts.full ? 1 : 0) | (parts.values ? 2 : 0));
    view.setUint32(4, parts.sequence ?? 0, true);
    view.setBigUint64(8, BigInt(parts.step ?? 0), true);
    view.setFloat64(16, parts.time ?? 0, true);
    center.forEach((m, k) => view.setFloat64(24 + 8 * k, m, true));
    view.setFloat32(48, unit, true);
    view.setUint32(52, runs.length, true);
    let at = 56;
    for (const [first, length] of runs) {
        view.setUint32(at, first, true);
        view.setUint32(at + 4, length, true);
        at += 8;
    }
    for (const body of parts.bodies) {
        writeBody(view, at, body, center, unit);
        at += 14;
    }
    if (parts.values) parts.bodies.forEach((body, i) => view.setUint8(at + i, body.value ?? 0));
    return view;
}

function runsOf(slots: number[]): [number, number][] {
    const runs: [number, number][] = [];
    for (const slot of slots) {
        const last = runs[runs.length - 1];
        if (last && last[0] + last[1] === slot) ++last[1];
        else runs.push([slot, 1]);
    }
    return runs;
}

function writeBody(
    view: DataView,
    at: number,
    body: FrameBody,
    center: number[],
    unit: number,
): void {
    let bits = 0n;
    body.position.forEach((p, k) => {
        const count = BigInt(Math.round((p - center[k]) / unit));
        bits |= BigInt.asUintN(21, count) << BigInt(21 * k);
    });
    if (body.asleep) bits |= 1n << 63n;
    view.setBigUint64(at, bits, true);
    const turn = orientationBits(body.orientation);
    view.setUint32(at + 8, Number(turn & 0xffffffffn), true);
    view.setUint16(at + 12, Number(turn >> 32n), true);
}

function orientationBits(q: number[]): bigint {
    const largest = q.reduce((best, x, i) => (Math.abs(x) > Math.abs(q[best]) ? i : best), 0);
    const sign = q[largest] < 0 ? -1 : 1;
    let bits = BigInt(largest);
    q.filter((_, i) => i !== largest).forEach((x, k) => {
        const level = Math.round(((sign * x * Math.SQRT2 + 1) / 2) * 32767);
        bits |= BigInt(level) << BigInt(2 + 15 * k);
    });
    return bits;
}
