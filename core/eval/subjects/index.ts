import type { JsonObject } from '../../json.js';
import type { Subject } from '../types.js';
import { contextField } from './contextField.js';
import { judge } from './judge.js';
import { measure } from './measure.js';
import { outputField } from './outputField.js';
import { route } from './route.js';
import { status } from './status.js';
import { text } from './text.js';
import { tool } from './tool.js';

/** Everything an expectation can look at. */
export const subjects: readonly Subject[] = [judge, tool, measure, route, text, status, contextField, outputField];

/** What it looks at. Undefined where that is nothing, or two things: neither may win. */
export function subjectOf(entry: JsonObject): Subject | undefined {
  const found = subjects.filter(({ key }) => entry[key] !== undefined && !(key === 'output_field' && entry.judge !== undefined));
  return found.length === 1 ? found[0] : undefined;
}
