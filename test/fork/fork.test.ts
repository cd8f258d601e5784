import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Gate } from '../../core/agent/gate.js';
import { openProject } from '../../core/node/openProject.js';
import { readRunSummary } from '../../core/run/readRuns.js';
import { answer, buyer, forkProject, planner, readAll, single, team } from './forkProject.js';

const approve = async () => 'allow' as const;
const change = (path: string, content: unknown) => new Map([[path, `${JSON.stringify(content, null, 2)}\n`]]);
const buyerFile = 'config/agents/Buyer/v1.json';

async function recorded(name: 'Buyer' | 'Planner', keep: 'folder' | 'none' = 'none') {
  const place = await forkProject();
  const original = await readAll(place.project.run({ agent_name: name, payload: { item: 'bolts' }, approve, record: place.record, keep }));
  expect(original.result.error).toBe(null);
  place.toolCalls.length = 0;
  place.asked();
  return { ...place, original };
}

describe('a fork of an agent', () => {
  test('of which nothing changed has nothing to do', async () => {
    const { project, record, asked } = await recorded('Buyer');
    const { plan } = await project.fork({ record });
    expect(plan).toMatchObject({
      places: [],
      changes: [],
      live: { model_calls: 0 },
      free: { model_calls: 4 },
      tools: [],
      config_known: true,
    });
    expect(asked()).toEqual([]);
  });

  test('whose change touches no request has nothing to do', async () => {
    const { project, record } = await recorded('Buyer');
    const { plan } = await project.fork({ record, texts: change(buyerFile, { ...buyer, retry_attempts: 2, description: 'x' }) });
    expect(plan).toMatchObject({ places: [], free: { model_calls: 4 } });
    expect(plan.changes.map(({ field }) => field).sort()).toEqual(['description', 'retry_attempts']);
  });

  test('pays only for what follows the change', async () => {
    const { project, record, asked, original } = await recorded('Planner');
    const fork = await project.fork({
      record,
      texts: change('config/agents/Writer/v1.json', { ...single('Writer'), purpose_text: 'Write more.' }),
    });
    expect(fork.plan).toMatchObject({
      config_known: true,
      places: [
        {
          place: 'Writer@v1',
          agent: 'Writer@v1',
          what: 'model',
          model_call: 1,
          differences: [expect.stringContaining('/messages/0/content')],
          causes: [{ field: 'purpose_text', file: 'config/agents/Writer/v1.json', pointer: '/purpose_text', is_certain: true }],
        },
      ],
      free: { model_calls: 2, cost_usd: 0.00112 },
      live: { model_calls: 1, cost_usd: 0.00056 },
      may_follow: { model_calls: 0 },
    });
    expect(fork.plan.most_cost_usd).toBeGreaterThan(0);
    expect(asked()).toEqual([]);

    const { result, events } = await readAll(fork.run());
    expect(asked()).toEqual(['Writer']);
    expect(result).toMatchObject({
      status: 'completed',
      output: 'Writer 3',
      metadata: { estimated_cost_usd: 0.00056, recorded_cost_usd: 0.00112 },
    });
    expect(result.run_id).not.toBe(original.result.run_id);
    const told = (all: typeof events) => all.flatMap((event) => (event.type === 'step_end' ? [event.observation] : []));
    expect(told(events).slice(0, 2)).toEqual(told(original.events).slice(0, 2));
    const summary = await readRunSummary(project.ports.files, result.run_id);
    expect(summary).toMatchObject({ forked_from: record, replayed: true, cost: 0.00056, recorded_cost: 0.00112, can_resume: false });
  });

  test.each<[string, object, object, number]>([
    ['a prompt', { system_text: 'Buyer\nBuy little.' }, { field: 'system_text' }, 1],
    ['a list of tools', { enabled_tools: ['stock'] }, { field: 'enabled_tools' }, 1],
    ['a model', { model_name: 'gpt-4.1' }, { field: 'model_name' }, 1],
    ['a parameter', { temperature: 0.1 }, { field: 'temperature' }, 1],
    [
      'a schema',
      { output_schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
      { field: 'output_schema' },
      1,
    ],
  ])('whose change is %s', async (_, fields, cause, model_call) => {
    const { project, record } = await recorded('Buyer');
    const { plan } = await project.fork({ record, texts: change(buyerFile, { ...buyer, ...fields }) });
    expect(plan.places).toMatchObject([{ place: '', model_call, causes: [cause] }]);
    expect(plan.tools).toEqual([
      { place: '', name: 'stock', calls: 2, idempotent: true },
      { place: '', name: 'order', calls: 1, idempotent: false },
    ]);
  });

  test('whose change is the description of a tool', async () => {
    const { folder, record, options } = await recorded('Buyer', 'folder');
    const [stock, ...others] = options.tools;
    const project = openProject(folder, { ...options, tools: [{ ...stock!, description: 'Counts.' }, ...others] });
    const { plan } = await project.fork({ record });
    expect(plan.places).toMatchObject([{ model_call: 1, causes: [{ field: 'skills/stock', file: null, is_certain: true }] }]);
  });

  test('asks before it calls a tool again that is not idempotent', async () => {
    const { project, record, toolCalls } = await recorded('Buyer');
    const fork = await project.fork({ record, texts: change(buyerFile, { ...buyer, system_text: 'Buyer\nBuy little.' }) });
    const denied = await readAll(fork.run());
    expect(denied.result.error).toMatchObject({ code: 'denied' });
    expect(toolCalls).toEqual(['stock bolts', 'stock nuts']);
    const asked: unknown[] = [];
    const { result } = await readAll(
      fork.run({
        approve: async ({ name, input }) => {
          asked.push([name, input]);
          return 'allow';
        },
      }),
    );
    expect(asked).toEqual([['order', { item: 'bolts' }]]);
    expect(result.status).toBe('completed');
    expect(toolCalls).toEqual(['stock bolts', 'stock nuts', 'stock bolts', 'stock nuts', 'order bolts']);
    // Its own fork has its answers, and asks about none of them.
    const again = await project.fork({ run_id: result.run_id, texts: change(buyerFile, { ...buyer, system_text: 'Buyer\nBuy little.' }) });
    expect(again.plan).toMatchObject({ places: [], free: { model_calls: 4 } });
    expect((await readAll(again.run())).result.status).toBe('completed');
    expect(toolCalls).toHaveLength(5);
  });
});

describe('a fork of an orchestration', () => {
  async function recordedTeam() {
    const place = await forkProject();
    const { result } = await readAll(place.project.orchestrate({ name: 'supply', record: place.record, keep: 'folder' }));
    expect(result.error).toBe(null);
    place.asked();
    return { ...place, run_id: result.run_id };
  }

  test.each(['record', 'run'])('leaves parallel tasks and what does not depend on the change alone: %s', async (from) => {
    const { project, record, run_id, asked } = await recordedTeam();
    const changed = change('config/agents/Editor/v1.json', { ...single('Editor'), purpose_text: 'Edit more.' });
    const fork = await project.fork({ ...(from === 'record' ? { record } : { run_id }), texts: changed });
    expect(fork.plan).toMatchObject({
      places: [{ place: '1/look/y', agent: 'Editor@v1', model_call: 1, causes: [{ field: 'purpose_text', is_certain: true }] }],
      free: { model_calls: 1 },
      live: { model_calls: 1 },
      may_follow: { model_calls: 2 },
    });
    const { result } = await readAll(fork.run());
    expect(result.error).toBe(null);
    expect(asked()).toEqual(['Editor']);
    expect(result.metadata).toMatchObject({ estimated_cost_usd: 0.00056, recorded_cost_usd: 0.00168 });
  });

  test('whose change is a route runs live where the record ends', async () => {
    const { project, run_id, asked } = await recordedTeam();
    const [look, buy] = [team.teams.look, team.teams.buy];
    const again = { ...buy, routing: { rules: [{ condition: { task: 'end', status: 'success' }, next_team: 'more' }] } };
    const more = { name: 'More', tasks: [{ name: 'more', agent: 'Writer@v1', input: { topic: 'more' } }], routing: { default: null } };
    const texts = change('config/orchestrations/supply.json', { ...team, teams: { look, buy: again, more } });
    const fork = await project.fork({ run_id, texts });
    expect(fork.plan).toMatchObject({ places: [{ place: '3/more/more', differences: [expect.anything()] }], free: { model_calls: 4 } });
    const { result } = await readAll(fork.run());
    expect(result.error).toBe(null);
    expect(asked()).toEqual(['Writer']);
  });
});

describe('a fork', () => {
  test('of an orchestration can be forked again, from its run', async () => {
    const { project, asked } = await forkProject();
    const first = await readAll(project.orchestrate({ name: 'supply', keep: 'folder' }));
    const edited = change('config/agents/Editor/v1.json', { ...single('Editor'), purpose_text: 'Edit more.' });
    const second = await readAll((await project.fork({ run_id: first.result.run_id, texts: edited })).run());
    asked();
    const again = await project.fork({ run_id: 'last', texts: edited });
    expect(again.run_id).toBe(second.result.run_id);
    expect(again.plan).toMatchObject({ config_known: true, changes: [], places: [], free: { model_calls: 4 } });
    const limited = { type: 'object', properties: { words: { type: 'string', enum: ['a', 'b'] } }, required: ['words'] };
    const written = change('config/agents/Writer/v1.json', { ...single('Writer'), output_schema: limited });
    const third = await project.fork({ run_id: 'last', texts: new Map([...edited, ...written]) });
    expect(third.plan.places).toMatchObject([{ place: '1/look/sum', causes: [{ field: 'output_schema', is_certain: true }] }]);
    await readAll(third.run({ keep: 'none' }));
    const since = asked();
    expect(since).toContain('Writer');
    expect(since).not.toContain('Reader');
  });

  test('adds nothing to the session of its run, and has its messages', async () => {
    const { project, folder, record, asked, server } = await forkProject({ [buyerFile]: { ...buyer, include_history: true } });
    const context = { session_id: 's' };
    const say = (more: object) => readAll(project.run({ agent_name: 'Buyer', payload: { item: 'bolts' }, approve, context, ...more }));
    await say({});
    await say({ record });
    const kept = readFileSync(join(folder, '.agentstack/sessions/s.jsonl'), 'utf8');
    asked();
    const fork = await project.fork({ record, texts: change(buyerFile, { ...buyer, include_history: true, temperature: 0.1 }) });
    expect(fork.plan.places).toMatchObject([{ model_call: 1, differences: [expect.stringMatching(/^\/temperature/)] }]);
    const { result } = await readAll(fork.run({ approve }));
    expect(result.status).toBe('completed');
    expect(JSON.stringify(server.requests.at(-1)?.body.messages).match(/Done/g)?.length).toBeGreaterThan(0);
    expect(readFileSync(join(folder, '.agentstack/sessions/s.jsonl'), 'utf8')).toBe(kept);
  });

  test('of a record with masked secrets says so, works with the masks, and takes the input again', async () => {
    const { project, record, server } = await forkProject();
    const secret = `sk-ant-${'aB3dE5gH7jK9'.repeat(3)}`;
    await readAll(project.run({ agent_name: 'Reader', payload: { topic: secret }, record }));
    const unchanged = await project.fork({ record, input: { topic: secret } });
    expect(unchanged.plan.places).toEqual([]);
    const texts = change('config/agents/Reader/v1.json', { ...single('Reader'), purpose_text: 'Read more.' });
    const fork = await project.fork({ record, texts });
    expect(fork.plan.secrets_masked).toBe(true);
    await readAll(fork.run());
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain(secret);
  });

  test('of nothing is refused with the reason', async () => {
    const { project, record } = await forkProject();
    await expect(project.fork({ record })).rejects.toThrow('does not exist');
    await expect(project.fork({ run_id: 'last' })).rejects.toThrow('There are no runs yet');
    await expect(project.fork({})).rejects.toThrow('either run_id or record');
    await readAll(project.run({ agent_name: 'Reader', payload: { topic: 'x' }, record }));
    const broken = change('config/agents/Reader/v1.json', { ...single('Reader'), mode: 'Nobody' });
    await expect(project.fork({ record, texts: broken })).rejects.toThrow('config/agents/Reader/v1.json:');
  });

  test('of a run that a person has changed is changed in the same way, up to where it leaves the record', async () => {
    const { project, asked, server } = await forkProject();
    const gate: Gate = (stop) => {
      if (stop.at !== 'model' || !JSON.stringify(stop.request.messages).includes('Reader writes')) return undefined;
      return {
        messages: stop.request.messages.map((message) => (message.role === 'user' ? { role: 'user', content: 'By hand.' } : message)),
      };
    };
    const first = await readAll(project.run({ agent_name: 'Planner', payload: { item: 'x' }, keep: 'folder', gate }));
    expect(first.result.metadata.edits).toBe(1);
    asked();
    const fork = await project.fork({
      run_id: 'last',
      texts: change('config/agents/Writer/v1.json', { ...single('Writer'), temperature: 0.1 }),
    });
    expect(fork.plan).toMatchObject({ places: [{ place: 'Writer@v1' }], free: { model_calls: 2 } });
    const { result } = await readAll(fork.run());
    expect(result).toMatchObject({ status: 'completed', metadata: { edits: 1 } });
    expect(asked()).toEqual(['Writer']);
    const other = await project.fork({
      run_id: first.result.run_id,
      texts: change('config/agents/Reader/v1.json', { ...single('Reader'), temperature: 0.1 }),
    });
    await readAll(other.run());
    expect(JSON.stringify(server.requests.map(({ body }) => body.messages)).match(/By hand/g)).toHaveLength(2);
  });

  test('goes on where the model failed, without any change', async () => {
    let isDown = true;
    const { project, record, asked } = await forkProject({}, (request, index) => {
      const [system] = String((request.body.messages as { content: string }[])[0]?.content).split('\n');
      return system === 'Editor' && isDown ? { status: 503, error: { message: 'Down.' } } : answer(request, index);
    });
    const { result } = await readAll(project.run({ agent_name: 'Planner', payload: { item: 'x' }, record }));
    expect(result.status).toBe('failed');
    isDown = false;
    asked();
    const fork = await project.fork({ record });
    expect(fork.plan.places).toMatchObject([{ place: 'Editor@v1', model_call: 1, differences: [], causes: [] }]);
    expect(fork.plan.places[0]?.message).toContain('The record has no answer of model call 1.');
    expect((await readAll(fork.run())).result.status).toBe('completed');
    expect(asked()).toEqual(['Editor', 'Writer']);
  });
});

test('the plan of an agent is a change too', async () => {
  const { project, record, asked } = await recorded('Planner');
  const steps = planner.execution_plan.steps.map((step) => (step.name === 'edit' ? { ...step, input: { topic: 'other' } } : step));
  const fork = await project.fork({
    record,
    texts: change('config/agents/Planner/v1.json', { ...planner, execution_plan: { ...planner.execution_plan, steps } }),
  });
  expect(fork.plan).toMatchObject({
    places: [{ place: 'Editor@v1' }],
    free: { model_calls: 1 },
    live: { model_calls: 1 },
    may_follow: { model_calls: 1 },
  });
  await readAll(fork.run());
  expect(asked()).toEqual(['Editor', 'Writer']);
});

test('a replay that differs says which field of which file has changed since, if the config of the record is kept', async () => {
  const { project, record, write } = await recorded('Buyer', 'folder');
  write(buyerFile, { ...buyer, temperature: 0.1, description: 'x' });
  const { result } = await readAll(project.run({ agent_name: 'Buyer', payload: { item: 'bolts' }, replay: record }));
  expect(result.error?.message).toContain('/temperature: 0.7 was recorded, now 0.1');
  expect(result.error?.message).toMatch(/ Changed since then: temperature \(config\/agents\/Buyer\/v1.json\)\.$/);
});

test.each([
  ['"parts":[', '"parts":[null,'],
  ['"cached_tokens":0', '"cached_tokens":"none"'],
  ['"name":"stock"', '"name":5'],
  ['"overrides"', '"overrides":{"llm":{}},"more"'],
])('a record that was written by hand is refused, not run: %s', async (before, after) => {
  const { project, record } = await forkProject();
  await readAll(project.run({ agent_name: 'Buyer', payload: { item: 'bolts' }, record, approve: async () => 'allow' }));
  const text = readFileSync(record, 'utf8').replace('"asks"', '"overrides":{},"asks"');
  expect(text).toContain(before);
  writeFileSync(record, text.replace(before, after));
  await expect(project.fork({ record })).rejects.toThrow(/is not (as --record has written it: line \d+ cannot be read|a record of a run)/);
});
