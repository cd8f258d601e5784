import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import type { SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver';
import { tokenModifiers, tokenTypes } from '../../server/semanticTokens/legend.js';
import { documentOf } from '../support/documentOf.js';
import { triesAll } from '../support/effort.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { agentText, llmText } from './agents.js';

/** `text -> type modifiers` of every token, in order. */
function shown(text: string, data: readonly number[]): readonly string[] {
  const lines = documentOf(text);
  const found: string[] = [];
  let [line, character] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0, bits = 0] = data.slice(at, at + 5);
    character = down === 0 ? character + right : right;
    line += down;
    const start = lines.offsetAt({ line, character });
    const modifiers = tokenModifiers.filter((_, bit) => (bits & (1 << bit)) !== 0);
    found.push([`${text.slice(start, start + length)} -> ${tokenTypes[type]}`, ...modifiers].join(' '));
  }
  return found;
}

async function tokens(server: Harness, path: string): Promise<readonly string[]> {
  const { data } = await server.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument: { uri: server.uri(path) } });
  return shown(server.text(path), data);
}

/** Character, length, type and modifiers of the tokens of each line. */
function linesOf(answer: SemanticTokens | null): ReadonlyMap<number, readonly (readonly number[])[]> {
  const lines = new Map<number, number[][]>();
  const { data } = answer ?? { data: [] };
  let [line, character] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, ...rest] = data.slice(at, at + 5);
    character = down === 0 ? character + right : right;
    line += down;
    lines.set(line, [...(lines.get(line) ?? []), [character, ...rest]]);
  }
  return lines;
}

const root = join(import.meta.dirname, '../..');

/** Project paths of the example configs of this repository. */
function examples(): readonly string[] {
  return readdirSync(join(root, 'config'), { recursive: true, encoding: 'utf8' }).flatMap((path) =>
    path.endsWith('.json') ? [`config/${path.replaceAll('\\', '/')}`] : [],
  );
}

const agent = 'config/agents/A2/v1.json';

const nested = {
  type: 'object',
  properties: {
    tone: { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] },
    parts: {
      type: 'array',
      items: { type: 'object', properties: { kind: { enum: ['x', 'y'] }, 'a/b': { type: 'string' } }, required: ['kind', 'a/b'] },
    },
  },
  anyOf: [
    { properties: { tone: { const: 'a' }, size: { type: 'number' } }, required: ['size'] },
    { properties: { size: { enum: ['small', 'large'] } }, required: ['tone', 'size'] },
  ],
  required: ['tone', 'parts'],
};

/** Agents whose schemas combine others, with and without a `$ref`, for every way in which one may be written. */
const nestedAgents = {
  'config/agents/Nested/v1.json': agentText({ output_schema: nested, enums: { tone: ['a', 'b'] } }, 'Nested'),
  'config/agents/Nested/v2.json': agentText(
    {
      output_schema: {
        ...nested,
        properties: { tone: { $ref: '#/definitions/tone' }, again: { $ref: '#/definitions/tone' }, part: { $ref: '#/definitions/part' } },
        definitions: { tone: { enum: ['a', 'b'] }, part: { type: 'object', properties: { kind: { enum: ['x'] } }, required: ['kind'] } },
      },
    },
    'Nested',
    'v2',
  ),
};

describe('semantic tokens', () => {
  test('of an agent: names, values, variables', async () => {
    const server = await openServer({
      [agent]: agentText({
        llm_config_id: 'main',
        output_schema: { type: 'object', properties: { tone: { enum: ['a'] } } },
        enums: { tone: ['a'] },
        system_text: 'Hi ${NAME:-you} {{input.x}} 🎉 ${B}',
      }),
      'config/llms/main.json': llmText('main'),
    });
    expect(await tokens(server, agent)).toEqual([
      'A2 -> class declaration',
      'v1 -> keyword declaration',
      'Chooser -> enumMember',
      '${NAME:-you} -> macro',
      '${B} -> macro',
      'object -> enumMember',
      'tone -> property declaration',
      'a -> enumMember declaration',
      'tone -> property',
      'a -> enumMember declaration',
      'main -> type',
    ]);
  });

  test('of an orchestration: teams, tasks, agents with their versions, templates cut where names are in them', async () => {
    const path = 'config/orchestrations/o.json';
    const server = await openServer({
      [agent]: agentText(),
      [path]: JSON.stringify({
        name: 'o',
        entry_team: 'one',
        teams: {
          one: {
            name: 'One {{no.template}}',
            tasks: [{ name: 't', agent: 'A2@v1', input: { x: 'say "{{tasks.t.output.tone}}"\n{{context.y}}' } }],
            routing: {
              rules: [{ condition: { task: 't', output_field: 'tone', operator: 'equals', value: 'a' }, next_team: 'one' }],
              default: null,
            },
          },
        },
      }),
    });
    expect(await tokens(server, path)).toEqual([
      'o -> class declaration',
      'one -> namespace',
      'one -> namespace declaration',
      't -> function declaration',
      'A2 -> class',
      'v1 -> keyword',
      'x -> parameter',
      '{{tasks. -> variable',
      't -> function',
      '.output. -> variable',
      'tone -> property',
      '}} -> variable',
      '{{context. -> variable',
      'y -> variable',
      '}} -> variable',
      't -> function',
      'tone -> property',
      'equals -> enumMember',
      'a -> enumMember',
      'one -> namespace',
    ]);
  });

  test('of a profile and of mcp.json: secrets and what is filled in', async () => {
    const server = await openServer({
      'config/llms/main.json':
        '{"llm_id": "main", "provider": "openai", "api_key": "secret://key", "base_url": "${URL}/v1", "options": {"x": "${Y}"}}',
      'config/mcp.json': '{"servers": {"files": {"type": "stdio", "command": "x", "env": {"A": "${env:B} ${input:c}"}}}}',
    });
    expect(await tokens(server, 'config/llms/main.json')).toEqual([
      'main -> type declaration',
      'secret://key -> macro readonly',
      '${URL} -> macro',
      '${Y} -> macro',
    ]);
    expect(await tokens(server, 'config/mcp.json')).toEqual([
      'files -> namespace declaration',
      'stdio -> enumMember',
      '${env:B} -> macro',
      '${input: -> macro',
      'c -> parameter',
      '} -> macro',
    ]);
  });

  test('of broken JSON, with CRLF, escapes and emoji', async () => {
    const path = 'config/prompts/p/v1.json';
    const server = await openServer({ [path]: '{"name": "p",\r\n "version": "v1"\r\n "template": "🎉 \\u00e9 {{input.a}} and {{input.b' });
    expect(await tokens(server, path)).toEqual([
      'p -> function declaration',
      'v1 -> keyword declaration',
      '{{input. -> variable',
      'a -> parameter',
      '}} -> variable',
    ]);
  });

  test('of a file with a value missing are those before and behind it', async () => {
    const path = 'config/llms/main.json';
    const server = await openServer({ [path]: '{"llm_id": "main",\n "model_name":\n "provider": "openai", "api_key": "secret://key\n}' });
    expect(await tokens(server, path)).toEqual(['main -> type declaration', 'secret://key -> macro readonly']);
  });

  test('of a range are those in it', async () => {
    const server = await openServer({ [agent]: agentText() });
    const textDocument = { uri: server.uri(agent) };
    const range = { start: { line: 2, character: 0 }, end: { line: 3, character: 15 } };
    const { data } = await server.request<SemanticTokens>('textDocument/semanticTokens/range', { textDocument, range });
    expect(shown(server.text(agent), data)).toEqual(['v1 -> keyword declaration', 'Chooser -> enumMember']);
  });

  test.each(['whole', 'broken'])('of a line of the examples are those that all tokens have there, in a %s file', async (state) => {
    const texts = Object.entries(nestedAgents).concat(examples().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
    const files = Object.fromEntries(
      texts.map(([path, read]) => {
        const text = read.replaceAll('|', '||');
        return [path, state === 'whole' ? text : text.replace(/"(\w+)":/, '"$1"')];
      }),
    );
    const server = await openServer(files);
    for (const [index, path] of Object.keys(files).entries()) {
      const textDocument = { uri: server.uri(path) };
      const whole = linesOf(await server.request<SemanticTokens | null>('textDocument/semanticTokens/full', { textDocument }));
      for (const [line] of server.text(path).split('\n').entries()) {
        if (!triesAll && !Object.hasOwn(nestedAgents, path) && (line + index) % 5 !== 0) continue;
        const range = { start: { line, character: 0 }, end: { line: line + 1, character: 0 } };
        const part = linesOf(await server.request<SemanticTokens | null>('textDocument/semanticTokens/range', { textDocument, range }));
        expect(part.get(line), `${path}:${line + 1}`).toEqual(whole.get(line));
        expect([...part.keys()].filter((other) => other !== line)).toEqual([]);
      }
    }
  });

  test('of a large file are given up when its text changes meanwhile', async () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `field_${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', description: '${HOME}' }]));
    const text = agentText({ output_schema: { type: 'object', properties, required: names, additionalProperties: false } });
    const server = await openServer({ [agent]: text });
    server.edit(agent, text);
    const answer = server.request('textDocument/semanticTokens/full', { textDocument: { uri: server.uri(agent) } });
    setTimeout(() => server.edit(agent, `${text} `), 20);
    await expect(answer).rejects.toMatchObject({ code: -32801 });
  });

  test('since an earlier answer are what has changed; since an unknown one, all', async () => {
    const server = await openServer({ [agent]: agentText() });
    const textDocument = { uri: server.uri(agent) };
    const before = await server.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
    server.edit(agent, agentText({ mode: 'x' }));
    const ask = (previousResultId: string | undefined) =>
      server.request<SemanticTokensDelta & SemanticTokens>('textDocument/semanticTokens/full/delta', { textDocument, previousResultId });
    const delta = await ask(before.resultId);
    const patched = [...before.data];
    for (const { start, deleteCount, data = [] } of delta.edits) patched.splice(start, deleteCount, ...data);
    expect(delta.edits[0]!.data!.length).toBeLessThan(before.data.length);
    const { data } = await server.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
    expect(patched).toEqual(data);
    expect((await ask('nonsense')).data).toEqual(data);
    expect((await ask((await ask('nonsense')).resultId)).edits).toEqual([]);
  });

  test('of a file that is none of ours are none', async () => {
    const server = await openServer({ 'a.json': '{}' });
    expect(await server.request('textDocument/semanticTokens/full', { textDocument: { uri: server.uri('a.json') } })).toBe(null);
  });
});
