// Files to download: screenshot, video, statistics, scene, recording.

import { chooseFile, download } from '../base/files';
import { fileName } from '../base/format';
import type { Viewport } from '../draw/viewport';
import type { StatsHistory } from '../store/stats_history';
import type { Session } from '../store/session';
import type { Toasts } from './toasts';

const videoRate = 30;
// The server's limit for a message of 8 MB, less the JSON around the text.
const maxMessageBytes = 7.9e6;

export class Exports {
    private recorder: MediaRecorder | null = null;

    constructor(
        private readonly session: Session,
        private readonly viewport: Viewport,
        private readonly history: StatsHistory,
        private readonly canvas: HTMLCanvasElement,
        private readonly toasts: Toasts,
    ) {
        session.recording.listen(({ text, name }) =>
            download(name || this.name('recording.json'), text),
        );
        session.sceneText.listen(({ text, name }) => download(name || this.name('json'), text));
    }

    async screenshot(): Promise<void> {
        download(this.name('png'), await this.viewport.screenshot());
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

    /// Opens a scene or a recording; the content tells which.
    async openFile(file: File): Promise<void> {
        const text = await file.text();
        const bytes = new Blob([JSON.stringify(text)]).size;
        if (bytes > maxMessageBytes) {
            const size = `${(bytes / 1e6).toFixed(1)} MB`;
            this.toasts.error(
                `${file.name} is too large: ${size}, the limit of the server is 8 MB. Open it with “rigor view FILE”.`,
            );
            return;
        }
        if (looksLikeRecording(text)) this.session.send({ type: 'load', recording: text });
        else this.session.openText(file.name, text);
    }

    /// Starts recording a video of the 3D view, or stops and downloads it.
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
            document.documentElement.classList.remove('recording-video');
            download(this.name('webm'), new Blob(chunks, { type: 'video/webm' }));
        };
        recorder.start(1000);
        this.recorder = recorder;
        document.documentElement.classList.add('recording-video');
        this.toasts.notice('Recording video. Choose “Video” again to stop and download it.');
    }

    private name(kind: string): string {
        return fileName(this.session.scene.value?.name ?? 'scene', kind);
    }
}

/// Recordings have the key `rigor_recording`.
export function looksLikeRecording(text: string): boolean {
    try {
        const parsed = JSON.parse(text) as Record<string, unknown>;
        return typeof parsed === 'object' && parsed !== null && 'rigor_recording' in parsed;
    } catch {
        return false;
    }
}
