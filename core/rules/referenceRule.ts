import type { ConfigFile } from '../config/configFile.js';
import { anyLlm, collectReferences } from '../config/references.js';
import { isObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { didYouMean, nearestNames } from '../names.js';
import type { RuleCode } from '../ruleCodes.js';
import { quoted } from '../words.js';
import { forLastFile } from './forLastFile.js';
import type { Rule } from './rule.js';

export interface ReferenceRuleOptions {
  readonly code: RuleCode;
  /** The kind of the target. */
  readonly kind: Kind;
  /** The kinds of files that refer to it. */
  readonly kinds: readonly Kind[];
  /** The word for the target in a message. */
  readonly what: string;
}

/** A rule about dangling references: one finding for each, on the reference, with similar names. */
export function referenceRule({ code, kind, kinds, what }: ReferenceRuleOptions): Rule {
  return {
    code,
    severity: 'error',
    kinds,
    on: 'value',
    check(file, context, report) {
      const { project } = context;
      for (const { kind: target, id, pointer } of referencesOf(file, context)) {
        if (target !== kind || id === anyLlm || id.includes('${')) continue;
        const ids = project.ids(kind);
        if (ids.has(id)) continue;
        const nearest = nearestNames(id, ids.keys());
        // A section of system.json is named by its key; everything else is named by a value.
        const half = pointer.startsWith('/llms/') ? ({ target: 'key' } as const) : {};
        report({
          pointer,
          ...half,
          message: `There is no ${what} ${quoted(id)}.${nearest.length > 0 ? didYouMean(nearest) : knownNames(ids)}`,
          data: { id, nearest },
        });
      }
    },
  };
}

/** A sentence with the first few names, for a name that resembles none. */
export function knownNames(ids: ReadonlyMap<string, string>): string {
  if (ids.size === 0) return ' The project has none.';
  const names = [...ids.keys()].slice(0, 5);
  return ` There ${ids.size === 1 ? 'is' : 'are'} ${names.join(', ')}${ids.size > names.length ? `, and ${ids.size - names.length} more` : ''}.`;
}

/** Whether a file is an agent or persona without the field that would hold the references, as nearly all are. */
export function lacksField({ identity: { kind }, value }: ConfigFile, field: string): boolean {
  return (kind === 'agent' || kind === 'persona') && isObject(value) && value[field] === undefined;
}

/** The references of a file, kept for the last file, since several rules need them. */
export const referencesOf = forLastFile((file) => collectReferences(file));
