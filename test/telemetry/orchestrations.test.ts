import { afterEach, expect, test } from 'vitest';
import type { RunObserver } from '../../core/agent/observeRun.js';
import { createNodeFetch } from '../../core/node/nodeFetch.js';
import { createNodeClock, createNodeRandom } from '../../core/node/nodePorts.js';
import { createRunTask } from '../../core/team/createRunTask.js';
import { observeOrchestration } from '../../core/team/observeOrchestration.js';
import { createTelemetry } from '../../core/telemetry/createTelemetry.js';
import { collectRun } from '../agent/collectRun.js';
import { freezeTeams, prepareTeams, scriptedConnections, type TeamRunOptions } from '../support/teams.js';
import type { LogLine } from '../support/testPorts.js';
import { startLoopbackCollector } from './loopbackCollector.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const teams = {
  name: 'article',
  entry_team: 'draft',
  context: { topic: 'tea' },
  teams: {
    draft: {
      tasks: [{ name: 'write' }, { name: 'check', depends_on: ['write'], input: { t: '{{tasks.write.output.none}}' } }],
      routing: { rules: [{ condition: { task: 'check', status: 'failure' }, next_team: 'publish' }] },
    },
    publish: { tasks: [{ name: 'send' }], routing: { default: null } },
  },
};

async function watched(
  options: TeamRunOptions & { readonly observer?: RunObserver } = {},
  orchestration: Parameters<typeof freezeTeams>[0] = teams,
) {
  const collector = await startLoopbackCollector();
  const fetch = createNodeFetch();
  open.push(
    () => collector.close(),
    async () => fetch.close(),
  );
  const lines: LogLine[] = [];
  const logger = {
    log: (level: LogLine['level'], message: string, fields: LogLine['fields']) => void lines.push({ level, message, fields }),
  };
  const ports = { clock: createNodeClock(), random: createNodeRandom(), fetch, logger };
  const exported = createTelemetry({ get: (name) => (name === 'OTEL_EXPORTER_OTLP_ENDPOINT' ? collector.origin : undefined) }, ports)!;
  const observer = options.observer ?? exported;
  const frozen = freezeTeams(orchestration);
  const { request } = prepareTeams(frozen, { ...options, ports: { ...ports, sha256: prepareTeams(frozen).ports.sha256 } });
  const { connectAgent } = scriptedConnections(frozen.agents);
  const runTask = createRunTask({ agents: frozen.agents, connectAgent, ports, observer });
  const { result, events } = await collectRun(observeOrchestration(observer, { ...request, runTask }));
  await exported.flush?.();
  return { result, events, lines, ...collector };
}

test('spans: one for the orchestration, below it the teams, below each the agents of its tasks, in one trace', async () => {
  const { result, spans, metrics } = await watched({ context: { session_id: 's1', correlation_id: 'c1' } });
  const named = (name: string) => spans.find((span) => span.name === name)!;
  expect(spans.map(({ name }) => name)).toEqual([
    'chat gpt-4.1-mini',
    'invoke_agent Worker',
    'invoke_workflow article/draft',
    'chat gpt-4.1-mini',
    'invoke_agent Worker',
    'invoke_workflow article/publish',
    'invoke_workflow article',
  ]);
  const root = named('invoke_workflow article');
  expect(root).toMatchObject({ traceId: result.run_id, kind: 1, status: { code: 0 } });
  expect(root.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_workflow',
    'gen_ai.agent.name': 'article',
    'gen_ai.conversation.id': 's1',
    'gen_ai.usage.input_tokens': 20,
    'agent_stack.run_id': result.run_id,
    'agent_stack.correlation_id': 'c1',
    'agent_stack.status': 'completed',
    'agent_stack.iterations': 2,
    'agent_stack.snapshot_hash': result.metadata.snapshot_hash,
  });
  const draft = named('invoke_workflow article/draft');
  expect(draft).toMatchObject({ traceId: root.traceId, parentSpanId: root.spanId });
  expect(draft.attributes).toMatchObject({
    'gen_ai.agent.name': 'article/draft',
    'agent_stack.team': 'draft',
    'agent_stack.execution': 1,
  });
  expect(draft.events?.map(({ name }) => name)).toEqual(['agent_stack.task_failed', 'agent_stack.route']);
  const agent = spans[1]!;
  expect(agent).toMatchObject({ traceId: root.traceId, parentSpanId: draft.spanId });
  expect(agent.attributes).toMatchObject({ 'agent_stack.team': 'draft', 'agent_stack.task': 'write' });
  expect(spans[0]).toMatchObject({ parentSpanId: agent.spanId });
  const durations = metrics.get('gen_ai.invoke_agent.duration')?.map(({ count, attributes }) => [count, attributes]);
  expect(durations).toContainEqual([
    1,
    { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.agent.name': 'article', 'agent_stack.status': 'completed' },
  ]);
  expect(new Set([...spans, ...[...metrics.values()].flat()].flatMap(({ attributes }) => Object.keys(attributes)))).not.toContain(
    'gen_ai.workflow.name',
  );
});

test('a run that fails says so on its span; what its agents do not trace is left out whole', async () => {
  const loop = { name: 'loop', max_recursion_depth: 1, teams: { a: { tasks: [{ name: 'x' }], routing: { default: 'a' } } } };
  const { spans } = await watched({}, loop);
  const root = spans.find(({ name }) => name === 'invoke_workflow loop')!;
  expect(root).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'recursion-limit', 'agent_stack.status': 'failed' } });

  const silent = { ...loop, teams: { a: { tasks: [{ name: 'x', config: { tracing: { enabled: false } } }], routing: { default: null } } } };
  expect((await watched({}, silent)).spans).toEqual([]);
  const unsampled = {
    ...loop,
    teams: { a: { tasks: [{ name: 'x', config: { tracing: { sample_rate: 0 } } }], routing: { default: null } } },
  };
  expect((await watched({}, unsampled)).spans).toEqual([]);
});

test('a watch that throws changes no run', async () => {
  const observer: RunObserver = {
    begin: () => undefined,
    beginOrchestration: () => ({
      event: () => {
        throw new Error('no');
      },
      abandoned: () => undefined,
      parent: () => undefined,
    }),
  };
  const { result, lines } = await watched({ observer });
  expect(result.status).toBe('completed');
  expect(lines.filter(({ message }) => message === 'A run is no longer watched.')).toHaveLength(1);
});

test('every line of the log of a task names its team and task', async () => {
  const { lines, result } = await watched();
  const ofAgents = lines.filter(({ fields }) => fields?.agent !== undefined);
  expect(ofAgents.length).toBeGreaterThan(3);
  expect(
    ofAgents.every(
      ({ fields }) => typeof fields?.team === 'string' && typeof fields.task === 'string' && fields.trace_id === result.run_id,
    ),
  ).toBe(true);
  const own = lines.filter(({ fields }) => fields?.orchestration === 'article').map(({ message }) => message);
  expect(own).toEqual(['run started', 'team started', 'task failed', 'team ended', 'team started', 'team ended', 'run completed']);
});
