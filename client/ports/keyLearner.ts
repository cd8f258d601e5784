import type { Services } from '../services.js';

/** Looks up the keys of the workspace, once and again when a key was stored or removed. */
export function keyLearner(services: Pick<Services, 'extension' | 'projects' | 'cover'>): () => Promise<void> {
  let learning: Promise<void> | undefined;
  services.extension.subscriptions.push(
    services.extension.secrets.onDidChange(() => {
      learning = undefined;
    }),
  );
  return () => {
    learning ??= import('./workspaceKeys.js').then(({ learnKeys }) => learnKeys(services));
    return learning;
  };
}
