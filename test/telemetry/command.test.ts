import { expect, onTestFinished, test } from 'vitest';
import { agentstack, toneAgent, toneProject } from '../cli/command.js';
import { startLoopbackCollector } from './loopbackCollector.js';

const agent = { ...toneAgent, llm_config_id: 'simulated' };
const project = () =>
  toneProject({
    'config/agents/Tone/v1.json': agent,
    'config/llms/simulated.json': { llm_id: 'simulated', provider: 'offline', model_name: 'offline' },
  });
const args = ['run', 'Tone', '--case', 'greeting', '--no-keep', '--json'];

test('a command exports its run under the span that started it, before it ends', async () => {
  const collector = await startLoopbackCollector();
  onTestFinished(() => collector.close());
  const env = {
    NO_PROXY: '*',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    TRACEPARENT: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  };
  const { code, stdout } = await agentstack(args, { cwd: project(), env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).metadata.trace_id).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  expect(collector.spans.map(({ name, traceId }) => [name, traceId])).toEqual([
    ['chat offline', '4bf92f3577b34da6a3ce929d0e0e4736'],
    ['invoke_agent Tone', '4bf92f3577b34da6a3ce929d0e0e4736'],
  ]);
  expect(collector.spans.at(-1)?.parentSpanId).toBe('00f067aa0ba902b7');
  expect(collector.metrics.get('agent_stack.runs')).toMatchObject([{ value: 1 }]);
});

test('a command whose collector is gone answers all the same', async () => {
  const collector = await startLoopbackCollector();
  await collector.close();
  const env = { NO_PROXY: '*', OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, AGENTSTACK_LOG: 'warn' };
  const { code, stdout, stderr } = await agentstack(args, { cwd: project(), env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).status).toBe('completed');
  expect(stderr).toContain('traces could not be exported');
});
