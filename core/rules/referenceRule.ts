import { anyLlm, collectReferences } from '../config/references.js';
import type { Kind } from '../kinds.js';
import { didYouMean, nearestNames } from '../names.js';
import type { RuleCode } from '../ruleCodes.js';
import { quoted } from '../words.js';
import { forLastFile } from './forLastFile.js';
import type { Rule } from './rule.js';

export interface ReferenceRuleOptions {
  readonly code: RuleCode;
  /** What is referred to. */
  readonly kind: Kind;
  /** Which files refer to it. */
  readonly kinds: readonly Kind[];
  /** What a message calls it. */
  readonly what: string;
}

/** A rule about references to nothing: one finding for each, on the reference, with the names that look alike. */
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

/** Few names are worth showing where none looks alike. */
export function knownNames(ids: ReadonlyMap<string, string>): string {
  if (ids.size === 0) return ' The project has none.';
  const names = [...ids.keys()].slice(0, 5);
  return ` There ${ids.size === 1 ? 'is' : 'are'} ${names.join(', ')}${ids.size > names.length ? `, and ${ids.size - names.length} more` : ''}.`;
}

/** What a file refers to. Several rules ask, so the answer about the last file is kept. */
export const referencesOf = forLastFile((file) => collectReferences(file));
