import type { KnownSecrets } from '../../core/ports.js';

interface Cover {
  readonly knownSecrets: KnownSecrets;
  readonly apply: (value: unknown) => unknown;
}

/**
 * Covers every secret that was looked up in this window, for all its projects: in the log, in pages and notifications, and in what is kept. Loaded with the
 * first project; before, nothing was looked up.
 */
export class WindowCover {
  #loading: Promise<Cover> | undefined;
  #cover: Cover | undefined;

  /** The secrets themselves, for the ports of a project. */
  async load(): Promise<KnownSecrets> {
    this.#loading ??= loadCover();
    this.#cover = await this.#loading;
    return this.#cover.knownSecrets;
  }

  /** A text, JSON or an error without secrets; the value itself if it contains no secret. */
  apply<Value>(value: Value): Value {
    // A covered value keeps its shape, which the compiler cannot follow.
    return this.#cover === undefined ? value : (this.#cover.apply(value) as Value);
  }
}

async function loadCover(): Promise<Cover> {
  const [{ createKnownSecrets }, { coverError }, { coverAll }] = await Promise.all([
    import('../../core/secrets/knownSecrets.js'),
    import('../../core/secrets/coverError.js'),
    import('../../core/secrets/coverValue.js'),
  ]);
  const knownSecrets = createKnownSecrets();
  return { knownSecrets, apply: (value) => (value instanceof Error ? coverError(value, knownSecrets) : coverAll(value, knownSecrets)) };
}
