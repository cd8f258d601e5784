import type { ConfigFile } from '../config/configFile.js';
import { pointerOf, valueAt } from '../json.js';
import { parentPointer } from '../jsonText/locate.js';
import type { ForeignName } from '../otherTools/fieldNames.js';
import { findExtraProperties } from './facts/extraProperties.js';
import type { Report, Rule } from './rule.js';

/** A key of another tool, which is not read: a field under another name, in a group, or in a file that does not have it here. */
export const foreignName: Rule = {
  code: 'foreign-name',
  severity: 'error',
  kinds: 'all',
  on: 'value',
  check(file, context, report) {
    const taken = new Set<string>();
    for (const extra of findExtraProperties(file, context)) {
      if (extra.type === 'renamed') reportName(file, extra.pointer, extra.key, extra.foreign, taken, report);
      if (extra.type !== 'foreign') continue;
      const { message, ...data } = extra.home;
      report({ pointer: extra.pointer, target: 'key', message, data });
    }
  },
};

/** @param claimed pointers of fields already claimed by another name: of two names for a field, only the first can be renamed */
function reportName(file: ConfigFile, pointer: string, key: string, foreign: ForeignName, claimed: Set<string>, report: Report): void {
  const { replacement, safe, difference } = foreign;
  const to = `${parentPointer(pointer) ?? ''}${pointerOf(replacement)}`;
  const isGiven = valueAt(file.value, to) !== undefined;
  const isFree = !isGiven && !claimed.has(to);
  claimed.add(to);
  const advice = isGiven ? `${JSON.stringify(replacement)} is given too: keep one of them.` : 'Rename it.';
  report({
    pointer,
    target: 'key',
    message: `${JSON.stringify(key)} is another tool's name for ${JSON.stringify(replacement)}. ${difference ?? advice}`,
    ...(isGiven && {
      related: [{ file: file.path, pointer: to, target: 'key', message: `${JSON.stringify(replacement)} is given here.` }],
    }),
    data: { replacement, safe: safe && isFree },
  });
}
