// How much is asked of the graphics card. Begins high and steps down while pictures come too slowly, so
// that a machine that draws in software stays usable. `?quality=low|high` in the address fixes it.

export interface Quality {
    pixelRatio: number;
    /// Texels along a side of the shadow map; 0 draws no shadows.
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

export class QualityGovernor {
    private level = 0;
    private slow = 0;
    private readonly fixed: boolean;

    constructor(query: string) {
        const wish = new URLSearchParams(query).get('quality');
        this.fixed = wish === 'low' || wish === 'high';
        if (wish === 'low') this.level = levels.length - 1;
    }

    get current(): Quality {
        return levels[this.level];
    }

    /// Told how long ago the picture before this one was drawn; true when the quality changed.
    drew(elapsedMs: number): boolean {
        if (this.fixed || this.level === levels.length - 1 || elapsedMs > 1000) return false;
        this.slow = Math.max(0, this.slow + (elapsedMs > slowMs ? 1 : -1));
        if (this.slow < framesWatched) return false;
        this.slow = 0;
        ++this.level;
        return true;
    }
}
