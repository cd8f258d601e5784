import { abortable, followingController } from '../../abort.js';
import { loopLimits } from '../../config/defaults.js';
import type { DurableSteps } from '../../durable.js';
import { AgentStackError, DeniedError, ReplayMismatchError, StepSkippedError, StorageError } from '../../errors.js';
import type { JsonObject } from '../../json.js';
import { backOff } from '../../llm/retry.js';
import { didYouMean, nearestNames } from '../../names.js';
import { FileProblem } from '../../ports.js';
import { coverAll } from '../../secrets/coverValue.js';
import { coverSecrets } from '../../secrets/secretPatterns.js';
import { canonicalJson } from '../../snapshot/canonicalJson.js';
import { nobodyToApprove, reasonWords } from '../../tools/policyReason.js';
import type { PolicyReason, Tool } from '../../tools/types.js';
import type { Turn } from '../turn.js';
import { createInputCheck, inputOfText } from './checkInput.js';
import { failure, type ReadOutcome, readOutcome } from './observation.js';
import { createPolicyDoor, deedsOf } from './policyDoor.js';
import type { AskedCall } from './protocol.js';

export interface CallResult {
  readonly call: AskedCall;
  /** The actual input of the tool; the call's input if it was not called. */
  readonly input: JsonObject;
  readonly outcome: ReadOutcome;
  /** Whether it is the reused result of an identical earlier call, which is still valid. */
  readonly isReused?: boolean;
  /** Whether the policy or a person denied the call. */
  readonly isDenied?: boolean;
}

/** Executes the calls of a turn; the results are in the order of the calls. `steps` keeps them; default: those of the run. */
export type CallTools = (step: number, calls: readonly AskedCall[], steps?: DurableSteps) => Promise<readonly CallResult[]>;

/** The durable step of a call; `name` is unique in the run. */
interface Keeping {
  readonly steps: DurableSteps;
  readonly name: string;
}

interface ReadyCall {
  readonly call: AskedCall;
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly key: string;
  readonly keeping: Keeping | undefined;
}

type Prepared = CallResult | ReadyCall;

/** The outcome of a call, and its time. */
interface Answered {
  readonly outcome: ReadOutcome;
  readonly at: number;
}

const longestMessage = 2000;
const longestStack = 8000;
const mostIssues = 10;
const noDependencies: ReadonlySet<string> = new Set();
const goOnWithout = 'Do not ask for it again; go on without it, or say what is missing.';

/**
 * Calls the tools of one run. Every call of a turn is checked, held to the policy, and approved if necessary, before the first one begins; independent
 * calls run concurrently. The failure of a call is its result. Errors that are thrown end the run: the signal's reason, DeniedError,
 * ReplayMismatchError, StorageError.
 *
 * @param hasSession whether the run continues a conversation in which tools were called
 */
export function createToolCaller(
  { request, record, signal, deadline, waitForPerson }: Turn,
  tools: readonly Tool[],
  hasSession = false,
): CallTools {
  const { clock, random } = request.ports;
  const door = createPolicyDoor(request.agent, hasSession);
  const { logger } = record;
  const tries = Math.max(1, request.agent.resolved.config.retry_attempts);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const valid = new Map<string, Answered>();
  /** Wall-clock time if the run may be resumed in another process. */
  const currentTime = (): number => (request.steps ? clock.now() : clock.monotonic());
  const dependencies = new Map(tools.map(({ name, dependencies: first }) => [name, new Set(first)]));
  const unchecked = new Set<string>();
  const check = createInputCheck(request.agent.schemas, (tool, problem) => {
    if (!unchecked.has(tool))
      record.log('warn', 'inputs of a tool are not checked, since its parameters are not a valid schema', { tool, problem });
    unchecked.add(tool);
  });

  function isValid({ outcome, at }: Answered): boolean {
    const age = currentTime() - at;
    return 0 <= age && age < (outcome.hints.validity_period_ms ?? 0);
  }

  async function requestApproval(
    step: number,
    call_id: string,
    tool: Tool,
    input: JsonObject,
    policy: PolicyReason | undefined,
  ): Promise<'allow' | 'deny'> {
    if (!request.approve) {
      if (policy) throw nobodyToApprove(tool, policy);
      throw new DeniedError(
        `The tool "${tool.name}" needs to be allowed before it is called, but there is no one to ask. Allow it, or remove it from the agent.`,
      );
    }
    const { agent_name, version: agent_version } = request.agent.resolved.config;
    const asker = { run_id: record.run_id, agent_name, agent_version, name: tool.name, call_id };
    const deeds = deedsOf(request.agent.resolved, tool);
    const decision = request.approve({ ...asker, input, tool, ...(deeds && { deeds }), ...(policy && { policy }), signal });
    const answer = await abortable(waitForPerson(decision), signal);
    record.log('info', 'tool call judged', { step, tool: tool.name, answer });
    return answer;
  }

  async function prepare(step: number, call: AskedCall, index: number, keeping: Keeping | undefined): Promise<Prepared> {
    const refuse = (reason: string): CallResult => ({ call, input: call.input, outcome: failure(reason) });
    const tool = byName.get(call.name);
    if (!tool) return refuse(unknownTool(call.name, byName));
    if (index >= loopLimits.callsPerTurn) return refuse(`At most ${loopLimits.callsPerTurn} calls are carried out in one turn. Ask again.`);
    const input = call.input_text === undefined ? call.input : inputOfText(tool, call.input_text);
    if (input === undefined) return refuse(`The input of ${tool.name} must be a JSON object that fits ${JSON.stringify(tool.parameters)}.`);
    const issues = await check(tool, input);
    if (issues.length > 0) return refuse(invalidInput(tool, issues));

    const objection = door && (await door.judge(tool));
    if (objection?.outcome === 'deny') {
      record.log('warn', 'tool call denied by the policy', { step, tool: tool.name, call_id: call.id, ...objection.reason });
      return { ...refuse(`The policy denies this call: ${reasonWords(objection.reason)}. ${goOnWithout}`), isDenied: true };
    }

    const key = `${tool.name} ${canonicalJson(input)}`;
    const earlier = valid.get(key);
    if (earlier) {
      const isReused = keeping ? await keeping.steps.step(`reuse/${keeping.name}`, async () => isValid(earlier)) : isValid(earlier);
      if (isReused) return { call, input, outcome: earlier.outcome, isReused };
    }
    if (!tool.needs_approval && objection === undefined) return { call, tool, input, key, keeping };
    const ask = () => requestApproval(step, call.id, tool, input, objection?.reason);
    const answer = keeping ? await keeping.steps.step(`approval/${keeping.name}`, ask) : await ask();
    if (answer === 'allow') return { call, tool, input, key, keeping };
    return { ...refuse(`The user did not allow this call. ${goOnWithout}`), isDenied: true };
  }

  /** One attempt. */
  async function attempt(step: number, { call, tool, input }: ReadyCall, turn: AbortSignal): Promise<ReadOutcome> {
    const controller = followingController(turn);
    const { timeout_ms } = tool;
    const cancel =
      timeout_ms === undefined
        ? undefined
        : clock.after(timeout_ms, () => controller.abort(new TimeIsUp(`The tool did not answer within ${timeout_ms} ms.`)));
    try {
      const context = { run_id: record.run_id, step, call_id: call.id, run: record.context, signal: controller.signal, logger };
      // In an async function, so that a synchronous throw is a rejection too.
      const work = (async () => tool.call(input, context))();
      return readOutcome(await abortable(work, controller.signal));
    } catch (error) {
      if (turn.aborted) throw turn.reason;
      if (error instanceof DeniedError || error instanceof ReplayMismatchError || error instanceof StorageError) throw error;
      record.log('warn', 'tool threw', { step, tool: tool.name, call_id: call.id, ...thrownFields(error) });
      return failure(messageOf(error), canRetry(error));
    } finally {
      cancel?.();
    }
  }

  /** All attempts. */
  async function attemptAll(step: number, ready: ReadyCall, turn: AbortSignal): Promise<Answered> {
    const { call, tool } = ready;
    const started = clock.monotonic();
    for (let count = 1; ; count += 1) {
      const outcome = await attempt(step, ready, turn);
      const wait_ms = backOff(count, random);
      const end = deadline();
      const canWait = end === undefined || clock.monotonic() + wait_ms < end;
      if (outcome.is_error && outcome.can_retry && tool.idempotent && count < tries && canWait) {
        record.log('warn', 'tool call will be tried again', { step, tool: tool.name, attempt: count, wait_ms });
        await clock.sleep(wait_ms, turn);
        continue;
      }
      record.log(outcome.is_error ? 'warn' : 'info', outcome.is_error ? 'tool call failed' : 'tool call completed', {
        step,
        tool: tool.name,
        call_id: call.id,
        attempts: count,
        latency_ms: clock.monotonic() - started,
        characters: outcome.content.length,
      });
      return { outcome, at: currentTime() };
    }
  }

  async function execute(step: number, ready: ReadyCall, turn: AbortSignal): Promise<CallResult> {
    const { call, tool, input, key, keeping } = ready;
    const answered = keeping ? await keep(keeping, ready, () => attemptAll(step, ready, turn)) : await attemptAll(step, ready, turn);
    const { outcome } = answered;
    if (!outcome.is_error) {
      if (outcome.hints.validity_period_ms !== undefined) valid.set(key, answered);
      for (const name of outcome.hints.dependencies ?? []) dependencies.get(tool.name)?.add(name);
    }
    return { call, input, outcome };
  }

  /** A tool that is not idempotent is not called again if it may already have been called. */
  async function keep({ steps, name }: Keeping, { tool, input }: ReadyCall, call: () => Promise<Answered>): Promise<Answered> {
    const once = { describe: () => ({ tool: tool.name, input: coverAll(input, request.ports.knownSecrets) }) };
    try {
      return await steps.step(`tool/${name}`, call, tool.idempotent ? {} : { once });
    } catch (error) {
      if (!(error instanceof StepSkippedError)) throw error;
      return { outcome: failure(error.message), at: currentTime() };
    }
  }

  return async (step, calls, steps = request.steps) => {
    const names = steps && namesOfCalls(step, calls);
    const prepared: Prepared[] = [];
    // In sequence, so that a person approves one call at a time.
    for (const [index, call] of calls.entries()) {
      prepared.push(await prepare(step, call, index, steps && { steps, name: names?.[index] ?? '' }));
    }
    for (const entry of prepared) if ('tool' in entry) record.trace.toolsUsed.add(entry.tool.name);

    const before = callsBefore(
      calls.map(({ name }) => name),
      (name) => dependencies.get(name) ?? noDependencies,
    );
    const turn = followingController(signal);
    // Kept steps must begin in the same order, however fast each is.
    const isInOrder = steps !== undefined && before.some((first) => first.length > 0);
    const begun = new Map<number, Promise<CallResult>>();
    const begin = (index: number): Promise<CallResult> => {
      const running = begun.get(index);
      if (running) return running;
      const entry = prepared[index];
      if (!entry) throw new Error('A call was not prepared.');
      const first = before[index] ?? [];
      const result = 'outcome' in entry ? Promise.resolve(entry) : waitFor(first.map(begin)).then(() => execute(step, entry, turn.signal));
      begun.set(index, result);
      return result;
    };
    const beginAlone = async (index: number): Promise<void> => {
      for (const first of before[index] ?? []) await beginAlone(first);
      await begin(index);
    };
    try {
      if (isInOrder) for (const index of calls.keys()) await beginAlone(index);
      const results = await Promise.all(calls.map((_, index) => begin(index)));
      // Calls of one turn are written before any of its answers is read.
      if (door) await door.called(prepared.flatMap((entry) => ('tool' in entry ? [entry.tool] : [])));
      return results;
    } catch (error) {
      // This call ends the run: the others are not awaited.
      turn.abort(error);
      throw error;
    }
  };
}

class TimeIsUp extends Error {}

/** `{step}/{id}`. Ids come from models: if two calls of a turn have the same id, the later one gets a number. */
export function namesOfCalls(step: number, calls: readonly AskedCall[]): readonly string[] {
  const names = new Set<string>();
  for (const { id } of calls) {
    let name = `${step}/${id}`;
    for (let number = 2; names.has(name); number += 1) name = `${step}/${id}#${number}`;
    names.add(name);
  }
  return [...names];
}

function waitFor(calls: readonly Promise<CallResult>[]): Promise<unknown> {
  return calls.length === 0 ? Promise.resolve() : Promise.all(calls);
}

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): string {
  if (tools.size === 0) return `There is no tool ${JSON.stringify(name)}: no tools are available. Answer without them.`;
  return `There is no tool ${JSON.stringify(name)}.${didYouMean(nearestNames(name, tools.keys()))} Tools: ${[...tools.keys()].join(', ')}.`;
}

function invalidInput(tool: Tool, issues: readonly { readonly path: string; readonly message: string }[]): string {
  const lines = issues.slice(0, mostIssues).map(({ path, message }) => `- ${path === '' ? 'the input' : path} ${message}`);
  if (issues.length > mostIssues) lines.push(`- and ${issues.length - mostIssues} more`);
  return `The input does not fit ${tool.name}, which was not called:\n${lines.join('\n')}\nIts parameters: ${JSON.stringify(tool.parameters)}`;
}

/** An AgentStackError says whether a retry may help; for all others, it may. */
function canRetry(error: unknown): boolean {
  return error instanceof AgentStackError ? error.recoverable : !(error instanceof FileProblem);
}

/** Details for the tool's author; the model gets only the message. */
function thrownFields(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error) || error instanceof TimeIsUp) return { problem: messageOf(error) };
  return {
    error: error.name,
    problem: messageOf(error),
    ...(error.stack !== undefined && { stack: coverSecrets(error.stack.slice(0, longestStack)) }),
  };
}

/** A tool's error may quote a request with its key. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return coverSecrets(message.slice(0, longestMessage));
}

/**
 * For each call of a turn, the calls that run first: those of the tools it depends on. In a circle of dependencies, the order of the calls
 * decides.
 *
 * @param names of the tools, in the order of the calls
 */
function callsBefore(names: readonly string[], dependenciesOf: (name: string) => ReadonlySet<string>): readonly (readonly number[])[] {
  const firstCalls = names.map((name) => {
    const dependencies = dependenciesOf(name);
    if (dependencies.size === 0) return [];
    return names.flatMap((other, index) => (other !== name && dependencies.has(other) ? [index] : []));
  });
  if (firstCalls.every((before) => before.length === 0)) return firstCalls;
  const place = new Map<number, number>();
  while (place.size < names.length) {
    const open = names.flatMap((_, index) => (place.has(index) ? [] : [index]));
    const free = open.filter((index) => firstCalls[index]?.every((other) => place.has(other)));
    for (const index of free.length > 0 ? free : open.slice(0, 1)) place.set(index, place.size);
  }
  return firstCalls.map((before, index) => before.filter((other) => (place.get(other) ?? 0) < (place.get(index) ?? 0)));
}
