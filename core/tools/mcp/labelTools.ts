import type { ToolLabels } from '../../generated/types.js';
import { type JsonObject, pointerOf } from '../../json.js';
import { applyReplacements, JsonEdit } from '../../jsonText/jsonEdit.js';

/** What a tool of the lock does, as its user says. */
export interface LabelledEntry {
  readonly client_id: string;
  /** The server's own name for the tool, which must be in the lock. */
  readonly tool: string;
  /** Undefined removes the labels. */
  readonly labels: ToolLabels | undefined;
}

/** The text of the lock file with labels set or removed; all else stays as it is written. The last entry of a tool counts. */
export function labelTools(text: string, entries: readonly LabelledEntry[]): string {
  const before = text.replace(/^\ufeff/, '');
  const edit = new JsonEdit(before);
  const last = new Map(entries.map((entry) => [pointerOf('servers', entry.client_id, 'tools', entry.tool, 'labels'), entry.labels]));
  for (const [pointer, labels] of last) {
    if (labels !== undefined) edit.set(pointer, labels as JsonObject, { after: ['annotations', 'hash'] });
    else if (edit.has(pointer)) edit.remove(pointer);
  }
  return applyReplacements(before, edit.replacements());
}
