// Binary pose frames. The decoder writes directly into the pose arrays, so a frame of ten thousand
// bodies allocates nothing.

/// Target of the decoder, indexed by body slot: three doubles and four floats (w, x, y, z).
export interface PoseSink {
    position: Float64Array;
    orientation: Float32Array;
    asleep: Uint8Array;
    value: Uint8Array;
    /// Called once before writing, with one past the highest slot of the frame.
    reserve(slots: number): void;
    /// Called after each run of slots was written.
    moved(first: number, count: number): void;
}

export interface FrameHeader {
    world: number;
    full: boolean;
    hasValues: boolean;
    sequence: number;
    step: number;
    time: number;
    center: [number, number, number];
    unit: number;
}

export const frameType = 1;
const headerBytes = 56;
const runBytes = 8;
const bodyBytes = 14;

const fullFlag = 1;
const valuesFlag = 2;

export function readHeader(view: DataView): FrameHeader {
    const flags = view.getUint8(2);
    return {
        world: view.getUint8(1),
        full: (flags & fullFlag) !== 0,
        hasValues: (flags & valuesFlag) !== 0,
        sequence: view.getUint32(4, true),
        step: Number(view.getBigUint64(8, true)),
        time: view.getFloat64(16, true),
        center: [view.getFloat64(24, true), view.getFloat64(32, true), view.getFloat64(40, true)],
        unit: view.getFloat32(48, true),
    };
}

/// Decodes the bodies of a frame into `sink`. Throws RangeError when the frame is truncated.
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

// Position: bits 0-20 x, 21-41 y, 42-62 z, 63 asleep. Bit operations of
// JavaScript are 32-bit, so the 64 bits are read as two halves and y is assembled from both.
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
    p[3 * slot] = header.center[0] + header.unit * x;
    p[3 * slot + 1] = header.center[1] + header.unit * y;
    p[3 * slot + 2] = header.center[2] + header.unit * z;
    sink.asleep[slot] = high >>> 31;
    readOrientation(view, at + 8, sink.orientation, slot);
}

// Smallest three, 47 bits: bits 0-1 are the index of the omitted largest component of w, x, y, z, made
// positive; the others follow in order, 15 bits each, from -1/sqrt 2 to 1/sqrt 2.
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
