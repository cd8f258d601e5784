import { type ForeignPermits, titleOf } from '../../core/inventory/foreignPermits.js';
import type { AgentPermits, PermitException, PermitOutcome, Power, RulePlace, Verdict } from '../../core/otherTools/permits.js';
import { visibleText } from '../../core/visibleText.js';
import { capitalized, plural } from '../../core/words.js';
import type { Styles } from '../terminal/styles.js';

interface ForeignPermitOptions {
  readonly styles: Styles;
  readonly pathOf: (file: string) => string;
}

/** Exceptions that are named; the others are counted. */
const mostExceptions = 8;

const deeds: Readonly<Record<Power, string>> = {
  read: 'read files',
  write: 'write files',
  send: 'fetch from the web',
  run: 'run commands',
};

const how: Readonly<Record<PermitOutcome, string>> = {
  allowed: 'without asking',
  asks: 'after asking',
  never: 'never',
  unknown: 'not known',
};

const kindWords: Readonly<Record<ForeignPermits['rules'][number]['kind'], string>> = {
  dead: 'has no effect',
  shadowed: 'is decided by another rule',
  loose: 'allows more, or denies less, than it seems to',
  wider: 'gives a subagent more than its caller',
};

/** A page for each agent, and the rules to look at at the end. */
export function foreignPermitLines({ agents, rules, unread, lineOf }: ForeignPermits, { styles, pathOf }: ForeignPermitOptions): string {
  const placeOf = (place: RulePlace) => `${pathOf(place.file)}${lineOf(place) === undefined ? '' : `:${lineOf(place)}`}`;
  const pages = agents.map((agent) =>
    [headOf(agent, styles, pathOf), ...pageOf(agent, placeOf).map((line) => `  ${visibleText(line)}`)].join('\n'),
  );
  const worth = rules.map(
    ({ kind, file, line, message, code }) =>
      `${styles.yellow(`${visibleText(pathOf(file))}:${line}`)} ${kindWords[kind]}\n  ${visibleText(message)} ${styles.dim(code)}`,
  );
  return [
    ...pages,
    ...(worth.length === 0 ? [] : [[`${plural(rules.length, 'rule')} to look at:`, ...worth].join('\n')]),
    ...unread.map((path) => `Not read, so nothing that it says counts here: ${visibleText(pathOf(path))}`),
  ].join('\n\n');
}

function headOf({ tool, agent, role, file, folder }: AgentPermits, styles: Styles, pathOf: (file: string) => string): string {
  const where = file ?? (folder === '' ? undefined : folder);
  const details = [role === 'subagent' ? `subagent of ${titleOf(tool)}` : titleOf(tool), ...(where === undefined ? [] : [pathOf(where)])];
  return `${styles.bold(visibleText(agent))} (${visibleText(details.join(', '))})`;
}

function pageOf({ powers, servers, wider, unknown }: AgentPermits, placeOf: (place: RulePlace) => string): readonly string[] {
  const verdicts = Object.entries(deeds).map(([power, deed]) => sentencesOf(deed, powers[power as Power], placeOf));
  const ofServers = servers.map(({ tools, server, ...verdict }) =>
    sentencesOf(`use ${tools === undefined ? 'the tools' : tools.join(', ')} of ${server}`, verdict, placeOf),
  );
  return [
    ...verdicts,
    ...ofServers,
    ...wider.map((text) => `More than its caller: ${text}`),
    ...unknown.map((text) => `Not known: ${text}`),
  ];
}

/** `May run commands after asking. Without asking: npm test (.claude/settings.json:4).` */
function sentencesOf(deed: string, { outcome, by, because, except }: Verdict, placeOf: (place: RulePlace) => string): string {
  const rule = by !== undefined ? ` (${by.text}, ${placeOf(by)})` : because === undefined ? ' (by default)' : '';
  const head =
    outcome === 'never'
      ? `May never ${deed}${rule}.`
      : outcome === 'unknown'
        ? `Whether it may ${deed} is not known${rule}.`
        : `May ${deed} ${how[outcome]}${rule}.`;
  const parts = (['allowed', 'asks', 'never', 'unknown'] as const).flatMap((other) => {
    const matching = except.filter((part) => part.outcome === other);
    return matching.length === 0 ? [] : [`${capitalized(how[other])}: ${exceptionsOf(matching, placeOf)}.`];
  });
  return [head, ...(because === undefined ? [] : [because]), ...parts].join(' ');
}

function exceptionsOf(parts: readonly PermitException[], placeOf: (place: RulePlace) => string): string {
  const words = parts
    .slice(0, mostExceptions)
    .map(({ what, by }) => (by === undefined ? `${what} (by default)` : `${what} (${placeOf(by)})`));
  return [...words, ...(parts.length > mostExceptions ? [`${parts.length - mostExceptions} more`] : [])].join(', ');
}
