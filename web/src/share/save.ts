// A file for the reader: made here, handed to the browser.

export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export const fileSafe = (text: string): string => text.replace(/[^\w.-]+/g, '-').slice(0, 80);
