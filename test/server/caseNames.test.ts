import { expect, test } from 'vitest';
import type { DocumentSymbol, Hover, Location, WorkspaceEdit } from 'vscode-languageserver';
import { flow, judges, tone } from '../support/evalFixture.js';
import { openServer } from '../support/serverHarness.js';

/** The sections of fixtures as files. */
function filesOf(...sections: readonly string[]): Record<string, string> {
  const parts = sections.join('\n').split(/^--- (.+)\n/m);
  return Object.fromEntries(parts.flatMap((path, index) => (index % 2 === 1 ? [[path, parts[index + 1] ?? '']] : [])));
}

const own = 'config/payloads/Tone/set.json';
const ofFlow = 'config/payloads/flow/one.json';
const files = (set: string, one: string) => ({ ...filesOf(tone, judges, flow), [own]: set, [ofFlow]: one });
const set = (expect: string) => `{ "cases": [{ "name": "a", "input": {}, "expected": { "tone": "formal" }, "expect": [${expect}] }] }`;
const one = (expect: string) => `{ "context": { "title": "x" }, "expect": [${expect}] }`;
const plain = { set: set(''), one: one('') };

test.each([
  [own, set('{ "output_field": "to|ne", "operator": "exists" }'), 'config/agents/Tone/v1.json', '"tone": { "type"'],
  [own, set('{ "output_field": "tone", "operator": "equals", "value": "for|mal" }'), 'config/agents/Tone/v1.json', '"formal", "direct"'],
  [own, set('{ "judge": "Fa|ir@v1", "output_field": "verdict", "operator": "exists" }'), 'config/agents/Fair/v1.json', '"Fair"'],
  [own, set('{ "judge": "Fair", "output_field": "verd|ict", "operator": "exists" }'), 'config/agents/Fair/v1.json', '"verdict": { "type"'],
  [
    own,
    '{ "turns": [{ "input": {} }, { "input": {}, "expect": [{ "output_field": "to|ne", "operator": "exists" }] }] }',
    'config/agents/Tone/v1.json',
    '"tone": { "type"',
  ],
  [ofFlow, one('{ "task": "che|ck", "status": "success" }'), 'config/orchestrations/flow.json', '"check", "agent"'],
  [ofFlow, one('{ "task": "draft", "output_field": "to|ne", "operator": "exists" }'), 'config/agents/Tone/v1.json', '"tone": { "type"'],
  [ofFlow, one('{ "route": true, "operator": "equals", "value": ["wri|te"] }'), 'config/orchestrations/flow.json', '"write": {'],
  [ofFlow, one('{ "context_field": "rou|nd", "operator": "exists" }'), 'config/orchestrations/flow.json', '"round": 0'],
])('in %s, the definition of what %s names is found, and a hover explains it', async (path, text, target, line) => {
  const at = text.indexOf('|');
  const marked = text.replace('|', '');
  const server = await openServer({ ...files(plain.set, plain.one), [path]: marked });
  const position = { line: 0, character: at };
  const params = { textDocument: { uri: server.uri(path) }, position };
  const [found] = await server.request<Location[]>('textDocument/definition', params);
  expect(found?.uri).toBe(server.uri(target));
  const lines = server.text(target).split('\n');
  const { start } = found?.range ?? { start: { line: 0, character: 0 } };
  // The name is selected without its quotes.
  expect(`"${lines[start.line]?.slice(start.character)}`).toContain(line.slice(0, 6));
  const hover = await server.request<Hover | null>('textDocument/hover', params);
  expect(JSON.stringify(hover?.contents)).not.toMatch(/There is no|has no/);
  expect(hover).not.toBeNull();
});

test('a value of the newest version is renamed in its cases, in data sets too', async () => {
  const path = 'config/agents/Tone/v1.json';
  const server = await openServer(files(set('{ "not": { "output_field": "tone", "operator": "equals", "value": "formal" } }'), plain.one));
  const text = server.text(path);
  const lines = text.slice(0, text.indexOf('"formal"') + 2).split('\n');
  const edit = await server.request<WorkspaceEdit>('textDocument/rename', {
    textDocument: { uri: server.uri(path) },
    position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 },
    newName: 'stiff',
  });
  const after = Object.entries(server.applied(edit)).find(([file]) => file.endsWith(own))?.[1];
  expect(after).toBe(
    set('{ "not": { "output_field": "tone", "operator": "equals", "value": "stiff" } }').replace('"tone": "formal"', '"tone": "stiff"'),
  );
});

test('the outline names cases, and expectations in words', async () => {
  const server = await openServer(
    {
      ...files(
        set(
          '{ "output_field": "tone", "operator": "equals", "value": "formal" }, { "not": { "tool": "x", "operator": "less_than", "value": 2 } }',
        ),
        plain.one,
      ),
    },
    { client: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } } },
  );
  const symbols = await server.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument: { uri: server.uri(own) } });
  const [one] = symbols[0]?.children ?? [];
  expect([one?.name, one?.detail]).toEqual(['a', '2 expected']);
  const expected = one?.children?.find(({ name }) => name === 'expect')?.children;
  expect(expected?.map(({ name }) => name)).toEqual(['tone equals formal', 'not (calls of x less_than 2)']);
});
