import type { Json, JsonObject } from '../../json.js';
import type { Ports } from '../../ports.js';
import type { LlmSettings, ProviderConnection } from '../types.js';

/** What a provider may use from outside. */
export type ProviderPorts = Pick<Ports, 'clock' | 'secrets' | 'knownSecrets' | 'environment' | 'fetch'>;

/** How a provider caches the prompts of one model. */
export interface CachingFacts {
  /** Parts of a request in the order in which the cache compares them. */
  readonly order: readonly CachedPart[];
  /** The shortest cached prefix, in tokens. */
  readonly minimum: number;
  /** The step in which cached tokens are counted; 1 where each is counted. */
  readonly step: number;
  /** How long a prefix is kept after its last use, in words: `5 minutes`. */
  readonly lifetime: string;
  /** Price of a written token, as a multiple of the input price. 1 where writing is free, or the profile's options turn it off. */
  readonly writeFactor: (options: JsonObject) => number;
  /** Whether the profile's options leave caching on. */
  readonly isOn: (options: JsonObject) => boolean;
  /** Where these facts are from, and when they were read. */
  readonly source: string;
}

export type CachedPart = 'tools' | 'schema' | 'system' | 'messages';

/** Limits in tokens that the `options` of an llm profile set with a vendor's field names. */
export interface OptionLimits {
  /** Of the whole output. */
  readonly output: number | undefined;
  /** Of the thoughts in it. */
  readonly thinking: number | undefined;
}

/** What is known about a vendor without a request. */
export interface ProviderFacts {
  /** Its name in configs. */
  readonly name: string;
  /** Where it listens, if a profile has no `base_url`. Absent where each profile needs one, or nothing is sent. */
  readonly address?: string;
  /** The environment variable with its key where a profile names no other. Absent where a key is optional or not used. */
  readonly keyVariable?: string;
  /** Whether the built-in table aims to cover its models, so that any other name is new or misspelt. Default false. */
  readonly hasKnownModels?: true;
  /** How its models are named, in the table or not. */
  readonly modelNames?: RegExp;
  /** The provider whose models it serves under the same names. */
  readonly modelsOf?: string;
  /** The provider whose tokenizers its models use, where known. */
  readonly tokenizer?: 'openai';
  /** Whether the context window of its models covers the input only, not the answer. Default false. */
  readonly windowIsInputOnly?: true;
  /** How it caches the prompts of a model; undefined for a model without a known cache. Absent where nothing is known. */
  readonly caching?: (model: string) => CachingFacts | undefined;
  /** Whether it refuses output schemas outside its strict subset. Default false. */
  readonly hasStrictSchemas?: true;
  /** Where options limit the output; other values are skipped. Absent where it uses the field names of another vendor, or has none. */
  readonly optionLimits?: (options: JsonObject) => { readonly [limit in keyof OptionLimits]?: readonly (Json | undefined)[] };
  /** Most tokens of an answer where a request has to name them, and neither the config, the options nor the model say. Absent where none has to. */
  readonly neededLimit?: number;
  /** Its name in the GenAI semantic conventions of OpenTelemetry. Default: `name`. */
  readonly telemetryName?: string;
}

/** The keys of a profile's `options` that are documented for a provider: what the editor completes and explains. Any other key is sent as it is. */
export interface ProviderOptions {
  /** Name of the provider. */
  readonly name: string;
  /** A JSON Schema of the object. Nothing is checked against it. */
  readonly schema: JsonObject;
  /** Where the names and values are from. */
  readonly source: string;
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
