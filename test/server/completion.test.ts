import { describe, expect, test } from 'vitest';
import type { ClientCapabilities, CompletionItem, CompletionList, Diagnostic, MarkupContent } from 'vscode-languageserver';
import { openServer } from '../support/serverHarness.js';
import { completionsAt, taken } from './completion/applyCompletion.js';
import { agentPath, type CompletionCase, projectFiles, variables } from './completion/case.js';
import { conditionCases } from './completion/conditionCases.js';
import { expectationCases } from './completion/expectationCases.js';
import { fieldCases } from './completion/fieldCases.js';
import { formCases } from './completion/formCases.js';
import { optionCases } from './completion/optionCases.js';
import { schemaCases } from './completion/schemaCases.js';
import { textCases } from './completion/textCases.js';
import { valueCases } from './completion/valueCases.js';

const files = { ...projectFiles, [agentPath]: '{"agent_name": "Shaper", "version": "v1"}' };

const client: ClientCapabilities = {
  textDocument: {
    completion: {
      completionItem: {
        snippetSupport: true,
        insertReplaceSupport: true,
        commitCharactersSupport: true,
        tagSupport: { valueSet: [1] },
        insertTextModeSupport: { valueSet: [1, 2] },
        resolveSupport: { properties: ['documentation'] },
      },
    },
  },
};

/** The server answers as the case says. */
async function check({
  path = agentPath,
  text,
  files: more,
  first,
  offers,
  lacks,
  only,
  take,
  after,
  staysBroken,
}: CompletionCase): Promise<void> {
  const server = await openServer({ ...files, ...more }, { client, variables });
  server.edit(path, text);
  const before = server.text(path);
  const items = await completionsAt(server, path);
  const sorted = [...items].sort((left, right) => ((left.sortText ?? '') < (right.sortText ?? '') ? -1 : 1));
  const labels = sorted.map(({ label }) => label);
  expect(new Set(labels).size, 'every label once').toBe(labels.length);
  if (first !== undefined) expect(labels.slice(0, first.length)).toEqual(first);
  if (offers !== undefined) expect(labels).toEqual(expect.arrayContaining([...offers]));
  if (only !== undefined) expect(labels).toEqual(only);
  for (const label of lacks ?? []) expect(labels).not.toContain(label);
  if (take === undefined) return;
  const item = items.find(({ label }) => label === take);
  if (item === undefined) throw new Error(`${take} is not offered, only ${labels.join(', ')}`);
  const result = taken(before, item);
  expect(result).toBe(after?.replaceAll('||', '|'));
  if (staysBroken !== true) expect(() => JSON.parse(result.replace(/^\ufeff/, ''))).not.toThrow();
}

const withCrlf = (text: string) => text.replaceAll('\n', '\r\n');

/** The same place while its quotes are still to be typed, or the closing one is: the result is the same. */
function halfTyped(one: CompletionCase): readonly CompletionCase[] {
  const { name, text, take } = one;
  if (take === undefined || !text.includes('"|"') || text.split('|').length > 2) return [];
  const restOfLine = text.slice(text.indexOf('"|"') + 3).split('\n', 1)[0] ?? '';
  // Without its end a text goes on to the next quote, so there must be none.
  const open = restOfLine.includes('"') ? [] : [{ ...one, name: `${name}, the quote still open`, text: text.replace('"|"', '"|') }];
  // Outside of quotes null, lists and the like are offered as well.
  const { only, ...rest } = one;
  return [
    { ...rest, name: `${name}, without quotes`, text: text.replace('"|"', '|'), ...(only !== undefined && { offers: only }) },
    ...open,
  ];
}

describe.each([
  ['fields', fieldCases],
  ['values and names', valueCases],
  ['JSON Schema', schemaCases],
  ['conditions', conditionCases],
  ['expectations', expectationCases],
  ['options of profiles', optionCases],
  ['inside texts', textCases],
  ['forms', formCases],
])('%s', (_topic, cases) => {
  const crlf = cases.flatMap((one): CompletionCase[] => {
    if (!one.text.includes('\n')) return [];
    return [
      { ...one, name: `${one.name}, with CRLF`, text: withCrlf(one.text), ...(one.after !== undefined && { after: withCrlf(one.after) }) },
    ];
  });

  test.each([...cases, ...crlf, ...cases.flatMap(halfTyped)].map((one) => [one.name, one] as const))('%s', (_name, one) => check(one));
});

type ItemAbilities = NonNullable<NonNullable<ClientCapabilities['textDocument']>['completion']>['completionItem'];

/** A client with these abilities, at the cursor of an agent file. */
async function itemsFor(abilities: NonNullable<ItemAbilities>, text: string, path = agentPath) {
  const server = await openServer(files, { client: { textDocument: { completion: { completionItem: abilities } } }, variables });
  server.edit(path, text);
  const items = await completionsAt(server, path);
  return { server, items, item: (label: string) => items.find((one) => one.label === label) as CompletionItem };
}

describe('what the client can do', () => {
  test('without snippets the text can stand as it is', async () => {
    const { item } = await itemsFor({}, '{\n  "description": "costs $5 {a}",\n  |\n}');
    expect(item('mode')).toMatchObject({ insertTextFormat: 1, textEdit: { newText: '"mode": "Chooser"' } });
    expect(item('budget').textEdit?.newText).toBe('"budget": {}');
    expect(item('$schema').textEdit?.newText).toBe('"$schema": "agent-stack:agent.schema.json"');
  });

  test('with snippets a dollar of ours is not a tab stop, and choices are offered', async () => {
    const { item } = await itemsFor({ snippetSupport: true }, '{ | }');
    expect(item('$schema').textEdit?.newText).toBe('"\\$schema": "agent-stack:agent.schema.json"');
    expect(item('mode').textEdit?.newText).toBe('"mode": "${1|Chooser,Writer,Extractor|}"');
    expect(item('agent_type').textEdit?.newText).toBe('"agent_type": "${1|react,orchestrating,single_shot|}"');
  });

  test('a name that stands in several places is filled in once', async () => {
    const { item } = await itemsFor({ snippetSupport: true }, '|', 'config/agents/Fresh/v1.json');
    const snippet = item('Chooser agent').textEdit?.newText ?? '';
    const [stop] = /(?<=\$\{)\d+(?=:label\})/.exec(snippet) ?? [];
    expect(snippet.split(`"$${stop}"`)).toHaveLength(2);
    expect(snippet.split(`:label}`)).toHaveLength(2);
  });

  test('lines are indented by a client that expands snippets, unless it can leave them as they are', async () => {
    const text = '{\n  "output_schema": {\n    "properties": {\n      |\n    }\n  }\n}';
    const relative = await itemsFor({ snippetSupport: true }, text);
    expect(relative.item('text field')).not.toHaveProperty('insertTextMode');
    expect(relative.item('text field').textEdit?.newText.split('\n')[1]).toBe('  "type": "string",');
    const asIs = await itemsFor({ snippetSupport: true, insertTextModeSupport: { valueSet: [1] } }, text);
    expect(asIs.item('text field')).toMatchObject({ insertTextMode: 1 });
    expect(asIs.item('text field').textEdit?.newText.split('\n')[1]).toBe('        "type": "string",');
    const plain = await itemsFor({}, text);
    expect(plain.item('text field').textEdit?.newText.split('\n')[1]).toBe('        "type": "string",');
  });

  test('a client that can insert or replace gets both ranges', async () => {
    const { item, server } = await itemsFor({ insertReplaceSupport: true }, '{ "mode": "Wri|xyz" }');
    const writer = item('Writer');
    expect(writer.textEdit).toMatchObject({
      insert: { start: { character: 11 }, end: { character: 14 } },
      replace: { end: { character: 17 } },
    });
    expect(taken(server.text(agentPath), writer, 'insert')).toBe('{ "mode": "Writerxyz" }');
    expect(taken(server.text(agentPath), writer, 'replace')).toBe('{ "mode": "Writer" }');
  });

  test('what is filtered by begins as the replaced text does', async () => {
    const open = await itemsFor({}, '{\n  "mode": "Wr|\n}');
    expect(open.item('Writer').filterText).toBe('"Writer');
    const closed = await itemsFor({}, '{ "mode": "Wr|" }');
    const filteredBy = ({ label, filterText }: CompletionItem) => filterText ?? label;
    expect(filteredBy(closed.item('Writer'))).toBe('Writer');
    const word = await itemsFor({}, '{ "mode": Wr| }');
    expect(filteredBy(word.item('Writer'))).toBe('Writer');
  });

  test('a model that goes away is marked, and comes last', async () => {
    const marked = await itemsFor({ tagSupport: { valueSet: [1] } }, '{ "model_name": "|" }');
    expect(marked.item('gpt-4')).toMatchObject({ tags: [1] });
    expect(marked.item('gpt-4').sortText?.[0]).toBe('6');
    expect(marked.item('gpt-5.4')).not.toHaveProperty('tags');
    expect(marked.item('gpt-5.4').detail).toBe('1.05M tokens, 2.50 USD in, 15.00 USD out per M');
    const old = await itemsFor({}, '{ "model_name": "|" }');
    expect(old.item('gpt-4')).toMatchObject({ deprecated: true });
  });

  test('a name without its version is taken by the sign that begins a version', async () => {
    const { item } = await itemsFor(
      { commitCharactersSupport: true },
      '{ "teams": { "t": { "tasks": [{ "agent": "|" }] } } }',
      'config/orchestrations/o.json',
    );
    expect(item('Labels').commitCharacters).toEqual(['@']);
    expect(item('Labels@v1')).not.toHaveProperty('commitCharacters');
  });
});

describe('documentation', () => {
  const docs = (item: CompletionItem) => (item.documentation as MarkupContent | undefined)?.value ?? '';
  const later = { resolveSupport: { properties: ['documentation'] } };
  const resolved = async (text: string, label: string, path = agentPath) => {
    const { server, item } = await itemsFor(later, text, path);
    expect(item(label)).not.toHaveProperty('documentation');
    return docs(await server.request<CompletionItem>('completionItem/resolve', item(label)));
  };

  test('of a field comes from its schema', async () => {
    expect(await resolved('{ | }', 'mode')).toMatch(
      /^How the user message asks for the fields[\s\S]*One of `"Chooser"`, `"Writer"`, `"Extractor"`/,
    );
  });
  test('of a keyword of JSON Schema', async () => {
    expect(await resolved('{ "output_schema": { "type": "string", | } }', 'minLength')).toContain('Fewest characters');
  });
  test('of an agent tells what it is', async () => {
    const text = '{ "teams": { "t": { "tasks": [{ "agent": "|" }] } } }';
    expect(await resolved(text, 'Labels@v1', 'config/orchestrations/o.json')).toMatch(/^Labels a text\.[\s\S]*mode: `"Chooser"`/);
  });
  test('of a profile, a persona, a prompt, a server', async () => {
    expect(await resolved('{ "llm_config_id": "|" }', 'openai')).toContain('provider: `"openai"`');
    expect(await resolved('{ "persona_key": "|" }', 'editor')).toContain('Edits texts');
    expect(await resolved('{ "prompts": { "system_prompt": "|" } }', 'review@v1')).toContain('Review {{input.language}} code.');
    expect(await resolved('{ "client_ids": ["|"] }', 'docs')).toContain('https://mcp.example.com');
  });
  test('of a model tells its facts and where they come from', async () => {
    expect(await resolved('{ "model_name": "|" }', 'gpt-5.4')).toMatch(
      /context window: 1,050,000 tokens[\s\S]*in 2\.50 USD[\s\S]*source: /,
    );
  });
  test('of a rule and an operator', async () => {
    expect(await resolved('{ "$ignore": { "|" } }', 'prompt-debris')).toContain('explain prompt-debris');
    expect(
      await resolved(
        '{ "context": { "n": 1 }, "teams": { "t": { "routing": { "rules": [{ "condition": { "context_field": "n", "operator": "|" } }] } } } }',
        'less_than',
        'config/orchestrations/o.json',
      ),
    ).toContain('number');
  });
  test('comes along for clients that do not ask for it later', async () => {
    const { item } = await itemsFor({}, '{ | }');
    expect(docs(item('mode'))).toContain('How the user message asks');
  });
  test('of an option is that of its provider', async () => {
    const text = '{ "provider": "anthropic", "options": { | } }';
    expect(await resolved(text, 'betas', 'config/llms/openai.json')).toContain('sent in the header `anthropic-beta`');
  });
  test('an item that is none of ours comes back as it is', async () => {
    const { server } = await itemsFor(later, '{ | }');
    for (const data of [
      undefined,
      null,
      1,
      {},
      { uri: 1 },
      { uri: server.uri(agentPath) },
      { uri: server.uri(agentPath), docs: { type: 'field', kind: 'agent' } },
    ]) {
      expect(await server.request('completionItem/resolve', { label: 'x', data })).toEqual({
        label: 'x',
        ...(data !== undefined && { data }),
      });
    }
    const strange = {
      label: 'x',
      data: { uri: server.uri(agentPath), docs: { type: 'field', kind: 'agent', path: ['__proto__', 'constructor'] } },
    };
    expect(await server.request('completionItem/resolve', strange)).toEqual(strange);
  });
  test('values of variables and secrets are never sent', async () => {
    const { server, items } = await itemsFor({}, '{ "description": "${|" }');
    expect(JSON.stringify(items)).toContain('HOME');
    expect(JSON.stringify(items)).not.toContain('not to be seen');
    server.edit('config/llms/openai.json', '{ "api_key_env": "|" }');
    expect(JSON.stringify(await completionsAt(server, 'config/llms/openai.json'))).not.toContain('not to be seen');
  });
});

test('a long list is cut down to what looks like the word, and says so', async () => {
  const personas = Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`config/personas/p${at}.json`, '{}']));
  const server = await openServer({ ...files, ...personas });
  server.edit(agentPath, '{ "persona_key": "|" }');
  const all = await server.request<CompletionList>('textDocument/completion', server.at(agentPath));
  expect(all).toMatchObject({ isIncomplete: true });
  expect(all.items).toHaveLength(500);
  server.edit(agentPath, '{ "persona_key": "p69|" }');
  const some = await server.request<CompletionList>('textDocument/completion', server.at(agentPath));
  expect(some.items.map(({ label }) => label)).toContain('p699');
});

test('a long list inside a text is cut down to what looks like the name begun there', async () => {
  const many = Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`MANY_${at}`, 'x']));
  const server = await openServer(files, { variables: many });
  server.edit(agentPath, '{ "description": "It costs ${MANY_69|" }');
  const some = await server.request<CompletionList>('textDocument/completion', server.at(agentPath));
  expect(some.items.map(({ label }) => label)).toContain('MANY_699');
});

test('a file that is too large is left alone, and at once', async () => {
  const server = await openServer({ [agentPath]: `{ "mode": "|", "description": "${'x'.repeat(11 * 1024 * 1024)}" }` });
  expect(await server.request('textDocument/completion', server.at(agentPath))).toBeNull();
});

test('nesting is answered as deep as a config may be, and left alone where it is without end', async () => {
  const nested = (levels: number) => `{ "output_schema": ${'{"items":'.repeat(levels)} {"type": "string", "|`;
  const server = await openServer({ [agentPath]: nested(190) });
  const answer = await server.request<CompletionList>('textDocument/completion', server.at(agentPath));
  expect(answer.items.map(({ label }) => label)).toContain('minLength');
  server.edit(agentPath, nested(20_000));
  expect(await server.request('textDocument/completion', server.at(agentPath))).toBeNull();
});

test('a payload is offered the keys of every version of its agent', async () => {
  const server = await openServer({
    'config/agents/A/v1.json': '{ "agent_name": "A", "version": "v1", "input_keys": ["task"] }',
    'config/agents/A/v2.json': '{ "agent_name": "A", "version": "v2", "input_keys": ["question"] }',
    'config/payloads/A/one.json': '{ "input": { "|" } }',
  });
  const items = await completionsAt(server, 'config/payloads/A/one.json');
  expect(items.map(({ label }) => label)).toEqual(['question', 'task']);
});

test('a complete list says so', async () => {
  const server = await openServer({ [agentPath]: '{ "mode": "|" }' });
  expect(await server.request('textDocument/completion', server.at(agentPath))).toMatchObject({ isIncomplete: false });
});

test.each([
  'config/agents/Fresh/v1.json',
  'config/llms/fresh.json',
  'config/personas/fresh.json',
  'config/prompts/fresh/v1.json',
  'config/orchestrations/fresh.json',
  'config/payloads/Labels/fresh.json',
  'config/environments/fresh.json',
  'config/mcp.json',
])('in the forms for %s no rule finds an error', async (path) => {
  const server = await openServer(files, { client, variables: { ...variables, LOCAL_URL: 'x' } });
  server.edit(path, '|');
  const items = await completionsAt(server, path);
  expect(items).not.toEqual([]);
  for (const item of items) {
    server.edit(path, taken('', item));
    const report = await server.request<{ items: Diagnostic[] }>('textDocument/diagnostic', { textDocument: { uri: server.uri(path) } });
    expect(report.items.filter(({ severity }) => severity === 1)).toEqual([]);
  }
});
