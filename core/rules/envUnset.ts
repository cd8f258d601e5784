import type { ConfigFile } from '../config/configFile.js';
import { isObject, pointerOf } from '../json.js';
import { findPlaceholders, isExpanded } from '../snapshot/placeholders.js';
import { pathInFragment } from './facts/agentFragments.js';
import { visitStrings } from './facts/visitStrings.js';
import type { Report, Rule } from './rule.js';

/** A `${VAR}` that is neither set nor has a fallback, which a run refuses. Every occurrence is marked; the values of variables are never read. */
export const envUnset: Rule = {
  code: 'env-unset',
  severity: 'warning',
  kinds: ['agent', 'llm', 'persona', 'prompt', 'system', 'orchestration', 'mcp'],
  on: 'value',
  check(file, { hasVariable }, report) {
    if (!file.text.includes('${') && !file.text.includes('\\u')) return;
    if (file.identity.kind === 'mcp') {
      checkServers(file, hasVariable, report);
      return;
    }
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

/** Variables in a server's definition are expanded when the server starts: `${env:NAME}`, and `${NAME}` as everywhere. */
function checkServers({ value }: ConfigFile, hasVariable: (name: string) => boolean, report: Report): void {
  if (!isObject(value)) return;
  for (const root of ['servers', 'mcpServers']) {
    visitStrings(value[root], (text, half, segments) => {
      if (half === 'key') return;
      for (const { 0: whole, 1: prefixed, 2: plain, index: start } of text.matchAll(serverVariable)) {
        const name = prefixed ?? plain ?? '';
        // The only plain name that is not an environment variable.
        if (plain === 'workspaceFolder' || hasVariable(name)) continue;
        const path = segments();
        const end = start + whole.length;
        report({
          pointer: pointerOf(root, ...path),
          within: { start, end },
          message: `The environment variable ${JSON.stringify(name)} is not set here, and the server ${JSON.stringify(path[0] ?? '')} needs it to start. Set it.`,
          data: { variable: name, start, end },
        });
      }
    });
  }
}

const serverVariable = /\$\{(?:env:([^}$\s]+)|([A-Za-z_][A-Za-z0-9_]*))\}/g;
