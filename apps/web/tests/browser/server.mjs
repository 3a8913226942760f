// Starts and stops the `rigor view` under test on a free loopback port.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
export const program = process.env.RIGOR ?? `${root}build/release/rigor`;
const page = process.env.RIGOR_PAGE;
const startMs = 20_000;

export function freePort() {
    return new Promise((resolve, reject) => {
        const probe = createServer();
        probe.once('error', reject);
        probe.listen(0, '127.0.0.1', () => {
            const { port } = probe.address();
            probe.close(() => resolve(port));
        });
    });
}

export class Server {
    constructor(port) {
        this.port = port;
        this.address = `http://127.0.0.1:${port}/`;
    }

    /// Resolves when the server answers. `scene` is a file to open.
    async start(scene) {
        if (!existsSync(program))
            throw new Error(`${program} does not exist: run make build first`);
        const options = ['view', '--no-open', '--port', String(this.port)];
        if (scene) options.push(scene);
        if (page) options.push('--page', page);
        this.output = '';
        this.child = spawn(program, options, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
        this.child.stdout.on('data', (data) => (this.output += data));
        this.child.stderr.on('data', (data) => (this.output += data));
        this.ended = new Promise((resolve) => this.child.once('exit', resolve));
        const deadline = Date.now() + startMs;
        while (Date.now() < deadline) {
            if (this.child.exitCode !== null)
                throw new Error(`rigor view exited at once: ${this.output}`);
            if (await this.answers()) return;
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
        throw new Error(`rigor view does not respond: ${this.output}`);
    }

    async answers() {
        try {
            return (await fetch(this.address)).ok;
        } catch {
            return false;
        }
    }

    /// Stops the server process; SIGKILL simulates a crash.
    async stop(signal = 'SIGTERM') {
        if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
        this.child.kill(signal);
        await this.ended;
    }
}
