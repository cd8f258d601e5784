import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { cleanEnvironment, outcomeOf, start, temporaryProject } from '../cli/command.js';
import { comparable } from '../run/durableProject.js';
import { type LoopbackReply, type LoopbackRequest, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { emptyDatabase, query, testWithPostgres } from '../support/postgres.js';

/** How often a worker is killed; more with `AGENT_STACK_KILLS`. */
const kills = Number(process.env.AGENT_STACK_KILLS ?? 4);
const key = 'sk-test-0123456789abcdef';

const words = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'], additionalProperties: false };
const writer = (agent_name: string) => ({
  agent_name,
  version: 'v1',
  mode: 'Writer',
  system_text: `You are ${agent_name}.`,
  purpose_text: 'Write.',
  output_schema: words,
  llm_config_id: 'real',
});
const names = ['One', 'Two', 'Three', 'Four', 'Five'];

/** Two tasks side by side, one that waits for them, and two teams after that: a model call each, and a tool in the first. */
function project(url: string): string {
  const task = (name: string, depends_on?: readonly string[]) => ({ name, agent: `${name}@v1`, ...(depends_on && { depends_on }) });
  return temporaryProject({
    'config/llms/real.json': {
      llm_id: 'real',
      provider: 'openai',
      model_name: 'gpt-4.1-mini',
      base_url: url,
      api_key: 'secret://openai_api_key',
    },
    ...Object.fromEntries(names.map((name) => [`config/agents/${name}/v1.json`, writer(name)])),
    'config/orchestrations/chain.json': {
      name: 'chain',
      entry_team: 'first',
      context: { topic: 'bolts' },
      teams: {
        first: { name: 'First', tasks: [task('One', []), task('Two', []), task('Three', ['One', 'Two'])], routing: { default: 'second' } },
        second: { name: 'Second', tasks: [task('Four')], routing: { default: 'third' } },
        third: { name: 'Third', tasks: [task('Five')], routing: { default: null } },
      },
    },
  });
}

const nameOf = ({ body }: LoopbackRequest): string =>
  /^You are (\w+)/.exec((body.messages as readonly { readonly content: string }[])[0]?.content ?? '')?.[1] ?? '?';

testWithPostgres(
  `kill -9 of workers at ${kills} random instants: what was finished is never requested again, and the result is the same`,
  async () => {
    const database = await emptyDatabase();
    let asked: string[] = [];
    let onRequest: () => void = () => undefined;
    const reply = (request: LoopbackRequest): LoopbackReply => {
      asked.push(nameOf(request));
      onRequest();
      return { text: '{"words": "well done"}', delay_ms: 10 };
    };
    const server = await startLoopbackOpenAi(reply, { key });
    onTestFinished(() => server.close());
    const cwd = project(server.url);
    const env = cleanEnvironment({ OPENAI_API_KEY: key, NO_PROXY: '*', AGENTSTACK_DATABASE_URL: database });

    const workers = new Set<ReturnType<typeof start>>();
    onTestFinished(() => {
      for (const worker of workers) worker.kill('SIGKILL');
    });
    const startWorker = async () => {
      const worker = start(['worker', '--engine', 'dbos'], { cwd, env });
      workers.add(worker);
      await new Promise<void>((resolve) => worker.stderr.on('data', (chunk) => String(chunk).includes('is ready') && resolve()));
      return worker;
    };
    const orchestrate = () => {
      asked = [];
      const child = start(['orchestrate', 'chain', '--engine', 'dbos', '--json'], { cwd, env });
      child.stdin.end();
      return outcomeOf(child);
    };

    let worker = await startWorker();
    const whole = await orchestrate();
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    const expected = comparable(JSON.parse(whole.stdout));
    expect([...asked].sort()).toEqual([...names].sort());

    const random = fc.sample(
      fc.record({ request: fc.integer({ min: 1, max: names.length }), after_ms: fc.integer({ min: 0, max: 30 }) }),
      kills,
    );
    for (const { request, after_ms } of random) {
      const killed = worker;
      let finished: readonly string[] = [];
      let successor: Promise<typeof worker> | undefined;
      onRequest = () => {
        if (asked.length !== request) return;
        setTimeout(() => {
          killed.kill('SIGKILL');
          successor = (async () => {
            finished = await finishedSteps(database);
            return startWorker();
          })();
        }, after_ms);
      };
      const outcome = await orchestrate();
      onRequest = () => undefined;
      const place = `killed ${after_ms} ms after request ${request}: ${asked.join(' ')}; finished ${finished.join(' ')}`;
      expect(outcome.code, `${place}\n${outcome.stderr}`).toBe(0);
      const result = JSON.parse(outcome.stdout);
      expect(comparable(result), place).toEqual(expected);
      const again = asked.filter((name, index) => asked.indexOf(name) !== index);
      expect(again.length, place).toBeLessThanOrEqual(2);
      for (const name of again) expect(finished, place).not.toContain(`${result.run_id} ${name}`);
      const events = readFileSync(join(cwd, '.agentstack/runs', result.run_id, 'events.jsonl'), 'utf8')
        .trim()
        .split('\n');
      expect(events.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(events.map((_, index) => index));
      if (successor) worker = await successor;
    }
  },
  600_000,
);

/** `{run_id} {task}` of every model call that is kept. */
async function finishedSteps(database: string): Promise<readonly string[]> {
  const rows = await query<{ step: string }>(
    database,
    "SELECT split_part(workflow_uuid, '/', 1) || ' ' || split_part(workflow_uuid, '/', 4) AS step FROM dbos.operation_outputs WHERE function_name LIKE '%llm/%'",
  );
  return rows.map(({ step }) => step);
}
