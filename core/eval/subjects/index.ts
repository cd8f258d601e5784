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

/** Everything an expectation can look at. `judge` and `status` come before `output_field`, which stands beside them. */
export const subjects: readonly Subject[] = [judge, tool, measure, route, text, status, contextField, outputField];

export function subjectOf(entry: JsonObject): Subject | undefined {
  return subjects.find(({ key }) => entry[key] !== undefined);
}
