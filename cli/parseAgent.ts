import type { ProjectIndex } from '../core/config/projectIndex.js';
import { UsageError } from './cli.js';

/** `A2@v1`, or `A2` for its newest version. */
export function parseAgent(spec: string, index: Pick<ProjectIndex, 'versions'>): [name: string, version: string] {
  const at = spec.indexOf('@');
  if (at < 0) return [spec, index.versions(spec).at(-1) ?? 'v1'];
  const [name, version] = [spec.slice(0, at), spec.slice(at + 1)];
  if (name === '' || version === '')
    throw new UsageError(`${JSON.stringify(spec)} names no agent. Expected NAME or NAME@VERSION, e.g. A2@v1.`);
  return [name, version];
}
