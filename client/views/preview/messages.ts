// What the preview and its page say to each other. Imported by both sides, and imports nothing: each side checks what it gets.

/** Where a piece of a prompt comes from: a layer, the prompt store, the input, or words that are the same for every agent. */
export type Source = 'agent' | 'persona' | 'prompt' | 'llm' | 'environment' | 'system' | 'call' | 'task' | 'default' | 'input' | 'fixed';

/** A stretch of a message as it is shown. */
export interface PieceView {
  readonly text: string;
  /** Units left out of a long text, and where in `text` they are missing. */
  readonly cut?: { readonly at: number; readonly units: number };
  readonly source: Source;
  /** Project path; null where no file gave it. */
  readonly file: string | null;
  readonly pointer: string;
  /** An allowed value that is taken when the answer leaves its field out. */
  readonly isDefault?: true;
}

/** What is different about a message: pieces that stay at its start and its end, and those between them now. */
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
  /** Where a file says what it is; null for a built-in tool. */
  readonly place: string | null;
}

/** What the agent may call. */
export interface ToolsView {
  readonly tools: readonly ToolView[];
  /** Servers that have not been listed yet. */
  readonly unlisted: readonly string[];
  /** The tools stand in the prompt alone: the request has none. */
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
  /** Units of a value too long to be edited here, of which `text` is the beginning; 0 for others. */
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
  /** In USD; null when the price is unknown. `most` is null when the answer has no limit. */
  readonly cost: { readonly input: number; readonly most: number | null } | null;
  /** No model is asked, so the run is free. */
  readonly isFree: boolean;
  /** What a run of several calls can come to at most; null for a single call. */
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

export type Tab = 'prompt' | 'tools' | 'format' | 'request' | 'curl';

/** From the extension to the page. */
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
      /** Absent where it is as before. */
      readonly format?: FormatView | null;
      /** Absent where they are as before; null for an agent that has none. */
      readonly tools?: ToolsView | null;
    }
  /** Why what is shown is not what the files say now; null when it is. */
  | { readonly type: 'stale'; readonly reason: string | null; readonly hasPrompt: boolean }
  | { readonly type: 'problems'; readonly problems: ProblemsView }
  | { readonly type: 'facts'; readonly version: number; readonly facts: FactsView }
  | { readonly type: 'input'; readonly fields: readonly FieldView[]; readonly cases: readonly string[]; readonly current: string }
  /** The llm profiles there are, and the one in place of the agent's own; empty for that. */
  | { readonly type: 'profiles'; readonly ids: readonly string[]; readonly chosen: string }
  | { readonly type: 'lit'; readonly version: number; readonly pieces: readonly (readonly [message: number, piece: number])[] }
  | { readonly type: 'request'; readonly version: number; readonly request: RequestView };

export interface PanelState {
  readonly uri: string;
  readonly isLocked: boolean;
}

/** From the page to the extension. */
export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'hover'; readonly version: number; readonly message: number; readonly piece: number }
  | { readonly type: 'leave' }
  | { readonly type: 'open'; readonly version: number; readonly message: number; readonly piece: number }
  | { readonly type: 'openError'; readonly index: number }
  | { readonly type: 'openPointer'; readonly pointer: string }
  /** Where a tool is defined. */
  | { readonly type: 'openTool'; readonly index: number }
  | { readonly type: 'lock'; readonly isLocked: boolean }
  | { readonly type: 'field'; readonly key: string; readonly kind: 'text' | 'json'; readonly text: string }
  | { readonly type: 'removeField'; readonly key: string }
  | { readonly type: 'case'; readonly name: string }
  /** Empty for the agent's own. */
  | { readonly type: 'profile'; readonly id: string }
  | { readonly type: 'tab'; readonly tab: Tab }
  | { readonly type: 'copy'; readonly what: 'message' | 'format' | 'request' | 'curl' | 'hash'; readonly index: number }
  | { readonly type: 'do'; readonly action: 'run' | 'text' | 'compare' | 'save' | 'openCase' | 'listTools' }
  /** A version is on the screen. */
  | { readonly type: 'painted'; readonly version: number };

const tabs: readonly unknown[] = ['prompt', 'tools', 'format', 'request', 'curl'];
const copies: readonly unknown[] = ['message', 'format', 'request', 'curl', 'hash'];
const actions: readonly unknown[] = ['run', 'text', 'compare', 'save', 'openCase', 'listTools'];

/** Whether a message of the page has the shape it claims to have. */
export function isFromPage(value: unknown): value is FromPage {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case 'ready':
    case 'leave':
      return true;
    case 'hover':
    case 'open':
      return isCount(value.version) && isCount(value.message) && isCount(value.piece);
    case 'openError':
    case 'openTool':
      return isCount(value.index);
    case 'openPointer':
      return isText(value.pointer);
    case 'lock':
      return typeof value.isLocked === 'boolean';
    case 'field':
      return isText(value.key) && isText(value.text) && (value.kind === 'text' || value.kind === 'json');
    case 'removeField':
      return isText(value.key);
    case 'case':
      return isText(value.name);
    case 'profile':
      return isText(value.id);
    case 'tab':
      return tabs.includes(value.tab);
    case 'copy':
      return copies.includes(value.what) && isCount(value.index);
    case 'do':
      return actions.includes(value.action);
    case 'painted':
      return isCount(value.version);
    default:
      return false;
  }
}

/** Whether the page got a message it knows. The extension made it, so its parts are what the type says. */
export function isToPage(value: unknown): value is ToPage {
  return (
    isRecord(value) &&
    typeof value.type === 'string' &&
    ['agent', 'nothing', 'prompt', 'stale', 'problems', 'facts', 'input', 'profiles', 'lit', 'request'].includes(value.type)
  );
}

/** Whether a state the page kept over a reload can be used. */
export function isPanelState(value: unknown): value is PanelState {
  return isRecord(value) && isText(value.uri) && typeof value.isLocked === 'boolean';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
