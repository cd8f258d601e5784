import type { Memento } from 'vscode';
import type { JsonObject } from '../../../core/json.js';
import type { ProjectFolder } from '../../projects.js';
import { readInput } from '../preview/inputFields.js';
import { InputStore } from '../preview/inputStore.js';

/** What was typed into the preview of an agent; undefined where nothing was, or what was is not JSON yet. */
export function previewInput(memory: Memento, folder: ProjectFolder, agentName: string): JsonObject | undefined {
  const store = new InputStore(memory);
  try {
    const typed = store.get(`${folder.root} ${agentName}`);
    // An unchanged saved input is offered by its name.
    if (typed === undefined || typed.case !== '' || typed.values.size === 0) return undefined;
    const { payload, issues } = readInput(typed.values, []);
    return issues.length === 0 ? payload : undefined;
  } finally {
    store.dispose();
  }
}
