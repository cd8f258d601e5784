import type { Ports } from '../../ports.js';
import type { LlmSettings, ProviderConnection } from '../types.js';

/** What a provider may use of the outside. */
export type ProviderPorts = Pick<Ports, 'clock' | 'secrets' | 'knownSecrets' | 'environment' | 'fetch'>;

/** What is known of a vendor without asking it. */
export interface ProviderFacts {
  /** As configs name it. */
  readonly name: string;
  /** The environment variable its key is in where a profile names no other. Absent where a key is optional or there is none. */
  readonly keyVariable?: string;
  /** Whether the built-in table means to know its models, so that every other name is new or misspelt. Default false. */
  readonly hasKnownModels?: true;
  /** The provider whose models it serves under the same names. */
  readonly modelsOf?: string;
  /** Whose tokenizers its models have, where they are known. */
  readonly tokenizer?: 'openai';
  /** Whether the window of its models holds the input alone, and not the answer, too. Default false. */
  readonly windowIsInputOnly?: true;
  /** Its name in the GenAI semantic conventions of OpenTelemetry. Default: `name`. */
  readonly telemetryName?: string;
}

/** A vendor or a wire format. */
export interface LlmProvider extends ProviderFacts {
  /**
   * Prepares calls; nothing is sent and no key is looked up before the first one.
   *
   * @param unsupported config names of parameters the model refuses
   * @throws LlmError `bad-request` when the settings cannot work
   */
  connect(settings: LlmSettings, ports: ProviderPorts, unsupported: readonly string[]): ProviderConnection;
}
