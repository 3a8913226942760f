// Sky, sun and ground. Each plane of the scene is drawn as ground; a scene without one gets a grid.

import {
    AmbientLight,
    BackSide,
    Color,
    DirectionalLight,
    DoubleSide,
    Float32BufferAttribute,
    Group,
    HemisphereLight,
    Mesh,
    MeshBasicMaterial,
    MeshStandardMaterial,
    PlaneGeometry,
    Quaternion,
    SphereGeometry,
    Vector3,
} from 'three';
import type { Vec3 } from '../base/vector';
import type { SceneTheme } from './scene_theme';
import type { PlaneInstance } from './world_view';

// Side of a ground plane in units of the view distance. Huge triangles would cost depth precision,
// and small bodies would disappear in them.
const groundSize = 24;
const up = new Vector3(0, 0, 1);
const sunDirection = new Vector3(-0.42, -0.55, 0.86).normalize();
// A plane steeper than this is a wall, drawn transparent so that it hides nothing.
const wallCosine = 0.5;

export class Environment {
    readonly group = new Group();
    readonly sun = new DirectionalLight();
    private readonly hemisphere = new HemisphereLight();
    private readonly fill = new AmbientLight();
    private readonly sky: Mesh<SphereGeometry, MeshBasicMaterial>;
    private readonly grounds = new Group();
    private readonly lineColor = { value: new Color() };
    private readonly cell = { value: 1 };
    private readonly fade = { value: 60 };
    private readonly gridOrigin = { value: new Vector3() };
    private theme!: SceneTheme;
    private planes: readonly PlaneInstance[] | null = null;

    constructor() {
        this.sky = makeSky();
        this.sun.shadow.bias = -0.0004;
        this.sun.shadow.radius = 2;
        this.group.add(
            this.sky,
            this.sun,
            this.sun.target,
            this.hemisphere,
            this.fill,
            this.grounds,
        );
    }

    /// Shadow map of `texels` by `texels`; 0 disables shadows.
    setShadows(texels: number): void {
        const { shadow } = this.sun;
        this.sun.castShadow = texels > 0;
        if (texels === 0 || shadow.mapSize.x === texels) return;
        shadow.mapSize.set(texels, texels);
        shadow.map?.dispose();
        shadow.map = null;
    }

    setTheme(theme: SceneTheme): void {
        this.theme = theme;
        this.sun.color.set(theme.sun);
        this.sun.intensity = theme.sunStrength;
        this.hemisphere.color.set(theme.skyLight);
        this.hemisphere.groundColor.set(theme.groundLight);
        this.hemisphere.intensity = theme.ambientStrength;
        this.hemisphere.position.set(0, 0, 1);
        this.fill.intensity = 0.12;
        // The shader mixes the lines in after the conversion to sRGB.
        this.lineColor.value.set(theme.line).convertLinearToSRGB();
        paintSky(this.sky.geometry, theme);
        for (const ground of this.grounds.children) this.paintGround(ground as GroundMesh);
    }

    /// The planes of the scene, or a grid at height `floor` when there are none.
    setPlanes(planes: readonly PlaneInstance[], floor: number, origin: Vec3): void {
        if (planes === this.planes) return;
        this.planes = planes;
        for (const old of this.grounds.children as GroundMesh[]) {
            old.geometry.dispose();
            old.material.dispose();
        }
        this.grounds.clear();
        for (const plane of planes) this.grounds.add(this.makeGround(plane, origin, false));
        if (planes.length === 0) {
            const bare = { normal: [0, 0, 1] as Vec3, offset: floor, body: -1 };
            this.grounds.add(this.makeGround(bare, origin, true));
        }
    }

    /// Centers sky, shadow map and grid on the camera target; `reach` is the view distance.
    follow(eye: Vector3, target: Vector3, reach: number): void {
        this.sky.position.copy(eye);
        const half = Math.max(0.01, reach);
        const texel = (2 * half) / this.sun.shadow.mapSize.x;
        // Snapped to whole texels, or shadow edges would crawl as the camera moves.
        const snapped = target
            .clone()
            .divideScalar(texel * 16)
            .round()
            .multiplyScalar(texel * 16);
        this.sun.target.position.copy(snapped);
        this.sun.position.copy(snapped).addScaledVector(sunDirection, 4 * half);
        this.sizeShadow(half);
        this.cell.value = 10 ** Math.round(Math.log10(Math.max(reach, 0.05) / 12));
        this.fade.value = 8 * reach;
        for (const ground of this.grounds.children as GroundMesh[])
            this.placeGround(ground, target, reach);
    }

    private placeGround(ground: GroundMesh, target: Vector3, reach: number): void {
        const { normal, along } = ground.userData as { normal: Vector3; along: number };
        ground.position.copy(target).addScaledVector(normal, along - normal.dot(target));
        ground.scale.set(groundSize * reach, groundSize * reach, 1);
    }

    private sizeShadow(half: number): void {
        const camera = this.sun.shadow.camera;
        if (camera.right === half) return;
        camera.left = camera.bottom = -half;
        camera.right = camera.top = half;
        camera.near = 0.1 * half;
        camera.far = 12 * half;
        this.sun.shadow.normalBias = 0.004 * half * (1024 / this.sun.shadow.mapSize.x);
        camera.updateProjectionMatrix();
    }

    private makeGround(plane: PlaneInstance, origin: Vec3, bare: boolean): GroundMesh {
        const normal = new Vector3(...plane.normal).normalize();
        const isWall = normal.z < wallCosine;
        const material = new MeshStandardMaterial({ roughness: 0.95, metalness: 0 });
        material.transparent = true;
        material.opacity = bare || isWall ? 0.001 : 1;
        material.depthWrite = !(bare || isWall);
        if (bare) material.side = DoubleSide;
        this.addGrid(material);
        const mesh = new Mesh(new PlaneGeometry(1, 1), material) as unknown as GroundMesh;
        mesh.quaternion.copy(new Quaternion().setFromUnitVectors(up, normal));
        mesh.userData.normal = normal;
        mesh.userData.along = plane.offset - normal.dot(new Vector3(...origin));
        mesh.receiveShadow = true;
        mesh.renderOrder = -1;
        mesh.userData.own = plane.color;
        this.gridOrigin.value.set(origin[0] % 100, origin[1] % 100, 0);
        if (this.theme) this.paintGround(mesh);
        return mesh;
    }

    private paintGround(mesh: GroundMesh): void {
        mesh.material.color.set((mesh.userData.own as string | undefined) ?? this.theme.ground);
    }

    // Grid lines one pixel wide, every tenth stronger; the plane fades into the sky.
    private addGrid(material: MeshStandardMaterial): void {
        material.onBeforeCompile = (shader) => {
            Object.assign(shader.uniforms, {
                lineColor: this.lineColor,
                cell: this.cell,
                fade: this.fade,
                gridOrigin: this.gridOrigin,
            });
            shader.vertexShader = shader.vertexShader
                .replace(
                    '#include <common>',
                    '#include <common>\nvarying vec2 gridPlace;\nvarying vec3 gridWorld;',
                )
                .replace(
                    '#include <project_vertex>',
                    '#include <project_vertex>\ngridWorld = (modelMatrix * vec4(position, 1.0)).xyz;\n' +
                        'gridPlace = vec2(dot(normalize(modelMatrix[0].xyz), gridWorld), dot(normalize(modelMatrix[1].xyz), gridWorld));',
                );
            shader.fragmentShader = shader.fragmentShader
                .replace('#include <common>', `#include <common>\n${gridFunctions}`)
                .replace(
                    '#include <dithering_fragment>',
                    `${gridBody}\n#include <dithering_fragment>`,
                );
        };
    }
}

type GroundMesh = Mesh<PlaneGeometry, MeshStandardMaterial>;

const gridFunctions = `
varying vec2 gridPlace;
varying vec3 gridWorld;
uniform vec3 lineColor;
uniform vec3 gridOrigin;
uniform float cell;
uniform float fade;
float gridLine(vec2 place, float size) {
    vec2 at = place / size;
    vec2 width = fwidth(at);
    vec2 near = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
    float line = 1.0 - min(min(near.x, near.y), 1.0);
    return line * (1.0 - smoothstep(0.2, 0.6, max(width.x, width.y)));
}`;

const gridBody = `
vec2 gridAt = gridPlace + gridOrigin.xy;
float gridMix = max(0.45 * gridLine(gridAt, cell), 0.9 * gridLine(gridAt, cell * 10.0));
float gridFar = 1.0 - smoothstep(0.35, 1.0, distance(gridWorld, cameraPosition) / fade);
gl_FragColor.rgb = mix(gl_FragColor.rgb, lineColor, gridMix);
gl_FragColor.a = max(gl_FragColor.a, gridMix) * gridFar;`;

function makeSky(): Mesh<SphereGeometry, MeshBasicMaterial> {
    const geometry = new SphereGeometry(1, 24, 16).rotateX(Math.PI / 2);
    const material = new MeshBasicMaterial({
        side: BackSide,
        vertexColors: true,
        depthWrite: false,
        fog: false,
    });
    material.depthTest = false;
    const sky = new Mesh(geometry, material);
    sky.renderOrder = -10;
    sky.frustumCulled = false;
    sky.scale.setScalar(10);
    return sky;
}

function paintSky(geometry: SphereGeometry, theme: SceneTheme): void {
    const position = geometry.attributes.position;
    const colors = new Float32Array(3 * position.count);
    const low = new Color(theme.skyBottom);
    const high = new Color(theme.skyTop);
    for (let i = 0; i < position.count; ++i) {
        const height = Math.max(0, position.getZ(i));
        low.clone()
            .lerp(high, Math.sqrt(height))
            .toArray(colors, 3 * i);
    }
    geometry.setAttribute('color', new Float32BufferAttribute(colors, 3));
}
