import type { JsonObject } from '../json.js';

/** What a provider needs to know: the llm profile's connection fields, effective and expanded. */
export interface LlmSettings {
  readonly provider: string;
  readonly base_url?: string;
  /** `secret://NAME`. */
  readonly api_key?: string;
  /** Name of the environment variable that holds the key. */
  readonly api_key_env?: string;
  /** Default 60000. */
  readonly request_timeout_ms?: number;
  /** Tries per call, the first included. Default 3. */
  readonly retry_attempts?: number;
  /** Passed to the provider as it is. */
  readonly options?: JsonObject;
}
