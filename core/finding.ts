import type { RuleCode } from './ruleCodes.js';

/** A rule of core/rules, or one of core/otherTools: `claude-code/unknown-server`. */
export type AnyRuleCode = RuleCode | `${string}/${string}`;

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** UTF-16 units from the start of the file's text (a BOM counts as one unit). */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface RelatedPlace {
  readonly file: string;
  readonly pointer: string;
  readonly target?: 'key' | 'value';
  /** As in a finding: a part of a string value. */
  readonly within?: TextRange;
  readonly range?: TextRange;
  /** 1-based, as in a placed finding; set when placed. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/**
 * One fault in one file. Rules work on plain values and name the place by JSON pointer; the position in the
 * text is looked up afterwards, for findings only (`placeFindings`).
 */
export interface Finding {
  readonly code: RuleCode;
  readonly severity: Severity;
  /** The fault, the expected value, the nearest valid one. Plain text, one line, no trailing code. */
  readonly message: string;
  /** Project path. */
  readonly file: string;
  /** RFC 6901; the root is the empty string. */
  readonly pointer: string;
  /** Which half of `"key": value` is marked. Default `value`. */
  readonly target?: 'key' | 'value';
  /** A part of a string value, in UTF-16 units of the decoded string: one `{{path}}`, one character. */
  readonly within?: TextRange;
  /** Set by the parser for faults of the text itself (syntax); otherwise found from `pointer`. */
  readonly range?: TextRange;
  readonly related?: readonly RelatedPlace[];
  /** Data for quick fixes; the rule's page documents its fields. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A finding with its place: lines and columns are 1-based, columns count UTF-16 units, the end is exclusive. */
export interface PlacedFinding<Code extends AnyRuleCode = RuleCode> extends Omit<Finding, 'code'> {
  readonly code: Code;
  readonly range: TextRange;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
}

/** A finding in a file of ours or of another tool. */
export type AnyFinding = PlacedFinding<AnyRuleCode>;
