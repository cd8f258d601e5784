import { inject } from 'vitest';
import { type Editor, type EditorOptions, startEditor } from './startEditor.js';

export type { Editor, EditorOptions } from './startEditor.js';
export { root } from './startEditor.js';

/** A real VS Code with the sample project and the packaged extension, with the browser that all test files share. */
export function openEditor(options: EditorOptions = {}): Promise<Editor> {
  return startEditor({ extensions: inject('extensions'), browser: inject('browser') }, options);
}
