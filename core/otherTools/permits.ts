import type { Inventory } from './toolFiles.js';

/** What happens when an agent tries something. */
export type PermitOutcome = 'allowed' | 'asks' | 'never' | 'unknown';

/** A rule or a field, where it is written. */
export interface RulePlace {
  readonly text: string;
  /** Project path. */
  readonly file: string;
  readonly pointer: string;
}

/** What decides: a rule of the repository, or what the tool does without one. */
export interface Verdict {
  readonly outcome: PermitOutcome;
  readonly by?: RulePlace;
  /** A sentence, where no rule decides, or more is to be said. */
  readonly because?: string;
  /** Parts for which the outcome is another one, each with the rule that decides. */
  readonly except: readonly PermitException[];
}

export interface PermitException extends Pick<Verdict, 'outcome' | 'by'> {
  /** The commands, paths or tools, as they are written. */
  readonly what: string;
}

export const powers = ['read', 'write', 'send', 'run'] as const;

export type Power = (typeof powers)[number];

export interface ServerPermit extends Verdict {
  readonly server: string;
  /** The tools that the agent gets; all of them where it is undefined. */
  readonly tools?: readonly string[];
}

/** What one agent of another tool may do, as far as the files of the repository say it. */
export interface AgentPermits {
  /** The id of the tool. */
  readonly tool: string;
  readonly agent: string;
  readonly role: 'main' | 'subagent';
  /** The folder that the tool is started in. */
  readonly folder: string;
  readonly file?: string;
  readonly powers: Readonly<Record<Power, Verdict>>;
  readonly servers: readonly ServerPermit[];
  /** Where it gets more than the agent that calls it; sentences. */
  readonly wider: readonly string[];
  /** What the files or the documents of the tool leave open; sentences. */
  readonly unknown: readonly string[];
}

/** What the agents of one tool may do. Pure. */
export type FindPermits = (inventory: Inventory) => readonly AgentPermits[];

/** One verdict for several tools: that of the first, with the others as exceptions. */
export function joinVerdicts(parts: readonly (readonly [tool: string, verdict: Verdict])[]): Verdict {
  const [[, first] = ['', { outcome: 'unknown', except: [] } satisfies Verdict], ...others] = parts;
  return {
    ...first,
    except: [
      ...first.except,
      ...others.flatMap(([tool, { outcome, by, except }]) => [
        ...(outcome === first.outcome ? [] : [{ what: tool, outcome, ...(by !== undefined && { by }) }]),
        ...except,
      ]),
    ],
  };
}
