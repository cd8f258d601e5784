import type { Stop } from '../agent/gate.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { matchesTool } from '../tools/allowedTools.js';
import type { Tool } from '../tools/types.js';
import { answerHas, isSame } from './answerPlaces.js';
import { anyCalls, modelCalls, type NoPlace, type Path, type PlaceStops, toolCalls } from './placeTypes.js';
import { outputAt } from './stopValues.js';
import { type Site, sends, uses } from './usedPlaces.js';

const texts = new Set(['system_text', 'purpose_text', 'user_text', 'template', 'few_shot_examples', 'default_system_prompt', 'prompts']);
const ofCalls = new Set([
  ...['llm_config_id', 'provider', 'model_name', 'temperature', 'top_p', 'max_output_tokens'],
  ...['tool_protocol', 'include_history', 'llm'],
]);
const ofAgent = new Set(['agent_name', 'name', 'version', 'description', 'agent_type', 'mode', 'persona_key', 'variables']);

/** For a limit, in an agent or an orchestration. */
export const limitReason = 'A limit ends the run where it is reached: turn on the exception breakpoint "Errors".';

const reasons: { readonly [field: string]: string } = {
  exclude_components: 'What is excluded is never called.',
  input_keys: 'The input is checked before the run begins.',
  input_schema: 'The input is checked before the run begins.',
  budget: 'A budget is no place in the run: turn on the exception breakpoint "80 % of a budget".',
  max_iterations: limitReason,
  timeout_ms: limitReason,
  retry_attempts: 'Tries are no place in the run: turn on the exception breakpoint "Retries".',
  retry_invalid: 'An answer that is asked for again is refused first: turn on the exception breakpoint "Refused answers".',
  tracing: 'Tracing changes nothing in the run.',
  expose: 'Exposing changes nothing in the run.',
};

/**
 * What stops at a field of an agent, in any of its layers.
 *
 * @param path in the effective config
 * @param value the value there, in the file
 */
export function agentPlace(path: Path, value: (length: number) => Json | undefined, site: Site): PlaceStops | NoPlace {
  const [field, second] = path;
  const isUsed = (stop: Stop) => uses(stop, site);
  if (field === undefined) return firstCall((stop) => uses(stop, { ...site, pointer: '' }));
  if (typeof field !== 'string') return { reason: 'Nothing on this line is sent, called or decided.' };
  if (ofAgent.has(field)) return firstCall(isUsed);
  if (field === 'prompts') return { kinds: modelCalls, isAt: isUsed };
  if (texts.has(field)) {
    const missed = (stop: Stop) =>
      isUsed(stop) && !sends(stop, site) ? `${field} is not in what is sent: another text takes its place.` : undefined;
    return { kinds: modelCalls, isAt: (stop) => isUsed(stop) && sends(stop, site), missed };
  }
  if (ofCalls.has(field)) return { kinds: modelCalls, isAt: isUsed };
  if (field === 'enabled_tools') {
    const entries = entriesAt(value, second);
    return { kinds: toolCalls, isAt: (stop) => isUsed(stop) && isTool(stop, (tool) => entries.some((entry) => matchesTool(entry, tool))) };
  }
  if (field === 'client_ids') {
    const ids = entriesAt(value, second);
    return { kinds: toolCalls, isAt: (stop) => isUsed(stop) && isTool(stop, (tool) => ids.some((id) => isOfServer(tool, id))) };
  }
  if (field === 'output_schema') {
    const pointer = pointerOf(...path.slice(1));
    if (/\/patternProperties\/|\/not(?:\/|$)|\/contains(?:\/|$)/.test(`${pointer}/`))
      return { reason: 'Which values this part of the schema is about is not computed: set the breakpoint at the field around it.' };
    return { kinds: [['answer']], isAt: (stop) => isUsed(stop) && answerHas(stop, pointer) };
  }
  if (field === 'enums' && typeof second === 'string') {
    const listed = path.length > 2 ? value(3) : undefined;
    return { kinds: [['answer']], isAt: (stop) => isUsed(stop) && hasChoice(outputAt(stop)?.[second], listed) };
  }
  if (field === 'defaults') {
    const names = typeof second === 'string' ? [second] : Object.keys(value(1) ?? {});
    const lacksOne = (answer: JsonObject | undefined) => answer !== undefined && names.some((name) => !Object.hasOwn(answer, name));
    return { kinds: [['answer']], isAt: (stop) => isUsed(stop) && lacksOne(outputAt(stop)) };
  }
  if (field === 'execution_plan') return planPlace(path, value, site);
  return { reason: reasons[field] ?? `Nothing stops at ${field}. ${stopsOfAgents}` };
}

const stopsOfAgents =
  'An agent stops at its texts and its model (before a call), its tools (before they are called), its output_schema, enums and defaults (after an answer), and the steps of its plan.';

/** Before the first call of each run of an agent that is used. */
export function firstCall(isUsed: (stop: Stop) => boolean): PlaceStops {
  return { kinds: anyCalls, isAt: (stop) => stop.at !== 'route' && stop.step === 1 && isUsed(stop), once: runOf };
}

function runOf(stop: Stop): string {
  return stop.at === 'route' ? '' : stop.run_id;
}

/** Before the first call of a step, each time it is run. */
function planPlace(path: Path, value: (length: number) => Json | undefined, site: Site): PlaceStops | NoPlace {
  const [, steps, index] = path;
  if (path.length === 1 || (steps === 'steps' && index === undefined)) return firstCall((stop) => uses(stop, site));
  const step = steps === 'steps' ? value(3) : undefined;
  if (!isObject(step) || typeof step.name !== 'string')
    return { reason: 'The output of a plan is made when its steps are over: set the breakpoint at a step.' };
  const { name } = step;
  const isOwn = (stop: Stop) => stop.at !== 'route' && stop.plan_step === name && uses(stop, site);
  return {
    kinds: anyCalls,
    isAt: (stop) =>
      isOwn(stop) || (stop.at !== 'route' && stop.callers.some((caller, at) => caller === site.agent && stop.caller_steps[at] === name)),
    once: (stop) => `${runOf(stop)} ${isOwn(stop) && stop.at !== 'route' ? stop.step : ''}`,
  };
}

function entriesAt(value: (length: number) => Json | undefined, index: string | number | undefined): readonly string[] {
  const entry = value(index === undefined ? 1 : 2);
  return (Array.isArray(entry) ? entry : [entry]).filter((each) => typeof each === 'string');
}

/** @param listed the value to look for. Undefined: the breakpoint is on the field, so each value counts */
function hasChoice(value: Json | undefined, listed: Json | undefined): boolean {
  if (value === undefined || listed === undefined) return value !== undefined;
  return Array.isArray(value) ? value.some((item: Json) => isSame(item, listed)) : isSame(value, listed);
}

export function isTool(stop: Stop, test: (tool: Tool) => boolean): boolean {
  return (stop.at === 'tool' || stop.at === 'tool_answer') && stop.tool !== undefined && test(stop.tool);
}

export function isOfServer({ origin }: Tool, id: string): boolean {
  return origin.type === 'mcp' && origin.client_id === id;
}
