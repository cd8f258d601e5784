import { createHash, randomBytes } from 'node:crypto';
import type { Clock, Environment, Fetch, Logger, LogLevel, Ports, Random, Secrets } from '../ports.js';
import { coverLog, rememberSecrets } from '../secrets/coveringPorts.js';
import { createKnownSecrets } from '../secrets/knownSecrets.js';
import { rememberPassword } from '../secrets/rememberPassword.js';
import { secretVariable } from '../secrets/secretVariable.js';
import { escapeUnseen } from '../visibleText.js';
import { createNodeFiles } from './nodeFiles.js';
import { createNodeProcesses } from './processes.js';

/**
 * Node's side of every port, for the project in `root` (an absolute path); `given` replaces individual ones. The logger
 * writes to stderr at the level of `AGENTSTACK_LOG` (`debug`, `info`, `warn` or `error`), by default nothing. Secrets from the secrets port are known
 * to `knownSecrets`, and log messages are covered, even if the ports are given.
 */
export function createNodePorts(root: string, given: Partial<Ports> = {}): Ports {
  const environment = given.environment ?? createNodeEnvironment();
  const knownSecrets = given.knownSecrets ?? createKnownSecrets();
  for (const name of proxyVariables) rememberPassword(environment.get(name), knownSecrets);
  return {
    files: createNodeFiles(root),
    clock: createNodeClock(),
    random: createNodeRandom(),
    fetch: createLazyFetch(environment),
    processes: createNodeProcesses(root, environment),
    sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
    ...given,
    environment,
    logger: coverLog(given.logger ?? createNodeLogger(environment.get('AGENTSTACK_LOG')), knownSecrets),
    secrets: rememberSecrets(given.secrets ?? createEnvironmentSecrets(environment), knownSecrets),
    knownSecrets,
  };
}

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** A Node timer with a longer delay than this, in ms, fires at once. */
const longestTimer = 2 ** 31 - 1;

export function createNodeClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep,
    after,
  };
}

function after(milliseconds: number, then: () => void): () => void {
  if (milliseconds <= longestTimer) {
    const timer = setTimeout(then, milliseconds);
    return () => clearTimeout(timer);
  }
  let cancel = after(longestTimer, () => {
    cancel = after(milliseconds - longestTimer, then);
  });
  return () => cancel();
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Ids are UUIDv7 (RFC 9562, method 1): those made within one millisecond count up, so they sort in order of creation too. */
export function createNodeRandom(now: () => number = Date.now): Random {
  let last = 0;
  let counter = 0;
  return {
    next: () => Math.random(),
    id: () => {
      const bytes = randomBytes(10);
      const time = now();
      if (time > last) {
        last = time;
        counter = ((bytes[0]! & 0x07) << 8) | bytes[1]!;
      } else if (++counter > 0xfff) {
        last++;
        counter = 0;
      }
      const variant = 0x80 | (bytes[2]! & 0x3f);
      const tail = bytes.toString('hex', 3);
      return `${hex(last, 12)}7${hex(counter, 3)}${hex(variant, 2)}${tail}`;
    },
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

export function createNodeEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return { get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined), names: () => Object.keys(variables) };
}

/** `secret://my-key` is the environment variable `MY_KEY`: upper case, every other character than A-Z and 0-9 as `_`. */
export function createEnvironmentSecrets(environment: Environment): Secrets {
  return { get: (name) => environment.get(secretVariable(name)) };
}

const levels: readonly string[] = ['debug', 'info', 'warn', 'error'] satisfies LogLevel[];

/** One JSON object per line: `{time, level, message, ...fields}`. @param lowest the lowest level to write; anything but a level writes nothing */
export function createNodeLogger(lowest: string | undefined, write: (line: string) => void = writeToStderr): Logger {
  const from = levels.indexOf(lowest?.toLowerCase() ?? '');
  const isWritten = (level: LogLevel) => from !== -1 && levels.indexOf(level) >= from;
  return {
    isWritten,
    log: (level, message, fields) => {
      if (!isWritten(level)) return;
      write(`${escapeUnseen(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }, plainErrors))}\n`);
    },
  };
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}

function plainErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message, ...('code' in value && { code: value.code }) } : value;
}

/** Node's HTTP is loaded with the first request: most commands make none. */
function createLazyFetch(environment: Environment): Fetch {
  let loading: Promise<Fetch> | undefined;
  const load = async () => {
    const [{ createNodeFetch }, { proxyFromEnvironment }] = await Promise.all([import('./nodeFetch.js'), import('./httpProxy.js')]);
    return createNodeFetch({ proxy: proxyFromEnvironment(environment) });
  };
  return async (input, init) => {
    loading ??= load();
    return (await loading)(input, init);
  };
}
