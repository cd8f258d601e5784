import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CheckReport, checkProject } from '../../core/check/checkProject.js';
import { checkPart } from '../../core/check/checkShare.js';
import type { CheckHelper } from '../../core/check/sharedFolders.js';
import type { FileSystem } from '../../core/ports.js';
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
function planner(number: number, agents = ['Agent3@v1', 'Agent1098', 'Agent4@v9', 'Nobody', `Agent${(number + 40) % 1100}`]): string {
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
    'config/agents/Agent2/v\n2.json': agent(2),
    'config/agents/Agent8@v1/v2.json': agent(8),
    'config/agents/agent8/v1@v2.json': agent(8),
    // One of each pair is something else, and the plan that names it is told so.
    'config/agents/Foo/v1.json': agent(8),
    'config/agents/foo/v1.json': '{"something": "else"}',
    'config/agents/Bar/v1.json': agent(8),
    'config/agents/Bar/V1.json': '{"something": "else"}',
    'config/agents/AboutFoo/v1.json': planner(1, ['foo', 'Foo@v2', 'Bar@V1', 'Agent0', 'agent0@v1']),
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
    expect(report.files).toBe(1092);
    const unknown = report.findings.filter(({ code, file }) => code === 'unknown-agent' && file.includes('/agents/'));
    const names = unknown.map(({ message }) => /^There is no agent "(\w+)"/.exec(message)?.[1]);
    expect(names.filter((name) => name === 'Nobody')).toHaveLength(28);
    expect(names.filter((name) => name !== 'Nobody')).toEqual(['foo']);
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
    expect(report.files).toBeLessThan(1092);
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

test('an abort arrives while few agents with many versions are checked, and before that progress', async () => {
  const texts: Record<string, string> = {};
  for (let version = 1; version <= 400; version++)
    for (let number = 0; number < 5; number++) texts[`config/agents/Agent${number}/v${version}.json`] = agent(number);
  const stop = new AbortController();
  let steps = 0;
  const report = checkProject({
    files: memoryFiles(texts),
    variables,
    startHelper: () => ({ check: () => new Promise(() => undefined), end: () => undefined }),
    signal: stop.signal,
    onProgress: ({ of }) => {
      expect(of).toBe('agent');
      steps += 1;
      if (steps === 3) stop.abort(new Error('enough'));
    },
  });
  await expect(report).rejects.toThrow('enough');
});

test('a thread that cannot be had is no reason to fail', async () => {
  const startHelper = () => {
    throw new Error('no more threads');
  };
  expect(await checkProject({ files: project(), variables, startHelper })).toEqual(await checkProject({ files: project(), variables }));
});

test('folder by folder, any project has the report of one that is listed first', async () => {
  const names = ['Ab', 'ab', 'AB', 'Cd', 'Ef', 'X@v1', 'x', 'A\nb'];
  const name = fc.constantFrom(...names);
  const version = fc.constantFrom('v1', 'V1', 'v2', 'v10', 'v1@v2', 'v\n1');
  const called = fc.tuple(fc.constantFrom(...names, 'Nobody'), fc.constantFrom('', '@v1', '@V1', '@v9')).map((parts) => parts.join(''));
  const text = fc.oneof(
    fc.constantFrom('{', '[]', '{"something": "else"}', agent(2), agent(3), agent(4)),
    fc.array(called, { minLength: 1, maxLength: 3 }).map((agents) => planner(1, agents)),
  );
  const file = fc.record({
    name,
    version,
    text,
    problem: fc.option(fc.constantFrom('not-found', 'no-permission', 'outside-project'), { freq: 8 }),
  });
  const others = fc.subarray([
    ['config/llms/offline.json', JSON.stringify({ llm_id: 'offline', provider: 'offline', model_name: 'offline' })],
    ['config/personas/calm.json', JSON.stringify({ persona_key: 'calm', persona_text: 'Calm.' })],
    ['config/payloads/ab/x.json', JSON.stringify({ input: {} })],
    ['config/system.json', JSON.stringify({ agents: { ab: { temperature: 0.1 }, Nobody: {} } })],
  ] as const);
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 12 }), others, fc.boolean(), async (agents, rest, isSlow) => {
      const build = () => {
        const files = memoryFiles(new Map(rest));
        for (const { name, version, text, problem } of agents) {
          const path = `config/agents/${name}/${version}.json`;
          files.texts.set(path, text);
          if (problem !== null) files.problems.set(path, problem);
        }
        return isSlow ? slowly(files) : files;
      };
      const startHelper = () => expect.fail('a thread was started');
      expect(await checkProject({ files: build(), variables, startHelper })).toEqual(await checkProject({ files: build(), variables }));
    }),
  );
});
