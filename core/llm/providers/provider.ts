import type { Json, JsonObject } from '../../json.js';
import type { Ports } from '../../ports.js';
import type { LlmSettings, ProviderConnection } from '../types.js';

/** What a provider may use of the outside. */
export type ProviderPorts = Pick<Ports, 'clock' | 'secrets' | 'knownSecrets' | 'environment' | 'fetch'>;

/** How a provider keeps the beginnings of prompts, of one model. */
export interface CachingFacts {
  /** Parts of a request in the order in which the cache compares them. */
  readonly order: readonly CachedPart[];
  /** Fewest tokens of a beginning that is kept. */
  readonly minimum: number;
  /** Cached tokens are counted in steps of so many; 1 where the provider counts each. */
  readonly step: number;
  /** How long a beginning is kept after its last use, in words: `5 minutes`. */
  readonly lifetime: string;
  /** What a written token costs, as a multiple of the price of input. 1 where nothing is charged for it, or the profile's options turn it off. */
  readonly writeFactor: (options: JsonObject) => number;
  /** Whether the profile's options leave caching on. */
  readonly isOn: (options: JsonObject) => boolean;
  /** Where these facts are from, and when they were read. */
  readonly source: string;
}

export type CachedPart = 'tools' | 'schema' | 'system' | 'messages';

/** Limits that the `options` of an llm profile set in the words of a vendor, in tokens. */
export interface OptionLimits {
  /** Of the whole output. */
  readonly output: number | undefined;
  /** Of the thoughts in it. */
  readonly thinking: number | undefined;
}

/** What is known of a vendor without asking it. */
export interface ProviderFacts {
  /** As configs name it. */
  readonly name: string;
  /** The environment variable its key is in where a profile names no other. Absent where a key is optional or there is none. */
  readonly keyVariable?: string;
  /** Whether the built-in table means to know its models, so that every other name is new or misspelt. Default false. */
  readonly hasKnownModels?: true;
  /** What its models are called, in the table or not. */
  readonly modelNames?: RegExp;
  /** The provider whose models it serves under the same names. */
  readonly modelsOf?: string;
  /** Whose tokenizers its models have, where they are known. */
  readonly tokenizer?: 'openai';
  /** Whether the window of its models holds the input alone, and not the answer, too. Default false. */
  readonly windowIsInputOnly?: true;
  /** How it caches prompts of a model; undefined for a model of which it keeps none, or that is not known to. Absent where nothing is known. */
  readonly caching?: (model: string) => CachingFacts | undefined;
  /** Whether it refuses output schemas outside its strict subset. Default false. */
  readonly hasStrictSchemas?: true;
  /** Where options limit the output; a value that is no limit is skipped. Absent where it takes the names of another vendor, or has none. */
  readonly optionLimits?: (options: JsonObject) => { readonly [limit in keyof OptionLimits]?: readonly (Json | undefined)[] };
  /** Most tokens of an answer where a request has to name them, and neither the config, the options nor the model say. Absent where none has to. */
  readonly neededLimit?: number;
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
