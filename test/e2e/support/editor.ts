import { inject } from 'vitest';
import { type Editor, type EditorOptions, startEditor } from './startEditor.js';

export type { Editor, EditorOptions } from './startEditor.js';
export { root } from './startEditor.js';

/** A real VS Code with the sample project and the packaged extension, with the browser that all test files of this worker share. */
export function openEditor(options: EditorOptions = {}): Promise<Editor> {
  const browser = inject('browsers')[Number(process.env.VITEST_POOL_ID) - 1];
  if (browser === undefined) throw new Error(`There is no browser for worker ${process.env.VITEST_POOL_ID}.`);
  return startEditor({ extensions: inject('extensions'), browser }, options);
}
