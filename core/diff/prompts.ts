import { isObject, type Json, listOf, pointerOf } from '../json.js';
import { loadTokenCounter } from '../llm/countTokens.js';
import { refusedParameters } from '../llm/refusedParameters.js';
import { type AgentTemplate, systemTemplateOf, userTemplateOf } from '../prompt/agentTemplates.js';
import { flatten, type Piece } from '../prompt/promptText.js';
import { callsModel } from '../snapshot/effective.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
import { type ComparedSide, placeOf } from './comparedSide.js';
import { pairAgents, placesOf, type SideAgent, together } from './pairAgents.js';
import type { DiffPlace, PromptChange } from './types.js';
import { diffWords, type WordDiff } from './words.js';

type Part = PromptChange['part'];
const parts: readonly Part[] = ['system', 'user', 'response_format', 'tools', 'settings'];
const mostPlaces = 10;

/** A stretch of a part's text, and where it is written. */
interface Stretch {
  readonly text: string;
  /** Of a setting or tool. */
  readonly name?: string;
  readonly place?: () => DiffPlace | undefined;
}

interface PartText {
  /** The bytes that are sent, which decide whether anything changed. */
  readonly sent: string;
  /** For people, in order. */
  readonly stretches: readonly Stretch[];
}

/**
 * What changes of the requests of each agent that both sides have, whatever its payload: texts with their paths as written, and settings as they are
 * sent. Empty where the bytes are equal.
 */
export async function comparePrompts(before: ComparedSide, after: ComparedSide): Promise<readonly PromptChange[]> {
  const changed = pairAgents(before, after).flatMap(({ instance, before: old, after: current }) => {
    if (old === undefined || current === undefined) return [];
    const [left, right] = [requestOf(old), requestOf(current)];
    return parts
      .filter((part) => left[part].sent !== right[part].sent)
      .map((part) => ({ instance, part, left: left[part], right: right[part], models: [modelOf(old), modelOf(current)] as const }));
  });
  if (changed.length === 0) return [];
  const counter = await loadTokenCounter(new Set(changed.flatMap(({ models }) => models)));
  const textChanges = (left: PartText, right: PartText): Pick<PromptChange, 'hunks' | 'more_hunks' | 'places'> => {
    const diff = recentDiff(textOf(left), textOf(right));
    return { hunks: diff.hunks, more_hunks: diff.more_hunks, places: placesIn(diff, left, right) };
  };
  const changes = changed.map(({ instance, part, left, right, models }): PromptChange => {
    const count = (side: 0 | 1, { sent }: PartText) => (part === 'settings' ? 0 : counter.count(models[side], sent).tokens);
    return {
      instance,
      also: [],
      part,
      ...(part === 'settings' || part === 'tools' ? memberChanges(part, left, right) : textChanges(left, right)),
      tokens_before: count(0, left),
      tokens_after: count(1, right),
    };
  });
  return together(changes, ({ part, hunks, more_hunks, tokens_before, tokens_after }) =>
    JSON.stringify([part, hunks, more_hunks, tokens_after - tokens_before]),
  );
}

/** The last ones: tasks of one persona have many texts in common, and so have environments. */
const recentDiffs = new Map<string, WordDiff>();
const mostRecent = 32;

function recentDiff(old: string, current: string): WordDiff {
  const key = `${old}\0${current}`;
  const diff = recentDiffs.get(key) ?? diffWords(old, current);
  recentDiffs.delete(key);
  recentDiffs.set(key, diff);
  const [oldest] = recentDiffs.keys();
  if (oldest !== undefined && recentDiffs.size > mostRecent) recentDiffs.delete(oldest);
  return diff;
}

/** Setting by setting, and tool by tool, of which one that comes or goes is told by its name. */
function memberChanges(part: 'tools' | 'settings', left: PartText, right: PartText): Pick<PromptChange, 'hunks' | 'more_hunks' | 'places'> {
  const byName = ({ stretches }: PartText) => new Map(stretches.map((stretch) => [stretch.name ?? '', stretch]));
  const [old, current] = [byName(left), byName(right)];
  const names = [...new Set([...current.keys(), ...old.keys()])].filter((name) => old.get(name)?.text !== current.get(name)?.text);
  const textIn = (side: ReadonlyMap<string, Stretch>, other: ReadonlyMap<string, Stretch>) => (name: string) =>
    side.has(name) && (part === 'settings' || other.has(name)) ? (side.get(name)?.text ?? '') : side.has(name) ? name : '';
  const [before, after] = [textIn(old, current), textIn(current, old)];
  const context = part === 'settings' ? Number.POSITIVE_INFINITY : undefined;
  const isOrder = names.length === 0;
  const diffs = isOrder
    ? [diffWords([...old.keys()].join(' '), [...current.keys()].join(' '))]
    : names.map((name) => diffWords(before(name), after(name), context));
  return {
    hunks: diffs.flatMap(({ hunks }) => hunks),
    more_hunks: 0,
    places: uniquePlaces((isOrder ? [...current.keys()] : names).map((name) => current.get(name)?.place?.() ?? old.get(name)?.place?.())),
  };
}

function uniquePlaces(places: readonly (DiffPlace | undefined)[]): readonly DiffPlace[] {
  const unique = new Map(places.flatMap((place) => (place === undefined ? [] : [[JSON.stringify(place), place] as const])));
  return [...unique.values()].slice(0, mostPlaces);
}

function modelOf({ agent }: SideAgent): string {
  return agent.resolved.config.model_name ?? '';
}

function textOf({ stretches }: PartText): string {
  return stretches.map(({ text }) => text).join('');
}

/** Of the new words, else of the removed ones. */
function placesIn({ added, removed }: WordDiff, left: PartText, right: PartText): readonly DiffPlace[] {
  const [ranges, { stretches }] = added.length > 0 ? [added, right] : [removed, left];
  const places: (DiffPlace | undefined)[] = [];
  let [start, next] = [0, 0];
  for (const { text, place } of stretches) {
    const end = start + text.length;
    while ((ranges[next]?.[1] ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    if ((ranges[next]?.[0] ?? Number.POSITIVE_INFINITY) < end) places.push(place?.());
    start = end;
  }
  return uniquePlaces(places);
}

function requestOf(at: SideAgent): Readonly<Record<Part, PartText>> {
  const { agent, side } = at;
  const { config, tools } = agent.resolved;
  const shape = agent.prompt.shape();
  const place = placesOf(at);
  const sources = new Map(tools.map(({ name, source }) => [name, source]));
  const ofPiece = ({ text, from, pointer }: Piece, template: AgentTemplate | undefined): Stretch => {
    // A path is written in the template around it.
    if (from === 'input' && template !== undefined) return { text, place: () => place.config(pointerOf(template.field)) };
    if (from !== 'config') return { text };
    const [, part, name = ''] = pointer.split('/', 3);
    if (part !== 'tools') return { text, place: () => place.config(pointer) };
    const source = sources.get(name.replaceAll('~1', '/').replaceAll('~0', '~'));
    return { text, ...(source && { place: () => ({ ...source, side: side.side }) }) };
  };
  const text = (stretches: readonly Stretch[], sent = stretches.map((stretch) => stretch.text).join('')): PartText => ({ sent, stretches });
  const pieces = (all: readonly Piece[], template: AgentTemplate | undefined) => [...flatten(all)].map((piece) => ofPiece(piece, template));
  const isPlan = config.agent_type === 'orchestrating';
  const calls = callsModel(config);
  return {
    system: text(calls ? pieces(shape.system, systemTemplateOf(config)) : []),
    user: text([...(isPlan ? planStretches(at) : pieces(shape.user, userTemplateOf(config))), ...inputStretches(at)]),
    response_format: json(shape.response_format?.json_schema as Json | undefined, '/output_schema', (pointer) =>
      // The schema is one member of the format.
      place.config(pointer.replace('/output_schema/schema', '/output_schema')),
    ),
    tools: text(
      shape.tools.flatMap((tool) => {
        const source = sources.get(tool.name);
        const written = source ? { ...source, side: side.side } : (place.config('/enabled_tools') ?? place.config('/client_ids'));
        return [{ name: tool.name, text: `${JSON.stringify(tool, null, 2)}\n`, ...(written && { place: () => written }) }];
      }),
      shape.tools.length === 0 ? '' : JSON.stringify(shape.tools),
    ),
    settings: text(calls ? settingStretches(at) : []),
  };
}

/** What the steps of a plan ask a model, and what they give to agents and tools. */
function planStretches(at: SideAgent): readonly Stretch[] {
  const place = placesOf(at).config;
  return listOf(at.agent.resolved.config.execution_plan?.steps).flatMap((step, index) => {
    if (!isObject(step) || typeof step.name !== 'string') return [];
    const { name } = step;
    return (['llm', 'input'] as const).flatMap((field): readonly Stretch[] => {
      const value = step[field];
      if (value === undefined) return [];
      const words = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
      return [
        { text: `${name}: ` },
        { text: words, place: () => place(pointerOf('execution_plan', 'steps', index, field)) },
        { text: '\n\n' },
      ];
    });
  });
}

/** The payload that a task makes of the context; nothing where it gets all of it. */
function inputStretches({ side, instance }: SideAgent): readonly Stretch[] {
  for (const [team, { tasks }] of Object.entries(side.value.orchestration?.teams ?? {})) {
    for (const [index, { name, input }] of tasks.entries()) {
      if (instanceOf(team, name) !== instance || input === undefined) continue;
      const words = typeof input === 'string' ? input : JSON.stringify(input, null, 2);
      const pointer = pointerOf('orchestration', 'teams', team, 'tasks', index, 'input');
      return [{ text: '\n\ninput: ' }, { text: words, place: () => placeOf(side, pointer) }];
    }
  }
  return [];
}

/** `name: value`, a line each. Parameters that the model refuses are not sent. */
function settingStretches(at: SideAgent): readonly Stretch[] {
  const { config, llm } = at.agent.resolved;
  const place = placesOf(at);
  const refused = new Set(refusedParameters(at.agent.model, llm.options));
  const { model_name, temperature, top_p, max_output_tokens, tool_protocol, retry_invalid = 0, include_history, retry_attempts } = config;
  const { provider, base_url, api_key, api_key_env, request_timeout_ms, options } = llm;
  const ofAgent = { model_name, temperature, top_p, max_output_tokens, retry_attempts, include_history };
  const ofType =
    config.agent_type === 'react'
      ? { tool_protocol }
      : config.agent_type === 'single_shot' && config.output_schema
        ? { retry_invalid }
        : {};
  const ofLlm = { base_url, api_key, api_key_env, request_timeout_ms, options };
  const line = ([name, value]: readonly [string, unknown], origin: (pointer: string) => DiffPlace | undefined): readonly Stretch[] => {
    if (value === undefined || refused.has(name)) return [];
    const words = typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
    return [{ name, text: `${name}: ${words}`, place: () => origin(pointerOf(name)) }];
  };
  return [
    ...line(['provider', provider], (pointer) => place.config(pointer) ?? place.llm(pointer)),
    ...Object.entries({ ...ofAgent, ...ofType }).flatMap((entry) => line(entry, place.config)),
    ...Object.entries(ofLlm).flatMap((entry) => line(entry, place.llm)),
  ];
}

/** JSON with a line for each value; sent on one. */
function json(value: Json | undefined, pointer: string, place: (pointer: string) => DiffPlace | undefined): PartText {
  const stretches: Stretch[] = [];
  const write = (part: Json, at: string, indent: string): void => {
    const isList = Array.isArray(part);
    const entries = typeof part === 'object' && part !== null ? Object.entries(part) : [];
    if (entries.length === 0) return void stretches.push({ text: JSON.stringify(part), place: () => place(at) });
    stretches.push({ text: isList ? '[' : '{' });
    for (const [index, [name, member]] of entries.entries()) {
      const key = isList ? '' : `${JSON.stringify(name)}: `;
      stretches.push({ text: `${index === 0 ? '' : ','}\n${indent}  ` }, { text: key, place: () => place(at + pointerOf(name)) });
      write(member as Json, at + pointerOf(name), `${indent}  `);
    }
    stretches.push({ text: `\n${indent}${isList ? ']' : '}'}` });
  };
  if (value !== undefined) write(value, pointer, '');
  return { sent: value === undefined ? '' : JSON.stringify(value), stretches };
}
