import type { ConfigFile } from '../config/configFile.js';
import { pointerOf } from '../json.js';
import { findPlaceholders, isExpanded } from '../snapshot/placeholders.js';
import type { Rule } from './rule.js';
import { visitStrings } from './support/visitStrings.js';

/** A run refuses a `${VAR}` that is neither set nor given a fallback. Every occurrence is marked; the values of variables are never looked at. */
export const envUnset: Rule = {
  code: 'env-unset',
  severity: 'warning',
  kinds: ['agent', 'llm', 'persona', 'prompt', 'system'],
  on: 'value',
  check(file, { hasVariable }, report) {
    if (!file.text.includes('${') && !file.text.includes('\\u')) return;
    visitStrings(file.value, (text, half, segments) => {
      if (half === 'key' || !text.includes('${') || text.startsWith('secret://')) return;
      const path = segments();
      if (!isExpanded(pathInFragment(file, path))) return;
      for (const { name, fallback, start, end } of findPlaceholders(text)) {
        if (fallback !== undefined || hasVariable(name)) continue;
        report({
          pointer: pointerOf(...path),
          within: { start, end },
          message: `The environment variable ${JSON.stringify(name)} is not set here, and a run refuses to start. Set it, or write \${${name}:-fallback}.`,
          data: { variable: name, start, end },
        });
      }
    });
  },
};

/** Sections of system.json hold fragments of agents and llm profiles; which strings expand depends on the path inside the fragment. */
function pathInFragment({ identity }: ConfigFile, path: readonly string[]): readonly string[] {
  if (identity.kind !== 'system') return path;
  const [section] = path;
  if (section === 'agents' || section === 'llms') return path.slice(2);
  return section === 'agent_defaults' || section === 'persona_defaults' ? path.slice(1) : path;
}
