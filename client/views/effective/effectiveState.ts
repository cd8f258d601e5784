import type { PlacedFinding } from '../../../core/finding.js';
import type { JsonObject } from '../../../core/json.js';
import type { Origin } from '../../../core/snapshot/effective.js';
import { effectivePage, type PageLine } from '../../../core/snapshot/effectivePage.js';
import type { ProjectFolder } from '../../projects.js';

/** An effective config as a document shows it. */
export interface EffectiveState {
  /** Undefined where no project is. */
  readonly folder: ProjectFolder | undefined;
  readonly lines: readonly PageLine[];
  /** Environment the config is for; undefined where nothing is known. */
  readonly environment: string | undefined;
}

/** What is known of a config at one moment. */
export interface EffectiveFacts {
  readonly folder: ProjectFolder;
  /** `A2@v1`. */
  readonly name: string;
  readonly environment: string;
  readonly hash: string | undefined;
  readonly notes: readonly string[];
  readonly errors: readonly PlacedFinding[];
  readonly stale?: string | undefined;
  readonly content: { readonly value: JsonObject; readonly origins: ReadonlyMap<string, Origin> } | undefined;
}

export function toState({ folder, name, environment, ...page }: EffectiveFacts): EffectiveState {
  return { folder, environment, lines: effectivePage({ ...page, title: `${name}, environment ${environment}` }) };
}

/** Where nothing can be shown, and why. */
export function nothing(reason: string): EffectiveState {
  return { folder: undefined, environment: undefined, lines: [{ text: `// ${reason}` }, { text: '{}' }] };
}

export function textOf({ lines }: EffectiveState): string {
  return `${lines.map(({ text }) => text).join('\n')}\n`;
}

/** Origins as a snapshot keeps them beside it. */
export function readOrigins(text: string): ReadonlyMap<string, Origin> {
  return new Map(Object.entries(JSON.parse(text) as { readonly [pointer: string]: Origin }));
}
