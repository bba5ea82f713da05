// Writes what Tailwind's own command makes of the classes in fixtures/utilities/classes.txt, one per line, beside them. The tests compare
// it with what the program makes. Run it after a change of the version or of entry/utilities.css:
//
//     npm ci && node expect.mjs

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const fixture = join(here, '../../fixtures/utilities');
// the command reads all files of the folder it runs in
const folder = mkdtempSync(join(tmpdir(), 'utilities-'));
try {
  copyFileSync(join(fixture, 'classes.txt'), join(folder, 'classes.txt'));
  writeFileSync(join(folder, 'input.css'), `@import "${join(here, 'entry/utilities.css')}";`);
  const command = join(here, 'node_modules/@tailwindcss/cli/dist/index.mjs');
  execFileSync(process.execPath, [command, '--input', 'input.css', '--output', join(fixture, 'expected.css')], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true });
}
