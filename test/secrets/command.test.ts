import { expect, onTestFinished, test } from 'vitest';
import { agentstack, agentstackProcess, type CallOptions, type Outcome } from '../cli/command.js';
import { startLoopbackCollector } from '../telemetry/loopbackCollector.js';
import { expectNoSecret, markedSecrets, modelKey, toldSecrets } from './marked.js';
import { markedEnvironment, markedProject, writtenIn } from './markedProject.js';

// As in everyWriter.test.ts, of the command: both of its streams, its files, and what it sends to a collector. The first of each kind is a process
// of the built command, which has streams that nothing else writes to.

async function open() {
  const { folder } = await markedProject({ ownTools: false });
  const collector = await startLoopbackCollector();
  onTestFinished(() => collector.close());
  const env = {
    ...markedEnvironment,
    NO_PROXY: '*',
    AGENTSTACK_LOG: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  };
  let run: (args: readonly string[], options: CallOptions) => Promise<Outcome> = agentstackProcess;
  const call = async (args: readonly string[], code: number, { input = '', secrets = markedSecrets as readonly string[] } = {}) => {
    const outcome = await run(args, { cwd: folder, env, input });
    run = agentstack;
    expect(outcome.code, outcome.stderr).toBe(code);
    expectNoSecret(outcome.stdout, secrets);
    expectNoSecret(outcome.stderr, secrets);
    expectNoSecret(writtenIn(folder), secrets);
    expectNoSecret(collector.requests.map(({ text }) => text).join('\n'), secrets);
    return outcome;
  };
  return { folder, call, collector };
}

const payload = JSON.stringify({ title: toldSecrets, [modelKey]: [toldSecrets] });
const one = { secrets: [modelKey] };

test('an agent that answers at once', async () => {
  const { call } = await open();
  await call(['run', 'Writer', '--input', '-', '--session', 'talk'], 0, { input: payload, ...one });
  await call(['run', 'Writer', '--message', toldSecrets, '--events', 'jsonl', '--session', 'talk'], 0, one);
  await call(['run', 'Writer', '--set', `title=${toldSecrets}`, '--json', '--no-keep'], 0, one);
  await call(['run', 'Writer', '--message', `please fail ${toldSecrets}`], 1, one);
  await call(['run', 'Writer', '--message', `please fail ${toldSecrets}`, '--json'], 1, one);
  await call(['run', 'Writer', '--message', 'x', '--session', modelKey.replace(/\W/g, '-')], 0, one);
});

test('an agent with tools', async () => {
  const { call, collector } = await open();
  const args = ['run', 'Looker', '--input', '-', '--session', 'talk', '--allow-tools'];
  await call([...args, '--record', 'record.jsonl'], 0, { input: payload });
  await call([...args, '--durable', '--json'], 0, { input: payload });
  await call([...args, '--replay', 'record.jsonl', '--events', 'jsonl'], 0, { input: payload });
  const { stdout } = await call(['runs', 'list', '--json'], 0);
  const { runs } = JSON.parse(stdout) as { runs: readonly [{ run_id: string }] };
  await call(['runs', 'show', runs[0].run_id], 0);
  await call(['tools', 'Looker'], 0);
  expect(collector.requests.length).toBeGreaterThan(0);
});

test('an orchestration', async () => {
  const { call } = await open();
  await call(['orchestrate', 'both', '--context', payload, '--allow-tools'], 0);
  await call(['orchestrate', 'both', '--context', payload, '--allow-tools', '--json'], 0);
});
