import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import { createNodeEnvironment, createNodeLogger } from '../../core/node/nodePorts.js';
import { openProject } from '../../core/node/openProject.js';
import type { Project } from '../../core/project/types.js';
import { copyOfCrash, readAll } from '../run/durableProject.js';
import { startLoopbackCollector } from '../telemetry/loopbackCollector.js';
import { expectNoSecret, markedSecrets, modelKey, toldSecrets } from './marked.js';
import { look, markedEnvironment, markedProject, writtenIn } from './markedProject.js';

// A secret without a shape is put into every input there is, and all that leaves the run is searched for it, in every encoding.

interface Opened {
  readonly folder: string;
  readonly project: Project;
  /** The lines of the log. */
  readonly log: string[];
  /** What a collector of telemetry was sent. */
  readonly exported: () => string;
}

async function open(folder: string, tools = [look]): Promise<Opened> {
  const collector = await startLoopbackCollector();
  onTestFinished(() => collector.close());
  const log: string[] = [];
  const environment = createNodeEnvironment({
    ...markedEnvironment,
    PATH: process.env.PATH,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  });
  const logger = createNodeLogger('debug', (line) => void log.push(line));
  const project = openProject(folder, { ports: { environment, logger }, tools, trustedTools: { notes: ['echo', 'env', 'result'] } });
  return { folder, project, log, exported: () => collector.requests.map(({ text }) => text).join('\n') };
}

const payload = { title: toldSecrets, [modelKey]: [toldSecrets], deep: { api: toldSecrets } };
const context = { user_id: `user ${toldSecrets}`, correlation_id: `correlation ${modelKey}`, trace_id: `trace ${modelKey}` };
const streamed = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'chunk' || event.type === 'thinking' ? [event.text] : [])).join('');

/** @param secrets of the run: an agent without tools is given no secret of a server */
async function expectClean(
  { folder, project, log, exported }: Opened,
  events: readonly AgentEvent[],
  secrets: readonly string[] = markedSecrets,
): Promise<void> {
  await project.flush();
  const told = events.map((event) => JSON.stringify(event)).join('\n');
  for (const written of [told, streamed(events), writtenIn(folder), log.join('\n'), exported()]) expectNoSecret(written, secrets);
}

const session = { ...context, session_id: 'talk' };
const keep = 'folder';

const small: { readonly [way: string]: (project: Project) => AsyncGenerator<AgentEvent> } = {
  'a single answer': (project) => project.run({ agent_name: 'Writer', payload, context: session, keep }),
  'a single answer at once': (project) => project.run({ agent_name: 'Writer', payload, context: session, keep, delivery: 'call' }),
  'a single answer kept step by step': (project) => project.run({ agent_name: 'Writer', payload, context: session, keep, durable: true }),
};
const large: typeof small = {
  'a loop': (project) => project.run({ agent_name: 'Looker', payload, context: session, keep, delivery: 'call' }),
  'a loop kept step by step': (project) =>
    project.run({ agent_name: 'Looker', payload, context: session, keep, durable: true, delivery: 'call' }),
  'a loop that streams': (project) => project.run({ agent_name: 'Looker', payload, context: session, keep }),
  'a loop that is not kept': (project) => project.run({ agent_name: 'Looker', payload, context: session, keep: 'none', delivery: 'call' }),
  'an orchestration': (project) => project.orchestrate({ name: 'both', input: payload, context, keep, delivery: 'call' }),
  'an orchestration that streams': (project) => project.orchestrate({ name: 'both', input: payload, context, keep }),
};

describe.each([
  ...Object.entries(small).map(([way, run]) => [way, run, [modelKey] as readonly string[]] as const),
  ...Object.entries(large).map(([way, run]) => [way, run, markedSecrets as readonly string[]] as const),
])('of %s', (_, run, secrets) => {
  test('no secret leaves the run, which is done all the same', async () => {
    const opened = await open((await markedProject()).folder);
    const { events, result } = await readAll(run(opened.project));
    expect(result.error).toBe(null);
    expect(JSON.stringify(result.output)).toContain('*'.repeat(modelKey.length));
    await expectClean(opened, events, secrets);
    expect(opened.exported()).toContain('gen_ai.input.messages');
  });
});

test('a conversation goes on with what was kept of it', async () => {
  const opened = await open((await markedProject()).folder);
  const first = await readAll(opened.project.run({ agent_name: 'Looker', payload, context: session, keep, delivery: 'call' }));
  const second = await readAll(
    opened.project.run({ agent_name: 'Looker', payload: { title: 'And now?' }, context: session, keep, delivery: 'call' }),
  );
  expect(second.result.error).toBe(null);
  expect(second.result.conversation.length).toBeGreaterThan(first.result.conversation.length);
  await expectClean(opened, [...first.events, ...second.events]);
});

test('a failure tells none', async () => {
  const opened = await open((await markedProject()).folder);
  const { events, result } = await readAll(
    opened.project.run({ agent_name: 'Writer', payload: { title: `please fail ${toldSecrets}` }, context, keep }),
  );
  expect(result.error?.code).toBe('llm');
  await expectClean(opened, events, [modelKey]);
});

test('a refusal tells none', async () => {
  const opened = await open((await markedProject()).folder);
  for (const request of [
    { payload: toldSecrets as never, context },
    { payload, context: { ...context, session_id: modelKey } },
  ]) {
    const { events, result } = await readAll(opened.project.run({ agent_name: 'Writer', ...request }));
    expect(result.success).toBe(false);
    expectNoSecret(JSON.stringify(events), [modelKey]);
  }
  expectNoSecret(opened.log.join('\n'), [modelKey]);
});

test('a session is not named after a secret', async () => {
  const { folder } = await markedProject();
  const environment = createNodeEnvironment({ ...markedEnvironment, ODD_KEY: 'odd-key-that-names-a-file' });
  const project = openProject(folder, { ports: { environment } });
  const { result } = await readAll(project.run({ agent_name: 'Writer', payload, context: { session_id: 'odd-key-that-names-a-file' } }));
  expect(result.error).toMatchObject({
    code: 'input-invalid',
    message: 'The session id holds a secret, and it names the file of the session. Choose another id.',
  });
});

test('a config that brings a key along is refused before anything is written', async () => {
  const { folder } = await markedProject();
  const environment = createNodeEnvironment({ ...markedEnvironment, ODD_KEY: 'correct-horse-battery-staple' });
  const project = openProject(folder, { ports: { environment } });
  const overrides = { config: { system_text: `You write with \${ODD_KEY}.` } };
  const { events, result } = await readAll(project.run({ agent_name: 'Writer', payload, overrides, keep }));
  expect(result.error?.code).toBe('config-invalid');
  expectNoSecret(JSON.stringify(events), ['correct-horse-battery-staple']);
  expect(writtenIn(folder)).toBe('');
});

type Source = { readonly record: string } | { readonly replay: string };

describe.each<[string, (project: Project, source: Source) => AsyncGenerator<AgentEvent>]>([
  ['an agent', (project, source) => project.run({ agent_name: 'Looker', payload, context: session, keep, delivery: 'call', ...source })],
  [
    'an orchestration',
    (project, source) => project.orchestrate({ name: 'both', input: payload, context, keep, delivery: 'call', ...source }),
  ],
])('the record of %s', (_, run) => {
  test('holds none, and answers all the same', async () => {
    const opened = await open((await markedProject()).folder);
    const record = join(opened.folder, 'record.jsonl');
    const { events, result } = await readAll(run(opened.project, { record }));
    expect(result.error).toBe(null);
    await expectClean(opened, events);
    const again = await readAll(run(opened.project, { replay: record }));
    expect(again.result.error).toBe(null);
    // What was covered in JSON is longer than what it stands for.
    const shortened = (output: unknown) => JSON.stringify(output).replace(/\*+/g, '*');
    expect(shortened(again.result.output)).toBe(shortened(result.output));
  });
});

test('a record that holds a covered key answers where the key is missing, too', async () => {
  const { folder } = await markedProject();
  const record = join(folder, 'record.jsonl');
  const key = 'odd-key-without-a-shape';
  const run = (project: Project, source: Source) =>
    project.run({ agent_name: 'Writer', payload: { title: `Use ${key}.` }, keep, ...source });
  const opened = openProject(folder, { ports: { environment: createNodeEnvironment({ ...markedEnvironment, ODD_KEY: key }) } });
  await readAll(run(opened, { record }));
  expectNoSecret(writtenIn(folder), [key]);
  const locked = openProject(folder, { ports: { environment: createNodeEnvironment({}) } });
  expect((await readAll(run(locked, { replay: record }))).result.error).toBe(null);
});

test('a run goes on from what was kept of it', async () => {
  const opened = await open((await markedProject()).folder);
  const copies: string[] = [];
  for await (const event of opened.project.orchestrate({ name: 'both', input: payload, context, keep, delivery: 'call' }))
    if (event.type === 'task_end') copies.push(copyOfCrash(opened.folder));
  expect(copies.length).toBe(3);
  for (const folder of copies) {
    const copy = await open(folder);
    const [run_id = ''] = writtenIn(folder).match(/(?<=runs\/)[0-9a-f]{32}/) ?? [];
    const { events, result } = await readAll(copy.project.resume(run_id, { delivery: 'call' }));
    expect(result.error).toBe(null);
    await expectClean(copy, events);
  }
});
