// The lint rules of the page. Layout is Prettier's business, so no rule here is about it.

import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
    { ignores: ['dist/', 'node_modules/', 'test-results/'] },
    js.configs.recommended,
    {
        rules: {
            eqeqeq: 'error',
            'no-var': 'error',
            'prefer-const': 'error',
            'object-shorthand': 'error',
            'no-else-return': 'error',
            'max-lines': ['error', 450],
        },
    },
    {
        files: ['**/*.ts'],
        extends: [tseslint.configs.recommendedTypeChecked, tseslint.configs.stylistic],
        languageOptions: { parserOptions: { projectService: true } },
        rules: {
            // The compiler reports these itself (noUnusedLocals, noUnusedParameters).
            '@typescript-eslint/no-unused-vars': 'off',
        },
    },
    { files: ['src/**/*.ts'], rules: { 'max-lines-per-function': ['error', 60] } },
    {
        // Bodies of `page.evaluate` and `until` run in the browser, the rest of a test in Node.
        files: ['**/*.mjs'],
        languageOptions: { globals: { ...globals.node, ...globals.browser } },
    },
);
