import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '../../support/seed.js';
import { readdirSync, readFileSync } from 'node:fs';
import { type CodeAction, ResponseError } from 'vscode-languageserver';
import { isObject, type Json, pointerOf, valueAt } from '../../../core/json.js';
import { applyReplacements, JsonEdit } from '../../../core/jsonText/jsonEdit.js';
import { runs } from '../../support/effort.js';
import type { Harness } from '../../support/serverHarness.js';
import { somewhere } from '../../support/somewhere.js';
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
    if (error instanceof ResponseError) return undefined;
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
  "description": "an old file",
  "model_name": "gpt-5",
  "temperature": 0.5,
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
        const file = `${entry.parentPath}/${entry.name}`.replaceAll('//', '/');
        return [file.slice(file.lastIndexOf(`/${folder}/`) + 1), readFileSync(file, 'utf8')];
      }),
  );
const project = samples('config');

/** A small damage of a text: a stretch goes, comes twice, or becomes something else. */
const damage = fc.record({
  at: somewhere,
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

/** A change of a value that leaves the text JSON: a part goes, gets another value, or comes twice under a wrong name. */
const mistake = fc.record({
  which: fc.nat(),
  put: fc.constantFrom<Json>(
    null,
    '',
    'x',
    '0.5',
    7,
    -1,
    true,
    [],
    {},
    ['a', 'a'],
    { type: 'strin' },
    'A2@v9',
    '{{input.nope}}',
    '${NOPE}',
    'a\u200bb',
  ),
  kind: fc.constantFrom('remove', 'replace', 'misspell', 'add', 'exchange'),
  name: fc.constantFrom('model', 'temprature', 'max_cost', 'timeout', 'max_tokens', 'agent_class', '__proto__', 'default', 'oneOf', 'name'),
});

function makeMistake(text: string, { which, put, kind, name }: MistakeOf<typeof mistake>): string {
  const value = JSON.parse(text) as Json;
  const pointers = pointersIn(value).slice(1);
  const pointer = pointers[which % pointers.length] ?? '';
  const edit = new JsonEdit(text);
  const own = valueAt(value, pointer);
  if (pointer === '' || own === undefined) return text;
  if (kind === 'remove') edit.remove(pointer);
  else if (kind === 'replace') edit.replace(pointer, put);
  else if (kind === 'add') edit.set((isObject(own) ? pointer : '') + pointerOf(name), put);
  else if (kind === 'misspell' && edit.isMember(pointer)) edit.rename(pointer, `${pointer.slice(pointer.lastIndexOf('/') + 1)}x`);
  else if (Array.isArray(own) && own.length > 0) edit.insertItem(pointer, own[0] as Json);
  else if (typeof own === 'string') edit.replace(pointer, own.toUpperCase());
  return applyReplacements(text, edit.replacements());
}

type MistakeOf<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

function pointersIn(value: Json, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, item]) => pointersIn(item as Json, at + pointerOf(key)))];
}

test('in damaged files no code action throws, each edit is in the text, and a second fix-all changes nothing', async () => {
  const server = await openProject(project);
  const paths = Object.keys(project);
  let edits = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(mistake, { maxLength: 4 }),
      fc.array(damage, { maxLength: 1 }),
      fc.boolean(),
      async (which, mistakes, damages, isCrLf) => {
        const at = paths[which % paths.length]!;
        let text = isCrLf ? project[at]!.replaceAll('\n', '\r\n') : project[at]!;
        for (const one of mistakes) text = makeMistake(text, one);
        for (const { at: share, length, put } of damages) {
          const start = Math.floor(share * text.length);
          text = text.slice(0, start) + put + text.slice(start + length);
        }
        server.edit(at, text.replaceAll('|', '||'));
        for (const action of await actionsIn(server, at)) {
          if (action.disabled !== undefined) continue;
          const resolved = await server.request<CodeAction>('codeAction/resolve', action).catch((error: unknown) => {
            if (error instanceof ResponseError) return undefined;
            throw new Error(`${action.title} on ${text}`, { cause: error });
          });
          if (resolved?.edit === undefined) continue;
          edits += 1;
          // Throws when edits overlap or lie outside of the text.
          for (const [file, after] of Object.entries(server.applied(resolved.edit))) {
            if (file.replace(/^\//, '') === at && isJson(server.text(at)))
              expect(isJson(after), `${action.title} on ${text}: ${after}`).toBe(true);
          }
        }
        const once = await fixAll(server, at);
        server.edit(at, once.replaceAll('|', '||'));
        expect(await fixAll(server, at)).toBe(once);
        server.close(at);
      },
    ),
    { numRuns: runs(50, 150) },
  );
  expect(edits).toBeGreaterThan(50);
}, 60_000);

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}
