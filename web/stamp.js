// Writes web/dist/sources.txt: the sources that the bundle was made of, with their hashes. tools/check_web_bundle.py
// compares them with what is there.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const files = ['index.html', 'package-lock.json', 'package.json', 'tsconfig.json', 'vite.config.ts'];
for (const folder of ['public', 'src'])
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) files.push(`${entry.parentPath ?? entry.path}/${entry.name}`);
const line = (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${file}\n`;
writeFileSync('dist/sources.txt', files.sort().map(line).join(''));
