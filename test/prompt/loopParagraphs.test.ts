import { describe, expect, test } from 'vitest';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import type { FrozenTool } from '../../core/snapshot/agentTools.js';
import type { EffectiveAgent } from '../../core/snapshot/effective.js';
import { agentConfig } from './agentConfig.js';
import { noSchemas } from './noSchemas.js';

const source = { file: 'config/mcp.lock.json', pointer: '/servers/docs/tools/search' };
const parameters = { type: 'object', properties: { q: { type: 'string' } } };
const search: FrozenTool = {
  name: 'docs_search',
  description: 'Finds pages.',
  parameters,
  examples: [{ q: 'x' }],
  origin: { type: 'mcp', client_id: 'docs', name: 'search' },
  source,
};
const clock: FrozenTool = { name: 'current_time', description: 'Tells the time.', parameters, origin: { type: 'built-in' }, source: null };

const promptOf = (fields: Partial<EffectiveAgent>, tools = [search, clock]) =>
  createAgentPrompt({ config: agentConfig({ agent_type: 'react', ...fields }), tools, schemas: noSchemas });

/** `text <- file#pointer` of every span that is in a file or is one of our own tools. */
function sourcesIn({ messages, source_map }: ReturnType<ReturnType<typeof promptOf>['compose']>): string[] {
  return source_map.map(({ message, start, end, file, pointer, layer }) => {
    return `${messages[message]?.content.slice(start, end)} <- ${file === null ? layer : `${layer} ${file}#${pointer}`}`;
  });
}

describe('the tools in a prompt', () => {
  test('are sent with the request under the native protocol, and only told under the other', () => {
    expect(promptOf({}).compose({}).tools).toEqual([
      { name: 'docs_search', description: 'Finds pages.', parameters },
      { name: 'current_time', description: 'Tells the time.', parameters },
    ]);
    expect(promptOf({ tool_protocol: 'text' }).compose({}).tools).toEqual([]);
  });

  test('lead to the file that says what they are, or are our own words', () => {
    const sources = sourcesIn(promptOf({ tool_protocol: 'text' }).compose({}));
    expect(sources).toContain('docs_search <- system config/mcp.lock.json#/servers/docs/tools/search');
    expect(sources).toContain('Finds pages. <- system config/mcp.lock.json#/servers/docs/tools/search/description');
    expect(sources).toContain('{"q":"x"} <- system config/mcp.lock.json#/servers/docs/tools/search/examples/0');
    expect(sources.some((line) => line.includes('- current_time: Tells the time.') && line.endsWith('<- fixed'))).toBe(true);
  });

  test('are those a run has, where it has others', () => {
    const live = [
      { ...clock, name: 'live', description: 'From a server.' },
      { ...search, description: 'Changed.' },
    ];
    const composed = promptOf({}).compose({}, live);
    expect(composed.tools.map(({ name }) => name)).toEqual(['live', 'docs_search']);
    expect(composed.messages[0]?.content).toContain('- live: From a server.\n- docs_search: Changed.\n');
    // No file says so.
    expect(sourcesIn(composed).some((line) => line.includes('mcp.lock'))).toBe(false);
    expect(
      promptOf({})
        .compose({}, [{ ...search, parameters: structuredClone(parameters) }])
        .source_map.some(({ file }) => file === source.file),
    ).toBe(true);
  });

  test('are none for an agent that asks once, whatever it is given', () => {
    const composed = promptOf({ agent_type: 'single_shot' }).compose({});
    expect(composed.tools).toEqual([]);
    expect(composed.messages[0]?.content).not.toMatch(/Tools|turn/);
  });

  test('left out, an agent is told only how to answer', () => {
    const [system] = promptOf({ tool_protocol: 'text' }, []).compose({}).messages;
    expect(system?.content).toContain('\n\nWrite:\nThought: why you can answer now\nFinal Answer: the answer\n\n');
    expect(system?.content).not.toMatch(/Tools|Action|Observation/);
  });
});

test('limits lead to where they are given', () => {
  const sources = sourcesIn(promptOf({ budget: { max_cost: 0.5, max_time_ms: 1000 } }).compose({}));
  const limits = sources.slice(sources.findIndex((line) => line.includes('You have at most')));
  expect(limits.map((line) => line.split(' <- ')[0])).toEqual(expect.arrayContaining(['10', ' turns, ', '1', ' second and ', '0.5']));
});
