import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifyFile, pathOf } from '../../core/config/paths.js';
import { type Kind, kinds } from '../../core/kinds.js';

const settings = { config_dir: 'config' };

describe('who a file is', () => {
  test.each([
    ['agentstack.json', { kind: 'settings', name: 'agentstack', id: 'agentstack' }],
    ['config/agents/A2/v1.json', { kind: 'agent', name: 'A2', version: 'v1', id: 'A2@v1' }],
    ['config/agents/A2/2.0.0.json', { kind: 'agent', name: 'A2', version: '2.0.0', id: 'A2@2.0.0' }],
    ['config/llms/openai.json', { kind: 'llm', name: 'openai', id: 'openai' }],
    ['config/personas/writer_v1.json', { kind: 'persona', name: 'writer_v1', id: 'writer_v1' }],
    ['config/prompts/triage/v1.json', { kind: 'prompt', name: 'triage', version: 'v1', id: 'triage@v1' }],
    ['config/orchestrations/main.json', { kind: 'orchestration', name: 'main', id: 'main' }],
    ['config/payloads/A2/first.json', { kind: 'payload', name: 'first', agent: 'A2', id: 'A2/first' }],
    ['config/system.json', { kind: 'system', name: 'system', id: 'system' }],
    ['config/mcp.json', { kind: 'mcp', name: 'mcp', id: 'mcp' }],
    ['config/mcp.lock.json', { kind: 'lock', name: 'mcp.lock', id: 'mcp.lock' }],
    ['config/environments/dev.json', { kind: 'system', name: 'dev', id: 'dev' }],
    // Not the id of system.json.
    ['config/environments/system.json', { kind: 'system', name: 'system', id: 'environments/system' }],
    // Illegal names are a mistake of the user, not a foreign file.
    ['config/agents/A 2/v1.json', { kind: 'agent', name: 'A 2', version: 'v1', id: 'A 2@v1' }],
  ])('%s', (path, identity) => {
    expect(identifyFile(path, settings)).toEqual(identity);
  });

  test.each([
    'config/agents/A2.json',
    'config/agents/A2/deep/v1.json',
    'config/agents/A2/v1.jsonc',
    'config/agents/A2/v1',
    'config/agents/A2/.json',
    'config/agents/A2/.hidden.json',
    'config/agents/.git/v1.json',
    'config/agents//v1.json',
    'config/other.json',
    'config/system/dev.json',
    'configs/agents/A2/v1.json',
    'agents/A2/v1.json',
    'sub/agentstack.json',
    '',
  ])('%s is none of ours', (path) => {
    expect(identifyFile(path, settings)).toBeUndefined();
  });

  test('follows the config folder of the settings', () => {
    expect(identifyFile('a/b/llms/x.json', { config_dir: 'a/b' })?.id).toBe('x');
    expect(identifyFile('llms/x.json', { config_dir: '.' })?.id).toBe('x');
    expect(identifyFile('config/llms/x.json', { config_dir: 'a' })).toBeUndefined();
    expect(pathOf('llm', 'x', { config_dir: '.' })).toBe('llms/x.json');
  });
});

test('a path made from an id leads back to that id', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
  const idOf: Readonly<Record<Kind, (one: string, two: string) => string>> = {
    settings: () => 'agentstack',
    agent: (one, two) => `${one}@${two}`,
    llm: (one) => one,
    persona: (one) => one,
    prompt: (one, two) => `${one}@${two}`,
    mcp: () => 'mcp',
    lock: () => 'mcp.lock',
    rootMcp: () => 'mcp',
    vscodeMcp: () => 'mcp',
    orchestration: (one) => one,
    system: (one) => (one === 'system' ? 'environments/system' : one),
    payload: (one, two) => `${one}/${two}`,
    baseline: (one) => one,
  };
  fc.assert(
    fc.property(fc.constantFrom(...kinds), name, name, fc.constantFrom('config', 'a/b', '.'), (kind, one, two, config_dir) => {
      const id = idOf[kind](one, two);
      expect(identifyFile(pathOf(kind, id, { config_dir }), { config_dir })).toMatchObject({ kind, id });
    }),
  );
});
