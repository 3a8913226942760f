// Taking things home: picture, video, numbers, scene, recording.

import { chooseFile, download } from '../base/files';
import { fileName } from '../base/format';
import type { Viewport } from '../draw/viewport';
import type { History } from '../store/history';
import type { Session } from '../store/session';
import type { Toasts } from './toasts';

const videoRate = 30;
// What the server takes in one message, less what is around the text.
const mostBytes = 7.9e6;

export class Exports {
    private recorder: MediaRecorder | null = null;

    constructor(
        private readonly session: Session,
        private readonly viewport: Viewport,
        private readonly history: History,
        private readonly canvas: HTMLCanvasElement,
        private readonly toasts: Toasts,
    ) {
        session.recording.listen(({ text, name }) =>
            download(name || this.name('recording.json'), text),
        );
        session.sceneText.listen(({ text, name }) => download(name || this.name('json'), text));
    }

    async picture(): Promise<void> {
        download(this.name('png'), await this.viewport.picture());
    }

    csv(): void {
        download(this.name('csv'), this.history.csv(), 'text/csv');
    }

    scene(): void {
        this.session.send({ type: 'export' });
    }

    saveRecording(): void {
        this.session.send({ type: 'save' });
    }

    loadRecording(): void {
        chooseFile('.json,application/json', (file) => void this.openFile(file));
    }

    /// A scene or a recording: its text says which.
    async openFile(file: File): Promise<void> {
        const text = await file.text();
        const bytes = new Blob([JSON.stringify(text)]).size;
        if (bytes > mostBytes) {
            const size = `${(bytes / 1e6).toFixed(1)} MB`;
            this.toasts.error(
                `${file.name}: a message to the server may have 8 MB, this has ${size}. Open it with “rigor view FILE”.`,
            );
            return;
        }
        if (looksLikeRecording(text)) this.session.send({ type: 'load', recording: text });
        else this.session.openText(file.name, text);
    }

    /// Starts filming the stage, or ends it and stores the film.
    video(): void {
        if (this.recorder) {
            this.recorder.stop();
            return;
        }
        const chunks: Blob[] = [];
        const recorder = new MediaRecorder(this.canvas.captureStream(videoRate), {
            mimeType: 'video/webm',
        });
        recorder.ondataavailable = (event) => chunks.push(event.data);
        recorder.onstop = () => {
            this.recorder = null;
            document.documentElement.classList.remove('filming');
            download(this.name('webm'), new Blob(chunks, { type: 'video/webm' }));
        };
        recorder.start(1000);
        this.recorder = recorder;
        document.documentElement.classList.add('filming');
        this.toasts.notice('Filming. Choose “Video” again to end and store it.');
    }

    private name(kind: string): string {
        return fileName(this.session.scene.value?.name ?? 'scene', kind);
    }
}

/// A recording says so in its first key.
export function looksLikeRecording(text: string): boolean {
    try {
        const parsed = JSON.parse(text) as Record<string, unknown>;
        return typeof parsed === 'object' && parsed !== null && 'rigor_recording' in parsed;
    } catch {
        return false;
    }
}
