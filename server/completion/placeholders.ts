import { CompletionItemKind } from 'vscode-languageserver';
import { isForeignMcpKind, isMcpKind, type McpKind, mcpFiles } from '../../core/config/mcpFiles.js';
import { isObject, type Json } from '../../core/json.js';
import { findPlaceholders, isExpanded } from '../../core/snapshot/placeholders.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';

/** A placeholder or secret that is being typed, and its range in the text. */
interface Begun {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Whether its closing brace is present. */
  readonly isClosed: boolean;
}

/** `${VAR}` names, where the text before the cursor begins one and strings of this file are expanded; undefined elsewhere. */
export async function placeholderValues(spot: Spot): Promise<readonly Suggestion[] | undefined> {
  const { kind, path, cursor } = spot;
  if (cursor.quotes === 'none' || !cursor.typed.includes('${')) return undefined;
  if (isMcpKind(kind)) return serverPlaceholders(spot, kind);
  if (kind === 'payload' || kind === 'settings' || !isExpanded(path)) return undefined;
  const begun = begunAt(spot, /\$\{([A-Za-z0-9_]*)$/, /^[A-Za-z0-9_]*/, '}');
  if (begun === undefined) return undefined;
  const { variables } = await usedNames(spot);
  return variableNames(spot, variables).map(({ name, detail, rank }) =>
    part(begun, name, begun.isClosed ? name : `${name}}`, detail, rank),
  );
}

/** `secret://` names; undefined where no such reference has begun. */
export async function secretValues(spot: Spot): Promise<readonly Suggestion[] | undefined> {
  const { cursor } = spot;
  if (cursor.quotes === 'none' || !cursor.typed.startsWith('secret://') || isForeignMcpKind(spot.kind)) return undefined;
  const begun = begunAt(spot, /^secret:\/\/([^\s]*)$/, /^[^\s"\\]*/, '');
  if (begun === undefined) return undefined;
  const { secrets } = await usedNames(spot);
  const names = new Set([...secrets, ...(spot.kind === 'llm' ? [`${spot.identity.name}_api_key`] : [])]);
  names.delete(begun.name + spot.text.slice(spot.offset, begun.end));
  return [...names].map((name) => part(begun, name, name, secrets.has(name) ? 'used in this project' : 'new', secrets.has(name) ? 1 : 2));
}

/** The names of environment variables, those that the project uses first. Their values are never read. */
export function variableNames(spot: Spot, used: ReadonlySet<string>): readonly { name: string; detail: string; rank: number }[] {
  const set = new Set(spot.project.variableNames().filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)));
  return [
    ...[...used].map((name) => ({ name, detail: set.has(name) ? 'used in this project' : 'used in this project, not set here', rank: 1 })),
    ...[...set].filter((name) => !used.has(name)).map((name) => ({ name, detail: 'set in the environment', rank: 3 })),
  ];
}

/** Placeholders that the reader of the file fills in: see `mcpFiles`. */
function serverPlaceholders(spot: Spot, kind: McpKind): readonly Suggestion[] | undefined {
  const begun = begunAt(spot, /\$\{([A-Za-z0-9_:.-]*)$/, /^[A-Za-z0-9_:.-]*/, '}');
  if (begun === undefined) return undefined;
  const inputs = spot.valueAt(['inputs']);
  const ids = (Array.isArray(inputs) ? (inputs as readonly Json[]) : []).flatMap((input) =>
    isObject(input) && typeof input.id === 'string' ? [input.id] : [],
  );
  const names = [
    ...ids.map((id) => ({ name: `input:${id}`, detail: 'prompted for when first needed', rank: 1 })),
    ...variableNames(spot, new Set()).map(({ name, detail, rank }) => ({ name: mcpFiles[kind].variable(name).slice(2, -1), detail, rank })),
    ...Object.entries(mcpFiles[kind].folders).map(([name, detail]) => ({ name, detail, rank: 2 })),
  ];
  return names.map(({ name, detail, rank }) => part(begun, name, begun.isClosed ? name : `${name}}`, detail, rank));
}

function part({ start, end }: Begun, label: string, text: string, detail: string, rank: number): Suggestion {
  return { type: 'part', label, text, start, end, kind: CompletionItemKind.Variable, detail, rank };
}

/**
 * The name that ends at the cursor. Names need no escapes, so they have the same length in the raw text.
 * @param before matches the typed text, with the name in its first group
 * @param after matches the rest of the name
 */
export function begunAt({ cursor, text, offset }: Spot, before: RegExp, after: RegExp, closing: string): Begun | undefined {
  const name = before.exec(cursor.typed)?.[1];
  const last = cursor.quotes === 'closed' ? cursor.token.end - 1 : cursor.token.end;
  if (name === undefined || offset > last || text.slice(offset - name.length, offset) !== name) return undefined;
  const textAfter = text.slice(offset, last);
  const end = offset + (after.exec(textAfter)?.[0].length ?? 0);
  return {
    name,
    start: offset - name.length,
    end,
    isClosed: closing !== '' && text.startsWith(closing, end) && end + closing.length <= last,
  };
}

/** The variables and secrets that the project uses, from indexed values and open documents. */
export async function usedNames(spot: Spot): Promise<{ readonly variables: ReadonlySet<string>; readonly secrets: ReadonlySet<string> }> {
  const { project, context, text, cursor } = spot;
  const variables = new Set<string>();
  const secrets = new Set<string>();
  const look = (source: string) => {
    for (const { name } of findPlaceholders(source)) variables.add(name);
    for (const [, name] of source.matchAll(/secret:\/\/([^\s"\\]+)/g)) if (name !== undefined) secrets.add(name);
  };
  // The token at the cursor is still being typed.
  look(text.slice(0, cursor.token.start));
  look(text.slice(cursor.token.end));
  for (const kind of ['system', 'llm', 'persona', 'prompt', 'mcp'] as const) {
    for (const [id, path] of project.index.ids(kind)) {
      if (path === spot.document.path) continue;
      const value = project.index.value(kind, id);
      if (value !== undefined) look(JSON.stringify(value));
      await context.pause();
    }
  }
  for (const document of context.workspace.openDocuments) {
    const isOther = document.uri !== spot.document.uri && context.workspace.projectOf(document.uri) === project;
    if (isOther) look(document.text);
  }
  let remaining = mostFiles;
  for (const kind of ['agent', 'orchestration'] as const) {
    for (const path of project.index.ids(kind).values()) {
      if (remaining === 0 || path === spot.document.path) continue;
      remaining -= 1;
      look(project.documentAt(path)?.text ?? '');
      await context.pause();
    }
  }
  return { variables, secrets };
}

/** Agents and orchestrations seldom use variables and are read from the disk, so only the first of them are searched. */
const mostFiles = 200;
