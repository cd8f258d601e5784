import * as vscode from 'vscode';
import type { JsonObject } from '../../../core/json.js';
import type { SnapshotSubject } from '../../../core/snapshot/createSnapshot.js';
import type { Origin } from '../../../core/snapshot/effective.js';
import { type EffectivePageRequest, effectivePage, onOneLine, type PageLine } from '../../../core/snapshot/effectivePage.js';
import { type ExplainedLeaf, explainValue } from '../../../core/snapshot/explainValue.js';
import type { SnapshotValue } from '../../../core/snapshot/snapshotValue.js';
import type { ProjectFolder } from '../../projects.js';

/** An effective config as a document shows it. */
export interface EffectiveState {
  /** Undefined where no project is. */
  readonly folder: ProjectFolder | undefined;
  readonly lines: readonly PageLine[];
  /** Environment the config is for; undefined where nothing is known. */
  readonly environment: string | undefined;
  /** What every layer says about the value of a line. */
  readonly explain: (pointer: string) => readonly ExplainedLeaf[];
}

/** What is known about a config at one moment. */
export interface EffectiveFacts extends Pick<EffectivePageRequest, 'hash' | 'notes' | 'errors' | 'stale'> {
  readonly folder: ProjectFolder;
  /** `A2@v1`. */
  readonly name: string;
  readonly environment: string;
  readonly content: EffectiveContent | undefined;
}

export interface EffectiveContent {
  readonly value: SnapshotValue;
  readonly origins: ReadonlyMap<string, Origin>;
  /** What it was made from; undefined for a run, of which only the snapshot is stored. */
  readonly subject?: SnapshotSubject | undefined;
}

export function toState({ folder, name, environment, content, ...page }: EffectiveFacts): EffectiveState {
  return {
    folder,
    environment,
    lines: effectivePage(
      {
        ...page,
        name,
        environment,
        // A snapshot is JSON by construction.
        content: content && { value: content.value as unknown as JsonObject, origins: content.origins },
      },
      vscode.l10n.t,
    ),
    explain: (pointer) => (content && explainValue(content, pointer, content.subject)) ?? [],
  };
}

/** Why nothing can be shown. */
export function nothing(reason: string): EffectiveState {
  return { folder: undefined, environment: undefined, lines: [{ text: `// ${onOneLine(reason)}` }, { text: '{}' }], explain: () => [] };
}

export function stateText({ lines }: EffectiveState): string {
  return `${lines.map(({ text }) => text).join('\n')}\n`;
}
