import { CacheForecast } from '../agent/cacheForecast.js';
import type { AgentEvent } from '../agent/events.js';
import type { ModelStop, Stop } from '../agent/gate.js';
import { cacheHint } from '../agent/modelCall.js';
import { InputInvalidError } from '../errors.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import type { KnownSecrets } from '../ports.js';
import type { ComposedPrompt } from '../prompt/types.js';
import { storyOf } from '../run/story/createStory.js';
import { coverAll } from '../secrets/coverValue.js';
import type { Frame } from './evaluate.js';
import type { Moment } from './history.js';
import type { View } from './runControl.js';
import { isCallOf } from './stepping.js';
import { lazily, valuesAt } from './stopValues.js';

/** What a session knows beyond the stop itself. */
interface SessionFacts {
  /** What was launched. */
  readonly launch: JsonObject;
  /** With which an orchestration begins. */
  readonly context: JsonObject | undefined;
  /** The moments before the shown one, the last one first. */
  readonly earlier: () => Iterable<Moment>;
  readonly events: readonly AgentEvent[];
}

/** What is shown at a stop. */
export interface Shown extends Frame {
  readonly view: View;
  /** With secrets. */
  readonly raw: JsonObject;
}

export function frameAt(view: View, session: SessionFacts, secrets: KnownSecrets | undefined): Shown {
  const raw = factsAt(view, session);
  const names = Object.keys(raw);
  const { stop, change } = view.moment;
  return {
    view,
    stop,
    raw,
    values: lazily(Object.fromEntries(names.map((name) => [name, () => coverAll(raw[name] ?? null, secrets, name)]))),
    compared: () => ({ ...valuesAt(stop, change), ...(names.includes('context') && { context: raw.context ?? null }) }),
  };
}

/** Everything that is shown at a stop, by name. Each value is made when it is first read. */
function factsAt({ moment, answer }: View, session: SessionFacts): JsonObject {
  const { launch, earlier, events } = session;
  const { stop, change } = moment;
  const values = valuesAt(stop, change);
  const before = events.slice(0, moment.events);
  const context = stop.at === 'route' || stop.team === undefined ? undefined : (contextBefore(earlier()) ?? session.context);
  const made: Record<string, () => Json> = {};
  if (answer !== undefined) made.answer = () => answer;
  for (const name of Object.keys(values)) made[name] = () => values[name] ?? null;
  if (stop.at === 'model') {
    made.sources = () => sourcesOf(moment);
    made.tools = () => toolsOf(stop);
    made.budget = () => ({ ...(values.budget as JsonObject), request_tokens: stop.tokens, cached_tokens: cachedTokens(stop, earlier()) });
  }
  if (context) made.context = () => context;
  made.run = () => runOf(before, launch, stop);
  made.story = () => plainStory(before);
  return lazily(made);
}

/** The context after the last route: of an earlier moment, since a task does not know it. */
function contextBefore(earlier: Iterable<Moment>): JsonObject | undefined {
  for (const { stop, change } of earlier) if (stop.at === 'route') return change?.context ?? stop.context;
  return undefined;
}

function runOf(events: readonly AgentEvent[], launch: JsonObject, stop: Stop): JsonObject {
  const start = events.find((event) => event.type === 'run_start');
  const edits = events.filter((event) => event.type === 'edit').length;
  return {
    run_id: start?.run_id ?? null,
    snapshot_hash: stop.at === 'route' ? (start?.type === 'run_start' ? start.snapshot_hash : null) : stop.agent.snapshot.hash,
    ...launch,
    edits,
  };
}

function plainStory(events: readonly AgentEvent[]): Json {
  return JSON.parse(JSON.stringify(storyOf(events))) as Json;
}

/** The tools on offer, with where each comes from and whether its calls need approval. */
function toolsOf({ request, offered, agent }: ModelStop): Json {
  return (request.tools ?? []).map(({ name, description, parameters }) => {
    const tool = offered.find((each) => each.name === name);
    const source = agent.resolved.tools.find((each) => each.name === name)?.source;
    return {
      name,
      description,
      parameters,
      origin: tool ? (tool.origin.type === 'mcp' ? `server ${tool.origin.client_id}` : tool.origin.type) : null,
      source: source ? `${source.file}#${source.pointer}` : null,
      needs_approval: tool?.needs_approval ?? null,
    };
  });
}

/**
 * The tokens of a request that the provider's cache is expected to have: what the call before sent, in the first call of a conversation what is
 * the same in every call of the agent. Null where the usage of the call before is not known.
 */
function cachedTokens(stop: ModelStop, earlier: Iterable<Moment>): number | null {
  const { llm, config } = stop.agent.resolved;
  const forecast = new CacheForecast(llm, config.model_name ?? '');
  forecast.called({ ...stop.request, cache: cacheHint(stop.agent) });
  if (stop.step > 1 && stop.plan_step === undefined) {
    const answer = answerBefore(stop, earlier);
    if (!answer) return null;
    forecast.answered(answer);
  }
  const before = forecast.tokens;
  forecast.answered({ prompt_tokens: stop.tokens });
  return forecast.tokens - before;
}

function answerBefore(call: ModelStop, earlier: Iterable<Moment>) {
  for (const { stop } of earlier) if (stop.at === 'answer' && isCallOf(stop, call, call.step - 1)) return stop.completion.usage;
  return undefined;
}

/** Each message in parts, with the file, the field and the layer that each comes from. */
function sourcesOf({ stop, change }: Moment): Json {
  if (stop.at !== 'model') return [];
  const composed = composedOf(stop);
  return stop.request.messages.map((message, index) => {
    const { role, content } = message;
    const isChanged = change?.messages?.[index] !== undefined && change.messages[index] !== message;
    if (isChanged) return { role, from: 'changed by hand' };
    const at = composed?.messages.findIndex((each) => each.role === role && each.content === content) ?? -1;
    if (composed && at >= 0) return { role, parts: partsOf(composed, at) };
    if (role === 'assistant') return { role, from: 'an answer of the model' };
    const isResults = Array.isArray(content) && content.some((block) => block.type === 'tool_result');
    if (isResults) return { role, from: 'results of tools' };
    const step = stop.plan_step === undefined ? undefined : stepOf(stop);
    if (step && role === 'user') return { role, parts: [{ text: content as string, ...step }] };
    return { role, from: index > (composed?.messages.length ?? 1) ? 'the run: an observation or a correction' : 'not known' };
  });
}

function composedOf({ agent, payload, offered }: ModelStop): ComposedPrompt | undefined {
  try {
    return offered.length > 0 ? agent.prompt.compose(payload, offered) : agent.prompt.compose(payload);
  } catch (error) {
    if (error instanceof InputInvalidError) return undefined;
    throw error;
  }
}

function partsOf({ messages, source_map }: ComposedPrompt, index: number): Json {
  const parts: { text: string; file: string | null; pointer: string; layer: string }[] = [];
  for (const { message, start, end, file, pointer, layer } of source_map) {
    if (message !== index || start === end) continue;
    const text = messages[index]?.content.slice(start, end) ?? '';
    const last = parts.at(-1);
    if (last && last.file === file && last.pointer === pointer && last.layer === layer) last.text += text;
    else parts.push({ text, file, pointer, layer });
  }
  return parts;
}

/** The prompt of a step, in the plan of its agent. */
function stepOf({ agent, plan_step }: ModelStop): JsonObject | undefined {
  const steps = agent.resolved.config.execution_plan?.steps;
  const index = Array.isArray(steps) ? steps.findIndex((step: Json) => isObject(step) && step.name === plan_step) : -1;
  const origin = agent.resolved.origins.get(pointerOf('execution_plan', 'steps', index, 'llm'));
  return origin && { file: origin.file, pointer: origin.pointer, layer: origin.layer };
}
