import type { PlacedFinding } from '../finding.js';
import type { JsonObject } from '../json.js';
import type { WorstCase } from '../llm/worstCase.js';
import type { TypicalCost } from '../prompt/typicalCost.js';
import type { Layer } from '../snapshot/effective.js';
import type { DiffCause } from '../snapshot/snapshotDiff.js';

/** What changes between two states of a project, or of one agent or orchestration: not its text, but what it sends, answers, may do and costs. */
export interface BehaviourDiff {
  readonly before: DiffSource;
  readonly after: DiffSource;
  /** The agents and orchestrations that behave differently, exist on one side only, or cannot be loaded on one of them. By name. */
  readonly subjects: readonly SubjectDiff[];
  /** How many were compared and send exactly the same. */
  readonly unchanged: number;
  /** How many are only written differently: what they send, take, answer, cost and may do is the same, and where their runs go. */
  readonly rewritten: number;
  readonly summary: DiffSummary;
  /** What was not compared, and why. Never empty without a reason: a reader takes silence for "looked at". */
  readonly not_compared: readonly NotCompared[];
}

/** A side of the comparison. */
export interface DiffSource {
  /** What a person calls it: `main`, `the working tree`, `Tone@v1, environment prod`, `run 0193f1c2`. */
  readonly title: string;
  /** The full id of the commit; absent for anything else. */
  readonly commit?: string;
}

export interface DiffSummary {
  /** Agents and orchestrations in `subjects` whose runs may differ. */
  readonly agents: number;
  readonly orchestrations: number;
  /** Subjects with at least one change of that kind. */
  readonly widened: number;
  readonly breaking: number;
  readonly routes: number;
  /** Subjects that cannot be loaded on one side. */
  readonly broken: number;
  /** USD by which the maximum cost of a run rises at most, of all subjects; negative where all fall. Null where none is known on both sides. */
  readonly max_cost_change: number | null;
  /** Of all subjects; null where no baseline was read. */
  readonly verdicts: VerdictCounts | null;
}

/** A place in a file of one of the sides. */
export interface DiffPlace {
  /** Project path. */
  readonly file: string;
  readonly pointer: string;
  readonly side: 'before' | 'after';
}

/**
 * How a subject of one side relates to the other. `changed`: the same name and version. `added`, `removed`: only one side has it. `moved`: it has
 * another name or version and is otherwise equal. `new_version`: it is new, and compared with the version before it, which callers without a version
 * used.
 */
export type SubjectState = 'changed' | 'added' | 'removed' | 'moved' | 'new_version';

export interface SubjectName {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** Of an agent. */
  readonly version?: string;
}

export interface SubjectDiff extends SubjectName {
  readonly state: SubjectState;
  /** What it is compared with, where that has another name or version. */
  readonly compared_with?: SubjectName;
  /** The environments in which exactly this changes. */
  readonly environments: readonly string[];
  /** Hashes of the snapshots; null on the side that has none. */
  readonly hash_before: string | null;
  readonly hash_after: string | null;
  /** Why it cannot be loaded on a side; nothing else is compared then. */
  readonly broken: { readonly side: 'before' | 'after'; readonly findings: readonly SubjectFinding[] } | null;
  /** The files and fields that cause all of it, by file. */
  readonly causes: readonly ChangeCause[];
  readonly prompts: readonly PromptChange[];
  /** Null where nothing about costs changes. */
  readonly costs: CostChange | null;
  readonly contract: readonly ContractChange[];
  readonly permissions: readonly PermissionChange[];
  readonly routes: readonly RouteChange[];
  readonly verdicts: VerdictCounts | null;
  /** Which of its fields moved the verdicts; absent unless that was asked. */
  readonly blame?: Blame;
}

/** Why a subject cannot run. */
export type SubjectFinding = Pick<PlacedFinding, 'code' | 'severity' | 'message' | 'file' | 'pointer'> &
  Partial<Pick<PlacedFinding, 'line' | 'column'>>;

/** Everything that one file, at one layer, changed in one way. */
export interface ChangeCause {
  /** Null for built-in defaults. */
  readonly file: string | null;
  readonly layer: Layer | null;
  readonly cause: DiffCause;
  /** Pointers in the snapshot, at most 20; the number of all is `count`. */
  readonly pointers: readonly string[];
  readonly count: number;
}

/** A change of a part of the request. */
export interface PromptChange {
  /** The key of the agent in the snapshot: its name, `{team}/{task}`, or `{name}@{version}` of an agent that a plan calls. */
  readonly instance: string;
  /** Other agents of the snapshot in which exactly this changes. */
  readonly also: readonly string[];
  readonly part: 'system' | 'user' | 'response_format' | 'tools' | 'settings';
  /** What changed, cut around the changes; paths such as `{{input.task}}` are shown as written. */
  readonly hunks: readonly DiffHunk[];
  /** Hunks beyond those listed. */
  readonly more_hunks: number;
  /** Where the new words come from, else where the removed ones did. Without doubles, at most 10. */
  readonly places: readonly DiffPlace[];
  /** Of this part, by the model's own tokenizer where it is known. */
  readonly tokens_before: number;
  readonly tokens_after: number;
}

/** A stretch of text around changes. */
export interface DiffHunk {
  readonly words: readonly DiffWord[];
}

export interface DiffWord {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

export interface CostChange {
  readonly maximum_before: WorstCase | null;
  readonly maximum_after: WorstCase | null;
  /** Null where it is unknown, as for plans and orchestrations. */
  readonly typical_before: TypicalCost | null;
  readonly typical_after: TypicalCost | null;
  /** Tokens of the first request of a single agent: with its longest case, else without input. Null for orchestrations and plans. */
  readonly prompt_tokens_before: number | null;
  readonly prompt_tokens_after: number | null;
  /** Agents whose cacheable beginning changes: tokens that are the same in every call. */
  readonly prefixes: readonly PrefixChange[];
}

export interface PrefixChange {
  readonly instance: string;
  readonly stable_tokens_before: number;
  readonly stable_tokens_after: number;
  /** Tokens that the provider keeps of them; 0 below its minimum. */
  readonly cached_tokens_before: number;
  readonly cached_tokens_after: number;
}

/** A change that readers or callers notice. `unknown`: it could not be decided whether somebody is affected. */
export interface ContractChange {
  readonly effect: 'breaking' | 'compatible' | 'unknown';
  readonly instance: string;
  /** Other agents of the snapshot in which exactly this changes, for the same readers. */
  readonly also: readonly string[];
  readonly side: 'input' | 'output';
  /** Dotted name of the field, `[]` for the items of a list; empty for the whole. */
  readonly field: string;
  /** One sentence. */
  readonly message: string;
  /** In the new file; in the old one for what is gone. Null where origins are not known. */
  readonly place: DiffPlace | null;
  /** What breaks by a breaking change: routes, templates, inputs of tasks and steps, cases, programs that call what is exposed. */
  readonly readers: readonly ContractReader[];
}

export interface ContractReader {
  readonly kind: 'route' | 'template' | 'case' | 'exposed' | 'task' | 'plan';
  /** One phrase: `rule 2 of the team "intake"`. */
  readonly words: string;
  readonly place: DiffPlace | null;
}

/** What a subject may do that it could not before, or the reverse. `unknown`: something changed of which it is not known which way. */
export interface PermissionChange {
  readonly direction: 'widened' | 'narrowed' | 'unknown';
  readonly instance: string;
  /** Other agents of the snapshot for which exactly this changes. */
  readonly also: readonly string[];
  readonly subject: 'tool' | 'server' | 'approval' | 'files' | 'network' | 'agent' | 'exposure' | 'limit' | 'flow' | 'policy';
  /** The tool, server, host or agent it is about. */
  readonly name: string;
  /** One sentence: `It may call mail/send without an approval.` */
  readonly message: string;
  readonly place: DiffPlace | null;
}

/** A way from one team to the next, or a step of a plan, that only one side has or that other outputs take. */
export interface RouteChange {
  /**
   * `redirected`: both sides have the way, but some outputs take it now that took another before, or a step of a plan runs in other cases.
   * `endless`: a loop that only a limit ends. `unknown`: the prover could not decide it on one side.
   */
  readonly change: 'opened' | 'closed' | 'redirected' | 'endless' | 'unknown';
  /** The team, or the instance whose plan it is; null where a run starts. */
  readonly from: string | null;
  /** The next team, or the step of the plan. Null ends the run; absent where it is about all ways from there. */
  readonly to?: string | null;
  /** The run ends because no rule matches and there is no default; `to` is null. */
  readonly no_route?: true;
  readonly message: string;
  /** Null where origins are not known. */
  readonly place: DiffPlace | null;
  /** Outputs with which it is taken; null where none was found, or none is needed. For a closed one those that took it before. */
  readonly example: RouteExample | null;
}

export interface RouteExample {
  /** By task, or by step of a plan. */
  readonly outputs: JsonObject;
  /** Those that did not complete; absent if all did. */
  readonly failed?: readonly string[];
  /** The context, or the input of a plan; absent if it does not matter. */
  readonly context?: JsonObject;
}

/** Verdicts of the baseline, if the evals were run with `--against` it. */
export interface VerdictCounts {
  readonly total: number;
  /** The same request and test. */
  readonly carried: number;
  /** The request changed. */
  readonly changed: number;
  /** The test changed, so that the old verdict compares nothing. */
  readonly test_changed: number;
  /** Without a verdict. */
  readonly new: number;
  /** Too old, or with fewer repeats than are required now. */
  readonly stale: number;
  /** Of all that are asked again. */
  readonly worst_case: WorstCase;
}

export interface NotCompared {
  /** `code` of own tools, `payload` values, a `model` of a provider: what it is about, in a few words. */
  readonly what: string;
  readonly why: string;
  readonly place?: DiffPlace;
}

/** One change of a subject as mixes take it: a field of an agent, or several that are one. */
export interface ChangedField {
  /** As in `causes`, without the agent: `system_text`, `servers.github`, `orchestration`. */
  readonly names: readonly string[];
  /** Keys of the agents in the snapshot that have exactly this change; empty for what all of them share. */
  readonly instances: readonly string[];
  /** Without doubles, at most 10. */
  readonly places: readonly DiffPlace[];
}

/**
 * Which changed fields moved the verdicts of a subject: its cases were asked with some of the fields as after the change and the others as before.
 */
export interface Blame {
  /** In which the cases were asked. */
  readonly environment: string;
  /** All changes together. Null where nothing was asked: see `why`. */
  readonly all: BlameFinding | null;
  /** Empty unless all changes together move the pass rate. */
  readonly findings: readonly BlameFinding[];
  /** Fields that were taken together only, since the cases cannot be asked otherwise. */
  readonly joined: readonly { readonly fields: readonly ChangedField[]; readonly why: string }[];
  /** Changes that are part of no request and no answer. */
  readonly not_sent: readonly ChangedField[];
  /** Cases, and those left out because one side refuses their input. */
  readonly cases: number;
  readonly refused_cases: number;
  /** Mixes that were asked, both ends included. */
  readonly mixes: number;
  /** Runs of cases, and those of them that could not be judged. */
  readonly runs: number;
  readonly unjudged_runs: number;
  /** USD. */
  readonly cost_usd: number;
  readonly cost_incomplete: boolean;
  /** USD; null without a limit. */
  readonly max_cost_usd: number | null;
  /** Why nothing was asked, or not all that the search needed, or why the first of the runs could not be judged. */
  readonly why: string | null;
}

export interface BlameFinding {
  /** `moved`: the pass rate is another one. `not_moved`: it changes by less than 10 percentage points. `cannot_tell`: neither is shown. */
  readonly outcome: 'moved' | 'not_moved' | 'cannot_tell';
  /** With one part, at least one of its changes does it. With several, a change of each part is needed: only together they do it. */
  readonly parts: readonly (readonly ChangedField[])[];
  /** Whether it is shown with all other fields as before the change; else on top of other changes. */
  readonly alone: boolean;
  /** Cases that were compared. */
  readonly cases: number;
  /** Of the pass rate, after minus before, from -1 to 1. Null where nothing could be compared. */
  readonly difference: number | null;
  /** 95 %. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Adjusted for all questions of the search. */
  readonly p_value: number | null;
  /** Cases without a difference that would show that it is not moved; null where they are too many, and where that is not the question. */
  readonly more_cases: number | null;
  /** Why it was not divided further, where fields do not fit together. */
  readonly why: string | null;
}
