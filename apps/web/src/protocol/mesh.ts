// Binary messages with the vertices of a mesh that deforms.

export const meshType = 5;

const headerBytes = 12;

export interface DeformedMesh {
    world: number;
    body: number;
    /// Index in the shapes of the body.
    shape: number;
    /// Three floats each, in the order of the geometry's vertices.
    vertices: Float32Array;
}

/// Throws RangeError when the message is truncated.
export function readMesh(view: DataView): DeformedMesh {
    const count = 3 * view.getUint32(8, true);
    const vertices = new Float32Array(count);
    for (let i = 0; i < count; ++i) vertices[i] = view.getFloat32(headerBytes + 4 * i, true);
    return {
        world: view.getUint8(1),
        shape: view.getUint16(2, true),
        body: view.getUint32(4, true),
        vertices,
    };
}
