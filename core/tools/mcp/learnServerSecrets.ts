import { AgentStackError } from '../../errors.js';
import type { McpServer } from '../../generated/types.js';
import { Filler, type ResolveOptions } from './resolveServer.js';

/**
 * Looks up what a server will be given, so that its secrets are known before it is started. What is missing or cannot be used is skipped here: the
 * start of the server reports it.
 */
export async function learnServerSecrets(client_id: string, definition: McpServer, options: ResolveOptions): Promise<void> {
  const { command, args = [], cwd, url, env = {}, headers = {} } = definition;
  const filler = new Filler(client_id, options);
  for (const text of [command, url, cwd, ...args]) if (typeof text === 'string') await unlessUnusable(() => filler.fill(text, ''));
  for (const [place, texts] of Object.entries({ env, headers })) {
    for (const [name, text] of Object.entries(texts))
      if (typeof text === 'string') await unlessUnusable(() => filler.fillAll({ [name]: text }, place));
  }
}

async function unlessUnusable(look: () => Promise<unknown>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof AgentStackError)) throw error;
  }
}
