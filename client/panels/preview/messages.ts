// What the preview and its page send each other. Imported by both sides.
import { isBoolean, isCount, isOneOf, isString, type MessageOf } from '../messages.js';

/** The origin of a piece of a prompt: a layer, the prompt store, the input, or words that are the same for every agent. */
export type Source = 'agent' | 'persona' | 'prompt' | 'llm' | 'environment' | 'system' | 'call' | 'task' | 'default' | 'input' | 'fixed';

/** A stretch of a message as displayed. */
export interface PieceView {
  readonly text: string;
  /** Units left out of a long text, and where in `text` they are missing. */
  readonly cut?: { readonly at: number; readonly units: number };
  readonly source: Source;
  /** Project path; null where no file gave it. */
  readonly file: string | null;
  readonly pointer: string;
  /** An allowed value that is used when the answer leaves its field out. */
  readonly isDefault?: true;
}

/** The changes to a message: pieces that stay at its start and its end, and the new ones between them. */
export interface MessagePatch {
  readonly role: string;
  readonly keepStart: number;
  readonly keepEnd: number;
  readonly pieces: readonly PieceView[];
  /** Units of the message below the pieces, not shown. */
  readonly more: number;
}

export interface FormatView {
  readonly name: string;
  readonly strict: boolean;
  /** Why it is not strict. */
  readonly reasons: readonly string[];
  readonly schema: string;
}

/** A tool the agent has. */
export interface ToolView {
  readonly name: string;
  /** `built-in`, `skill` or the id of an MCP server. */
  readonly origin: string;
  readonly description: string;
  /** Indented JSON. */
  readonly parameters: string;
  /** Where it is defined in a file; null for a built-in tool. */
  readonly place: string | null;
}

/** The tools the agent may call. */
export interface ToolsView {
  readonly tools: readonly ToolView[];
  /** Servers that have not been listed yet. */
  readonly unlisted: readonly string[];
  /** The tools are in the prompt only, not in the request. */
  readonly isInText: boolean;
}

export interface FieldView {
  readonly key: string;
  /** `json`: the text is JSON, and an empty one leaves the key out. */
  readonly kind: 'text' | 'json';
  readonly text: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** No key of the agent: it may be taken out. */
  readonly isExtra: boolean;
  /** Units of a value too long to be edited here, of which `text` is the start; 0 for others. */
  readonly units: number;
}

export interface ErrorView {
  readonly message: string;
  readonly code: string;
  /** `file:line:column`. */
  readonly place: string;
}

export interface FactsView {
  readonly model: string;
  readonly provider: string;
  /** Id of the llm profile; null without one. */
  readonly profile: string | null;
  readonly environment: string;
  readonly tokens: {
    readonly messages: readonly number[];
    readonly tools: number | null;
    readonly total: number;
    readonly isEstimated: boolean;
  };
  readonly contextWindow: number | null;
  /** Most tokens of the answer; null without a limit. */
  readonly outputLimit: number | null;
  /** In USD; null when the price is unknown. `typical` is null where nothing suggests it, `most` when the answer has no limit. */
  readonly cost: { readonly input: number; readonly typical: number | null; readonly most: number | null } | null;
  /** No model is called, so the run is free. */
  readonly isFree: boolean;
  /** The most that a run of several calls can cost; null for a single call. */
  readonly worst: {
    readonly calls: number;
    /** USD; null when it is not known. */
    readonly limit: number | null;
    /** The budget ends the run before it could cost more. */
    readonly isBudget: boolean;
    /** Why it is not known. */
    readonly unknown: 'price' | 'output' | null;
  } | null;
  /** Null while the config cannot be frozen. */
  readonly hash: string | null;
  readonly defaults: readonly { readonly field: string; readonly value: string }[];
}

/** What stops a run. */
export interface ProblemsView {
  readonly errors: readonly ErrorView[];
  /** Errors beyond those listed. */
  readonly more: number;
  /** Of the input; an empty key is the input itself. */
  readonly issues: readonly { readonly key: string; readonly message: string }[];
}

export type RequestView =
  | {
      readonly url: string;
      readonly headers: string;
      readonly body: string;
      readonly curl: string | null;
      readonly more: number;
      readonly refusal?: undefined;
    }
  | { readonly refusal: string };

export const tabs = ['prompt', 'tools', 'format', 'request', 'curl'] as const;
export type Tab = (typeof tabs)[number];

export type ToPage =
  /** Another agent, or the lock: `state` is what brings the panel back after a reload. */
  | {
      readonly type: 'agent';
      readonly name: string;
      readonly version: string;
      readonly path: string;
      readonly isLocked: boolean;
      readonly state: PanelState;
    }
  /** No agent file has been opened yet. */
  | { readonly type: 'nothing' }
  /** `base` is the version the patches apply to, 0 for none. */
  | {
      readonly type: 'prompt';
      readonly version: number;
      readonly base: number;
      readonly messages: readonly MessagePatch[];
    }
  | { readonly type: 'format'; readonly format: FormatView | null }
  /** Null for an agent without tools. */
  | { readonly type: 'tools'; readonly tools: ToolsView | null }
  /** Why this is not the current content of the files; null when it is. */
  | { readonly type: 'stale'; readonly reason: string | null; readonly hasPrompt: boolean }
  | { readonly type: 'problems'; readonly problems: ProblemsView }
  | { readonly type: 'facts'; readonly version: number; readonly facts: FactsView }
  | { readonly type: 'input'; readonly fields: readonly FieldView[]; readonly cases: readonly string[]; readonly current: string }
  /** All llm profiles, and the one that overrides the agent's; empty for the agent's. */
  | { readonly type: 'profiles'; readonly ids: readonly string[]; readonly chosen: string }
  | { readonly type: 'lit'; readonly version: number; readonly pieces: readonly (readonly [message: number, piece: number])[] }
  | { readonly type: 'request'; readonly version: number; readonly request: RequestView };

export interface PanelState {
  readonly uri: string;
  readonly isLocked: boolean;
}

const piece = { version: isCount, message: isCount, piece: isCount };

export const fromPage = {
  hover: piece,
  leave: {},
  open: piece,
  openError: { index: isCount },
  openPointer: { pointer: isString },
  /** Where a tool is defined. */
  openTool: { index: isCount },
  lock: { isLocked: isBoolean },
  field: { key: isString, kind: isOneOf('text', 'json'), text: isString },
  removeField: { key: isString },
  case: { name: isString },
  /** Empty for the agent's own. */
  profile: { id: isString },
  tab: { tab: isOneOf(...tabs) },
  copy: { what: isOneOf('message', 'format', 'request', 'curl', 'hash'), index: isCount },
  do: { action: isOneOf('run', 'text', 'compare', 'save', 'openCase', 'listTools') },
  /** A version is on the screen. */
  painted: { version: isCount },
};
export type FromPage = MessageOf<typeof fromPage>;
export type Post = (message: FromPage | { readonly type: 'ready' }) => void;
