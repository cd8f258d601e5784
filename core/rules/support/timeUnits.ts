import type { ConfigFile } from '../../config/configFile.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import type { Report } from '../rule.js';
import { fragmentsIn } from './fragmentsIn.js';

/** Fewer milliseconds than any run, call or request takes: the number was meant in seconds. */
const leastMilliseconds = 300;

/** Times of a file that are so short that they must have been meant in seconds. */
export function checkUnits(file: ConfigFile, report: Report): void {
  const { identity, value } = file;
  if (!isObject(value)) return;
  for (const { value: fields, pointer } of fragmentsIn(file)) {
    checkTime(fields, 'timeout_ms', pointer, report);
    checkTime(fields.budget, 'max_time_ms', `${pointer}/budget`, report);
  }
  if (identity.kind === 'llm') checkTime(value, 'request_timeout_ms', '', report);
  const [section, field] = identity.kind === 'mcp' ? ['servers', 'timeout_ms'] : ['llms', 'request_timeout_ms'];
  if (identity.kind !== 'mcp' && identity.kind !== 'system') return;
  for (const [id, entry] of Object.entries(asObject(value[section]))) checkTime(entry, field, pointerOf(section, id), report);
}

function checkTime(fields: Json | undefined, name: string, at: string, report: Report): void {
  const time = isObject(fields) ? fields[name] : undefined;
  if (typeof time !== 'number' || time <= 0 || time >= leastMilliseconds) return;
  report({
    pointer: at + pointerOf(name),
    severity: 'warning',
    message: `${name} counts milliseconds, and nothing is done in ${time} of them. Did you mean ${time * 1000}?`,
    data: { nearest: [time * 1000] },
  });
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
