import { expect, test } from 'vitest';
import { checkProject } from '../../core/check/checkProject.js';
import { memoryFiles } from '../support/memoryFiles.js';

const length = 300;

function agentText(at: number): string {
  const plan = {
    agent_type: 'orchestrating',
    execution_plan: { steps: [{ name: 'next', agent: `a${at + 1}`, input: { task: '{{input.task}}' } }] },
  };
  const last = { system_text: 's', llm_config_id: 'offline' };
  return JSON.stringify({ agent_name: `a${at}`, version: 'v1', ...(at + 1 < length ? plan : last) });
}

test('of agents that call each other in a chain, each looks only at those that a run would reach', async () => {
  const files = memoryFiles({
    'agentstack.json': '{}',
    'config/llms/offline.json': '{"llm_id": "offline", "provider": "offline", "model_name": "offline"}',
    ...Object.fromEntries(Array.from({ length }, (_, at) => [`config/agents/a${at}/v1.json`, agentText(at)])),
  });
  let reads = 0;
  const readText = async (path: string) => {
    reads += 1;
    return files.readText(path);
  };
  const { findings } = await checkProject({ files: { ...files, readText }, variables: { get: () => undefined } });
  expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(['routing-cycle']));
  expect(findings).toHaveLength(length - 9);
  // Its own, the eight it reaches, and those whose places its finding shows.
  expect(reads).toBeLessThan(20 * length);
});
