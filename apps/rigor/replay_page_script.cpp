// Style and script of the page of a replay.

#include "replay_page.h"

namespace rigor::app {

const char* const kReplayStyle = R"(html, body { margin: 0; height: 100%; background: #dfe7f0;
  font: 14px/1.4 system-ui, sans-serif; color: #1b2330; overflow: hidden; }
#view { display: block; width: 100%; height: 100%; touch-action: none; outline: none; }
#bar { position: fixed; left: 12px; right: 12px; bottom: 12px; display: flex; gap: 10px;
  align-items: center; padding: 8px 12px; border-radius: 8px; background: #ffffffe6; }
#at { flex: 1; min-width: 0; }
#time { font-variant-numeric: tabular-nums; white-space: nowrap; }
button, select { font: inherit; padding: 4px 10px; }
)";

const char* const kReplayScript = R"('use strict';
const movie = JSON.parse(document.getElementById('movie').textContent);
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
const frames = movie.frames.map((f) => ({
    time: f.time, who: new Uint32Array(bytes(f.who)), poses: new Float32Array(bytes(f.poses)) }));
let meshes = new Map(); // vertices by "body part": those of the frame before, and what changed
frames.forEach((frame, i) => {
    frame.row = new Map();
    frame.who.forEach((body, k) => frame.row.set(body, k));
    for (const [body, part, text] of movie.frames[i].meshes ?? []) {
        if (frame.meshes !== meshes) meshes = frame.meshes = new Map(meshes);
        meshes.set(body + ' ' + part, new Float32Array(bytes(text)));
    }
    frame.meshes = meshes;
});
const canvas = document.getElementById('view');
const gl = canvas.getContext('webgl', { antialias: true, preserveDrawingBuffer: true });
const player = (window.player = { time: 0, playing: true, frames: frames.length, drawn: 0 });
const end = frames.length ? frames[frames.length - 1].time : 0;
const start = frames.length ? frames[0].time : 0;
player.time = start;

// Shading by the normal, which is stored beside each corner.
function shader(type, text) {
    const made = gl.createShader(type);
    gl.shaderSource(made, text);
    gl.compileShader(made);
    return made;
}
const program = gl.createProgram();
gl.attachShader(program, shader(gl.VERTEX_SHADER, `
    attribute vec3 corner, normal;
    uniform mat4 view;
    uniform vec4 q, local_q;
    uniform vec3 p, local_p, color;
    varying vec3 shade;
    vec3 turned(vec4 r, vec3 v) { return v + 2.0 * cross(r.yzw, cross(r.yzw, v) + r.x * v); }
    void main() {
        vec3 at = p + turned(q, local_p + turned(local_q, corner));
        vec3 n = turned(q, turned(local_q, normal));
        float light = 0.55 + 0.45 * dot(n, normalize(vec3(0.4, -0.5, 0.8)));
        shade = color * max(light, 0.25);
        gl_Position = view * vec4(at, 1.0);
    }`));
gl.attachShader(program, shader(gl.FRAGMENT_SHADER,
    'precision mediump float; varying vec3 shade; void main() { gl_FragColor = vec4(shade, 1.0); }'));
gl.linkProgram(program);
gl.useProgram(program);
gl.enable(gl.DEPTH_TEST);
const uniform = Object.fromEntries(['view', 'q', 'p', 'local_q', 'local_p', 'color'].map(
    (name) => [name, gl.getUniformLocation(program, name)]));
const cornerAt = gl.getAttribLocation(program, 'corner');
const normalAt = gl.getAttribLocation(program, 'normal');
gl.enableVertexAttribArray(cornerAt);
gl.enableVertexAttribArray(normalAt);

function withNormals(t) {
    const data = new Float32Array(2 * t.length);
    for (let i = 0; i < t.length; i += 9) {
        const u = [t[i + 3] - t[i], t[i + 4] - t[i + 1], t[i + 5] - t[i + 2]];
        const v = [t[i + 6] - t[i], t[i + 7] - t[i + 1], t[i + 8] - t[i + 2]];
        const n = unit(cross(u, v));
        for (let k = 0; k < 3; ++k) data.set([...t.subarray(i + 3 * k, i + 3 * k + 3), ...n], 2 * i + 6 * k);
    }
    return data;
}
const geometries = movie.geometries.map((text) => {
    const t = new Float32Array(bytes(text));
    const data = withNormals(t);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return { buffer, count: t.length / 3 };
});
for (const body of movie.bodies)
    for (const part of body.parts)
        if (part[4]) part[4] = new Uint32Array(bytes(part[4]));
// Draws a mesh between two of its deformations.
function deform(corners, a, b, share) {
    const t = new Float32Array(3 * corners.length);
    corners.forEach((v, i) => {
        for (let k = 0; k < 3; ++k)
            t[3 * i + k] = a[3 * v + k] + share * (b[3 * v + k] - a[3 * v + k]);
    });
    gl.bufferData(gl.ARRAY_BUFFER, withNormals(t), gl.DYNAMIC_DRAW);
}
const palette = [[0.29, 0.5, 0.78], [0.85, 0.55, 0.2], [0.25, 0.62, 0.6], [0.78, 0.35, 0.35],
    [0.55, 0.45, 0.75], [0.45, 0.65, 0.3], [0.8, 0.7, 0.3], [0.5, 0.55, 0.6]];

function cross(a, b) {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
function unit(a) { const l = Math.hypot(...a) || 1; return a.map((x) => x / l); }

// The camera looks at the bodies that move.
const camera = { target: [0, 0, 0], distance: 10, turn: -1.2, lift: 0.35 };
if (frames.length) {
    const low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
    frames[0].who.forEach((body, i) => {
        if (movie.bodies[body].still) return;
        for (let k = 0; k < 3; ++k) {
            low[k] = Math.min(low[k], frames[0].poses[7 * i + k]);
            high[k] = Math.max(high[k], frames[0].poses[7 * i + k]);
        }
    });
    if (low[0] <= high[0]) {
        camera.target = low.map((x, k) => (x + high[k]) / 2);
        camera.distance = 2 + 1.1 * Math.hypot(...low.map((x, k) => high[k] - x));
    }
}
function viewMatrix() {
    const { turn, lift, distance, target } = camera;
    const back = [Math.cos(lift) * Math.cos(turn), Math.cos(lift) * Math.sin(turn), Math.sin(lift)];
    const eye = target.map((x, k) => x + distance * back[k]);
    const right = unit(cross([0, 0, 1], back)), up = cross(back, right);
    const near = distance / 100, far = distance * 100, f = 1.9;
    const a = f * canvas.height / canvas.width, z = (far + near) / (near - far);
    const rows = [right.map((x) => x * a), up.map((x) => x * f), back.map((x) => x * z), back.map((x) => -x)];
    const shift = [-dot(right, eye) * a, -dot(up, eye) * f,
        -dot(back, eye) * z + 2 * far * near / (near - far), dot(back, eye)];
    const m = new Float32Array(16);
    for (let r = 0; r < 4; ++r) {
        for (let c = 0; c < 3; ++c) m[4 * c + r] = rows[r][c];
        m[12 + r] = shift[r];
    }
    return m;
}

function frameAt(time) {
    let lo = 0, hi = frames.length - 1;
    while (lo < hi) {
        const mid = (lo + hi + 1) >> 1;
        if (frames[mid].time <= time) lo = mid; else hi = mid - 1;
    }
    return lo;
}
function draw() {
    const scale = Math.min(window.devicePixelRatio, 2);
    const width = Math.round(canvas.clientWidth * scale), height = Math.round(canvas.clientHeight * scale);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    gl.viewport(0, 0, width, height);
    gl.clearColor(0.87, 0.91, 0.95, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(uniform.view, false, viewMatrix());
    player.drawn = 0;
    if (!frames.length) return;
    const at = frameAt(player.time), now = frames[at], next = frames[Math.min(at + 1, frames.length - 1)];
    const part = next.time > now.time ? Math.min(1, Math.max(0, (player.time - now.time) / (next.time - now.time))) : 0;
    now.who.forEach((body, i) => {
        const j = next.row.get(body);
        const pose = now.poses.slice(7 * i, 7 * i + 7);
        if (j !== undefined && part > 0) {
            const other = next.poses.subarray(7 * j, 7 * j + 7);
            const sign = pose[3] * other[3] + pose[4] * other[4] + pose[5] * other[5] + pose[6] * other[6] < 0 ? -1 : 1;
            for (let k = 0; k < 7; ++k) pose[k] += part * ((k < 3 ? 1 : sign) * other[k] - pose[k]);
            const norm = Math.hypot(pose[3], pose[4], pose[5], pose[6]) || 1;
            for (let k = 3; k < 7; ++k) pose[k] /= norm;
        }
        gl.uniform3f(uniform.p, pose[0], pose[1], pose[2]);
        gl.uniform4f(uniform.q, pose[3], pose[4], pose[5], pose[6]);
        const usual = movie.bodies[body].still ? [0.72, 0.74, 0.77] : palette[body % palette.length];
        movie.bodies[body].parts.forEach(([geometry, p, q, color, corners], k) => {
            gl.uniform3fv(uniform.color, color ?? usual);
            gl.uniform3fv(uniform.local_p, p);
            gl.uniform4fv(uniform.local_q, q);
            gl.bindBuffer(gl.ARRAY_BUFFER, geometries[geometry].buffer);
            const mesh = corners && now.meshes.get(body + ' ' + k);
            if (mesh) deform(corners, mesh, next.meshes.get(body + ' ' + k) ?? mesh, part);
            gl.vertexAttribPointer(cornerAt, 3, gl.FLOAT, false, 24, 0);
            gl.vertexAttribPointer(normalAt, 3, gl.FLOAT, false, 24, 12);
            gl.drawArrays(gl.TRIANGLES, 0, geometries[geometry].count);
        });
        ++player.drawn;
    });
}

const at = document.getElementById('at'), play = document.getElementById('play');
const speed = document.getElementById('speed'), label = document.getElementById('time');
at.min = start; at.max = end;
function setPlaying(on) {
    if (on && player.time >= end) player.time = start;
    player.playing = on;
    play.textContent = on ? 'Pause' : 'Play';
}
play.onclick = () => setPlaying(!player.playing);
at.oninput = () => { player.time = Number(at.value); setPlaying(false); };
addEventListener('keydown', (event) => {
    if (event.target.tagName === 'SELECT' || event.target.tagName === 'BUTTON') return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === ' ') setPlaying(!player.playing);
    else if (step && frames.length) {
        setPlaying(false);
        player.time = frames[Math.min(frames.length - 1, Math.max(0, frameAt(player.time) + step))].time;
    } else return;
    event.preventDefault();
});
let held = null;
canvas.onpointerdown = (event) => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); };
canvas.onpointerup = () => { held = null; };
canvas.onpointermove = (event) => {
    if (!held) return;
    camera.turn -= (event.clientX - held[0]) * 0.006;
    camera.lift = Math.min(1.5, Math.max(-0.3, camera.lift + (event.clientY - held[1]) * 0.006));
    held = [event.clientX, event.clientY];
};
canvas.addEventListener('wheel', (event) => {
    camera.distance *= Math.exp(event.deltaY * 0.001);
    event.preventDefault();
}, { passive: false });
let last = performance.now();
function tick(now) {
    if (player.playing) {
        player.time = Math.min(end, player.time + (now - last) / 1000 * Number(speed.value));
        if (player.time >= end) setPlaying(false);
    }
    last = now;
    at.value = player.time;
    label.textContent = player.time.toFixed(2) + ' of ' + end.toFixed(2) + ' s';
    draw();
    requestAnimationFrame(tick);
}
requestAnimationFrame(tick);
)";

} // namespace rigor::app
