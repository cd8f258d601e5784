import { loopLimits } from '../../config/defaults.js';
import { AgentPromptValidationError, type AgentStackError, LlmError, MaxIterationsError, ParseError } from '../../errors.js';
import { type JsonObject, parseObject } from '../../json.js';
import { findInexactNumbers } from '../../jsonText/exactNumbers.js';
import type { Completion } from '../../llm/types.js';
import type { AgentPrompt } from '../../prompt/agentPrompt.js';
import type { ParsedOutput } from '../../prompt/types.js';
import { checkBudget } from '../checkBudget.js';
import { Conversation, contextRoom, observationRoom } from '../conversation.js';
import { correctionOf, cutOff, shorterWords, toIssue } from '../correction.js';
import type { EventBody } from '../events.js';
import { toSessionMessage } from '../messageContent.js';
import { callModel, llmRequest } from '../modelCall.js';
import type { TracedCall } from '../runTrace.js';
import { addHistory, openSession } from '../session.js';
import { stopAtBudget, stopAtRefusal, stopAtRepairs, stopAtRetries } from '../stopAtFinding.js';
import { stopAfterAnswer, stopBeforeModel } from '../stopRun.js';
import type { Turn } from '../turn.js';
import { type CallResult, createToolCaller } from './callTools.js';
import { gateTools } from './gateTools.js';
import { native } from './native.js';
import { describeOutcome, shareOut } from './observation.js';
import { Progress } from './progress.js';
import type { ObservedResult, Protocol, Reply } from './protocol.js';
import { text } from './text.js';
import { closeToolSet, openToolSet } from './toolSet.js';

const protocols: { readonly [name: string]: Protocol } = { native, text };

/**
 * `react`: the model thinks, calls tools and reads their results until it answers. A step is one model call and its consequences. See
 * docs/loops.md.
 */
export async function* react(turn: Turn): AsyncGenerator<EventBody, JsonObject | null, undefined> {
  const { request, record, signal, deadline } = turn;
  const { agent, payload, gate } = request;
  const { config } = agent.resolved;
  const protocol = protocols[config.tool_protocol] ?? native;
  const toolSet = await openToolSet(turn);
  try {
    const session = await openSession(turn);
    const composed = agent.prompt.compose(payload, toolSet.tools);
    const fields = protocol.fields(composed);
    const conversation = new Conversation(fields.tools, fields.response_format);
    const history = (session?.messages ?? []).map((message) => ({ message, recalled: protocol.recall(message, toolSet.tools.length > 0) }));
    const prompts = addHistory(composed.messages, history, conversation, record);

    const caller = createToolCaller(turn, toolSet.tools, session?.hasResults);
    const callTools = gate ? gateTools(turn, gate, toolSet.tools, caller) : caller;
    const progress = new Progress();
    const room = contextRoom(agent);
    const longestObservation = observationRoom(agent, loopLimits.observation);
    const call = llmRequest(turn, conversation.messages, fields);
    let unkept = prompts;
    let unreadable = 0;
    let refusal: AgentStackError | undefined;

    for (let step = 1; step <= config.max_iterations; step += 1) {
      signal.throwIfAborted();
      if (room !== undefined) record.dropped(conversation.fit(room));
      let budget = checkBudget(turn, conversation);
      record.trace.begin(step);
      yield { type: 'step_start', step };
      if (gate) {
        yield* stopBeforeModel(turn, gate, { conversation, fields, step, tools: toolSet.tools });
        budget = checkBudget(turn, conversation);
      }

      const reading = protocol.begin(step);
      let completion: Completion | undefined;
      for (let isAgain = false; !completion; isAgain = true) {
        try {
          const currentCall = deadline() === call.deadline ? call : llmRequest(turn, conversation.messages, fields);
          const modelCall = callModel(turn, currentCall, budget, reading.read);
          const parts = gate ? stopAtRetries(turn, gate, step, modelCall.parts) : modelCall.parts;
          for await (const part of parts) for (const event of modelCall.take(part)) yield event;
          completion = modelCall.completion();
        } catch (error) {
          if (isAgain || !(error instanceof LlmError) || error.reason !== 'context-length') throw error;
          // The assumed context window was too large: half of it is tried once.
          const dropped = conversation.fit(conversation.likely / 2);
          if (dropped.tool_results + dropped.messages === 0) throw error;
          record.dropped(dropped);
        }
      }
      if (gate) await stopAfterAnswer(turn, gate, step, completion);
      const reply = reading.end(completion);
      const { usage = null } = completion;
      const spent = gate ? record.usage.cost : null;
      record.completion(completion, reply.blocks);
      if (gate) await stopAtBudget(turn, gate, step, spent);
      record.trace.thought(reply.thought);
      for (const event of reply.events) yield event;
      if (reply.message) {
        conversation.add(reply.message, 'answer');
        if (usage) conversation.counted(usage);
      }
      await session?.add(...unkept, toSessionMessage(reply.blocks));
      unkept = [];
      const thought = reply.thought === '' ? {} : { thought: reply.thought };
      const isLastButOne = step === config.max_iterations - 1;

      if (reply.calls.length > 0) {
        unreadable = 0;
        record.trace.asked(reply.calls.map(({ id, name, input, input_text }) => ({ id, tool: name, input: input_text ?? input })));
        yield {
          type: 'tool_call',
          tool_calls: reply.calls.map(({ id, name, input, input_text }) => ({ id, name, input: input_text ?? input })),
        };
        const results = await callTools(step, reply.calls);
        if (gate) yield* record.takeEdits();
        progress.results(results);
        const observedResults = toObserved(results, longestObservation, adviceFor(progress, isLastButOne));
        const observed = protocol.observe(observedResults);
        const kept = native.observe(observedResults);
        conversation.add(observed, 'results');
        record.feedback(kept);
        record.trace.contradictions = progress.contradictions;
        record.trace.answered(toTraced(results, observedResults));
        await session?.add(kept);
        yield {
          type: 'tool_result',
          tool_results: results.map(({ call: { id, name }, outcome: { value, is_error } }) => ({ id, name, output: value, is_error })),
        };
        yield { type: 'step_end', step, ...thought, observation: observedResults.map((result) => result.text).join('\n'), usage };
        if (progress.stale >= loopLimits.stale) break;
        continue;
      }

      const judged = judgeReply(agent.prompt, protocol, reply, completion);
      if (judged.type === 'accepted') {
        if (judged.repairs.length > 0) {
          const issues = record.repaired(judged.repairs.map(toIssue));
          if (gate) await stopAtRepairs(turn, gate, step, issues, completion.text);
          yield { type: 'repair', issues };
        }
        record.trace.end();
        if (reply.answer === undefined) yield { type: 'chunk', text: completion.text };
        yield { type: 'step_end', step, ...thought, usage };
        return judged.output;
      }
      if (gate) {
        const error = judged.type === 'refused' ? judged.error : new ParseError(judged.correction);
        await stopAtRefusal(turn, gate, step, error, completion.text);
      }
      unreadable = judged.type === 'unreadable' ? unreadable + 1 : 0;
      if (judged.type === 'refused') refusal = judged.error;
      progress.refused(completion.text);
      record.trace.rejected += 1;
      const correction = [judged.correction, ...adviceFor(progress, isLastButOne)].join('\n');
      const note = { role: 'user', content: correction } as const;
      conversation.add(note, 'note');
      record.feedback(note);
      record.trace.end(correction);
      await session?.add(note);
      yield { type: 'step_end', step, ...thought, observation: correction, usage };
      if (unreadable >= loopLimits.unreadable) {
        throw new ParseError(
          `The model sent ${unreadable} replies in a row that can be neither answered nor carried out. Try another model.`,
        );
      }
      if (progress.stale >= loopLimits.stale) break;
    }
    throw refusal ?? new MaxIterationsError(endOf(progress, config.max_iterations));
  } finally {
    await closeToolSet(turn, toolSet);
  }
}

function endOf({ stale }: Progress, max: number): string {
  if (stale >= loopLimits.stale) {
    return `The model went in a circle: ${stale} turns in a row brought nothing new. Change the prompt, or choose another model.`;
  }
  return `The model has not come to an answer within ${max} turns (max_iterations). Raise max_iterations, or ask for less.`;
}

/** The outcome of a reply without tool calls. `correction` is for the model, `error` ends the run if no better answer follows. */
type JudgedReply =
  | { readonly type: 'accepted'; readonly output: JsonObject | null; readonly repairs: ParsedOutput['repairs'] }
  | { readonly type: 'refused'; readonly error: AgentStackError; readonly correction: string }
  | { readonly type: 'unreadable'; readonly correction: string };

/** Checks an answer against the output schema; without one, any text is an answer, unless it was cut off. */
function judgeReply(prompt: AgentPrompt, protocol: Protocol, { answer, fault }: Reply, completion: Completion): JudgedReply {
  const { text, finish_reason } = completion;
  const isCut = finish_reason === 'length';
  if (prompt.output_schema === undefined) {
    if (isCut) return tooLong(protocol, completion);
    if (answer === undefined) return { type: 'unreadable', correction: fault ?? '' };
    return { type: 'accepted', output: protocol === native ? null : objectIn(answer), repairs: [] };
  }
  try {
    // A reply that cannot be read may still be the answer itself.
    return { type: 'accepted', ...prompt.parseAndValidate({ text: answer ?? text, finish_reason }) };
  } catch (error) {
    if (!(error instanceof AgentPromptValidationError)) throw error;
    if (isCut) return tooLong(protocol, completion, error);
    if (fault !== undefined) return { type: 'unreadable', correction: fault };
    return { type: 'refused', error, correction: correctionOf(error, protocol.again) };
  }
}

/** The object in a Final Answer; null for any other text, and for one with a number that would lose precision. */
function objectIn(answer: string): JsonObject | null {
  return findInexactNumbers(answer).length > 0 ? null : (parseObject(answer) ?? null);
}

function tooLong(protocol: Protocol, completion: Completion, cause?: unknown): JudgedReply {
  return { type: 'refused', error: cutOff(completion, cause), correction: shorterWords(protocol.again) };
}

/** Advice for the model in addition to results and corrections: it repeats itself (once), or its turns run out. */
function adviceFor({ stale }: Progress, isLastButOne: boolean): readonly string[] {
  const advice: string[] = [];
  if (stale === 1) advice.push('You have done exactly this before, and nothing new came of it. Do something else, or give the answer.');
  if (isLastButOne) advice.push('One turn is left: give the answer now, and call no tool.');
  return advice;
}

/**
 * The results of a turn for the model.
 *
 * @param limit characters of all results together; the advice, which is added to the last one, comes on top
 */
function toObserved(results: readonly CallResult[], limit: number, advice: readonly string[]): readonly ObservedResult[] {
  const texts = shareOut(
    results.map(({ outcome, isReused = false }) => describeOutcome(outcome, { isReused })),
    limit,
  );
  const last = results.length - 1;
  return results.map(({ call, outcome }, index) => ({
    call,
    text: [texts[index] ?? '', ...(index === last ? advice : [])].join('\n\n'),
    is_error: outcome.is_error,
  }));
}

/** The results of a turn for the trace. */
function toTraced(results: readonly CallResult[], observed: readonly ObservedResult[]): readonly TracedCall[] {
  return results.map(({ call, input, outcome: { value, is_error, hints, documents } }, index) => ({
    id: call.id,
    tool: call.name,
    input: call.input_text === undefined || Object.keys(input).length > 0 ? input : call.input_text,
    output: value,
    observation: observed[index]?.text ?? '',
    is_error,
    source_quality: hints.source_quality,
    documents,
  }));
}
