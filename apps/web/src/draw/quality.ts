// Adaptive rendering quality: begins high and steps down while frames are slow, so that software
// rendering stays usable. `?quality=low|high` in the address fixes it.

export interface Quality {
    pixelRatio: number;
    /// Side of the shadow map in texels; 0 disables shadows.
    shadows: number;
}

const levels: Quality[] = [
    { pixelRatio: 2, shadows: 2048 },
    { pixelRatio: 1, shadows: 1024 },
    { pixelRatio: 0.75, shadows: 512 },
    { pixelRatio: 0.6, shadows: 0 },
];

const slowMs = 55;
const framesWatched = 24;

export class AdaptiveQuality {
    private level = 0;
    private slow = 0;
    private readonly fixed: boolean;

    constructor(query: string) {
        const requested = new URLSearchParams(query).get('quality');
        this.fixed = requested === 'low' || requested === 'high';
        if (requested === 'low') this.level = levels.length - 1;
    }

    get current(): Quality {
        return levels[this.level];
    }

    /// `elapsedMs` is the time since the previous frame; true when the quality changed.
    frameDrawn(elapsedMs: number): boolean {
        if (this.fixed || this.level === levels.length - 1 || elapsedMs > 1000) return false;
        this.slow = Math.max(0, this.slow + (elapsedMs > slowMs ? 1 : -1));
        if (this.slow < framesWatched) return false;
        this.slow = 0;
        ++this.level;
        return true;
    }
}
