import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Memento } from 'vscode';
import { inputsOf, ServerConsent, serverLine } from '../../client/ports/serverConsent.js';
import { priceOfRun, storedOrigins } from '../../client/views/runs/storedFacts.js';
import { createModelTable } from '../../core/llm/modelTable.js';
import { estimateCost } from '../../core/llm/price.js';
import { readEnd } from '../../core/run/story/readEnd.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function memento(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as Memento;
}

describe('what starting a server comes to', () => {
  test.each([
    [
      { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '${workspaceFolder}/my notes'] },
      'npx -y @modelcontextprotocol/server-filesystem "${workspaceFolder}/my notes"',
    ],
    [{ command: 'node', args: ['a.js; rm -rf /'], cwd: 'tools' }, 'node "a.js; rm -rf /" (tools)'],
    [{ command: 'node', env: { TOKEN: 'very secret' } }, 'TOKEN=… node'],
    [{ type: 'http', url: 'https://tools.example/mcp', headers: { authorization: 'secret' } }, 'https://tools.example/mcp'],
    [{}, ''],
  ])('%j is said in a line, without secret values', (definition, line) => {
    expect(serverLine(definition)).toBe(line);
  });

  test('names the inputs it needs, each once, and not those its tools speak of', () => {
    const definition = { command: 'x', args: ['${input:a}', '--b=${input:b}${input:a}'], tools: { t: { description: '${input:c}' } } };
    expect(inputsOf(definition)).toEqual(['a', 'b']);
  });
});

describe('a server that was allowed to start', () => {
  test('may start until its definition changes, independent of its tools', async () => {
    const memory = memento();
    const consent = new ServerConsent(memory, '/project', sha256);
    const definition = { command: 'node', args: ['a.js'] };
    expect(consent.has('files', definition)).toBe(false);
    await consent.add('files', definition);
    expect(consent.has('files', { args: ['a.js'], command: 'node', tools: { x: {} } })).toBe(true);
    expect(consent.has('files', { command: 'node', args: ['b.js'] })).toBe(false);
    expect(consent.has('other', definition)).toBe(false);
    expect(new ServerConsent(memory, '/elsewhere', sha256).has('files', definition)).toBe(false);
    await consent.remove(['files']);
    expect(consent.all()).toEqual([]);
  });

  test.each([null, 'files', { files: 'x' }, [['files']], [['files', 1]]])('is not one that only looks like it: %j', (kept) => {
    const memory = { get: () => kept, update: async () => undefined, keys: () => [] } as unknown as Memento;
    expect(new ServerConsent(memory, '/project', sha256).has('files', { command: 'node' })).toBe(false);
  });
});

describe('a run that was read back', () => {
  const snapshot = (servers: object, skills: object, config: object = {}) =>
    ({ config, llm_id: null, called_llm: null, servers, skills, originOf: () => undefined }) as Parameters<typeof storedOrigins>[0];

  test('says who offered its tools, those that were renamed too', () => {
    const tools = { search: { description: '', parameters: {} } };
    const originOf = storedOrigins(snapshot({ files: { tools }, web: { tools }, notes: { tools: { add: {} } } }, {}));
    expect(['files_search', 'web_search', 'add', 'search'].map(originOf)).toEqual(['files', 'web', 'notes', '']);
  });

  test('tells what is built in from what a program brought', () => {
    const originOf = storedOrigins(snapshot({}, { calculator: {}, lookUpOrder: {} }, { enabled_tools: ['calculator', 'lookUpOrder'] }));
    expect(['calculator', 'lookUpOrder', 'constructor'].map(originOf)).toEqual(['built-in', 'skill', '']);
    expect(storedOrigins(undefined)('calculator')).toBe('');
  });

  test('has a price for its steps only where that gives what the run says it cost', () => {
    const price = createModelTable().find('gpt-4.1-mini', 'openai')?.price;
    if (price === undefined) throw new Error('no price');
    const token_usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100, cached_tokens: 0 };
    const run = (estimated_cost_usd: number) =>
      readEnd({ metadata: { provider: 'openai', model_name: 'gpt-4.1-mini', token_usage, estimated_cost_usd } });
    expect(priceOfRun(run(estimateCost(token_usage, price)))).toEqual(price);
    expect(priceOfRun(run(1))).toBeUndefined();
    expect(priceOfRun(readEnd({}))).toBeUndefined();
  });
});
