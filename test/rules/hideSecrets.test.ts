import { expect, test } from 'vitest';
import { checkProject } from '../../core/check/checkProject.js';
import { coverSecrets } from '../../core/secrets/secretPatterns.js';
import { memoryFiles } from '../support/memoryFiles.js';

const key = ['sk', 'proj', 'Zx81AbQ9dLmN0pRsT2uVwXy4'].join('-');
const random = 'q7Rt2mZ9Lk4Vb8Nx1Cw6Ys3Dp5';

test('no finding quotes a secret, whatever rule makes it', async () => {
  const files = memoryFiles({
    'config/agents/A/v1.json': JSON.stringify({ agent_name: 'A', version: 'v1', mode: key, [key]: 1, enums: { f: [key] } }, null, 1),
    'config/llms/x.json': JSON.stringify({ llm_id: 'x', provider: 'openai', model_name: 'gpt-5.4', api_key: random }, null, 1),
  });
  const report = await checkProject({ files, variables: { get: () => undefined } });
  const text = JSON.stringify(report.findings.map(({ message, related, data }) => ({ message, related, data })));
  expect(report.findings.map(({ code }) => code)).toContain('secret-in-plain-text');
  expect(report.findings.some(({ code }) => code === 'schema')).toBe(true);
  expect(text).not.toContain(key);
  expect(text).not.toContain(random);
});

test('covering a text keeps every place in it', () => {
  const text = `one ${key}\ntwo ${key} three`;
  const covered = coverSecrets(text);
  expect(covered).toHaveLength(text.length);
  expect(covered).not.toContain('proj');
  expect(covered.indexOf('three')).toBe(text.indexOf('three'));
  expect(covered.split('\n')).toHaveLength(2);
});
