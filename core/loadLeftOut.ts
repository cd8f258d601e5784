import { StorageError } from './errors.js';

/**
 * Imports what the editor's package leaves out to stay small.
 *
 * @param subject what does not work without it, for the message
 * @throws StorageError if it was left out
 */
export async function loadLeftOut<Module>(subject: string, get: () => Promise<Module>): Promise<Module> {
  try {
    return await get();
  } catch (error) {
    if (!(error instanceof Error) || (error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    throw new StorageError(
      `This agent-stack came with the editor, without ${subject}. Use the one from npm: npm install --global agent-stack.`,
      { cause: error },
    );
  }
}
