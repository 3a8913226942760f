import { defineConfig } from 'vitest/config';

// Everything the page needs is a file of its own: the server's content policy allows no inline
// script or style and no data addresses.
export default defineConfig({
    base: './',
    build: {
        target: 'es2022',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 1200,
        rollupOptions: {
            output: { manualChunks: { three: ['three'], uplot: ['uplot'] } },
        },
    },
    server: {
        // `npm run dev` beside `rigor view --no-open --port 8700`.
        proxy: {
            '/ws': { target: 'ws://127.0.0.1:8700', ws: true, changeOrigin: true },
            '/scenes': { target: 'http://127.0.0.1:8700', changeOrigin: true },
        },
    },
    test: { include: ['tests/unit/**/*.test.ts'] },
});
