import type { Attributes, Meter } from '@opentelemetry/api';

/** The metrics; each function takes a value and its attributes. */
export interface Instruments {
  /** Seconds of a model call, retries included. */
  operationDuration(seconds: number, attributes: Attributes): void;
  /** Seconds to the first text or thought of a stream. */
  timeToFirstChunk(seconds: number, attributes: Attributes): void;
  tokenUsage(tokens: number, attributes: Attributes): void;
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
/** Agents take up to minutes, orchestrations up to hours. */
const agentSeconds = [...seconds, 163.84, 327.68, 655.36, 1310.72, 2621.44, 5242.88, 10_485.76];
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
    return (attributes: Attributes) => made.add(1, attributes);
  };
  return {
    operationDuration: histogram('gen_ai.client.operation.duration', 's', 'GenAI operation duration.', seconds),
    timeToFirstChunk: histogram(
      'gen_ai.client.operation.time_to_first_chunk',
      's',
      'Time to the first chunk of a streamed answer.',
      seconds,
    ),
    tokenUsage: histogram('gen_ai.client.token.usage', '{token}', 'Number of input and output tokens used.', tokens),
    agentDuration: histogram('gen_ai.invoke_agent.duration', 's', 'Duration of the run of an agent or an orchestration.', agentSeconds),
    toolDuration: histogram('gen_ai.execute_tool.duration', 's', 'Duration of a tool call, retries included.', seconds),
    run: counter('agent_stack.runs', '{run}', 'Runs by how they ended.'),
    iterations: histogram('agent_stack.run.iterations', '{call}', 'Model calls of a run.', calls),
    cost: histogram('agent_stack.run.cost', 'USD', 'Estimated cost of a run, where the price is known.', usd),
    toolCall: counter('agent_stack.tool.calls', '{call}', 'Tools the model asked for, by what became of it.'),
  };
}
