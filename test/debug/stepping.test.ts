import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { offlineProfile, temporaryProject, toneAgent } from '../cli/command.js';
import { debuggerIn, launchPaused, lineOf } from './debugClient.js';

const task = (name: string, fields = {}) => ({ name, agent: 'Tone@v1', input: { text: '{{context.text}}' }, ...fields });

/** A plan that calls two agents and its own model, and an orchestration of two teams with parallel tasks. */
const project = () =>
  temporaryProject({
    'config/agents/Tone/v1.json': toneAgent,
    'config/agents/Deep/v1.json': {
      agent_name: 'Deep',
      version: 'v1',
      agent_type: 'orchestrating',
      execution_plan: { steps: [{ name: 'inner', agent: 'Tone@v1', input: { text: 'x' } }] },
    },
    'config/agents/Plan/v1.json': {
      agent_name: 'Plan',
      version: 'v1',
      agent_type: 'orchestrating',
      system_text: 'You help.',
      model_name: 'offline',
      execution_plan: {
        steps: [
          { name: 'own', llm: 'Say something.' },
          { name: 'first', agent: 'Tone@v1', input: { text: '{{input.text}}' } },
          { name: 'deep', agent: 'Deep@v1', input: {} },
          { name: 'last', llm: 'Say {{steps.first.output.tone}}.' },
        ],
      },
    },
    'config/llms/offline.json': offlineProfile,
    'config/orchestrations/judge.json': {
      name: 'judge',
      entry_team: 'a',
      context: { text: 'A friendly hello' },
      teams: {
        a: { name: 'a', tasks: [task('one', { depends_on: [] }), task('two', { depends_on: [] })], routing: { default: 'b' } },
        b: { name: 'b', tasks: [task('three'), task('four')], routing: { default: null } },
      },
    },
  });

const plan = { agent: 'Plan', input: { text: 'Hello' }, llm: 'offline' };
const judge = { orchestration: 'judge', llm: 'offline' };

async function begun(args: object, cwd = project()) {
  const client = await debuggerIn(cwd);
  return { client, cwd, run: await launchPaused(client, args) };
}

/** The stops of a run from the first one, by one motion. */
async function walk(run: Awaited<ReturnType<typeof begun>>['run'], motion: 'next' | 'stepIn' | 'stepOut'): Promise<string[]> {
  const stops = [await run.stop()];
  while (stops.at(-1) !== 'ended') stops.push(await run.go(motion));
  return stops;
}

describe('in a plan', () => {
  test('step over does not stop inside the agents that its steps call', async () => {
    const { run } = await begun(plan);
    expect(await walk(run, 'next')).toEqual([
      'Before the call of step own of Plan@v1',
      'After the answer of the call of step own of Plan@v1',
      'Before the call of step last of Plan@v1',
      'After the answer of the call of step last of Plan@v1',
      'ended',
    ]);
  });

  test('step into stops there too, and step out goes to what comes after the agent', async () => {
    const { run, cwd } = await begun(plan);
    await run.stop();
    await run.go('stepIn');
    expect(await run.go('stepIn')).toBe('Before call 1 of Tone@v1');
    const planFile = join(cwd, 'config/agents/Plan/v1.json');
    expect((await run.frames()).map(({ name, line, source }) => `${name} ${source?.name}:${line}`)).toEqual([
      `Tone@v1: before call 1 config/agents/Tone/v1.json:${lineOf(join(cwd, 'config/agents/Tone/v1.json'), '"system_text"')}`,
      'Tone@v1 config/agents/Tone/v1.json:2',
      `step first config/agents/Plan/v1.json:${lineOf(planFile, '"name": "first"')}`,
      'Plan@v1 config/agents/Plan/v1.json:2',
    ]);
    expect(await run.go('stepOut')).toBe('Before call 1 of Tone@v1');
    expect((await run.frames()).map(({ name }) => name)).toEqual([
      'Tone@v1: before call 1',
      'Tone@v1',
      'step inner',
      'Deep@v1',
      'step deep',
      'Plan@v1',
    ]);
    expect(await run.go('stepOut')).toBe('Before the call of step last of Plan@v1');
    expect((await run.frames())[0]).toMatchObject({ line: lineOf(planFile, 'Say {{steps.first') });
    expect(await run.value('Say {{steps.first.output.tone}}.')).toBe(await run.value('messages.1.content'));
    expect(await run.value('{"step": "deep", "status": "success"}')).toBe('true');
    expect(await run.value('sources.1.parts.0.pointer')).toBe('/execution_plan/steps/3/llm');
    expect(await run.go('stepOut')).toBe('ended');
  });
});

describe('in an orchestration', () => {
  test('step over stays in its task, although another one runs beside it, and goes from route to route', async () => {
    const { run } = await begun(judge);
    expect(await walk(run, 'next')).toEqual([
      'Before call 1 of Tone@v1 (a/one)',
      'After the answer of call 1 of Tone@v1 (a/one)',
      'At the route of team a: the default leads to b',
      'At the route of team b: the default ends the run',
      'ended',
    ]);
  });

  test('step out leaves the task, then the team', async () => {
    const { run } = await begun(judge);
    expect(await walk(run, 'stepOut')).toEqual([
      'Before call 1 of Tone@v1 (a/one)',
      'At the route of team a: the default leads to b',
      'Before call 1 of Tone@v1 (b/three)',
      'Before call 1 of Tone@v1 (b/four)',
      'At the route of team b: the default ends the run',
      'ended',
    ]);
  });

  test('each task is a thread while it runs', async () => {
    const { client, run } = await begun(judge);
    expect(await run.stop()).toBe('Before call 1 of Tone@v1 (a/one)');
    const named = async () => (await client.threadsRequest()).body.threads.map(({ name }) => name);
    expect(await named()).toEqual(['judge', 'a/one', 'a/two']);
    const [one] = [run.thread];
    expect(await run.go('stepIn')).toBe('Before call 1 of Tone@v1 (a/two)');
    expect(run.thread).not.toBe(one);
    await expect(client.stackTraceRequest({ threadId: one })).rejects.toThrow('This thread is not stopped.');
    for (let stop = ''; !stop.startsWith('At the route of team a'); stop = await run.go('stepIn'));
    expect(run.thread).toBe(1);
    expect(await named()).toEqual(['judge']);
  });
});
