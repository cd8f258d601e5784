import { describe, expect, test } from 'vitest';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  ClientCapabilities,
  DocumentHighlight,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  Location,
  LocationLink,
  Range,
  SelectionRange,
  SymbolInformation,
  WorkspaceSymbol,
} from 'vscode-languageserver';
import { pointerOf } from '../../core/json.js';
import { cursorAt } from '../../server/cursor.js';
import { parseTree } from '../../server/jsonTree.js';
import { documentOf } from '../support/documentOf.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { configText, namedProject, withCursor } from './namedProject.js';

const agent = 'config/agents/A/v1.json';
const plan = 'config/agents/B/v1.json';
const flow = 'config/orchestrations/flow.json';
const prompt = 'config/prompts/ask/v2.json';

describe('definition', () => {
  test.each([
    [flow, '"A|@v1"', 'config/agents/A/v1.json /agent_name «A»'],
    [flow, '"A@v|1"', 'config/agents/A/v1.json /version «v1»'],
    [flow, '"agent": "|A"', 'config/agents/A/v2.json /agent_name «A»'],
    [agent, '"agent_name": "|A"', 'config/agents/A/v1.json /agent_name «A»'],
    [agent, '"fa|st"', 'config/llms/fast.json /llm_id «fast»'],
    [agent, '"edit|or"', 'config/personas/editor.json  «»'],
    [agent, '"as|k@v2"', 'config/prompts/ask/v2.json /name «ask»'],
    [agent, '"fil|es"', 'config/mcp.json /servers/files «files»'],
    [flow, '"next_team": "t|wo"', 'config/orchestrations/flow.json /teams/two «two»'],
    [flow, '"depends_on": [\n            "a|sk"', 'config/orchestrations/flow.json /teams/one/tasks/0/name «ask»'],
    [flow, '"task": "as|k"', 'config/orchestrations/flow.json /teams/one/tasks/0/name «ask»'],
    [flow, '"output_field": "to|ne"', 'config/agents/A/v1.json /output_schema/properties/tone «tone»'],
    [flow, '{{tasks.ask.output.items.0.ki|nd}}', 'config/agents/A/v1.json /output_schema/$defs/item/properties/kind «kind»'],
    [flow, '"frie|ndly",\n                  "direct"', 'config/agents/A/v1.json /output_schema/properties/tone/enum/1 «friendly»'],
    [flow, '{{context.to|pic}}', 'config/orchestrations/flow.json /context/topic «topic»'],
    [plan, '{{input.ab|out}}', 'config/agents/B/v1.json /input_keys/0 «about»'],
    [plan, '{{steps.fi|rst', 'config/agents/B/v1.json /execution_plan/steps/0/name «first»'],
    [plan, '"to|pic"', 'config/agents/A/v1.json /input_keys/0 «topic»'],
    [prompt, '{{input.to|pic}}', 'config/agents/A/v1.json /input_keys/0 «topic»'],
    [agent, '"required": [\n      "to|ne"', 'config/agents/A/v1.json /output_schema/properties/tone «tone»'],
    [agent, '"#/$def|s/item"', 'config/agents/A/v1.json /output_schema/$defs/item «item»'],
    [agent, '"enums": {\n    "to|ne"', 'config/agents/A/v1.json /output_schema/properties/tone «tone»'],
    [agent, '"enums": {\n    "tone": [\n      "dir|ect"', 'config/agents/A/v1.json /output_schema/properties/tone/enum/0 «direct»'],
    [agent, '"enum": [\n          "dir|ect"', 'config/agents/A/v1.json /enums/tone/0 «direct»'],
    [agent, '"en|um"', 'config/agents/A/v1.json /enums/tone «tone»'],
  ])('%s: %j leads to %s', async (path, mark, target) => {
    const server = await openServer(withCursor(path, mark));
    const locations = await server.request<Location[]>('textDocument/definition', server.at(path));
    expect(locations.map((location) => shown(server, location))).toEqual([target]);
  });

  test('leads to the field of each agent that uses a prompt', async () => {
    const second = configText({ agent_name: 'C', version: 'v1', input_keys: ['topic'], prompts: { system_prompt: 'ask@v2' } });
    const server = await openServer({ ...withCursor(prompt, '{{input.to|pic}}'), 'config/agents/C/v1.json': second });
    const locations = await server.request<Location[]>('textDocument/definition', server.at(prompt));
    expect(locations.map((location) => shown(server, location))).toEqual([
      'config/agents/A/v1.json /input_keys/0 «topic»',
      'config/agents/C/v1.json /input_keys/0 «topic»',
    ]);
  });

  test('marks what was asked about for a client that shows it', async () => {
    const client = { textDocument: { definition: { linkSupport: true } } };
    const server = await openServer(withCursor(flow, '"A@|v1"'), { client });
    const [link] = await server.request<LocationLink[]>('textDocument/definition', server.at(flow));
    expect(shown(server, { uri: server.uri(flow), range: link!.originSelectionRange! })).toBe(`${flow} /teams/one/tasks/0/agent «v1»`);
  });

  test('answers nothing on a text that names nothing, and on a name of nothing', async () => {
    for (const mark of ['"mode": "Cho|oser"', '"mo|de"', '"version"|:']) {
      const server = await openServer(withCursor(agent, mark));
      expect(await server.request('textDocument/definition', server.at(agent)), mark).toBeNull();
    }
    const server = await openServer({ [agent]: '{"agent_name": "A", "version": "v1", "llm_config_id": "no|ne"}' });
    expect(await server.request('textDocument/definition', server.at(agent))).toBeNull();
  });

  test.each([
    ['a missing comma', '{"agent_name": "A" "version": "v1", "llm_config_id": "fa|st", "x": '],
    ['an open string', '{"agent_name": "A", "version": "v1", "llm_config_id": "fa|st\n'],
    ['a missing value', '{"agent_name": \n  "version": "v1",\n  "llm_config_id": "fa|st"\n}'],
    ['a bracket too many', '{"input_keys": ["a"]],\n  "llm_config_id": "fa|st"\n}'],
    ['comments', '{ // a "comment" {\n  "llm_config_id": /* here: */ "fa|st",\n}'],
    ['CRLF, a BOM and emoji', '\ufeff{"description": "😀",\r\n  "llm_config_id": "fa|st"\r\n'],
  ])('works with %s', async (_what, text) => {
    const server = await openServer({ [agent]: text, 'config/llms/fast.json': namedProject['config/llms/fast.json']! });
    const [location] = await server.request<Location[]>('textDocument/definition', server.at(agent));
    expect(shown(server, location!)).toBe('config/llms/fast.json /llm_id «fast»');
  });
});

describe('references', () => {
  test('are all places, with or without the declaration', async () => {
    const server = await openServer(withCursor(flow, '"A@v|1"'));
    const ask = async (includeDeclaration: boolean) => {
      const locations = await server.request<Location[]>('textDocument/references', {
        ...server.at(flow),
        context: { includeDeclaration },
      });
      return locations.map((location) => shown(server, location));
    };
    const uses = [`${plan} /execution_plan/steps/0/agent «v1»`, `${flow} /teams/one/tasks/0/agent «v1»`];
    expect(await ask(false)).toEqual(uses);
    expect(await ask(true)).toEqual([`${agent} /version «v1»`, ...uses]);
  });

  test('of a persona count its file as the declaration', async () => {
    const server = await openServer(withCursor(agent, '"edit|or"'));
    const locations = await server.request<Location[]>('textDocument/references', {
      ...server.at(agent),
      context: { includeDeclaration: true },
    });
    expect(locations.map(({ uri }) => uri)).toEqual(
      ['config/personas/editor.json', agent, flow, 'config/system.json'].map((path) => server.uri(path)),
    );
  });

  test('follow an edit that is not saved', async () => {
    const server = await openServer(withCursor('config/llms/fast.json', '"llm_id": "fa|st"'));
    server.edit(agent, '{"agent_name": "A", "version": "v1"}');
    const locations = await server.request<Location[]>('textDocument/references', {
      ...server.at('config/llms/fast.json'),
      context: { includeDeclaration: false },
    });
    expect(locations.map((location) => shown(server, location))).toEqual(['config/system.json /agent_defaults/llm_config_id «fast»']);
  });
});

test('highlights tell what sets a thing from what reads it', async () => {
  const server = await openServer(withCursor(flow, '{{context.to|pic}}'));
  const highlights = await server.request<DocumentHighlight[]>('textDocument/documentHighlight', server.at(flow));
  expect(highlights.map(({ range, kind }) => `${kind} ${shown(server, { uri: server.uri(flow), range })}`)).toEqual([
    `3 ${flow} /context/topic «topic»`,
    `2 ${flow} /teams/one/tasks/0/input/topic «topic»`,
    `3 ${flow} /teams/one/routing/rules/0/context_updates/topic «topic»`,
  ]);
});

describe('document links', () => {
  test('lead from references to files, each reference one link', async () => {
    const server = await openServer(namedProject, { client: { textDocument: { documentLink: { tooltipSupport: true } } } });
    const links = await server.request<DocumentLink[]>('textDocument/documentLink', { textDocument: { uri: server.uri(agent) } });
    expect(links.map(({ range, target, tooltip }) => [shown(server, { uri: server.uri(agent), range }), target, tooltip])).toEqual([
      [`${agent} /prompts/system_prompt «ask@v2»`, server.uri(prompt), `Open ${prompt}`],
      [`${agent} /llm_config_id «fast»`, server.uri('config/llms/fast.json'), 'Open config/llms/fast.json'],
      [`${agent} /persona_key «editor»`, server.uri('config/personas/editor.json'), 'Open config/personas/editor.json'],
      [`${agent} /client_ids/0 «files»`, server.uri('config/mcp.json'), 'Open config/mcp.json'],
    ]);
  });

  test('lead to web addresses and to nothing else', async () => {
    const path = 'config/llms/x.json';
    const ask = async (schema: string, url: string) => {
      const server = await openServer({ [path]: configText({ $schema: schema, llm_id: 'x', base_url: url }) });
      const links = await server.request<DocumentLink[]>('textDocument/documentLink', { textDocument: { uri: server.uri(path) } });
      return links.map(({ target }) => target);
    };
    expect(await ask('https://example.com/s.json', 'http://localhost:11434/v1')).toEqual([
      'https://example.com/s.json',
      'http://localhost:11434/v1',
    ]);
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'command:x', 'https://me:secret@example.com/', '${HOST}/v1', 'x'])
      expect(await ask(url, url), url).toEqual([]);
  });
});

describe('document symbols', () => {
  const client: ClientCapabilities = { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } };

  test('show the fields of the answer and the values of enums', async () => {
    expect(await outline(agent, namedProject[agent]!, client)).toBe(`
agent_name: A
version: v1
mode: Chooser
input_keys: 1 item
  topic
prompts
  system_prompt: ask@v2
output_schema: object
  tone: direct | friendly
  items: array of #/$defs/item
  item: object
    task: string
    kind: bug | chore
enums
  tone: 2 items
    direct
    friendly
defaults
  tone: direct
  items: 1 item
    {…}
      task: none
      kind: bug
llm_config_id: fast
persona_key: editor
client_ids: 1 item
  files
`);
  });

  test('show teams, tasks and rules by what they say', async () => {
    const text = await outline(flow, namedProject[flow]!, client);
    expect(text).toContain('\n  one: One\n    tasks: 2 items\n      ask: A@v1\n');
    expect(text).toContain('→ two: ask.tone in friendly, direct and (not (again.tone equals direct)) and context.done equals true\n');
  });

  test('show what there is of broken JSON, CRLF and emoji', async () => {
    const text = '{\r\n  "agent_name": "😀"\r\n  "enums": { "tone": ["a" }, \r\n  "budget": { "max_cost": }\r\n';
    expect(await outline(agent, text, client)).toBe('\nagent_name: 😀\nenums\n  tone: 1 item\n    a\nbudget\n  max_cost\n');
  });

  test('show the members behind one that is still being typed', async () => {
    const text = '{\n  "mode": \n  "version": "v1",\n  "budget": { "max_cost": 1, "max_ti\n  },\n  "llm_config_id": "x,\n  "mcp"\n}';
    expect(await outline(agent, text, client)).toBe('\nmode\nversion: v1\nbudget\n  max_cost: 1\n  max_ti\nllm_config_id: x\nmcp\n');
  });

  test('are marked by their key, and reach to the end of their value', async () => {
    const server = await openServer({ [agent]: '{"budget": {"max_cost": 1} }' }, { client });
    const [symbol] = await server.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument: { uri: server.uri(agent) } });
    expect(cut(server, server.uri(agent), symbol!.range)).toBe('"budget": {"max_cost": 1}');
    expect(cut(server, server.uri(agent), symbol!.selectionRange)).toBe('"budget"');
  });

  test('are a flat list for a client without trees', async () => {
    const server = await openServer({ [agent]: '{"prompts": {"system_prompt": "x@v1"}}' });
    const symbols = await server.request<SymbolInformation[]>('textDocument/documentSymbol', { textDocument: { uri: server.uri(agent) } });
    expect(symbols.map(({ name, containerName }) => [name, containerName])).toEqual([
      ['prompts', undefined],
      ['system_prompt', 'prompts'],
    ]);
  });

  test('mask what looks like a secret', async () => {
    const text = await outline(agent, '{"description": "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"}', client);
    expect(text).not.toContain('abcdefgh');
    const server = '{"servers": {"a": {"type": "stdio", "command": "x", "env": {"API_TOKEN": "q8Zr2LmW5xT9vB3nK7pQ1sD4"}}}}';
    expect(await outline('config/mcp.json', server, client)).toContain('API_TOKEN: ***');
  });
});

describe('workspace symbols', () => {
  const ask = async (query: string) => {
    const server = await openServer(namedProject);
    const symbols = await server.request<WorkspaceSymbol[]>('workspace/symbol', { query });
    return symbols.map((symbol) => `${symbol.name} (${symbol.containerName}) ${shown(server, symbol.location as Location)}`);
  };

  test('are agents, profiles, personas, prompts, servers, teams and tasks', async () => {
    expect(await ask('')).toEqual([
      `again (flow › one) ${flow} /teams/one/tasks/1/name «"again"»`,
      `ask (flow › one) ${flow} /teams/one/tasks/0/name «"ask"»`,
      `ask (flow › two) ${flow} /teams/two/tasks/0/name «"ask"»`,
      `ask@v2 (prompt) ${prompt} /name «"ask"»`,
      'A@v1 (agent) config/agents/A/v1.json /agent_name «"A"»',
      'A@v2 (agent) config/agents/A/v2.json /agent_name «"A"»',
      'B@v1 (agent) config/agents/B/v1.json /agent_name «"B"»',
      'editor (persona) config/personas/editor.json  «»',
      'fast (llm) config/llms/fast.json /llm_id «"fast"»',
      'files (MCP server) config/mcp.json /servers/files «"files"»',
      `flow (orchestration) ${flow} /name «"flow"»`,
      `one (flow) ${flow} /teams/one «"one"»`,
      `two (flow) ${flow} /teams/two «"two"»`,
    ]);
  });

  test('are found by letters in their order, the best first', async () => {
    expect((await ask('ask')).map((line) => line.split(' ')[0])).toEqual(['ask', 'ask', 'ask@v2']);
    expect((await ask('av2')).map((line) => line.split(' ')[0])).toEqual(['A@v2', 'ask@v2']);
    expect(await ask('zzz')).toEqual([]);
  });

  test('are placed when they are chosen, for a client that asks then', async () => {
    const client = { workspace: { symbol: { resolveSupport: { properties: ['location.range'] } } } };
    const server = await openServer(namedProject, { client });
    const [symbol] = await server.request<WorkspaceSymbol[]>('workspace/symbol', { query: 'two' });
    expect(symbol!.location).toEqual({ uri: server.uri(flow) });
    const resolved = await server.request<WorkspaceSymbol>('workspaceSymbol/resolve', symbol);
    expect(shown(server, resolved.location as Location)).toBe(`${flow} /teams/two «"two"»`);
  });
});

describe('call hierarchy', () => {
  const prepare = async (path: string, mark: string) => {
    const server = await openServer(withCursor(path, mark));
    const [item] = await server.request<CallHierarchyItem[]>('textDocument/prepareCallHierarchy', server.at(path));
    const incoming = await server.request<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', { item });
    const outgoing = await server.request<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', { item });
    return {
      item: `${item!.name}, ${item!.detail}`,
      from: incoming.map(({ from, fromRanges }) => `${from.name}: ${fromRanges.map((range) => cut(server, from.uri, range))}`),
      to: outgoing.map(({ to, fromRanges }) => `${to.name}: ${fromRanges.map((range) => cut(server, item!.uri, range))}`),
    };
  };

  test('of an agent is who runs it and what it needs', async () => {
    expect(await prepare(agent, '"agent_name": "|A"')).toEqual({
      item: 'A@v1, agent',
      from: ['B@v1: A', 'ask: A'],
      to: ['ask@v2: ask', 'fast: fast', 'editor: editor', 'files: files'],
    });
  });

  test('of an orchestration is its first team, of a team its tasks and the teams it goes to', async () => {
    expect(await prepare(flow, '"entry_team|"')).toEqual({ item: 'flow, orchestration', from: [], to: ['one: one'] });
    expect(await prepare(flow, '"next_team": "t|wo"')).toEqual({
      item: 'two, team of flow',
      from: ['one: two'],
      to: ['ask: ask', 'one: one'],
    });
    expect(await prepare(flow, '"entry_team": "o|ne"')).toEqual({
      item: 'one, team of flow',
      from: ['flow: one', 'two: one'],
      to: ['ask: ask', 'again: again', 'two: two'],
    });
  });

  test('of a task is its team and what it runs', async () => {
    expect(await prepare(flow, '"agent_type": "single|_shot"')).toEqual({
      item: 'again, task of flow › one',
      from: ['one: again'],
      to: ['editor: editor'],
    });
  });

  test('of profiles, personas, prompts and servers is who uses them', async () => {
    expect((await prepare(agent, '"fa|st"')).from).toEqual(['A@v1: fast', 'system: fast']);
    expect((await prepare(agent, '"edit|or"')).from).toEqual(['A@v1: editor', 'again: editor', 'system: editor']);
    expect((await prepare(agent, '"as|k@v2"')).from).toEqual(['A@v1: ask']);
    expect((await prepare(agent, '"fil|es"')).from).toEqual(['A@v1: files']);
  });
});

describe('selections', () => {
  const grown = async (text: string) => {
    const server = await openServer({ [agent]: text });
    const at = server.at(agent);
    const [selection] = await server.request<SelectionRange[]>('textDocument/selectionRange', {
      textDocument: at.textDocument,
      positions: [at.position],
    });
    const texts: string[] = [];
    for (let part: SelectionRange | undefined = selection; part !== undefined; part = part.parent)
      texts.push(cut(server, at.textDocument.uri, part.range));
    return texts;
  };

  test('grow from a word to the file', async () => {
    expect(await grown('{"budget": {"b": ["x {{input.to|pic}}"]}}')).toEqual([
      'topic',
      '{{input.topic}}',
      'x {{input.topic}}',
      '"x {{input.topic}}"',
      '["x {{input.topic}}"]',
      '"b": ["x {{input.topic}}"]',
      '{"b": ["x {{input.topic}}"]}',
      '"budget": {"b": ["x {{input.topic}}"]}',
      '{"budget": {"b": ["x {{input.topic}}"]}}',
    ]);
  });

  test('grow from a key to its member', async () => {
    expect(await grown('{"bud|get": 1}')).toEqual(['budget', '"budget"', '"budget": 1', '{"budget": 1}']);
  });

  test('grow in a text that is still being typed', async () => {
    expect(await grown('{"mode": "Wri|ter\n}')).toEqual([
      'Writer',
      '"Writer',
      '"mode": "Writer',
      '"mode": "Writer\n',
      '{"mode": "Writer\n}',
    ]);
  });
});

describe('folding', () => {
  const fold = async (text: string, client: ClientCapabilities = {}) => {
    const server = await openServer({ [agent]: text }, { client });
    const ranges = await server.request<FoldingRange[]>('textDocument/foldingRange', { textDocument: { uri: server.uri(agent) } });
    return ranges.map(({ startLine, endLine }) => `${startLine}-${endLine}`);
  };

  test('leaves the closing bracket to be seen', async () => {
    expect(await fold('{\r\n  "enums": {\r\n    "a": ["x", "y"],\r\n    "b": [\r\n      "z"\r\n    ]\r\n  }\r\n}')).toEqual([
      '0-6',
      '1-5',
      '3-4',
    ]);
  });

  test('takes an open bracket to the end of what there is', async () => {
    expect(await fold('{\n  "enums": {\n    "b": [\n      "z"\n    }\n  "c": 1\n')).toEqual(['0-5', '1-3', '2-3']);
  });

  test('gives no more than the client shows, the outer ones first', async () => {
    const client = { textDocument: { foldingRange: { rangeLimit: 2 } } };
    expect(await fold('{\n"enums": {\n"b": [\n"z"\n]\n},\n"c": 1\n}', client)).toEqual(['0-6', '1-4']);
  });
});

/** `path /pointer «text»`, with the text that a range marks. */
function shown(server: Harness, { uri, range }: Location): string {
  const text = cut(server, uri, range);
  const path = pathOf(server, uri);
  const start = documentOf(server.text(path)).offsetAt(range.start);
  const pointer = pointerOf(...cursorAt(parseTree(server.text(path)), start).path);
  return `${path} ${pointer} «${text}»`;
}

function cut(server: Harness, uri: string, range: Range): string {
  const text = server.text(pathOf(server, uri));
  const lines = documentOf(text);
  return text.slice(lines.offsetAt(range.start), lines.offsetAt(range.end));
}

function pathOf(server: Harness, uri: string): string {
  return decodeURIComponent(uri.slice(server.uri('').length)).replace(/^\//, '');
}

async function outline(path: string, text: string, client: ClientCapabilities): Promise<string> {
  const server = await openServer({ 'agentstack.json': '{}', [path]: text }, { client });
  const symbols = await server.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument: { uri: server.uri(path) } });
  const lines: string[] = [];
  const add = (parts: readonly DocumentSymbol[], indent: string) => {
    for (const { name, detail, children = [] } of parts) {
      lines.push(`${indent}${name}${detail === undefined ? '' : `: ${detail}`}`);
      add(children, `${indent}  `);
    }
  };
  add(symbols, '');
  return `\n${lines.join('\n')}\n`;
}
