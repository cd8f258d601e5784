import { pointerOf } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import type { QuickFix } from './quickFix.js';
import { editFix, textIn } from './support.js';

/** Writes the type of a server that has an address: what the address looks like first. */
export const mcpTypeMissing: QuickFix = {
  code: 'mcp-type-missing',
  fixes(finding, context) {
    const meant = textIn(finding, 'type');
    if (meant === undefined) return [];
    const place = `${parentPointer(finding.pointer) ?? ''}${pointerOf('type')}`;
    return [meant, meant === 'sse' ? 'http' : 'sse'].map((type) =>
      editFix(context, `Write "type": "${type}"`, (edit) => edit.set(place, type, { first: true }), type === meant),
    );
  },
};
