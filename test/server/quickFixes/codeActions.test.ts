import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '../../support/seed.js';
import { readdirSync, readFileSync } from 'node:fs';
import type { CodeAction } from 'vscode-languageserver';
import { RequestError } from '../../../server/requestError.js';
import type { Harness } from '../../support/serverHarness.js';
import { openProject } from './support.js';

const path = 'config/agents/A2/v1.json';

function actionsIn(server: Harness, at: string, only?: readonly string[]): Promise<CodeAction[]> {
  const range = { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } };
  const context = { diagnostics: [], ...(only !== undefined && { only }) };
  return server.request('textDocument/codeAction', { textDocument: { uri: server.uri(at) }, range, context });
}

async function fixAll(server: Harness, at: string): Promise<string> {
  const [action] = await actionsIn(server, at, ['source.fixAll']);
  if (action === undefined) return server.text(at);
  const resolved = await server.request<CodeAction>('codeAction/resolve', action).catch((error: unknown) => {
    if (error instanceof RequestError) return undefined;
    throw error;
  });
  return resolved?.edit === undefined ? server.text(at) : (Object.values(server.applied(resolved.edit))[0] ?? '');
}

describe('only what is asked for is offered', () => {
  const text = '{ "agent_name": "A2", "version": "v1", "max_tokens": 5, "temprature": 1 }';

  test.each([
    ['quickfix', (kind: string) => kind === 'quickfix'],
    ['refactor', (kind: string) => kind.startsWith('refactor')],
    ['source', (kind: string) => kind === 'source.fixAll.agentStack'],
    ['source.fixAll.agentStack', (kind: string) => kind === 'source.fixAll.agentStack'],
  ])('%s', async (only, isWanted) => {
    const server = await openProject({ [path]: text });
    const kinds = (await actionsIn(server, path, [only])).map(({ kind }) => kind ?? '');
    expect(kinds.length).toBeGreaterThan(0);
    expect(kinds.every(isWanted), kinds.join()).toBe(true);
  });

  test('source.organizeImports', async () => {
    expect(await actionsIn(await openProject({ [path]: text }), path, ['source.organizeImports'])).toEqual([]);
  });
});

test('a fix belongs to its diagnostic', async () => {
  const server = await openProject({ [path]: '{ "agent_name": "A2", "version": "v1", "temprature": 1 }' });
  const action = (await actionsIn(server, path)).find(({ title }) => title.startsWith('Rename'));
  expect(action?.diagnostics).toMatchObject([{ code: 'unknown-property', source: 'agentstack' }]);
});

test('a fix that is out of date is refused', async () => {
  const server = await openProject({ [path]: '{ "agent_name": "A2", "version": "v1", "temprature": 1 }' });
  const action = (await actionsIn(server, path)).find(({ title }) => title.startsWith('Rename'))!;
  server.edit(path, '{ "agent_name": "A2", "version": "v1" }');
  await expect(server.request('codeAction/resolve', action)).rejects.toThrow('has changed');
});

describe('fix-all', () => {
  test('makes every fix that changes no behaviour, round after round, and leaves the others', async () => {
    const wrong = `{
  // an old file
  'agent_name': "A2",
  "version": "v1",
  "model": "gpt-5",
  "temperature": "0.5",
  "timeout": 30,
  "temprature": 1,
}`;
    const server = await openProject({ [path]: wrong });
    const after = await fixAll(server, path);
    expect(after).toBe(`{
  "agent_name": "A2",
  "version": "v1",
  "model_name": "gpt-5",
  "timeout": 30,
  "temprature": 1
}`);
  });

  test('is not offered where nothing is safe', async () => {
    const server = await openProject({ [path]: '{ "agent_name": "A2", "version": "v1", "temprature": 1 }' });
    expect(await actionsIn(server, path, ['source.fixAll'])).toEqual([]);
  });

  test('leaves a rule alone that is switched off', async () => {
    const server = await openProject(
      { [path]: '{ "agent_name": "A2", "version": "v1", "model": "gpt-5" }' },
      { settings: { rules: { 'foreign-name': 'off' } } },
    );
    expect(await actionsIn(server, path, ['source.fixAll'])).toEqual([]);
  });
});

const samples = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(new URL(`../../../${folder}/`, import.meta.url), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => {
        const file = `${entry.parentPath}/${entry.name}`;
        return [file.slice(file.lastIndexOf(`/${folder}/`) + 1), readFileSync(file, 'utf8')];
      }),
  );
const project = samples('config');

/** A small damage of a text: a stretch goes, comes twice, or becomes something else. */
const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(12),
  put: fc.constantFrom(
    '',
    ',',
    '"',
    '}',
    ']',
    '{',
    ':',
    '// x\n',
    "'",
    'true',
    '"temprature": "0.5",',
    '"x": 1,',
    'None',
    '\\',
    '\u200b',
    '\r\n',
    '😀',
    '"__proto__": {},',
    '"${X}"',
    '"model": 1,',
  ),
});

test('in damaged files no code action throws, each edit is in the text, and a second fix-all changes nothing', async () => {
  const server = await openProject(project);
  const paths = Object.keys(project);
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(damage, { minLength: 1, maxLength: 4 }), fc.boolean(), async (which, damages, isCrLf) => {
      const at = paths[which % paths.length]!;
      let text = isCrLf ? project[at]!.replaceAll('\n', '\r\n') : project[at]!;
      for (const { at: share, length, put } of damages) {
        const start = Math.floor(share * text.length);
        text = text.slice(0, start) + put + text.slice(start + length);
      }
      server.edit(at, text.replaceAll('|', '||'));
      for (const action of await actionsIn(server, at)) {
        if (action.disabled !== undefined) continue;
        const resolved = await server.request<CodeAction>('codeAction/resolve', action).catch((error: unknown) => {
          if (error instanceof RequestError) return undefined;
          throw new Error(`${action.title} on ${text}`, { cause: error });
        });
        // Throws when edits overlap or lie outside of the text.
        if (resolved?.edit !== undefined) server.applied(resolved.edit);
      }
      const once = await fixAll(server, at);
      server.edit(at, once.replaceAll('|', '||'));
      expect(await fixAll(server, at)).toBe(once);
      server.close(at);
    }),
    { numRuns: 150 },
  );
}, 60_000);
