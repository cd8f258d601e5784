import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openProject } from '../../core/node/openProject.js';
import { createEvalAdapters } from '../../core/node/projectAdapters.js';
import { estimateEval, saveEval, startEval } from '../../core/project/evals.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

test('a program is told of carried cases at once, without runs, and may ask beforehand what an eval would do', async () => {
  const root = temporaryFolder();
  const files = {
    'agentstack.json': { config_dir: 'config' },
    'config/llms/offline.json': { llm_id: 'offline', provider: 'offline', model_name: 'offline' },
    'config/agents/Tone/v1.json': {
      agent_name: 'Tone',
      version: 'v1',
      llm_config_id: 'offline',
      system_text: 'You answer.',
      input_keys: ['text'],
    },
    'config/payloads/Tone/a.json': { input: { text: 'a' }, expect: [{ status: 'success' }] },
    'config/payloads/Tone/b.json': { input: { text: 'b' }, expect: [{ status: 'success' }] },
  };
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value));
  }
  const place = { project: openProject(root), adapters: createEvalAdapters(root, root), environment: undefined };
  const options = { names: [], tags: [], llms: [] };
  const work = { concurrency: 1, signal: new AbortController().signal };
  await saveEval(place, await startEval(place, options, work));
  writeFileSync(join(root, 'config/payloads/Tone/b.json'), JSON.stringify({ input: { text: 'c' }, expect: [{ status: 'success' }] }));
  const against = { ...options, against: { source: 'config/baselines', canaries: 0 } };
  expect(await estimateEval(place, against)).toMatchObject({
    counts: { total: 2, carried: 1, test_changed: 1 },
    worst_case: { calls: 1, cost: 0 },
  });
  const told: unknown[] = [];
  const report = await startEval(place, against, {
    ...work,
    onCase: (planned, { state, outcome }, runs) => told.push([planned.name, state, outcome, runs.length]),
  });
  expect(told).toEqual([
    ['a', 'carried', 'passed', 0],
    ['b', 'test_changed', 'passed', 1],
  ]);
  expect(report).toMatchObject({
    simulated: true,
    runs: { total: 1 },
    baseline: { counts: { carried: 1, test_changed: 1 }, verdict: null, drift: null },
  });
});
