import { expect, test } from 'vitest';
import { checkEnvironments } from '../../core/check/checkEnvironments.js';
import { memoryFiles } from '../support/memoryFiles.js';

const agent = {
  agent_name: 'A',
  version: 'v1',
  mode: 'Writer',
  purpose_text: 'x',
  model_name: 'gpt-4.1',
  output_schema: { type: 'object' },
};

async function findingsWith(prod: unknown, dev: unknown = {}): Promise<readonly string[]> {
  const files = {
    'agentstack.json': '{}',
    'config/agents/A/v1.json': JSON.stringify(agent),
    'config/environments/prod.json': JSON.stringify(prod),
    'config/environments/dev.json': JSON.stringify(dev),
  };
  const { findings } = await checkEnvironments({ files: memoryFiles(files), variables: { get: () => undefined } });
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code}${/ \(environment prod\)$/.test(message) ? ' in prod' : ''}`);
}

test('what is missing in every environment is told once, although each was looked into', async () => {
  expect(await findingsWith({})).toEqual(['effective-config-incomplete']);
});

test('what only one environment has says which', async () => {
  expect(await findingsWith({}, { agent_defaults: { system_text: 'x' } })).toEqual(['effective-config-incomplete in prod']);
});
