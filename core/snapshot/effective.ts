import type { EffectiveAgentFields, EffectiveLlmFields, FewShotExample } from '../generated/types.js';
import { isObject, type Json, type JsonObject } from '../json.js';

/** The layers of CONFIG.md, lowest first. `fixed` and `input` occur in source maps only. */
export const layers = ['default', 'system', 'environment', 'llm', 'persona', 'agent', 'orchestration', 'task', 'call'] as const;
export type Layer = (typeof layers)[number];

/** Where a value came from. `file` is null for built-in defaults and call overrides; a value set by an `llm` override points into its profile. */
export interface Origin {
  readonly file: string | null;
  /** Pointer in that file (or in the overrides object). */
  readonly pointer: string;
  readonly layer: Layer;
}

export type Mode = NonNullable<EffectiveAgentFields['mode']>;
export type AgentType = EffectiveAgentFields['agent_type'];

/** Every agent field after layering and `${VAR}` expansion. Frozen. A field that no layer gave is absent. */
export interface EffectiveAgent extends EffectiveAgentFields {
  readonly agent_name: string;
  readonly version: string;
  /** Text of the prompt-store template that replaces `system_text`. */
  readonly template?: string;
  /** Examples of the prompt-store template, unless `prompts.few_shot_examples` is false. */
  readonly few_shot_examples?: readonly FewShotExample[];
  readonly default_system_prompt?: string;
}

/** An llm profile after layering: what a connection needs, and the price. */
export interface EffectiveLlm extends Partial<Omit<EffectiveLlmFields, keyof EffectiveAgent>> {
  readonly llm_id?: string;
  readonly provider: string;
  readonly retry_attempts?: number;
}

/** A problem found by layering itself. `pointer` is in `file`; `agent` problems about absence sit at the agent file's root. */
export interface LayerProblem {
  readonly code:
    | 'duplicate-identity'
    | 'effective-config-incomplete'
    | 'env-unset'
    | 'limit-invalid'
    | 'model-not-chosen'
    | 'persona-nested'
    | 'placeholder-invalid'
    | 'secret-in-plain-text'
    | 'skill-differs'
    | 'tools-module'
    | 'unknown-agent'
    | 'unknown-agent-version'
    | 'unknown-environment'
    | 'unknown-llm'
    | 'unknown-mcp-server'
    | 'unknown-persona'
    | 'unknown-prompt'
    | 'unknown-provider'
    | 'unknown-skill'
    | 'schema';
  readonly message: string;
  readonly file: string | null;
  readonly pointer: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Whether an agent is sent as written: one call without a mode. Its `system_text` and `user_text` are templates. */
export function isPlain({ agent_type, mode }: Pick<EffectiveAgent, 'agent_type' | 'mode'>): boolean {
  return agent_type === 'single_shot' && mode === undefined;
}

/** Whether fields of an agent, of which others may lie in other layers, leave it open that the agent is plain. */
export function mayBePlain({ agent_type, mode }: JsonObject): boolean {
  return typeof mode !== 'string' && (typeof agent_type !== 'string' || agent_type === 'single_shot');
}

/** Whether an agent itself calls a model: one that follows a plan does so only for its prompts. */
export function callsModel({ agent_type, execution_plan }: Pick<EffectiveAgent, 'agent_type' | 'execution_plan'>): boolean {
  if (agent_type !== 'orchestrating') return true;
  const steps = execution_plan?.steps;
  return Array.isArray(steps) && steps.some((step: Json) => isObject(step) && Object.hasOwn(step, 'llm'));
}

/** Problems of layering as they are found. A value that serves two fields is checked twice, and reported once. */
export function createProblemList(): { readonly report: (problem: LayerProblem) => void; readonly all: () => readonly LayerProblem[] } {
  const problems = new Map<string, LayerProblem>();
  return {
    report: (problem) => void problems.set(JSON.stringify([problem.code, problem.file, problem.pointer, problem.message]), problem),
    all: () => Object.freeze([...problems.values()]),
  };
}
