import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { comparable } from '../run/durableProject.js';
import { runs, triesAll } from '../support/effort.js';
import { type LoopbackReply, type LoopbackRequest, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { createRandom } from '../support/random.js';
import { outcomeOf, repository, start, temporaryProject, write } from './command.js';

// Slow, since the end of the process is the subject: it guards that no answer that was kept is paid for again, wherever the command was cut off.

/** How often the command is killed. */
const kills = runs(12, 200);
/** How many of them are at work at the same time, each in a project of its own: most of a run is waiting. */
const lanes = 3;

const key = 'sk-test-0123456789abcdef';
const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };

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
const caller = (agent_name: string, more: object) => ({
  agent_name,
  version: 'v1',
  agent_type: 'react',
  system_text: `You are ${agent_name}.`,
  llm_config_id: 'real',
  ...more,
});

/** Three teams: tasks side by side and one that waits for them, a tool that may be called again, one that may not. */
function mailProject(url: string): { readonly cwd: string; readonly log: string } {
  const cwd = temporaryProject({
    'config/llms/real.json': {
      llm_id: 'real',
      provider: 'openai',
      model_name: 'gpt-4.1-mini',
      base_url: url,
      api_key: 'secret://openai_api_key',
    },
    'config/agents/Adder/v1.json': caller('Adder', { enabled_tools: ['calculator'] }),
    'config/agents/Noter/v1.json': writer('Noter'),
    'config/agents/Joiner/v1.json': writer('Joiner'),
    'config/agents/Mailer/v1.json': caller('Mailer', { client_ids: ['mail'] }),
    'config/agents/Closer/v1.json': writer('Closer'),
    'config/orchestrations/mail.json': {
      name: 'mail',
      entry_team: 'prepare',
      context: { topic: 'bolts' },
      teams: {
        prepare: {
          name: 'Prepare',
          tasks: [
            { name: 'Adder', agent: 'Adder@v1', depends_on: [] },
            { name: 'Noter', agent: 'Noter@v1', depends_on: [] },
            { name: 'Joiner', agent: 'Joiner@v1', depends_on: ['Adder', 'Noter'] },
          ],
          routing: { default: 'send' },
        },
        send: { name: 'Send', tasks: [{ name: 'Mailer', agent: 'Mailer@v1' }], routing: { default: 'close' } },
        close: { name: 'Close', tasks: [{ name: 'Closer', agent: 'Closer@v1' }], routing: { default: null } },
      },
    },
  });
  const log = join(cwd, 'mails.txt');
  const server = { type: 'stdio', command: process.execPath, args: [join(repository, 'test/fixtures/run/mailServer.mjs'), log] };
  write(cwd, 'config/mcp.json', { servers: { mail: server } });
  return { cwd, log };
}

/** Which step of the run a request belongs to: its agent, and how often that has been answered before. */
function stepOf({ body }: LoopbackRequest): string {
  const messages = body.messages as readonly { readonly role: string; readonly content: string }[];
  const name = /^You are (\w+)/.exec(messages[0]?.content ?? '')?.[1];
  return `${name}/llm/${messages.filter(({ role }) => role === 'assistant').length + 1}`;
}

function reply(request: LoopbackRequest): LoopbackReply {
  const step = stepOf(request);
  if (step === 'Adder/llm/1') return { ...callOf('calculator', { expression: '6 * 7' }), delay_ms: 5 };
  if (step === 'Mailer/llm/1') return { ...callOf('send', { to: 'ada' }), delay_ms: 5 };
  return { text: step.startsWith('Adder') || step.startsWith('Mailer') ? 'Done.' : '{"words": "well done"}', delay_ms: 5 };
}

function callOf(name: string, input: object): LoopbackReply {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const call = { index: 0, id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  const body = [
    chunk({ role: 'assistant', content: '' }, null),
    chunk({ tool_calls: [call] }, null),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ];
  return { body: body.join(''), headers: { 'content-type': 'text/event-stream' } };
}

/** When a process is killed: so long after it was started, after the server got its nth request, or after a mail was sent, whose answer is held back or comes. */
type Kill = { readonly after_ms: number; readonly request?: number; readonly mail?: 'held' | 'answered' };

/** A project, its server, and a way to run commands in it that are killed. */
async function setUp() {
  let asked: string[] = [];
  let onRequest: (() => void) | undefined;
  const server = await startLoopbackOpenAi(
    (request) => {
      asked.push(stepOf(request));
      onRequest?.();
      return reply(request);
    },
    { key },
  );
  onTestFinished(() => server.close());
  const { cwd, log } = mailProject(server.url);
  const runs = join(cwd, '.agentstack/runs');
  const mails = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []);
  return {
    cwd,
    runIds: () => (existsSync(runs) ? readdirSync(runs) : []),
    mails: () => mails().length,
    mailsOf: (pid: number | undefined) => mails().filter((line) => line.startsWith(`${pid} `)).length,
    path: (run_id: string, name: string) => join(runs, run_id, name),
    /** Runs a command, perhaps not to its end; also says which steps the server was asked for. */
    async command(args: readonly string[], kill?: Kill) {
      asked = [];
      const child = start(args, { cwd, env });
      child.stdin.end();
      let timer: NodeJS.Timeout | undefined;
      const killSoon = (after_ms: number) => {
        timer ??= setTimeout(() => child.kill('SIGKILL'), after_ms);
      };
      onRequest = () => {
        if (kill?.request !== undefined && asked.length > kill.request) killSoon(kill.after_ms);
      };
      const sent = mails().length;
      const hold = `${log}.hold`;
      if (kill?.mail === 'held') writeFileSync(hold, '');
      const watch = kill?.mail && setInterval(() => mails().length > sent && killSoon(kill.after_ms), 1);
      if (kill !== undefined && kill.request === undefined && !kill.mail) killSoon(kill.after_ms);
      const outcome = await outcomeOf(child);
      clearTimeout(timer);
      clearInterval(watch);
      rmSync(hold, { force: true });
      onRequest = undefined;
      return { ...outcome, pid: child.pid, asked: [...asked] };
    },
    /** The model calls of a run that are durable: the journals say so. */
    finished(run_id: string): readonly string[] {
      const { journals } = JSON.parse(readFileSync(join(runs, run_id, 'run.json'), 'utf8')) as { journals: readonly string[] };
      return journals.flatMap((id) => {
        const lines = readFileSync(join(cwd, '.agentstack/journal', `${id}.jsonl`), 'utf8')
          .split('\n')
          .slice(1, -1);
        const records = lines.map((line) => JSON.parse(line) as { step?: string; value?: unknown });
        return records.flatMap(({ step, value }) => /^\d+\/\w+\/(\w+\/llm\/\d+)$/.exec(value === undefined ? '' : (step ?? ''))?.[1] ?? []);
      });
    },
  };
}

const orchestrate = ['orchestrate', 'mail', '--json', '--allow-tools=send'];
const resume = (run_id: string) => ['runs', 'resume', run_id, '--json', '--allow-tools=send'];

test(`kill -9 at ${kills} random instants: what was finished is never requested again, and the result is the same`, async () => {
  const seen = { killed: 0, before: 0, after: 0, again: 0, unfinished: 0, repeated: 0 };
  const random = createRandom();
  const setUps = await Promise.all(Array.from({ length: lanes }, setUp));
  await Promise.all(
    setUps.map((place, index) =>
      killAgainAndAgain(place, Math.floor((kills + index) / lanes), createRandom(Math.floor(random() * 2 ** 32)), seen),
    ),
  );
  if (triesAll) process.stdout.write(`${JSON.stringify(seen)}\n`);
  expect(seen.killed).toBe(kills);
  expect(seen.unfinished).toBeGreaterThan(0);
}, 3_600_000);

type Seen = Record<'killed' | 'before' | 'after' | 'again' | 'unfinished' | 'repeated', number>;

/** Kills so many runs of one project, one after the other, and goes on with each to its end. */
async function killAgainAndAgain(
  { command, runIds, mails, mailsOf, path, finished }: Awaited<ReturnType<typeof setUp>>,
  kills: number,
  random: () => number,
  seen: Seen,
): Promise<void> {
  const begun = Date.now();
  const whole = await command(orchestrate);
  const duration = Date.now() - begun;
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  const expected = comparable(JSON.parse(whole.stdout));
  // Between two requests there is the writing of what came, a server to start, a tool to call: all of it may be where it ends.
  const gap = duration / whole.asked.length;
  // Each kind of instant has its share, however few there are.
  let instants = 0;
  const instant = (): Kill => {
    const kind = instants % 4;
    instants += 1;
    if (kind === 0) return { mail: instants === 1 ? 'held' : 'answered', after_ms: random() * 16 };
    if (kind === 3) return { after_ms: duration * (0.3 + 0.9 * random()) };
    return { request: Math.floor(random() * whole.asked.length), after_ms: random() * random() * 2 * gap };
  };

  let killed = 0;
  for (let round = 0; killed < kills && round < 4 * kills; round += 1) {
    const known = new Set(runIds());
    const mailsBefore = mails();
    const first = await command(orchestrate, instant());
    const run_id = runIds().find((id) => !known.has(id));
    if (run_id === undefined || !existsSync(path(run_id, 'run.json'))) {
      seen.before += 1;
      continue;
    }
    if (first.code !== null) {
      seen.after += 1;
      continue;
    }
    seen.killed += 1;
    killed += 1;
    let killsOfRun = 1;
    const all = [...first.asked];
    for (let attempt = 1; ; attempt += 1) {
      if (existsSync(path(run_id, 'result.json'))) break;
      const done = finished(run_id);
      const isLast = attempt > 2 || random() < 0.7;
      const next = await command(resume(run_id), isLast ? undefined : instant());
      const place = `round ${round}, attempt ${attempt}, done ${done.join(' ')}`;
      expect(
        next.asked.filter((step) => done.includes(step)),
        place,
      ).toEqual([]);
      all.push(...next.asked);
      if (next.code === null) {
        seen.again += 1;
        killsOfRun += 1;
        continue;
      }
      const result = JSON.parse(next.stdout) as { error: { code: string; details: object } | null };
      if (result.error !== null) {
        // The mail was begun, and may have been sent: it is not sent again before the user says so.
        expect(result.error, `${place}: ${next.stderr}`).toMatchObject({
          code: 'denied',
          details: { unfinished: { team: 'send', task: 'Mailer' } },
        });
        expect(existsSync(path(run_id, 'result.json'))).toBe(false);
        // The server of a process that was killed may still have sent its mail meanwhile.
        expect(mailsOf(next.pid)).toBe(0);
        seen.unfinished += 1;
        const answered = await command([...resume(run_id), '--unfinished', 'repeat']);
        expect(
          answered.asked.filter((step) => done.includes(step)),
          place,
        ).toEqual([]);
        expect(answered, answered.stderr).toMatchObject({ code: 0 });
        all.push(...answered.asked);
      }
    }
    expect(comparable(JSON.parse(readFileSync(path(run_id, 'result.json'), 'utf8')))).toEqual(expected);
    // Nothing is lost: every step was asked for, and what was under way when it was killed is all that was asked for twice.
    expect([...new Set(all)].sort()).toEqual([...new Set(whole.asked)].sort());
    const again = all.length - whole.asked.length;
    expect(again).toBeLessThanOrEqual(2 * killsOfRun);
    seen.repeated += again;
    expect(mails() - mailsBefore).toBeGreaterThanOrEqual(1);
  }
}
