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

test('a policy of one environment is held against the same agent there alone', async () => {
  const tool = (labels: object) => ({ description: 'd', parameters: {}, hash: '0'.repeat(64), labels });
  const files = {
    'agentstack.json': '{ "environment": "dev" }',
    'config/agents/A/v1.json': '{ "agent_name": "A", "version": "v1", "agent_type": "react", "client_ids": ["m"] }',
    'config/mcp.json': '{ "servers": { "m": { "command": "m" } } }',
    'config/mcp.lock.json': JSON.stringify({
      format: 1,
      servers: { m: { tools: { read: tool({ untrusted: true }), send: tool({ sends: true }) } } },
    }),
    'config/environments/dev.json':
      '{ "agent_defaults": { "exclude_components": ["send"] }, "policy": { "agents": { "A": { "may_not": ["sends"] } } } }',
    'config/environments/prod.json': '{ "policy": { "never": [{ "from": "untrusted", "to": "sends" }] } }',
  };
  const { findings } = await checkEnvironments({ files: memoryFiles(files), variables: { get: () => undefined } });
  expect(findings.filter(({ code }) => code === 'flow-forbidden').map(({ message }) => message)).toEqual([
    'The policy forbids this flow (never untrusted -> sends): m/read (untrusted) -> A -> m/send (sends). A run denies the call. (environment prod)',
  ]);
});
