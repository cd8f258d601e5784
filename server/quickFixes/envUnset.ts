import type { QuickFix } from './quickFix.js';
import { editFix, textIn } from './support.js';

/** A variable that is not set gets an empty fallback, for the author to fill in. Placeholders of MCP servers have none. */
export const envUnset: QuickFix = {
  code: 'env-unset',
  fixes(finding, context) {
    const { start, end } = finding.data ?? {};
    const variable = textIn(finding, 'variable');
    if (context.file.identity.kind === 'mcp' || variable === undefined || typeof start !== 'number' || typeof end !== 'number') return [];
    const text = `\${${variable}:-}`;
    return [
      editFix(context, `Give it an empty fallback: ${text}`, (edit) => edit.replaceWithin(finding.pointer, 'value', { start, end }, text)),
    ];
  },
};
