import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import type { FileSystem } from '../../core/ports.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { callTool } from './support.js';

const hidden = 'hidden-value';

/** A project with a secret file, a folder of them, and links to both. */
function project() {
  const root = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('.env', `NAME=${hidden}\n`);
  write('secrets/db.txt', `${hidden}\n`);
  write('.git/config', `${hidden}\n`);
  write('docs/guide.md', '# Guide\nfree\n');
  const link = (target: string, path: string) => symlinkSync(target, join(root, path));
  link('../.env', 'docs/readme.md');
  link('readme.md', 'docs/chain.md');
  link('secrets', 'public');
  link('.git', 'history');
  link('docs', 'manual');
  link('guide.md', 'docs/alias.md');
  linkSync(join(root, '.env'), join(root, 'docs/hard.md'));
  return { root, files: createNodeFiles(root) };
}

const read = async (files: FileSystem, path: string) => (await callTool('read_file', { path }, { files })).content;

test.each([
  ['docs/readme.md', 'docs/readme.md is a link. .env may hold keys or passwords'],
  ['docs/chain.md', 'docs/chain.md is a link. .env may hold keys or passwords'],
  ['manual/readme.md', 'manual/readme.md is a link. .env may hold keys'],
  ['public/db.txt', 'public/db.txt is a link. secrets/db.txt may hold keys'],
  ['history/config', 'history/config is a link. .git/config is in .git'],
  ['docs/hard.md', 'docs/hard.md has 2 names (hard links)'],
])('no tool reads through %s', async (path, words) => {
  const { files } = project();
  expect(await read(files, path)).toContain(words);
  const fetched = await callTool('fetch_document', { id: path }, { files });
  expect(fetched).toMatchObject({ is_error: true, content: expect.stringContaining(words) });
});

test('links to ordinary files are read', async () => {
  const { files } = project();
  expect(await read(files, 'docs/alias.md')).toContain('free');
  expect(await read(files, 'manual/guide.md')).toContain('free');
});

test('a search finds what links lead to only where it is', async () => {
  const { files } = project();
  const search = (query: string, path?: string) => callTool('search_files', { query, ...(path && { path }) }, { files });
  expect((await search(hidden)).content).toBe('No line in 1 file matches.\n1 file with several names (hard links) was not searched.');
  expect((await search('free')).content).toContain('docs/guide.md:2: free');
  expect((await search('free')).content).not.toContain('alias');
  for (const path of ['public', 'history', 'docs/readme.md', 'docs/hard.md'])
    expect((await search(hidden, path)).content).not.toContain(`: ${hidden}`);
  expect((await search('free', 'manual')).content).toContain('manual/guide.md:2: free');
  expect((await callTool('search_metadata', { query: 'readme' }, { files })).content).not.toContain('docs/readme.md');
});

test('a folder that is replaced by a link between two calls leads nowhere', async () => {
  const { root, files } = project();
  const elsewhere = temporaryFolder();
  writeFileSync(join(elsewhere, 'guide.md'), hidden);
  expect(await read(files, 'docs/guide.md')).toContain('free');
  renameSync(join(root, 'docs'), join(root, 'before'));
  symlinkSync(elsewhere, join(root, 'docs'));
  expect(await read(files, 'docs/guide.md')).toBe('docs/guide.md is outside the project.');
});
