import { loopLimits } from '../../config/defaults.js';
import { BudgetExceededError, ConfigInvalidError, RecursionLimitError } from '../../errors.js';
import type { Json } from '../../json.js';
import { checkPayload } from '../../prompt/payloadCheck.js';
import type { ApproveTool } from '../../tools/types.js';
import { costLeft } from '../checkBudget.js';
import { streamed } from '../eventQueue.js';
import type { AgentEvent, EventBody, RunContext, RunResult } from '../events.js';
import type { Gate } from '../gate.js';
import { answerOf } from '../runResult.js';
import { passing } from '../stopRun.js';
import type { Turn } from '../turn.js';
import type { Agent, AgentConnections, RunRequest } from '../types.js';
import type { PlanRun } from './planRun.js';
import { type Execution, endsRun, type StepWork, toStepError } from './stepWork.js';

/**
 * Runs another agent as part of this run, to which its events, tokens, costs, documents and tools belong. The output is its output, or its text if
 * it has no output_schema.
 * @throws InputInvalidError, RecursionLimitError, PlanStepError with the code of its failed run
 */
export async function* agentStep(run: PlanRun, reference: string, renderInput: () => Json, { steps, begin }: Execution): StepWork {
  const { turn } = run;
  const { request, record, signal } = turn;
  // Checked first: an agent that is only called beyond the limit is not in the snapshot.
  const callers = callersOf(request, reference);
  const agent = request.agent.agents?.get(reference);
  if (!agent) throw new ConfigInvalidError(`The agent ${reference} is not among those frozen with the plan.`, []);
  const input = renderInput();
  begin(reference, input);
  checkPayload(agent.prompt, input);
  const { llm, openTools, isReplay, edits, approve = request.approve } = await connect(request, agent, reference);
  const budget = remainingBudget(turn);

  const events = (ending: AbortSignal): AsyncIterable<AgentEvent> =>
    turn.run({
      agent,
      payload: input,
      llm,
      ports: request.ports,
      context: { ...record.context, budget },
      signal: ending,
      callers,
      caller_steps: [...(request.caller_steps ?? []), run.step ?? ''],
      ...(openTools && { openTools }),
      ...(isReplay && { isReplay }),
      ...(edits && { edits }),
      ...(approve && { approve: whileWaiting(turn, approve) }),
      ...(request.delivery && { delivery: request.delivery }),
      ...(request.connectAgent && { connectAgent: request.connectAgent }),
      ...(request.spending && { spending: request.spending }),
      ...(request.gate && request.gate !== passing && { gate: whileStopped(turn, request.gate) }),
      ...(steps && { steps }),
    });

  let result: RunResult | undefined;
  try {
    if (steps) {
      result = yield* streamed<EventBody, RunResult>((emit, abandoned) =>
        steps.step(
          'result',
          async () => {
            const reading = visibleEvents(events(AbortSignal.any([signal, abandoned])));
            let next = await reading.next();
            for (; !next.done; next = await reading.next()) emit(next.value);
            result = next.value;
            // An error that ends the run is not a result of the agent, so it is not stored.
            const { error } = result;
            if (error && endsRun(toStepError(error))) throw toStepError(error);
            return result;
          },
          { isComposite: true },
        ),
      );
    } else result = yield* visibleEvents(events(signal));
  } finally {
    if (result) record.include(result);
  }
  signal.throwIfAborted();
  if (result.error) throw toStepError(result.error);
  const { token_usage } = result.metadata;
  return { output: answerOf(result), usage: token_usage, source_quality: result.reasoning.source_quality };
}

/** The events of another run that are shown as this one's; its start and end are reported by its step. */
async function* visibleEvents(events: AsyncIterable<AgentEvent>): AsyncGenerator<EventBody, RunResult, undefined> {
  let result: RunResult | undefined;
  for await (const event of events) {
    switch (event.type) {
      case 'chunk':
      case 'thinking':
        yield { type: event.type, text: event.text };
        break;
      case 'tool_call':
        yield { type: event.type, tool_calls: event.tool_calls };
        break;
      case 'tool_result':
        yield { type: event.type, tool_results: event.tool_results };
        break;
      case 'retry':
        yield { type: event.type, attempt: event.attempt, wait_ms: event.wait_ms, reason: event.reason };
        break;
      case 'repair':
        yield { type: event.type, issues: event.issues };
        break;
      case 'edit':
        yield { type: event.type, path: event.path, before: event.before, after: event.after };
        break;
      case 'output_limit':
        yield { type: event.type, max_output_tokens: event.max_output_tokens };
        break;
      case 'final':
        result = event.result;
        break;
      default:
    }
  }
  if (!result) throw new Error('The run of an agent ended without a final event.');
  return result;
}

/** Agents may call each other in a circle, as long as something ends it. @throws RecursionLimitError */
function callersOf({ agent, callers = [] }: RunRequest, reference: string): readonly string[] {
  const { agent_name, version } = agent.resolved.config;
  const chain = [...callers, `${agent_name}@${version}`];
  if (chain.length <= loopLimits.nesting) return chain;
  throw new RecursionLimitError(
    `Agents call each other more than ${loopLimits.nesting} deep: ${[...chain, reference].join(' > ')}. Let a "when" end the circle, or remove the call.`,
  );
}

async function connect(request: RunRequest, agent: Agent, reference: string): Promise<AgentConnections> {
  if (request.connectAgent) return request.connectAgent(agent);
  throw new ConfigInvalidError(`The plan calls ${reference}, but the run has no "connectAgent", which connects its model and tools.`, []);
}

/** What the whole run may still spend. Its time needs no check: the signal ends the agent too. @throws BudgetExceededError */
function remainingBudget(turn: Turn): NonNullable<RunContext['budget']> {
  const remaining = costLeft(turn);
  const allow = turn.request.context?.budget?.allow_unpriced ? { allow_unpriced: true } : {};
  if (remaining === undefined) return allow;
  if (remaining > 0) return { ...allow, max_cost: remaining };
  throw new BudgetExceededError('The budget is spent, so no further agent is run. Raise budget.max_cost.');
}

/** While the run waits for a person, neither run's time counts. */
function whileWaiting({ waitForPerson }: Turn, approve: ApproveTool): ApproveTool {
  return (call) => waitForPerson(approve(call));
}

function whileStopped({ waitForPerson }: Turn, gate: Gate): Gate {
  return (stop) => waitForPerson(Promise.resolve(stop).then(gate));
}
