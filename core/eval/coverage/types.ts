/** What cases can reach: a value that an enum lists, a tool that may be called, a default that may be filled in, a route that may be taken. */
export type CoverableKind = 'enum_value' | 'tool' | 'default' | 'route';

/** One thing that cases can reach, where a file says it, and how many runs did. Plain JSON. */
export interface Coverable {
  readonly kind: CoverableKind;
  /** Project path. */
  readonly file: string;
  /** JSON pointer in that file. */
  readonly pointer: string;
  /** For people: `tone: formal`, `search_files`, `sort, rule 1 -> answer`. */
  readonly label: string;
  /** Runs in which it was answered, called, filled in or taken; of an agent in an orchestration, each execution of its task. */
  readonly hits: number;
}
