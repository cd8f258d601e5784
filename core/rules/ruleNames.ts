import type { ConfigFile } from '../config/configFile.js';
import type { AnyRuleCode, Finding } from '../finding.js';
import { isObject, pointerOf } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { toolRuleFacts } from '../otherTools/index.js';
import { ruleCodes } from '../ruleCodes.js';

const noFindings: readonly Finding[] = [];

/** Of rules for files of ours, and for files of other tools. */
export const allRuleCodes: readonly AnyRuleCode[] = [...ruleCodes, ...toolRuleFacts.map(({ code }) => code)];

/** Maximum findings of each sort in a file. */
const mostFindings = 100;

/** Findings about the places that name rules (`$ignore`, the `rules` of agentstack.json): malformed values and unknown rules. Nothing silences these. */
export function ruleNameFindings(file: ConfigFile): readonly Finding[] {
  if (file.ignore.size === 0 && file.ignoreErrors.length === 0 && file.identity.kind !== 'settings') return noFindings;
  const named = namedRules(file);
  const malformed = file.ignoreErrors.slice(0, mostFindings).map(
    ({ pointer, keyword, message }): Finding => ({
      code: 'schema',
      severity: 'error',
      message: `$ignore ${message}.`,
      file: file.path,
      pointer,
      data: { keyword },
    }),
  );
  const unknown = named
    .filter(({ code }) => !(allRuleCodes as readonly string[]).includes(code))
    .slice(0, mostFindings)
    .map(({ code, pointer }): Finding => {
      const nearest = nearestNames(code, allRuleCodes);
      return {
        code: 'schema',
        severity: 'warning',
        message: `There is no rule ${JSON.stringify(code)}.${didYouMean(nearest)}`,
        file: file.path,
        pointer,
        target: 'key',
        data: { keyword: 'enum', ...(nearest[0] !== undefined && { replacement: nearest[0], text: JSON.stringify(nearest[0]) }) },
      };
    });
  return [...malformed, ...unknown];
}

function namedRules(file: ConfigFile): readonly { readonly code: string; readonly pointer: string }[] {
  const named = [...file.ignore.keys()].map((code) => ({ code, pointer: pointerOf('$ignore', code) }));
  if (file.identity.kind !== 'settings' || !isObject(file.value) || !isObject(file.value.rules)) return named;
  return [...named, ...Object.keys(file.value.rules).map((code) => ({ code, pointer: pointerOf('rules', code) }))];
}
