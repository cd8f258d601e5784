import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findNamedFiles } from '../../client/panels/namedFiles.js';

const outer = realpathSync(mkdtempSync(join(tmpdir(), 'agent-stack-')));
afterAll(() => rmSync(outer, { recursive: true, force: true }));
const workspace = join(outer, 'workspace');
const project = join(workspace, 'bot');
mkdirSync(join(project, 'docs'), { recursive: true });
for (const path of ['secret.txt', 'workspace/README.md', 'workspace/only.md', 'workspace/bot/README.md', 'workspace/bot/docs/a.md'])
  writeFileSync(join(outer, path), '');
symlinkSync(join(outer, 'secret.txt'), join(project, 'leak.txt'));
symlinkSync(outer, join(project, 'up'));
symlinkSync(join(project, 'docs/a.md'), join(project, 'link.md'));

test.each([
  ['README.md', 'bot/README.md'],
  ['./docs/a.md', 'bot/docs/a.md'],
  ['docs\\a.md', 'bot/docs/a.md'],
  ['only.md', 'only.md'],
  ['bot/docs/a.md', 'bot/docs/a.md'],
  ['docs/../README.md', 'bot/README.md'],
  ['../only.md', 'only.md'],
  [join(project, 'docs/a.md'), 'bot/docs/a.md'],
  ['link.md', 'bot/link.md'],
  // A folder, and nothing.
  ['docs', undefined],
  ['docs/', undefined],
  ['none.md', undefined],
  ['README.md/x', undefined],
  ['', undefined],
  ['.', undefined],
  // Outside, also through links.
  ['../../secret.txt', undefined],
  [join(outer, 'secret.txt'), undefined],
  [`${workspace}/../secret.txt`, undefined],
  ['/etc/passwd', undefined],
  ['leak.txt', undefined],
  ['up/secret.txt', undefined],
  ['\\\\host\\share\\a.md', undefined],
  ['README.md\0', undefined],
])('%j is %s', async (name, path) => {
  expect((await findNamedFiles({ project, workspace }, [name])).get(name)).toBe(path);
});
