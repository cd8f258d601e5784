import type { Attributes, Meter } from '@opentelemetry/api';
import type { TokenUsage } from '../llm/types.js';

/** The metrics; each function takes a value and its attributes. */
export interface Instruments {
  /** Seconds of a model call, retries included. */
  operationDuration(seconds: number, attributes: Attributes): void;
  /** Seconds to the first text or thought of a stream. */
  timeToFirstChunk(seconds: number, attributes: Attributes): void;
  /** The tokens that a model call reported. */
  tokenUsage(usage: TokenUsage, attributes: Attributes): void;
  /** Seconds of the run of an agent or an orchestration. */
  agentDuration(seconds: number, attributes: Attributes): void;
  toolDuration(seconds: number, attributes: Attributes): void;
  run(attributes: Attributes): void;
  iterations(count: number, attributes: Attributes): void;
  cost(usd: number, attributes: Attributes): void;
  toolCall(attributes: Attributes): void;
}

/** Bounds recommended by the GenAI semantic conventions, in seconds and tokens. */
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/** The bounds end at 409.6; orchestrations take up to hours. */
const agentSeconds = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6, 819.2, 1638.4, 3276.8, 6553.6];
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
const calls = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100];
const usd = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

export function createInstruments(meter: Meter): Instruments {
  const histogram = (name: string, unit: string, description: string, bounds: readonly number[]) => {
    const made = meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...bounds] } });
    return (value: number, attributes: Attributes) => made.record(value, attributes);
  };
  const counter = (name: string, unit: string, description: string) => {
    const made = meter.createCounter(name, { unit, description });
    return (attributes: Attributes, count = 1) => made.add(count, attributes);
  };
  const used = (kind: string, description: string) => counter(`gen_ai.client.inference.usage.${kind}`, '{token}', description);
  const usedInput = used('input_tokens', 'Input tokens used, cached ones included.');
  const usedOutput = used('output_tokens', 'Output tokens used, reasoning included.');
  const cacheRead = used('cache_read.input_tokens', 'Input tokens served from the cache of the provider.');
  const cacheWrite = used('cache_write.input_tokens', 'Input tokens written to the cache of the provider.');
  const reasoning = used('reasoning.output_tokens', 'Output tokens spent on reasoning.');
  const perCall = (kind: string, description: string) =>
    histogram(`gen_ai.client.inference.operation.${kind}`, '{token}', description, tokens);
  const callInput = perCall('input_tokens', 'Input tokens of a model call.');
  const callOutput = perCall('output_tokens', 'Output tokens of a model call.');
  return {
    operationDuration: histogram('gen_ai.client.operation.duration', 's', 'GenAI operation duration.', seconds),
    timeToFirstChunk: histogram(
      'gen_ai.client.operation.time_to_first_chunk',
      's',
      'Time to the first chunk of a streamed answer.',
      seconds,
    ),
    tokenUsage({ prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens }, attributes) {
      callInput(prompt_tokens, attributes);
      callOutput(completion_tokens, attributes);
      // Usage is not kept by text, image and sound.
      const counted = { ...attributes, 'gen_ai.token.modality': 'unknown' };
      usedInput(counted, prompt_tokens);
      usedOutput(counted, completion_tokens);
      cacheRead(counted, cached_tokens);
      if (cache_write_tokens !== undefined) cacheWrite(counted, cache_write_tokens);
      if (reasoning_tokens !== undefined) reasoning(counted, reasoning_tokens);
    },
    agentDuration: histogram('gen_ai.invoke_agent.duration', 's', 'Duration of the run of an agent or an orchestration.', agentSeconds),
    toolDuration: histogram('gen_ai.execute_tool.duration', 's', 'Duration of a tool call, retries included.', seconds),
    run: counter('agent_stack.runs', '{run}', 'Runs by how they ended.'),
    iterations: histogram('agent_stack.run.iterations', '{call}', 'Model calls of a run.', calls),
    cost: histogram('agent_stack.run.cost', 'USD', 'Estimated cost of a run, where the price is known.', usd),
    toolCall: counter('agent_stack.tool.calls', '{call}', 'Tools the model asked for, by what became of it.'),
  };
}
