import { isObject, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { otherTools } from './index.js';
import { isWrittenForUs } from './mark.js';
import { findFormat, schemaAddress } from './marks.js';

/** Another tool's file in one of our folders. */
export interface ForeignFile {
  /** With its article, to follow "looks like". */
  readonly what: string;
  /** The key that shows it. */
  readonly key: string;
  /** The importer that converts it. */
  readonly from?: string;
  /** Set where nothing shows whose file it is: nothing is reported of it. */
  readonly isUnmarked?: true;
}

/** A file in one of our folders, in a project without agentstack.json, without any mark of Agent Stack. */
export const unmarkedFile: ForeignFile = { what: "another program's file", key: '', isUnmarked: true };

/** The kinds whose places or names other tools use as well. */
const shared: ReadonlySet<Kind> = new Set(['agent', 'llm', 'persona', 'prompt', 'orchestration', 'system', 'mcp', 'payload']);

/**
 * The tool that a file belongs to, recognised by its `$schema` or by keys that only that tool uses. Undefined for every other file, invalid ones
 * included: those are ours to check.
 *
 * @param value with its `$schema` and `$ignore`
 */
export function findForeign(value: JsonObject, kind: Kind): ForeignFile | undefined {
  if (!shared.has(kind) || isWrittenForUs(value)) return undefined;
  // Most MCP clients keep their servers under this name: a file to adapt.
  if (kind === 'mcp' && (isObject(value.servers) || Object.hasOwn(value, 'mcpServers'))) return undefined;
  if (kind === 'payload' && ['input', 'context', 'cases', 'turns'].some((key) => Object.hasOwn(value, key))) return undefined;
  for (const { id, formats, importer } of otherTools) {
    const format = formats && findFormat(value, formats);
    if (format !== undefined) return importer === undefined ? format : { ...format, from: id };
  }
  const address = schemaAddress(value);
  return address === undefined ? undefined : { what: `a file of ${address.split(/[/?#]/, 1)[0]}`, key: '$schema' };
}
