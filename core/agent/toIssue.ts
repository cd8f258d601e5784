import type { Issue } from '../errors.js';
import type { Repair } from '../prompt/types.js';

/** A repair as results show it; the keyword is its kind. */
export function toIssue({ kind, message, path }: Repair): Issue {
  return { path: path ?? '', keyword: kind, message };
}
