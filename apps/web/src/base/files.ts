// Download and file chooser.

export function download(name: string, content: Blob | string, type = 'application/json'): void {
    const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    // The browser reads the address later; a minute is ample.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/// Opens the file chooser; does nothing when the user cancels.
export function chooseFile(accept: string, use: (file: File) => void): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.addEventListener('change', () => input.files?.[0] && use(input.files[0]));
    input.click();
}
