import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { RunResult } from '../../core/agent/events.js';
import { openDbosEngine } from '../../core/dbos/dbosEngine.js';
import { openProject } from '../../core/node/openProject.js';
import { cleanEnvironment, start, temporaryProject } from '../cli/command.js';
import { comparable, readAll } from '../run/durableProject.js';
import { runs, triesAll } from '../support/effort.js';
import { type LoopbackReply, type LoopbackRequest, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { newDatabase, query, testWithPostgres } from '../support/postgres.js';
import { createRandom } from '../support/random.js';

// Slow, since the end of workers in the middle of their work is the subject: it guards that no answer that was kept is paid for again.

/** How often a worker is killed. */
const kills = runs(5, 200);
const workersAtOnce = 3;
const runsAtOnce = 8;

const words = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'], additionalProperties: false };
const agent = (agent_name: string, more: object) => ({
  agent_name,
  version: 'v1',
  system_text: `You are ${agent_name}.`,
  llm_config_id: 'real',
  ...more,
});
const writer = (name: string) => agent(name, { mode: 'Writer', purpose_text: 'Write.', output_schema: words });
const writers = ['Noter', 'Joiner', 'Sender', 'Closer'];
/** What the model is asked for in each run. */
const stepsOfRun = ['Adder/llm/1', 'Adder/llm/2', 'Closer/llm/1', 'Joiner/llm/1', 'Noter/llm/1', 'Sender/llm/1'];

/** Two tasks side by side, one of which calls a tool, one that waits for them, and two teams after that. */
function project(url: string): string {
  const task = (name: string, depends_on?: readonly string[]) => ({ name, agent: `${name}@v1`, ...(depends_on && { depends_on }) });
  return temporaryProject({
    'config/llms/real.json': { llm_id: 'real', provider: 'openai', model_name: 'gpt-4.1-mini', base_url: url },
    'config/agents/Adder/v1.json': agent('Adder', { agent_type: 'react', enabled_tools: ['calculator'] }),
    ...Object.fromEntries(writers.map((name) => [`config/agents/${name}/v1.json`, writer(name)])),
    'config/orchestrations/chain.json': {
      name: 'chain',
      entry_team: 'first',
      context: { topic: 'none' },
      teams: {
        first: {
          name: 'First',
          tasks: [task('Adder', []), task('Noter', []), task('Joiner', ['Adder', 'Noter'])],
          routing: { default: 'second' },
        },
        second: { name: 'Second', tasks: [task('Sender')], routing: { default: 'third' } },
        third: { name: 'Third', tasks: [task('Closer')], routing: { default: null } },
      },
    },
  });
}

/** A run is known by its topic, which the requests of its agents hold. */
const topicOf = (run: number) => `topic-${String(run).padStart(5, '0')}`;

interface Asked {
  /** `{topic} {agent}/llm/{n}`. */
  readonly step: string;
  /** Key of the worker that asked. */
  readonly key: string;
}

function askedBy({ body, headers }: LoopbackRequest): Asked {
  const messages = body.messages as readonly { readonly role: string; readonly content: string }[];
  const name = /^You are (\w+)/.exec(messages[0]?.content ?? '')?.[1];
  const topic = /topic-\d{5}/.exec(JSON.stringify(messages))?.[0];
  const number = messages.filter(({ role }) => role === 'assistant').length + 1;
  return { step: `${topic} ${name}/llm/${number}`, key: headers.authorization?.slice('Bearer '.length) ?? '' };
}

function replyTo(step: string): LoopbackReply {
  const [topic, call] = step.split(' ');
  if (call !== 'Adder/llm/1') return { text: call === 'Adder/llm/2' ? 'Done.' : `{"words": "${topic} ${call}"}`, delay_ms: 20 };
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const tool = { index: 0, id: 'call_1', type: 'function', function: { name: 'calculator', arguments: '{"expression": "6 * 7"}' } };
  const body = `${chunk({ role: 'assistant', content: '' }, null)}${chunk({ tool_calls: [tool] }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`;
  return { body, headers: { 'content-type': 'text/event-stream' }, delay_ms: 20 };
}

/** `{topic} {agent}/llm/{n}` of every model call that is kept. */
async function finishedSteps(database: string): Promise<ReadonlySet<string>> {
  const rows = await query<{ step: string }>(
    database,
    `SELECT substring(r.request from 'topic-\\d{5}') || ' ' || substring(o.function_name from '\\w+/llm/\\d+$') AS step
     FROM dbos.operation_outputs o JOIN agent_stack.runs r ON r.run_id = split_part(o.workflow_uuid, '/', 1)
     WHERE o.function_name ~ '/llm/\\d+$'`,
  );
  return new Set(rows.map(({ step }) => step));
}

/** Workers of the built command, each with a key of its own, by which the server knows who asks. */
class Workers {
  readonly #cwd: string;
  readonly #database: string;
  readonly #alive = new Map<string, ReturnType<typeof start>>();
  #count = 0;
  /** Those that a busy machine kept from their heartbeats for so long that others went on with their runs. */
  readonly takenOver = new Set<string>();

  constructor(cwd: string, database: string) {
    this.#cwd = cwd;
    this.#database = database;
  }

  /** @returns the key of the new worker */
  begin(): string {
    const key = `sk-test-0123456789-${String(++this.#count).padStart(4, '0')}`;
    const env = cleanEnvironment({ OPENAI_API_KEY: key, NO_PROXY: '*', AGENTSTACK_DATABASE_URL: this.#database });
    const child = start(['worker', '--engine', 'dbos'], { cwd: this.#cwd, env });
    child.stdin.end();
    child.stderr.on('data', (chunk) => {
      if (String(chunk).includes('others have taken over its runs')) this.takenOver.add(key);
    });
    this.#alive.set(key, child);
    return key;
  }

  async ready(key: string): Promise<void> {
    const child = this.#alive.get(key);
    await new Promise<void>((resolve, reject) => {
      child?.stderr.on('data', (chunk) => String(chunk).includes('is ready') && resolve());
      let said = '';
      child?.stderr.on('data', (chunk) => {
        said += String(chunk);
      });
      child?.once('exit', () => reject(new Error(`The worker ${key} ended before it was ready: ${said}`)));
    });
  }

  async kill(key: string): Promise<void> {
    const child = this.#alive.get(key);
    if (child === undefined) return;
    this.#alive.delete(key);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  keys(): readonly string[] {
    return [...this.#alive.keys()];
  }

  async killAll(): Promise<void> {
    await Promise.all(this.keys().map((key) => this.kill(key)));
  }
}

testWithPostgres(
  `kill -9 of ${kills} workers at random instants: what was finished is never requested again, nothing is lost, and the results are the same`,
  async () => {
    const database = await newDatabase();
    const random = createRandom();
    const asked: Asked[] = [];
    let onAsked: (by: string) => void = () => undefined;
    const server = await startLoopbackOpenAi((request) => {
      const each = askedBy(request);
      asked.push(each);
      onAsked(each.key);
      return replyTo(each.step);
    });
    onTestFinished(() => server.close());
    const cwd = project(server.url);
    const options = { ports: { environment: { get: (name: string) => ({ OPENAI_API_KEY: 'embedded', NO_PROXY: '*' })[name] } } };
    const requestOf = (run: number) => ({ name: 'chain', input: { topic: topicOf(run) } });

    const embedded = await readAll(openProject(cwd, options).orchestrate({ keep: 'folder', ...requestOf(0) }));
    expect(embedded.result.status).toBe('completed');
    expect(asked.map(({ step }) => step.split(' ')[1]).sort()).toEqual(stepsOfRun);
    const expected = JSON.stringify(comparable(embedded.result));
    asked.length = 0;

    const workers = new Workers(cwd, database);
    onTestFinished(() => workers.killAll());
    const first = Array.from({ length: workersAtOnce }, () => workers.begin());
    await Promise.all(first.map((key) => workers.ready(key)));

    // Runs are handed in all the while, some at once.
    const engine = openDbosEngine(cwd, { ...options, database_url: database });
    const results = new Map<number, RunResult>();
    let isEnough = false;
    let submitted = 0;
    const submitter = async () => {
      while (!isEnough) {
        const run = ++submitted;
        const { result } = await readAll(engine.orchestrate(requestOf(run)));
        results.set(run, result);
      }
    };
    const submitters = Promise.all(Array.from({ length: runsAtOnce }, submitter));
    submitters.catch(() => undefined);

    /** Steps that must never be asked for again, from the number of a request on. */
    const finishedBefore: { readonly from: number; readonly steps: ReadonlySet<string> }[] = [];
    const dead = new Map<string, number>();
    /** What had been finished when a worker was dead, by its key: all else it has asked for was under way. */
    const finishedAtDeath = new Map<string, ReadonlySet<string>>();
    /** Asked for between a death and the look into the database: whether it was under way at that death cannot be told afterwards. */
    const askedMeanwhile = new Set<string>();
    for (let kill = 0; kill < kills; kill += 1) {
      const keys = workers.keys();
      const victim = keys[Math.floor(random() * keys.length)] ?? '';
      // In the middle of its work, or wherever it is when it does not work: it starts, takes over, or waits.
      const isAnywhere = random() < 0.2;
      const wanted = 1 + Math.floor(random() * 8);
      let count = 0;
      const reached = new Promise<void>((resolve) => {
        onAsked = (by) => by === victim && ++count >= wanted && resolve();
      });
      await (isAnywhere ? wait(random() * 1500) : Promise.race([reached, wait(4000)]));
      await wait(random() * 40);
      // Others may take over before its death is seen here.
      const death = asked.length;
      dead.set(victim, death);
      await workers.kill(victim);
      const steps = await finishedSteps(database);
      for (const { step } of asked.slice(death)) askedMeanwhile.add(step);
      // Others have gone on while the database was asked.
      finishedBefore.push({ from: asked.length, steps });
      finishedAtDeath.set(victim, steps);
      const successor = workers.begin();
      // Now and then the next one to be killed may be one that has not quite started.
      if (random() < 0.8) await workers.ready(successor);
    }
    onAsked = () => undefined;
    isEnough = true;
    await submitters;

    for (const [run, result] of results)
      expect(JSON.stringify(comparable(result)).replaceAll(topicOf(run), topicOf(0)), topicOf(run)).toBe(expected);
    expect(results.size).toBe(submitted);
    // Nothing is lost: every step of every run was asked for.
    const counts = new Map<string, number>();
    for (const { step } of asked) counts.set(step, (counts.get(step) ?? 0) + 1);
    const all = [...results.keys()].flatMap((run) => stepsOfRun.map((step) => `${topicOf(run)} ${step}`));
    expect([...counts.keys()].sort()).toEqual(all.sort());
    for (const { from, steps } of finishedBefore)
      expect(
        asked.slice(from).filter(({ step }) => steps.has(step)),
        'finished, and requested again',
      ).toEqual([]);
    // Its last requests may arrive after its death.
    const isUnderWay = ({ step, key }: (typeof asked)[number]) =>
      finishedAtDeath.get(key)?.has(step) === false || workers.takenOver.has(key);
    const inFlight = new Set(asked.filter(isUnderWay).map(({ step }) => step));
    const again = [...counts].filter(([, count]) => count > 1).map(([step]) => step);
    expect(
      again.filter((step) => !inFlight.has(step) && !askedMeanwhile.has(step)),
      'requested again, and not under way at any kill',
    ).toEqual([]);
    // One that asks for what another one has asked for does so after the death of that one.
    for (const step of again) {
      const times = asked.flatMap((each, index) => (each.step === step ? [{ index, key: each.key }] : []));
      for (const [index, { key }] of times.slice(0, -1).entries())
        if (!workers.takenOver.has(key))
          expect(dead.get(key) ?? Number.POSITIVE_INFINITY, `${step} of ${key}`).toBeLessThanOrEqual(times[index + 1]?.index ?? 0);
    }
    for (const { run_id } of results.values()) {
      const lines = readFileSync(join(cwd, '.agentstack/runs', run_id, 'events.jsonl'), 'utf8')
        .trim()
        .split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(lines.map((_, index) => index));
    }
    const figures = { kills, runs: results.size, steps: counts.size, requests: asked.length, again: asked.length - counts.size };
    if (triesAll) process.stdout.write(`${JSON.stringify({ ...figures, in_flight: inFlight.size })}\n`);
    expect(asked.length - counts.size).toBeGreaterThan(0);
  },
  3_600_000,
);
