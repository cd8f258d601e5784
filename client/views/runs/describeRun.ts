import { isObject, type Json, type JsonObject } from '../../../core/json.js';
import type { StoredRun } from '../../../core/run/readRuns.js';
import { readEnd } from '../../../core/run/story/readEnd.js';
import { objectAt, objectsAt, ownAt, textAt } from '../../../core/run/untrusted.js';

/** Headings of the description, in the user's language. */
export interface DescriptionWords {
  readonly input: string;
  readonly output: string;
  readonly error: string;
  readonly messages: string;
  readonly metadata: string;
  readonly none: string;
}

/**
 * A run as a text to read and to compare: input, output, messages, then its usage. Strings have their own line breaks. What differs
 * between any two runs (ids, times) comes last, so that a comparison starts with what was said.
 */
export function describeRun({ summary, run, result, problems }: StoredRun, words: DescriptionWords): string {
  const ended = result ?? {};
  const error = objectAt(ended, 'error');
  const lines: string[] = [];
  section(lines, words.input, membersOf(ownAt(run, 'input')), words.none);
  section(lines, words.output, membersOf(ownAt(ended, 'output')), words.none);
  if (Object.keys(error).length > 0) section(lines, words.error, membersOf(error), words.none);
  section(
    lines,
    words.messages,
    objectsAt(ended, 'conversation').map((message) => [textAt(message, 'role') ?? '?', messageText(message)]),
    words.none,
  );
  if (problems.length > 0) lines.push(...problems.map((problem) => `> ${problem}`), '');
  lines.push(`# ${words.metadata}`, '');
  const { usage, repairs, snapshot_hash } = readEnd(ended);
  const rows: readonly (readonly [string, unknown])[] = [
    [textAt(run, 'kind') ?? 'agent', [summary.name ?? '?', summary.version].filter(Boolean).join('@')],
    ['status', summary.state],
    ['environment', summary.environment],
    ['provider', summary.provider],
    ['model', summary.model_name],
    ['model calls', summary.iterations],
    ['tools', summary.tools_used.length === 0 ? null : summary.tools_used.join(', ')],
    ['prompt tokens', usage.prompt_tokens],
    ['completion tokens', usage.completion_tokens],
    ['cost (USD)', summary.cost],
    ['simulated', summary.simulated],
    ['changed by hand', summary.edits > 0 ? summary.edits : null],
    ['repairs', repairs.length],
    ['snapshot', snapshot_hash ?? textAt(run, 'snapshot_hash')],
    ['time (ms)', summary.duration_ms],
    ['started', summary.started === null ? null : new Date(summary.started).toISOString()],
    ['run', summary.run_id],
  ];
  for (const [name, value] of rows) if (value !== null) lines.push(`- ${name}: ${String(value)}`);
  return `${lines.join('\n')}\n`;
}

function section(lines: string[], title: string, members: readonly (readonly [string, string])[], none: string): void {
  lines.push(`# ${title}`, '');
  if (members.length === 0) lines.push(none, '');
  for (const [name, text] of members) lines.push(`## ${name}`, '', text, '');
}

function membersOf(value: Json | undefined): readonly (readonly [string, string])[] {
  return isObject(value) ? Object.entries(value).map(([name, member]) => [name, readable(member)]) : [];
}

function messageText(message: JsonObject): string {
  const blocks = objectsAt(message, 'content');
  return blocks.map(blockText).join('\n\n');
}

/** Ids of calls differ between any two runs and say nothing to a reader. */
function blockText(block: JsonObject): string {
  const text = textAt(block, 'text');
  switch (textAt(block, 'type')) {
    case 'tool_use':
      return `→ ${textAt(block, 'name') ?? '?'} ${JSON.stringify(ownAt(block, 'input') ?? null, null, 2)}`;
    case 'tool_result':
      return `← ${readable(ownAt(block, 'content') ?? null)}`;
    default:
      return text ?? JSON.stringify(block, null, 2);
  }
}

function readable(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
