import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBuiltInTools } from '../../../core/tools/builtIn/index.js';
import { endOf } from '../../support/processes.js';
import { call, npmServer, open, setup } from './support.js';

test('the filesystem server reads and writes in the folder it is given', async () => {
  const it = setup();
  mkdirSync(join(it.root, 'docs'));
  writeFileSync(join(it.root, 'docs/a.md'), '# Hello');
  const server = npmServer('filesystem');
  const set = await open(it, { files: { ...server, args: [...(server.args ?? []), '${workspaceFolder}/docs'] } });
  expect(set.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['read_text_file', 'write_file', 'list_directory']));
  const write = set.tools.find(({ name }) => name === 'write_file');
  expect(write).toMatchObject({
    origin: { type: 'mcp', client_id: 'files', name: 'write_file' },
    needs_approval: true,
    side_effects: true,
    idempotent: false,
    parameters: { type: 'object', required: ['path', 'content'] },
  });
  expect((await call(set, 'read_text_file', { path: join(it.root, 'docs/a.md') })).content).toBe('# Hello');
  expect(await call(set, 'read_text_file', { path: '/etc/hostname' })).toMatchObject({
    is_error: true,
    content: expect.stringContaining('Access denied'),
  });
  await call(set, 'write_file', { path: join(it.root, 'docs/b.md'), content: 'new' });
  expect((await call(set, 'list_directory', { path: join(it.root, 'docs') })).content).toContain('b.md');
  expect(it.log()).not.toMatch(/^(?:error|warn) /m);
});

test('the memory server keeps what it is told in the file it is given', async () => {
  const it = setup();
  const set = await open(it, { memory: { ...npmServer('memory'), env: { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' } } });
  await call(set, 'create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }] });
  const found = await call(set, 'search_nodes', { query: 'programs' });
  expect(found.value).toMatchObject({ entities: [{ name: 'Ada' }] });
  expect(await it.ports.files.readText('memory.jsonl')).toContain('Ada');
});

test('the everything server: texts, images, resources, structured content, prompts', async () => {
  const it = setup();
  const set = await open(
    it,
    { all: npmServer('everything', 'stdio') },
    {
      config: { enabled_tools: ['echo', 'get-tiny-image', 'get-structured-content', 'list_resources', 'read_resource', 'get_prompt'] },
      builtIn: (resources) => createBuiltInTools({ ...it.ports, resources }),
    },
  );
  expect(set.tools.map(({ name }) => name).sort()).toEqual([
    'echo',
    'get-structured-content',
    'get-tiny-image',
    'get_prompt',
    'list_resources',
    'read_resource',
  ]);
  expect(await call(set, 'echo', { message: 'hello' })).toEqual({ content: 'Echo: hello' });
  const image = await call(set, 'get-tiny-image');
  expect(image.content).toMatch(/\[image: image\/png, [\d.]+ KB\]/);
  expect(image.value).toMatchObject({ content: expect.arrayContaining([expect.objectContaining({ type: 'image' })]) });
  const weather = await call(set, 'get-structured-content', { location: 'New York' });
  expect(weather.value).toMatchObject({ temperature: expect.any(Number) });

  const listed = await call(set, 'list_resources');
  const uri = /[a-z]+:\/\/[^\s"]*\.md/.exec(listed.content)?.[0];
  expect(uri, listed.content).toBeDefined();
  const read = await call(set, 'read_resource', { client_id: 'all', uri: uri ?? '' });
  expect(read.is_error).toBeUndefined();
  expect(read.documents).toMatchObject([{ id: uri, text: expect.any(String) }]);
});

test('the everything server over streamable HTTP', { timeout: 20_000 }, async () => {
  const it = setup();
  const port = await freePort();
  const { command = '', args = [] } = npmServer('everything', 'streamableHttp');
  const server = spawn(command, [...args], { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
  const pid = server.pid ?? 0;
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await endOf(pid);
  });
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/mcp`).then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
  const set = await open(it, { all: { url: `http://127.0.0.1:${port}/mcp` } });
  expect(await call(set, 'echo', { message: 'over http' })).toEqual({ content: 'Echo: over http' });
  expect((await call(set, 'get-tiny-image')).content).toContain('[image: image/png');
  const begun = performance.now();
  await set.close();
  expect(performance.now() - begun).toBeLessThan(8000);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
