import { InputInvalidError, type Issue } from '../errors.js';
import type { FewShotExample } from '../generated/types.js';
import { isObject, type Json, type JsonObject, pointerOf, segmentsOf } from '../json.js';
import type { ResponseFormat, ToolDefinition } from '../llm/types.js';
import type { FrozenTool } from '../snapshot/agentTools.js';
import { type EffectiveAgent, isPlain, type Mode, type Origin } from '../snapshot/effective.js';
import { type AgentTemplate, systemTemplateOf, userTemplateOf } from './agentTemplates.js';
import type { Choice, Field } from './fields.js';
import { toJsonLine, toKey, toListItem, toSingleLine } from './lineText.js';
import { loopParagraphs, speaksInText } from './loopParagraphs.js';
import { findNotJson, findNotPlain } from './plainJson.js';
import {
  createOriginLookup,
  fixed,
  fromConfig,
  fromInput,
  group,
  joinLines,
  joinList,
  joinParagraphs,
  type Piece,
  spansOf,
  textOf,
} from './promptText.js';
import { parseTemplate, resolvePath, type TemplatePath, toTemplateText } from './template.js';
import type { ComposedPrompt, PromptMessage, PromptTool, SourceSpan } from './types.js';

interface ComposerOptions {
  readonly config: EffectiveAgent;
  /** The fields of its answer. */
  readonly fields: readonly Field[];
  /** Called when a source map is first used. */
  readonly origins: () => ReadonlyMap<string, Origin> | undefined;
  /** What is known of the agent's tools without starting anything. */
  readonly tools: readonly FrozenTool[];
  /** The response format sent to the provider; null if it gets the schema as text. */
  readonly response_format: ResponseFormat | null;
}

/**
 * `tools` are those a run really has; default: the frozen ones. @throws InputInvalidError for a payload that is not an object or not JSON, and
 * for a template path it lacks
 */
type Compose = (payload: unknown, tools?: readonly PromptTool[]) => ComposedPrompt;

interface Composer {
  readonly compose: Compose;
  /** The parts of the prompt before there is a payload: where a value from it will be, a piece from `input` holds the path as written. */
  readonly shape: () => PromptShape;
}

export interface PromptShape {
  readonly tools: readonly ToolDefinition[];
  readonly response_format: ResponseFormat | null;
  readonly system: readonly Piece[];
  readonly user: readonly Piece[];
}

/**
 * The composition of CONFIG.md for one agent. Everything that does not depend on the payload is built here, once; the source map is built
 * when it is used.
 */
export function createComposer({ config, fields, origins, tools: frozen, response_format }: ComposerOptions): Composer {
  const sources = new Map(frozen.map((tool) => [tool.name, tool]));
  const prepare = (tools: readonly PromptTool[]) => ({
    system: prepareSystem(
      config,
      response_format,
      loopParagraphs(config, tools, (tool) => isWrittenAs(sources.get(tool.name), tool)),
    ),
    // Frozen, so that a provider can cache what it derives from them between calls.
    sent: Object.freeze(config.agent_type === 'react' && !speaksInText(config) ? tools.map(toDefinition) : []),
  });
  const prepared = prepare(frozen);
  const tail = [group(isPlain(config) ? [] : joinParagraphs([modeParagraph(config, fields), replyParagraph(config)]))];
  const userTemplate = userTemplateOf(config);
  const renderUser = userTemplate && prepareTemplate(userTemplate);
  let originOf: ((pointer: string) => Origin) | undefined;

  const shape = (): PromptShape => ({
    tools: prepared.sent,
    response_format,
    system: prepared.system(asWritten),
    user: renderUser?.(asWritten) ?? joinParagraphs([[fromInput('{{input}}', '')], tail]),
  });

  const compose: Compose = (input, tools) => {
    const payload = checked(input);
    const { system, sent } = tools === undefined ? prepared : prepare(tools);
    const scope = { input: payload };
    const insert: Insert = (path) => fromInput(toTemplateText(resolvePath(path, scope)), pointerOf(...path.segments.slice(1)));
    const parts = [
      { role: 'system' as const, pieces: system(insert) },
      { role: 'user' as const, pieces: renderUser?.(insert) ?? joinParagraphs([entriesOf(payload, config), tail]) },
    ];
    // An agent may consist of its user_text alone.
    const written = parts.map(({ role, pieces }) => ({ role, pieces, content: textOf(pieces) }));
    const sentParts = written.filter(({ role, content }) => role === 'user' || content !== '');
    const messages: readonly PromptMessage[] = sentParts.map(({ role, content }) => ({ role, content }));
    let spans: readonly SourceSpan[] | undefined;
    return {
      messages,
      response_format,
      tools: sent,
      get source_map() {
        originOf ??= withTools(createOriginLookup(origins()), sources);
        const findOrigin = originOf;
        spans ??= sentParts.flatMap(({ pieces }, message) => spansOf(message, pieces, findOrigin));
        return spans;
      },
    };
  };
  return { compose, shape };
}

/** Why a payload cannot be composed, one issue per entry; empty when it can. */
export function findPayloadFaults(payload: unknown): readonly Issue[] {
  if (!isObject(payload)) return [{ path: '', keyword: 'type', message: `The input must be an object, not ${describeType(payload)}.` }];
  const notPlain = findNotPlain(payload);
  if (notPlain) return [{ path: '', keyword: 'json', message: `The input ${notPlain.problem}.` }];
  const issues: Issue[] = [];
  for (const key of Object.keys(payload)) {
    const issue = findEntryFault(payload, key);
    if (issue) issues.push(issue);
  }
  return issues;
}

function findEntryFault(payload: JsonObject, key: string): Issue | undefined {
  const fault = findNotJson(payload[key]);
  if (!fault) return undefined;
  const name = JSON.stringify(key);
  const message = `${fault.pointer === '' ? name : `${fault.pointer} in ${name}`} ${fault.problem}.`;
  return { path: pointerOf(key) + fault.pointer, keyword: 'json', message };
}

/** @throws InputInvalidError */
function checked(payload: unknown): JsonObject {
  const faults = findPayloadFaults(payload);
  if (faults.length === 0 && isObject(payload)) return payload;
  throw new InputInvalidError(faults.map(({ message }) => message).join(' '), faults);
}

function entriesOf(payload: JsonObject, { mode }: EffectiveAgent): readonly Piece[] {
  return (mode === undefined ? singleText(payload) : undefined) ?? joinLines(payloadLines(payload));
}

/** A payload that is a single text, unchanged: a user's message to an agent. White space alone is framed, since no provider accepts it. */
function singleText(payload: JsonObject): readonly Piece[] | undefined {
  const [[key, text] = [], ...others] = Object.entries(payload);
  if (key === undefined || others.length > 0 || typeof text !== 'string' || text.trim() === '') return undefined;
  return [fromInput(text, pointerOf(key))];
}

/** `key = "value"`, one line per entry, in the order of the payload. */
function payloadLines(payload: JsonObject): readonly (readonly Piece[])[] {
  return Object.entries(payload).map(([key, value]) => {
    const pointer = pointerOf(key);
    return [fromInput(toKey(key), pointer), fixed(' = '), fromInput(toJsonLine(value), pointer)];
  });
}

/** The tools of a run may differ from the pinned ones; then their text is in no file. */
function isWrittenAs(frozen: FrozenTool | undefined, { description, parameters }: PromptTool): boolean {
  if (!frozen?.source || frozen.description !== description) return false;
  return frozen.parameters === parameters || JSON.stringify(frozen.parameters) === JSON.stringify(parameters);
}

function toDefinition({ name, description, parameters }: PromptTool): ToolDefinition {
  return Object.freeze({ name, description, parameters });
}

/** Texts of tools have pointers `/tools/{name}/...`, a field that no config has. */
function withTools(originOf: (pointer: string) => Origin, tools: ReadonlyMap<string, FrozenTool>): (pointer: string) => Origin {
  return (pointer) => {
    const [part, name = '', ...inside] = segmentsOf(pointer);
    const source = part === 'tools' ? tools.get(name)?.source : undefined;
    return source ? { file: source.file, pointer: source.pointer + pointerOf(...inside), layer: 'system' } : originOf(pointer);
  };
}

function prepareSystem(config: EffectiveAgent, response_format: ResponseFormat | null, loop: ReturnType<typeof loopParagraphs>): Render {
  const rest = [
    [fromConfig(config.purpose_text ?? '', '/purpose_text')],
    isPlain(config) ? [] : identityParagraph(config),
    ...loop.above,
    exampleParagraph(config.few_shot_examples ?? []),
    ...loop.below,
    // A plan's prompts to a model on the way do not produce its output.
    config.agent_type === 'orchestrating' ? [] : outputParagraph(config, response_format),
  ];
  const template = systemTemplateOf(config);
  if (template === undefined) {
    const pieces = [group(joinParagraphs([[systemText(config)], ...rest]))];
    return () => pieces;
  }
  const render = prepareTemplate(template);
  const below = [group(joinParagraphs(rest))];
  return (insert) => joinParagraphs([render(insert), below]);
}

/** The piece in the place of a `{{path}}`. */
type Insert = (path: TemplatePath) => Piece;
type Render = (insert: Insert) => readonly Piece[];

function prepareTemplate({ field, text }: AgentTemplate): Render {
  const { parts } = parseTemplate(text);
  const pointer = pointerOf(field);
  return (insert) => parts.map((part) => (typeof part === 'string' ? fromConfig(part, pointer) : insert(part)));
}

/** Before there is a payload. */
function asWritten({ path, segments }: TemplatePath): Piece {
  return fromInput(`{{${path}}}`, pointerOf(...segments.slice(1)));
}

function identityParagraph({ agent_name, version }: EffectiveAgent): readonly Piece[] {
  return [
    fixed('Agent: '),
    fromConfig(toListItem(agent_name), '/agent_name'),
    fixed(', version '),
    fromConfig(toListItem(version), '/version'),
  ];
}

/** Agents that reason in a loop fall back to the profile's prompt, then to a plain one; the others must have their own. */
function systemText({ agent_type, system_text, default_system_prompt }: EffectiveAgent): Piece {
  if (system_text !== undefined || agent_type !== 'react') return fromConfig(system_text ?? '', '/system_text');
  if (default_system_prompt !== undefined) return fromConfig(default_system_prompt, '/default_system_prompt');
  return fromConfig('You are a helpful assistant.', '/system_text');
}

function exampleParagraph(examples: readonly FewShotExample[]): readonly Piece[] {
  if (examples.length === 0) return [];
  const lines = examples.flatMap(({ input, output }, index) => [
    [fixed('Input: '), fromConfig(toJsonLine(input), `/few_shot_examples/${index}/input`)],
    [fixed('Output: '), fromConfig(toJsonLine(output), `/few_shot_examples/${index}/output`)],
  ]);
  return joinLines([[fixed('Examples:')], ...lines]);
}

/** A plain agent's schema is only in the response format, where the provider takes one. */
function outputParagraph(config: EffectiveAgent, response_format: ResponseFormat | null): readonly Piece[] {
  const { output_schema: schema } = config;
  if (!schema || (response_format && isPlain(config))) return [];
  const instruction = [fixed('Return only JSON that matches the output schema.')];
  if (response_format) return instruction;
  return joinLines([instruction, [fixed('Output schema: '), fromConfig(toJsonLine(schema), '/output_schema')]]);
}

function modeParagraph({ mode }: EffectiveAgent, fields: readonly Field[]): readonly Piece[] {
  return mode ? joinLines(modeLines(mode, fields)) : [];
}

function replyParagraph(config: EffectiveAgent): readonly Piece[] {
  if (!config.output_schema) return [];
  const sentence = 'a single JSON object only, no extra text, matching the schema.';
  return [fixed(`${speaksInText(config) ? 'The Final Answer is' : 'Reply with'} ${sentence}`)];
}

function describeType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value;
}

/** The mode's lines of the USER message: what to do with the fields, then what they mean. Empty without fields. */
function modeLines(mode: Mode, fields: readonly Field[]): readonly (readonly Piece[])[] {
  if (fields.length === 0) return [];
  return [...instructions(mode, fields), ...fields.flatMap(describe)];
}

function instructions(mode: Mode, fields: readonly Field[]): readonly (readonly Piece[])[] {
  const names = joinList(fields.map(nameOf));
  switch (mode) {
    case 'Chooser':
      return choose(fields);
    case 'Writer':
      return [[fixed('Fields: '), ...names, fixed('.')], [fixed('Fill each field with appropriate text following the purpose.')]];
    case 'Extractor':
      return [[fixed('Extract from the input, or map to the schema, these fields: '), ...names, fixed('.')]];
  }
}

function choose(fields: readonly Field[]): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [];
  const others: Piece[] = [];
  for (const field of fields) {
    const name = nameOf(field);
    if (!field.choices) {
      others.push(name);
      continue;
    }
    const verb = field.multiple ? 'Choose one or more of ' : 'Choose ';
    lines.push([fixed(verb), name, fixed(' from ['), ...joinList(choicePieces(field.choices)), fixed('].')]);
  }
  if (others.length > 0) lines.push([fixed('Also fill: '), ...joinList(others), fixed('.')]);
  return lines;
}

function choicePieces(choices: readonly Choice[]): Piece[] {
  const hasOtherTypes = choices.some(({ value }) => typeof value !== 'string');
  return choices.map(({ value, pointer }) => fromConfig(toChoiceText(value, hasOtherTypes), pointer));
}

/** Next to numbers or booleans, a text that looks like one is quoted, so that `1` and `"1"` can be distinguished. */
function toChoiceText(value: Json, besideOtherTypes: boolean): string {
  if (typeof value !== 'string') return toJsonLine(value);
  const looksLikeOther = besideOtherTypes && /^(true|false|null|-?\d.*)$/.test(value);
  return looksLikeOther ? toJsonLine(value) : toListItem(value);
}

function describe(field: Field): Piece[][] {
  const { description } = field;
  const text = description && toSingleLine(description.text);
  if (!description || !text) return [];
  return [[fixed('- '), nameOf(field), fixed(': '), fromConfig(text, description.pointer)]];
}

function nameOf({ name, pointer }: Field): Piece {
  return fromConfig(toListItem(name), pointer);
}
