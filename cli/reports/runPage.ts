import { durationText } from '../../core/amounts.js';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { countText } from '../../core/llm/tokenText.js';
import type { StoredRun } from '../../core/run/readRuns.js';
import { readEnd } from '../../core/run/story/readEnd.js';
import type { StoryEnd } from '../../core/run/story/types.js';
import { objectAt, objectsAt, textAt } from '../../core/run/untrusted.js';
import { toVisibleJson, visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { errorHeading } from '../errorWords.js';
import { valueText } from '../runView.js';
import { cutLine, fold } from '../terminal/fold.js';
import type { Styles } from '../terminal/styles.js';
import { costWords, totalWords } from '../usedText.js';
import { teamLines } from './teamLines.js';

/** Lines shown of a thought, of what a tool answered, of an answer that is text. */
const mostLines = 6;

/** One kept run for people: how it ended, its input, its steps with their tools, the answer, what it took. Its files may say anything. */
export function runPage(stored: StoredRun, styles: Styles, columns: number): string {
  const { summary, run, result, problems } = stored;
  const { bold, dim, red, green, yellow } = styles;
  const { state, name, version, run_id, environment, model_name, provider, started, error } = summary;
  const colour = state === 'failed' || state === 'broken' ? red : state === 'completed' ? green : yellow;
  const lines = [
    `${bold(visibleText(summary.kind === 'orchestration' ? (name ?? '?') : `${name ?? '?'}@${version ?? '?'}`))}  ${colour(state)}  ${dim(visibleText(run_id))}`,
  ];
  const field = (label: string, text: string | null) => {
    if (text !== null && text !== '') lines.push(`${dim(label.padEnd(12))}${cutLine(text, columns - 12)}`);
  };
  field('started', started === null ? null : new Date(started).toISOString());
  field('model', model_name === null ? null : `${model_name} (${provider ?? '?'})${summary.simulated ? ', simulated' : ''}`);
  if (summary.forked_from !== null) field('fork of', visibleText(summary.forked_from));
  if (summary.edits > 0) field('changed', `${plural(summary.edits, 'value')} by hand at stops: it counts in no eval and no average`);
  field('profile', summary.llm_id);
  field('case', summary.case);
  field('environment', environment);
  field('session', textAt(objectAt(run, 'context'), 'session_id'));
  const end = readEnd(result ?? {});
  const { decision } = end;
  const took = facts(end);
  if (took !== '') lines.push(`${dim('took'.padEnd(12))}${visibleText(took)}`);
  field('cache', cacheWords(end));
  // Its end says what became of the run, so it is not cut.
  if (decision !== '') lines.push(`${dim('summary'.padEnd(12))}${visibleText(decision)}`);
  field('input', run.input === undefined ? null : JSON.stringify(run.input));
  for (const problem of problems) lines.push(yellow(visibleText(problem)));
  if (summary.can_resume) lines.push(yellow(`can be resumed: npx agent-stack runs resume ${visibleText(run_id)}`));
  if (summary.on_workers)
    lines.push(yellow(`on workers: npx agent-stack runs resume ${visibleText(run_id)} --engine dbos follows and resumes it`));
  if (summary.kind === 'orchestration') lines.push(...teamLines(stored, styles, columns));

  // A turn with several calls has an entry for each, all with its number.
  let before: Json | undefined;
  for (const entry of summary.kind === 'orchestration' ? [] : objectsAt(objectAt(result ?? {}, 'reasoning'), 'steps')) {
    if (entry.step !== before) lines.push('', bold(`step ${typeof entry.step === 'number' ? entry.step : '?'}`));
    lines.push(...entryLines(entry, styles, columns));
    before = entry.step;
  }

  const documents = objectsAt(result ?? {}, 'source_documents').map((document) => textAt(document, 'id') ?? '?');
  if (documents.length > 0) lines.push('', `${dim('sources     ')}${cutLine(documents.join(', '), columns - 12)}`);
  if (error !== null) lines.push('', `${errorHeading(error, styles)} ${visibleText(error.message)}`);
  if (isObject(end.output)) lines.push('', toVisibleJson(end.output));
  else if (end.text !== '') lines.push('', ...fold(end.text, columns, 40));
  return lines.join('\n');
}

function entryLines({ thought, action, observation }: JsonObject, { cyan, dim }: Styles, columns: number): readonly string[] {
  const lines: string[] = [];
  if (typeof thought === 'string' && thought !== '') lines.push(...fold(thought, columns - 2, mostLines).map((line) => `  ${dim(line)}`));
  if (isObject(action)) {
    const name = visibleText(textAt(action, 'tool') ?? '?');
    lines.push(`  ${cyan(`-> ${name}`)} ${cutLine(JSON.stringify(action.input ?? null), columns - name.length - 6)}`);
    lines.push(
      ...fold(typeof observation === 'string' ? observation : valueText(action.output), columns - 5, mostLines).map(
        (line) => `     ${line}`,
      ),
    );
  } else if (typeof observation === 'string' && observation !== '')
    lines.push(...fold(observation, columns - 2, mostLines).map((line) => `  ${line}`));
  return lines;
}

function facts(end: StoryEnd): string {
  const { duration_ms, iterations, tools_used, total_tokens, simulated } = end;
  return [
    ...(duration_ms === null ? [] : [durationText(duration_ms)]),
    ...(iterations === null ? [] : [plural(iterations, 'model call')]),
    ...(tools_used === null || tools_used.length === 0 ? [] : [`tools ${tools_used.join(', ')}`]),
    ...(total_tokens === null ? [] : [totalWords(end)]),
    ...(simulated || duration_ms === null ? [] : [costWords(end)]),
  ].join(' | ');
}

/** `5,120 tokens predicted, 4,992 billed as cached, 128 written`; null where nothing was predicted or cached. */
function cacheWords({
  predicted_cached_tokens: predicted,
  usage: { cached_tokens: cached, cache_write_tokens: written },
}: StoryEnd): string | null {
  if (predicted + cached + written === 0) return null;
  return `${countText(predicted)} tokens predicted, ${countText(cached)} billed as cached${written > 0 ? `, ${countText(written)} written` : ''}`;
}
