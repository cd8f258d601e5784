import type { ViewFacts } from './messages.js';

/** What a run is called: `A2@v1`, or the name of an orchestration. */
export function nameOfRun({ agent, version }: Pick<ViewFacts, 'agent' | 'version'>): string {
  return version === '' ? agent : `${agent}@${version}`;
}
