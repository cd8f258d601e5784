import type { TextRange } from '../finding.js';
import { segmentsOf } from '../json.js';
import { type DecodedString, decodeString } from '../jsonText/decodedString.js';
import { type Located, locate } from '../jsonText/locate.js';
import { jsonTextOf } from '../jsonText/promptText.js';
import type { Environment } from '../ports.js';
import { type EffectiveAgent, isPlain } from '../snapshot/effective.js';
import { expandPlaceholders, findPlaceholders } from '../snapshot/placeholders.js';
import { toListItem } from './lineText.js';
import { parseTemplate } from './template.js';
import type { ComposedPrompt, SourceSpan } from './types.js';

/** Where a stretch of a prompt is written in a file's text. */
export interface SourcePlace {
  /** Inside the string that holds exactly this text, if there is one; otherwise the whole key or value, without its quotes. */
  readonly range: TextRange;
  /** From the key to the end of the value; for an array item, the item. */
  readonly member: TextRange;
}

/**
 * Finds the places of stretches in one file, by one pass over its text for all of them.
 *
 * @param pointers the pointers of all stretches that will be looked up
 * @param variables the values of `${VAR}` when the prompt was composed
 * @param agent the one of the prompt
 * @returns finds the place of a stretch, given its text (empty for the whole value); undefined if its pointer does not exist
 */
export function createSourcePlaces(
  path: string,
  fileText: string,
  pointers: Iterable<string>,
  variables: Environment,
  agent?: AgentForm,
): (stretch: Pick<Stretch, 'pointer' | 'offset'>, content: string) => SourcePlace | undefined {
  const { json: text, toFile } = jsonTextOf(path, fileText);
  const rangeInFile = ({ start, end }: TextRange) => ({ start: toFile(start), end: toFile(end) });
  const located = locate(text, pointers);
  const strings = new Map<string, WrittenString | undefined>();
  return ({ pointer, offset }, content) => {
    const place = located.get(pointer);
    if (place === undefined) return undefined;
    const member = rangeInFile({ start: (place.key ?? place.value).start, end: place.value.end });
    if (!strings.has(pointer)) strings.set(pointer, writtenString(text, isTemplateAt(pointer, agent), place, variables));
    const written = strings.get(pointer);
    const exact = written?.find(offset, content);
    return { range: rangeInFile(exact ?? wholePlace(text, pointer, place, content)), member };
  };
}

type AgentForm = Pick<EffectiveAgent, 'agent_type' | 'mode'>;

/** Whether a text is a template: one of the prompt store, and in an agent that is sent as written its `system_text` and `user_text`. */
function isTemplateAt(pointer: string, agent: AgentForm | undefined): boolean {
  return pointer === '/template' || (agent !== undefined && isPlain(agent) && /\/(?:system|user)_text$/.test(pointer));
}

/** A name in a prompt comes from a key; anything else from the value. */
function wholePlace(text: string, pointer: string, { key, value }: Located, content: string): TextRange {
  const isName = key !== undefined && content === toListItem(segmentsOf(pointer).at(-1) ?? '');
  return isName ? inner(text, key) : inner(text, value);
}

function inner(text: string, { start, end }: TextRange): TextRange {
  return text[start] === '"' && end - start >= 2 ? { start: start + 1, end: end - 1 } : { start, end };
}

interface WrittenString {
  /** The raw range of a stretch; undefined if its text differs from that of the string. */
  find(offset: number, content: string): TextRange | undefined;
}

/** A run of text that a string contributed to the prompt, and the units of the string it came from. */
interface Run {
  readonly start: number;
  readonly from: TextRange;
  /** Text that was inserted for all of `from`: its units have no individual places. */
  readonly isInserted: boolean;
}

function writtenString(text: string, isTemplate: boolean, { value }: Located, variables: Environment): WrittenString | undefined {
  const string = decodeString(text, value);
  if (string === undefined) return undefined;
  const { promptText, runs } = runsOf(string, isTemplate, variables);
  return {
    find(offset, content) {
      if (content === '' || promptText.slice(offset, offset + content.length) !== content) return undefined;
      const start = unitOf(runs, offset, 'start');
      const end = unitOf(runs, offset + content.length, 'end');
      return { start: string.rawOffset(start), end: string.rawOffset(end) };
    },
  };
}

/** What a string contributed to the prompt: its text with variables expanded; of a template, only the text between the paths. */
function runsOf({ value }: DecodedString, isTemplate: boolean, variables: Environment): { promptText: string; runs: readonly Run[] } {
  const expanded = expandedRuns(value, variables);
  if (!isTemplate) return expanded;
  const runs: Run[] = [];
  let promptText = '';
  let at = 0;
  let first = 0;
  for (const part of parseTemplate(expanded.promptText).parts) {
    if (typeof part !== 'string') {
      at = part.end;
      continue;
    }
    const end = at + part.length;
    while ((expanded.runs[first + 1]?.start ?? end) <= at) first += 1;
    for (let index = first; index < expanded.runs.length; index++) {
      const run = expanded.runs[index] as Run;
      if (run.start >= end) break;
      const cut = Math.max(0, at - run.start);
      const from = run.isInserted
        ? run.from
        : { start: run.from.start + cut, end: Math.min(run.from.end, run.from.start + end - run.start) };
      runs.push({ start: promptText.length + Math.max(0, run.start - at), from, isInserted: run.isInserted });
    }
    promptText += part;
    at = end;
  }
  return { promptText, runs };
}

function expandedRuns(value: string, variables: Environment): { promptText: string; runs: readonly Run[] } {
  const runs: Run[] = [];
  let promptText = '';
  let done = 0;
  const keep = (end: number) => {
    if (end > done) runs.push({ start: promptText.length, from: { start: done, end }, isInserted: false });
    promptText += value.slice(done, end);
  };
  for (const { start, end } of value.startsWith('secret://') ? [] : findPlaceholders(value)) {
    const written = value.slice(start, end);
    const { text } = expandPlaceholders(written, variables);
    if (text === written) continue;
    keep(start);
    if (text !== '') runs.push({ start: promptText.length, from: { start, end }, isInserted: true });
    promptText += text;
    done = end;
  }
  keep(value.length);
  return { promptText, runs };
}

/** The unit of the string for an offset in its contributed text: a start is in the run that begins there, an end in the run that ends there. */
function unitOf(runs: readonly Run[], offset: number, side: 'start' | 'end'): number {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const start = (runs[middle] as Run).start;
    if (side === 'start' ? start <= offset : start < offset) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  if (run === undefined) return 0;
  if (run.isInserted) return side === 'start' ? run.from.start : run.from.end;
  return Math.min(run.from.start + offset - run.start, run.from.end);
}

/** A span for lookup: texts of several lines are split into lines, each with the line breaks that end it. */
export interface Stretch extends SourceSpan {
  /** Where its text begins in everything its place contributed, in UTF-16 units: for a template, in the template without its `{{paths}}`. */
  readonly offset: number;
}

/** The stretches of all messages of an agent, in order; like spans they cover every unit exactly once. */
export function stretchesOf(
  { messages, source_map }: Pick<ComposedPrompt, 'messages' | 'source_map'>,
  agent?: AgentForm,
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  const lengths = new Map<string, number>();
  for (const span of source_map) {
    const isTemplate = span.file !== null && isTemplateAt(span.pointer, agent);
    const before = isTemplate ? (lengths.get(span.pointer) ?? 0) : 0;
    if (isTemplate) lengths.set(span.pointer, before + span.end - span.start);
    if (span.layer === 'fixed' || span.layer === 'input') {
      stretches.push({ ...span, offset: before });
      continue;
    }
    const content = messages[span.message]?.content ?? '';
    for (let start = span.start; start < span.end; ) {
      const end = lineEnd(content, start, span.end);
      stretches.push({ ...span, start, end, offset: before + start - span.start });
      start = end;
    }
  }
  return stretches;
}

/** The offset after the line that begins at `start` and the empty lines below it. */
function lineEnd(content: string, start: number, last: number): number {
  let end = content.indexOf('\n', start);
  if (end < 0 || end >= last) return last;
  while (end < last && content[end] === '\n') end += 1;
  return end;
}
