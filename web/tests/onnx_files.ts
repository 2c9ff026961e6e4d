// Files to drop on the page, and how to drop them.
import type { Page } from '@playwright/test';

export async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  await page.locator('.drop').waitFor({ state: 'attached' }); // before it is there, nobody listens
  const transfer = await page.evaluateHandle(
    ([file, base64]) => {
      const bytes = Uint8Array.from(atob(base64!), (letter) => letter.charCodeAt(0));
      const list = new DataTransfer();
      list.items.add(new File([bytes], file!));
      return list;
    },
    [name, content.toString('base64')],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

const number = (field: number, value: number) => Buffer.from([...varint(field * 8), ...varint(value)]);

function message(field: number, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(body.length)]), body]);
}

// y = Relu(x) of batch × `size` × 64 numbers, as an .onnx file: `size` is a name. With an `op` of its own domain: that
// operation instead.
export function openNetwork(size: string, op = 'Relu', domain = ''): Buffer {
  const dims = [message(1, message(2, 'batch')), message(1, message(2, size)), message(1, number(1, 64))];
  const float = 1;
  const x = message(11, message(1, 'x'), message(2, message(1, number(1, float), message(2, ...dims))));
  const own = domain === '' ? [] : [message(7, domain)];
  const node = message(1, message(1, 'x'), message(2, 'y'), message(3, 'relu'), message(4, op), ...own);
  const y = message(12, message(1, 'y'));
  return Buffer.concat([number(1, 8), message(7, node, message(2, 'net'), x, y), message(8, number(2, 13))]);
}
