import type { ModelReport, ModelReportEntry, ModelReportPlace } from '../../core/generated/types.js';
import { modelDetail } from '../../core/llm/modelDetail.js';
import { endWords, successorWords } from '../../core/llm/modelEnd.js';
import { namingOf } from '../../core/otherTools/index.js';
import { visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import type { Styles } from '../terminal/styles.js';

interface ModelLinesOptions {
  /** Models of the project, those that are not shown included. */
  readonly total: number;
  readonly styles: Styles;
  readonly pathOf: (file: string) => string;
}

/** Users of one place that are named; the others are counted. */
const mostUsers = 8;

/** Age in days from which a stated end date is shown with the day it was read: providers postpone. */
const mostDaysUnread = 90;

/** Each model with its end, the places in which it is written, and who gets it from there; a line that counts them at the end. */
export function modelLines(report: ModelReport, { total, styles, pathOf }: ModelLinesOptions): string {
  const { models, environments } = report;
  const paragraphs = models.map((entry) => {
    const [head, ...more] = sentencesOf(entry, report.as_of);
    const name = styles.bold(visibleText(entry.provider === null ? entry.model : `${entry.model} (${entry.provider})`));
    return [
      `${name} ${colourOf(entry, styles)(visibleText(head ?? ''))}`,
      ...more.map((sentence) => `  ${visibleText(sentence)}`),
      ...entry.places.map(
        (place) => `  ${visibleText(`${pathOf(place.file)}:${place.line}`)}  ${styles.dim(visibleText(usersOf(place, environments)))}`,
      ),
    ].join('\n');
  });
  return [...paragraphs, summaryOf(report, total)].join('\n\n');
}

function sentencesOf(entry: ModelReportEntry, asOf: string): readonly string[] {
  const { state, because, deprecated, rerouted, successors = [], successors_lead_to: outcome } = entry;
  const { ends_source: source, read, read_days_ago: age = 0 } = entry;
  const chain = outcome && successorWords({ models: successors, outcome });
  const reason = deprecated === undefined || deprecated === 'deprecated' ? '' : `: ${deprecated}`;
  const detail = modelDetail({ ...entry, ends: undefined, deprecated: undefined });
  const head =
    state === 'unknown'
      ? `unknown: ${because}`
      : state === 'deprecated'
        ? `deprecated${reason}`
        : `${endWords(entry, asOf) ?? 'no end announced'}${reason}`;
  return [
    head,
    ...(detail === '' ? [] : [detail]),
    ...(rerouted ? ['From that day on the provider answers with the successor, at its price.'] : []),
    ...(chain === undefined ? [] : [chain]),
    ...(source === undefined ? [] : [`Source: ${source}${read === undefined ? '' : `, read on ${read}`}`]),
    ...(state === 'ending' && age > mostDaysUnread ? [`That was ${age} days before: the provider may have moved the day since.`] : []),
  ];
}

function usersOf({ tool, used_by: users }: ModelReportPlace, environments: readonly string[]): string {
  if (tool !== undefined) return namingOf(tool)?.title ?? tool;
  if (users.length === 0) return 'no agent uses it';
  const words = users.slice(0, mostUsers).map(({ kind, name, environments: own }) => {
    const where = own.length === environments.length ? '' : ` (${own.join(', ')})`;
    return `${kind === 'case' ? `judge of ${name}` : name}${where}`;
  });
  return users.length > mostUsers ? `${words.join(', ')} and ${users.length - mostUsers} more` : words.join(', ');
}

function colourOf({ state }: ModelReportEntry, styles: Styles): (text: string) => string {
  return { ended: styles.red, ending: styles.yellow, deprecated: styles.yellow, unknown: styles.yellow, current: styles.dim }[state];
}

function summaryOf({ models, as_of: asOf }: ModelReport, total: number): string {
  const count = (state: ModelReportEntry['state']) => models.filter((entry) => entry.state === state).length;
  const parts = [
    ...(count('ended') > 0 ? [`${count('ended')} ended`] : []),
    ...(count('ending') > 0 ? [`${count('ending')} ending`] : []),
    ...(count('deprecated') > 0 ? [`${count('deprecated')} deprecated without a day`] : []),
    ...(count('unknown') > 0 ? [`${count('unknown')} unknown`] : []),
  ];
  const states = parts.length > 0 ? parts.join(', ') : total === 0 ? 'nothing to judge' : 'no end announced for any';
  return `${plural(total, 'model')} as of ${asOf}: ${states}.`;
}
