import { describe, expect, test } from 'vitest';
import type { FileSystem } from '../../core/ports.js';
import { type CheckReport, checkProject } from '../../core/rules/checkProject.js';
import { checkPart } from '../../core/rules/checkShare.js';
import type { CheckHelper } from '../../core/rules/sharedFolders.js';
import { type MemoryFiles, memoryFiles } from '../support/memoryFiles.js';

const variables = { get: () => undefined };

function agent(number: number, isBroken = false): string {
  const fault = number % 7;
  if (number % 40 === 7) return planner(number);
  if (isBroken && number % 50 === 0) return '{';
  if (number % 50 === 1) return '{"something": "else"}';
  const text = JSON.stringify(
    {
      agent_name: fault === 1 ? 'Other' : `Agent${number}`,
      version: 'v1',
      mode: 'Writer',
      system_text: fault === 2 ? 'TODO: write this' : 'You write.',
      purpose_text: 'Write.',
      llm_config_id: number === 900 ? 'rare' : fault === 3 ? 'ofline' : 'offline',
      output_schema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'], additionalProperties: false },
    },
    null,
    2,
  );
  return text;
}

/** Names agents that are there, one that is not, a version that is not, and itself in a circle. */
function planner(number: number): string {
  const agents = ['Agent3@v1', 'Agent1098', 'Agent4@v9', 'Nobody', `Agent${(number + 40) % 1100}`];
  const steps = agents.map((agent, at) => ({ name: `step${at}`, agent, input: { topic: '{{input.topic}}' } }));
  return JSON.stringify({
    agent_name: `Agent${number}`,
    version: 'v1',
    agent_type: 'orchestrating',
    system_text: 'You plan.',
    input_keys: ['topic'],
    llm_config_id: 'offline',
    output_schema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'], additionalProperties: false },
    execution_plan: { steps, output: { answer: '{{steps.step0.output.answer}}' } },
  });
}

/** 1,100 agents, many of them faulty in some way, some naming others, one of them the only one to use a profile, and some that differ in letter case. */
function project({ isBroken = false } = {}): MemoryFiles {
  const llm = (id: string) => JSON.stringify({ llm_id: id, provider: 'offline', model_name: 'offline' });
  const texts: Record<string, string> = {
    'config/llms/offline.json': llm('offline'),
    'config/llms/rare.json': llm('rare'),
    'config/llms/unused.json': llm('unused'),
    'config/agents/agent0/v1.json': agent(0),
    'config/agents/Agent2/V1.json': agent(2),
    'config/agents/Line\nbreak/v1.json': agent(2),
    'config/payloads/Agent5/x.json': JSON.stringify({ input: {} }),
    'config/payloads/Agent5000/x.json': JSON.stringify({ input: {} }),
  };
  for (let number = 0; number < 1100; number++) texts[`config/agents/Agent${number}/v1.json`] = agent(number, isBroken);
  return memoryFiles(texts);
}

/** A helper in this very thread: it takes its turns where the other side waits, from when it may begin. */
function helperOn(files: FileSystem, mayBegin?: Promise<void>): CheckHelper & { readonly ended: () => number } {
  let ended = 0;
  return {
    async check(shared) {
      await mayBegin;
      return checkPart({ files, variables }, shared);
    },
    end: () => {
      ended += 1;
    },
    ended: () => ended,
  };
}

/** Reading takes a turn of its own, as it may on a real disk, so that both sides come to work. */
const slowly = (files: FileSystem, read: (path: string) => unknown = () => undefined): FileSystem => ({
  ...files,
  async readText(path) {
    read(path);
    await Promise.resolve();
    return await files.readText(path);
  },
});

describe('a project checked by two threads', () => {
  const alone = (files: FileSystem) => checkProject({ files, variables });

  test('has the same report as by one, and both did some of it', async () => {
    const read: string[] = [];
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const helper = helperOn(
      slowly(project(), (path) => read.push(path)),
      begun,
    );
    const files = slowly(project(), (path) => path.includes('/agents/') && begin());
    const report = await checkProject({ files, variables, startHelper: () => helper });
    expect(report).toEqual(await alone(project()));
    expect(report.files).toBe(1086);
    const unknown = report.findings.filter(({ code, file }) => code === 'unknown-agent' && file.includes('/agents/'));
    expect(unknown).toHaveLength(28);
    for (const { message } of unknown) expect(message).toContain('There is no agent "Nobody".');
    expect(new Set(report.findings.map(({ code }) => code))).toContain('unused-llm');
    const agentsRead = read.filter((path) => path.includes('/agents/')).length;
    expect(agentsRead).toBeGreaterThan(100);
    expect(agentsRead).toBeLessThan(1000);
    expect(helper.ended()).toBe(1);
  });

  test('has the same report when files vanish, cannot be read or are no JSON', async () => {
    const broken = () => {
      const files = project({ isBroken: true });
      for (let number = 9; number < 1100; number += 9)
        files.problems.set(`config/agents/Agent${number}/v1.json`, number % 2 === 0 ? 'not-found' : 'no-permission');
      return files;
    };
    const startHelper = () => helperOn(slowly(broken()));
    const report = await checkProject({ files: slowly(broken()), variables, startHelper });
    expect(report).toEqual(await alone(broken()));
    expect(report.files).toBeLessThan(1086);
  });

  test.each<[string, (files: FileSystem) => CheckHelper['check']]>([
    ['cannot start', () => () => Promise.reject(new Error('no thread to be had'))],
    [
      'breaks off',
      (files) => async (shared) => {
        await checkPart({ files, variables }, shared);
        throw new Error('broken off');
      },
    ],
  ])('has the same report when the other one %s', async (_, check) => {
    const startHelper = (): CheckHelper => ({ check: check(slowly(project())), end: () => undefined });
    expect(await checkProject({ files: slowly(project()), variables, startHelper })).toEqual(await alone(project()));
  });

  test('ends the other one when it is cancelled', async () => {
    const helper = helperOn(slowly(project()));
    const stop = new AbortController();
    const report: Promise<CheckReport> = checkProject({
      files: slowly(project()),
      variables,
      startHelper: () => helper,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(report).rejects.toThrow('enough');
    expect(helper.ended()).toBe(1);
  });
});

test('a small project, and a part of a large one, are checked without another thread', async () => {
  const startHelper = () => expect.fail('a thread was started');
  const small = memoryFiles({ 'config/agents/Agent0/v1.json': agent(0) });
  await checkProject({ files: small, variables, startHelper });
  await checkProject({ files: project(), variables, startHelper, paths: ['config/agents/Agent1'] });
});

test('few agents with many versions are a large project too', async () => {
  const texts: Record<string, string> = {};
  for (let version = 1; version <= 150; version++)
    for (let number = 0; number < 10; number++)
      texts[`config/agents/Agent${number}/v${version}.json`] = agent(number).replace('"v1"', `"v${version}"`);
  const helper = helperOn(slowly(memoryFiles(texts)));
  const report = await checkProject({ files: slowly(memoryFiles(texts)), variables, startHelper: () => helper });
  expect(helper.ended()).toBe(1);
  expect(report).toEqual(await checkProject({ files: memoryFiles(texts), variables }));
});
