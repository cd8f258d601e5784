import * as vscode from 'vscode';
import { configPrefix } from '../../../core/config/paths.js';
import type { ProjectIndex } from '../../../core/config/projectIndex.js';
import type { FieldValue, InputValues } from './inputFields.js';

/** The input an agent is previewed with. */
export interface PreviewInput {
  readonly values: InputValues;
  /** The case it was taken from; empty without one, or if the input has been changed since. */
  readonly case: string;
}

/** Inputs longer than this are kept for the session only, in UTF-16 units. */
const mostRemembered = 500_000;

/** The inputs of the agents of a workspace, shared by all versions of an agent and all its previews. They survive a restart. */
export class InputStore implements vscode.Disposable {
  readonly #inputs = new Map<string, PreviewInput>();
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<string>();
  /** Fires with the key of the agent. */
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** What the user has typed or chosen; undefined before. */
  get(key: string): PreviewInput | undefined {
    return this.#inputs.get(key) ?? this.#restore(key);
  }

  set(key: string, input: PreviewInput): void {
    this.#inputs.set(key, input);
    const written = { case: input.case, values: [...input.values].map(([name, { kind, text }]) => [name, kind, text]) };
    const size = [...input.values.values()].reduce((sum, { text }) => sum + text.length, 0);
    void this.#memento.update(storageKey(key), size > mostRemembered ? undefined : written);
    this.#changed.fire(key);
  }

  #restore(key: string): PreviewInput | undefined {
    const stored: unknown = this.#memento.get(storageKey(key));
    if (typeof stored !== 'object' || stored === null) return undefined;
    const { case: name, values } = stored as { case?: unknown; values?: unknown };
    if (typeof name !== 'string' || !Array.isArray(values)) return undefined;
    const read: [string, FieldValue][] = [];
    for (const entry of values as unknown[]) {
      if (!Array.isArray(entry)) continue;
      const [field, kind, text] = entry as unknown[];
      if (typeof field === 'string' && typeof text === 'string' && (kind === 'text' || kind === 'json')) read.push([field, { kind, text }]);
    }
    const input = { case: name, values: new Map(read) };
    this.#inputs.set(key, input);
    return input;
  }
}

function storageKey(key: string): string {
  return `agentStack.preview.input ${key}`;
}

/** Names of an agent's cases, in their natural order. */
export function savedPayloads(index: ProjectIndex, agentName: string): readonly string[] {
  const prefix = `${agentName}/`;
  return [...index.ids('payload').keys()].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
}

export function payloadPath(index: ProjectIndex, agentName: string, name: string): string {
  return index.ids('payload').get(`${agentName}/${name}`) ?? `${configPrefix(index.settings)}payloads/${agentName}/${name}.json`;
}
