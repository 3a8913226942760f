// Binary frames: which bodies moved, and to where. The decoder writes straight into the arrays that
// poses are kept in, so a frame of ten thousand bodies makes no garbage.

/// Where a decoder puts what it reads: by body slot, three doubles and four floats (w, x, y, z).
export interface PoseSink {
    position: Float64Array;
    orientation: Float32Array;
    asleep: Uint8Array;
    value: Uint8Array;
    /// Called once, before anything is written, with one past the highest slot of the frame.
    reserve(slots: number): void;
    /// Called for each run of slots, after it was written.
    moved(first: number, count: number): void;
}

export interface FrameHeader {
    world: number;
    whole: boolean;
    hasValues: boolean;
    sequence: number;
    step: number;
    time: number;
    middle: [number, number, number];
    unit: number;
}

export const frameType = 1;
const headerBytes = 56;
const runBytes = 8;
const bodyBytes = 14;

const wholeFlag = 1;
const valuesFlag = 2;

export function readHeader(view: DataView): FrameHeader {
    const flags = view.getUint8(2);
    return {
        world: view.getUint8(1),
        whole: (flags & wholeFlag) !== 0,
        hasValues: (flags & valuesFlag) !== 0,
        sequence: view.getUint32(4, true),
        step: Number(view.getBigUint64(8, true)),
        time: view.getFloat64(16, true),
        middle: [view.getFloat64(24, true), view.getFloat64(32, true), view.getFloat64(40, true)],
        unit: view.getFloat32(48, true),
    };
}

/// Reads the bodies of a frame into `sink`. Throws RangeError when the frame is shorter than it says.
export function readBodies(view: DataView, header: FrameHeader, sink: PoseSink): void {
    const runs = view.getUint32(headerBytes - 4, true);
    const bodies = headerBytes + runs * runBytes;
    let total = 0;
    let slots = 0;
    for (let r = 0; r < runs; ++r) {
        const first = view.getUint32(headerBytes + r * runBytes, true);
        const count = view.getUint32(headerBytes + r * runBytes + 4, true);
        total += count;
        slots = Math.max(slots, first + count);
    }
    const values = bodies + total * bodyBytes;
    if (values + (header.hasValues ? total : 0) > view.byteLength)
        throw new RangeError('frame too short');
    sink.reserve(slots);

    let at = 0;
    for (let r = 0; r < runs; ++r) {
        const first = view.getUint32(headerBytes + r * runBytes, true);
        const count = view.getUint32(headerBytes + r * runBytes + 4, true);
        for (let slot = first; slot < first + count; ++slot, ++at) {
            readBody(view, bodies + at * bodyBytes, header, sink, slot);
            if (header.hasValues) sink.value[slot] = view.getUint8(values + at);
        }
        sink.moved(first, count);
    }
}

// Position: bits 0-20 x, 21-41 y, 42-62 z, 63 asleep. JavaScript has 32-bit integers, so the 64 bits
// come as two halves and y is put together from both.
function readBody(
    view: DataView,
    at: number,
    header: FrameHeader,
    sink: PoseSink,
    slot: number,
): void {
    const low = view.getUint32(at, true);
    const high = view.getUint32(at + 4, true);
    const x = (low << 11) >> 11;
    const y = ((((high & 0x3ff) << 11) | (low >>> 21)) << 11) >> 11;
    const z = ((high >>> 10) << 11) >> 11;
    const p = sink.position;
    p[3 * slot] = header.middle[0] + header.unit * x;
    p[3 * slot + 1] = header.middle[1] + header.unit * y;
    p[3 * slot + 2] = header.middle[2] + header.unit * z;
    sink.asleep[slot] = high >>> 31;
    readOrientation(view, at + 8, sink.orientation, slot);
}

// 47 bits: 0-1 say which component of w, x, y, z was left out, the largest, made positive; the other three
// follow in their order, 15 bits each, from -1/sqrt 2 to 1/sqrt 2.
function readOrientation(view: DataView, at: number, out: Float32Array, slot: number): void {
    const low = view.getUint32(at, true);
    const high = view.getUint16(at + 4, true);
    const largest = low & 3;
    const a = component((low >>> 2) & 0x7fff);
    const b = component((low >>> 17) & 0x7fff);
    const c = component(high & 0x7fff);
    const d = Math.sqrt(Math.max(0, 1 - a * a - b * b - c * c));
    const o = 4 * slot;
    out[o] = largest === 0 ? d : a;
    out[o + 1] = largest === 1 ? d : largest === 0 ? a : b;
    out[o + 2] = largest === 2 ? d : largest < 2 ? b : c;
    out[o + 3] = largest === 3 ? d : c;
}

const component = (bits: number): number => ((bits / 32767) * 2 - 1) * Math.SQRT1_2;
