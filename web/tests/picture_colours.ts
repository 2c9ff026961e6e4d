// The colours of a PNG file, as a browser sees them: "rgb(14, 21, 28)".
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

export const colours = (page: Page, file: string): Promise<string[]> =>
  page.evaluate(
    async (text) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      canvas.drawImage(bitmap, 0, 0);
      const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
      const seen = new Set<string>();
      for (let i = 0; i < data.length; i += 4) seen.add(`rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`);
      return [...seen];
    },
    readFileSync(file, 'base64'),
  );
