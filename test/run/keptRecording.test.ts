import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LlmError } from '../../core/errors.js';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import type { Completion, LlmRequest } from '../../core/llm/types.js';
import { openProject } from '../../core/node/openProject.js';
import { parseRecording, type RunRecording, type TeamRunRecording } from '../../core/run/readRecording.js';
import type { RecordLine } from '../../core/run/recordLines.js';
import { temporaryProject } from '../cli/command.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { copyOfCrash, crashed, durableProject, readAll } from './durableProject.js';

const recordFile = () => join(temporaryFolder(), 'run.jsonl');
const approve = async () => 'allow' as const;

/** A record without the pieces in which answers arrived, which a kept run does not have. */
function whole(recording: RunRecording | TeamRunRecording): unknown {
  const lines = (all: readonly RecordLine[]) =>
    all.map((line) => ('llm' in line ? { llm: { ...line.llm, parts: line.llm.parts.filter(({ type }) => type === 'completion') } } : line));
  const plain =
    'parts' in recording
      ? {
          ...recording,
          parts: Object.fromEntries([...recording.parts].map(([at, part]) => [at, { ...part, lines: lines(part.lines) }]).sort()),
        }
      : { ...recording, lines: lines(recording.lines) };
  return JSON.parse(JSON.stringify(plain));
}

const recordedIn = (file: string) => parseRecording(readFileSync(file, 'utf8'));

const writer = { version: 'v1', system_text: 'Write.', provider: 'openai', model_name: 'script' };
const planner = {
  agent_name: 'Planner',
  version: 'v1',
  agent_type: 'orchestrating',
  execution_plan: {
    steps: [
      { name: 'ask', agent: 'Writer@v1', input: { topic: 'bolts' } },
      { name: 'again', agent: 'Writer@v1', input: { topic: 'nuts' }, on_error: 'continue' },
      { name: 'own', llm: 'Sum up {{input.topic}}.' },
    ],
  },
  provider: 'openai',
  model_name: 'script',
};

/** A project whose model answers call after call with these texts, or fails with these errors. */
function planProject(answers: readonly (string | LlmError)[]) {
  let calls = 0;
  const sent: LlmRequest[] = [];
  const next = (): Completion => {
    const answer = answers[calls] ?? `answer ${calls}`;
    calls += 1;
    if (answer instanceof LlmError) throw answer;
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cached_tokens: 0 };
    return {
      text: answer,
      usage,
      model: 'script',
      id: `${calls}`,
      finish_reason: 'stop',
      left_out: [],
      simulated: false,
      attempts: 1,
      latency_ms: 1,
    };
  };
  const provider: LlmProvider = {
    name: 'openai',
    connect: () => ({
      call: async () => next(),
      async *stream(request) {
        sent.push(request);
        yield { type: 'completion', completion: next() };
      },
    }),
  };
  const folder = temporaryProject({
    'config/agents/Writer/v1.json': { agent_name: 'Writer', ...writer },
    'config/agents/Planner/v1.json': planner,
  });
  return { folder, sent, project: openProject(folder, { providers: [provider] }) };
}

describe('a kept run is the record that --record had written', () => {
  test.each([{ durable: true }, { keep: 'folder' as const }])('of an agent with tools: %j', async (options) => {
    const { project } = durableProject();
    const record = recordFile();
    const { result } = await readAll(project.run({ agent_name: 'Counter', payload: {}, ...options, record, approve }));
    const { recording } = await project.recordingOf(result.run_id);
    expect(whole(recording)).toEqual(whole(recordedIn(record)));
  });

  test('of an orchestration', async () => {
    const { project } = durableProject();
    const record = recordFile();
    const { result } = await readAll(project.orchestrate({ name: 'supply', input: { item: 'nuts' }, keep: 'folder', record, approve }));
    expect(result.error).toBeNull();
    const { recording } = await project.recordingOf(result.run_id);
    expect(whole(recording)).toEqual(whole(recordedIn(record)));
  });

  test.each([{ durable: true }, { keep: 'folder' as const }])('of a plan, of which one model call failed: %j', async (options) => {
    const { project } = planProject(['One.', new LlmError('server', 'It is down.')]);
    const record = recordFile();
    const { result } = await readAll(project.run({ agent_name: 'Planner', payload: { topic: 'screws' }, ...options, record, approve }));
    expect(result.error).toBeNull();
    const { recording } = await project.recordingOf(result.run_id);
    expect(whole(recording)).toEqual(whole(recordedIn(record)));
  });

  test.each([{ durable: true }, { keep: 'folder' as const }])('of a run that failed: %j', async (options) => {
    const { project } = planProject([new LlmError('auth', 'The key is wrong.')]);
    const record = recordFile();
    const { result } = await readAll(project.run({ agent_name: 'Writer', payload: {}, ...options, record, approve }));
    expect(result.error).toMatchObject({ code: 'llm' });
    const { recording } = await project.recordingOf(result.run_id);
    expect(whole(recording)).toEqual(whole(recordedIn(record)));
  });

  test('of a run that was cancelled while a tool was at work', async () => {
    const cancelled = new AbortController();
    const { project } = durableProject({ tool: 'order', begun: () => cancelled.abort() });
    const record = recordFile();
    const { signal } = cancelled;
    const { result } = await readAll(
      project.orchestrate({ name: 'supply', input: { item: 'nuts' }, keep: 'folder', record, approve, signal }),
    );
    expect(result.status).toBe('cancelled');
    const { recording } = await project.recordingOf(result.run_id);
    expect(whole(recording)).toEqual(whole(recordedIn(record)));
  });
});

describe('a run whose process was killed', () => {
  test('gives its record up to there', async () => {
    let begun = (): void => undefined;
    const isAtWork = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const killed = durableProject({ tool: 'order', begun });
    const record = recordFile();
    let run_id = '';
    const running = (async () => {
      for await (const event of killed.project.orchestrate({ name: 'supply', input: { item: 'nuts' }, keep: 'folder', record, approve }))
        run_id = event.run_id;
    })();
    void running;
    await isAtWork;
    const { recording } = await crashed(killed).project.recordingOf(run_id);
    expect(whole(recording)).toEqual(whole(recordedIn(record)));
    expect(recording).toMatchObject({ end: undefined });
  });
});

test.each(['Writer', 'Planner'])('the run of %s that is stopped before its first call is a record without calls', async (agent_name) => {
  const { project } = planProject([]);
  let stopped = (): void => undefined;
  const isStopped = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const ended = new AbortController();
  const gate = () => {
    stopped();
    return new Promise<undefined>(() => undefined);
  };
  let run_id = '';
  const running = (async () => {
    for await (const event of project.run({ agent_name, payload: { topic: 'x' }, durable: true, gate, signal: ended.signal }))
      run_id = event.run_id;
  })();
  await isStopped;
  const { recording } = await project.recordingOf(run_id);
  expect('parts' in recording ? [...recording.parts.values()].flatMap(({ lines }) => lines) : recording.lines).toEqual([]);
  ended.abort();
  await running;
});

test('a run that was ended at a stop after its answer is a record with that answer', async () => {
  const { project } = planProject(['One.']);
  const ended = new AbortController();
  const gate = (stop: { readonly at: string }): undefined => {
    if (stop.at === 'answer') ended.abort();
  };
  const request = { agent_name: 'Writer', payload: { topic: 'x' }, keep: 'folder' as const, gate, signal: ended.signal };
  const { result } = await readAll(project.run(request));
  expect(result.status).toBe('cancelled');
  const { recording } = await project.recordingOf(result.run_id);
  expect('lines' in recording && recording.lines.map((line) => Object.keys(line)[0])).toEqual(['llm', 'end']);
});

describe('a run that cannot be made again exactly is refused', () => {
  const refused = (project: ReturnType<typeof openProject>, run_id: string) =>
    project.recordingOf(run_id).then(
      () => 'It was not refused.',
      (error: Error) => error.message,
    );

  test('when there is none of that name, or its steps or its frozen config are gone', async () => {
    const { project, folder } = planProject([]);
    expect(await refused(project, 'nothing')).toContain('There is no run "nothing".');
    const { result } = await readAll(project.run({ agent_name: 'Writer', payload: {}, durable: true }));
    const runs = join(folder, '.agentstack/runs', result.run_id);
    const config = readdirSync(runs).find((name) => /^effective_config_\w+\.json$/.test(name)) ?? '';
    const { run_id } = result;
    rmSync(join(folder, '.agentstack/journal'), { recursive: true });
    expect(await refused(project, run_id)).toMatch(/does not exist|not-found/);
    rmSync(join(runs, config));
    expect(await refused(project, run_id)).toContain('its frozen config is missing');
  });

  test.each([
    ['result.json', '"status": "completed"', '"status": "failed"'],
    ['result.json', '"text": "One."', '"text": "Two."'],
    ['run.json', '"topic": "x"', '"topic": "y"'],
    ['steps.jsonl', '"text":"One."', '"text":"Two."'],
    ['steps.jsonl', '"text":"One."', '"text":5'],
  ])('when its %s was changed: %s is %s', async (file, before, after) => {
    const { project, folder } = planProject(['One.']);
    const { result } = await readAll(project.run({ agent_name: 'Writer', payload: { topic: 'x' }, keep: 'folder' }));
    const path = join(copyOfCrash(folder), '.agentstack/runs', result.run_id, file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(before);
    writeFileSync(path, text.replace(before, after));
    expect(await refused(openProject(join(path, '../../../..')), result.run_id)).toContain('does not lead to what was kept');
  });
});

test('a kept run that cannot be resumed sends its input as it is, and is played again with what was masked', async () => {
  const secret = `sk-ant-${'aB3dE5gH7jK9'.repeat(3)}`;
  const { project, sent } = planProject([]);
  const { result } = await readAll(project.run({ agent_name: 'Writer', payload: { topic: secret }, keep: 'folder' }));
  expect(JSON.stringify(sent)).toContain(secret);
  const { recording } = await project.recordingOf(result.run_id);
  expect(JSON.stringify(whole(recording))).not.toContain(secret);
  const replayed = await readAll(project.replay(result.run_id));
  expect(replayed.result.error).toBeNull();
});
