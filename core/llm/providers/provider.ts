import type { Ports } from '../../ports.js';
import type { LlmSettings, ProviderConnection } from '../types.js';

/** What a provider may use of the outside. */
export type ProviderPorts = Pick<Ports, 'clock' | 'secrets' | 'knownSecrets' | 'environment' | 'fetch'>;

/** A vendor or a wire format, by the name configs use. */
export interface LlmProvider {
  readonly name: string;
  /** The environment variable its key is in where a profile names no other. Absent where a key is optional or there is none. */
  readonly keyVariable?: string;
  /**
   * Prepares calls; nothing is sent and no key is looked up before the first one.
   *
   * @param unsupported config names of parameters the model refuses
   * @throws LlmError `bad-request` when the settings cannot work
   */
  connect(settings: LlmSettings, ports: ProviderPorts, unsupported: readonly string[]): ProviderConnection;
}
