import type { LlmSettings } from '../config/llmSettings.js';
import type { Json, JsonObject } from '../json.js';

/** The layers of CONFIG.md, lowest first. `fixed` and `input` occur in source maps only. */
export const layers = ['default', 'system', 'environment', 'llm', 'persona', 'agent', 'orchestration', 'task', 'call'] as const;
export type Layer = (typeof layers)[number];

/** Where a value came from. `file` is null for built-in defaults and call overrides; what an `llm` override brings points into its profile. */
export interface Origin {
  readonly file: string | null;
  /** Pointer in that file (or in the overrides object). */
  readonly pointer: string;
  readonly layer: Layer;
}

export type Mode = 'Chooser' | 'Writer' | 'Extractor';
export type AgentType = 'single_shot' | 'react' | 'orchestrating';

export interface FewShotExample {
  readonly input: Json;
  readonly output: Json;
}

/** Every agent field after layering and `${VAR}` expansion. Frozen. A field that no layer gave is absent. */
export interface EffectiveAgent {
  readonly agent_name: string;
  readonly version: string;
  readonly description?: string;
  readonly agent_type: AgentType;
  readonly mode?: Mode;
  readonly persona_key?: string;
  readonly system_text?: string;
  readonly purpose_text?: string;
  readonly prompts?: { readonly system_prompt?: string; readonly system_prompt_version?: string; readonly few_shot_examples?: boolean };
  /** Text of the prompt-store template that takes the place of `system_text`. */
  readonly template?: string;
  /** Examples of the prompt-store template, unless `prompts.few_shot_examples` is false. */
  readonly few_shot_examples?: readonly FewShotExample[];
  readonly input_keys?: readonly string[];
  readonly input_schema?: JsonObject;
  readonly output_schema?: JsonObject;
  readonly enums?: { readonly [field: string]: readonly string[] };
  readonly defaults?: JsonObject;
  readonly llm_config_id?: string;
  readonly provider?: string;
  readonly model_name?: string;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_output_tokens?: number;
  readonly default_system_prompt?: string;
  readonly client_ids?: readonly string[];
  readonly enabled_tools?: readonly string[];
  readonly exclude_components?: readonly string[];
  readonly tool_protocol: 'native' | 'text';
  readonly max_iterations: number;
  readonly timeout_ms: number;
  readonly retry_attempts: number;
  /** Default 0. */
  readonly retry_invalid?: number;
  readonly budget?: { readonly max_cost?: number; readonly max_time_ms?: number };
  readonly include_history: boolean;
  readonly tracing: { readonly enabled: boolean; readonly sample_rate: number };
  readonly execution_plan?: JsonObject;
}

/** An llm profile after layering: what a connection needs, and the price. */
export interface EffectiveLlm extends LlmSettings {
  readonly llm_id?: string;
  readonly price?: { readonly input: number; readonly output: number; readonly cached_input?: number; readonly cache_write?: number };
}

/** Something layering itself found. `pointer` is in `file`; `agent` problems about absence sit at the agent file's root. */
export interface LayerProblem {
  readonly code:
    | 'effective-config-incomplete'
    | 'env-unset'
    | 'limit-invalid'
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
