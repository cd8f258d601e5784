import type { Agent } from '../core/agent/agentFactory.js';
import { runAgent } from '../core/agent/runAgent.js';
import { connect } from '../core/agent/startRun.js';
import { CancelledError } from '../core/errors.js';
import type { JsonObject } from '../core/json.js';
import type { Fetch, Ports } from '../core/ports.js';
import { shellQuote } from './shellQuote.js';
import { toVisibleJson } from './terminal/visibleText.js';
import { UsageError } from './usageError.js';

/**
 * The request an agent would send, as a command for a POSIX shell. It is the very request of a run, caught where it would
 * leave; in place of the key it names the environment variable a run takes it from.
 *
 * @throws UsageError when the agent's provider sends no HTTP request, or cannot
 */
export async function toCurl(agent: Agent, payload: JsonObject, ports: Ports): Promise<string> {
  const { url, headers, body, keyVariable } = await catchRequest(agent, payload, ports);
  if (!/^[A-Za-z_]\w*$/.test(keyVariable)) throw new UsageError(`The key is in the variable ${keyVariable}, which no shell can name.`);
  const words = [shellQuote(url)];
  for (const [name, value] of headers) {
    if (name === 'user-agent' || name === 'accept') continue;
    const header = `${name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())}: ${value}`;
    words.push(`--header ${value.includes(stand) ? `"${header.replace(stand, `$${keyVariable}`)}"` : shellQuote(header)}`);
  }
  // A quoted here-document needs no escapes and has no limit of length; no line of JSON is equal to its last.
  return `curl ${[...words, "--data-binary @- <<'END_OF_REQUEST'"].join(' \\\n  ')}\n${toVisibleJson(JSON.parse(body))}\nEND_OF_REQUEST`;
}

interface CaughtRequest {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Where a run looks for the key. */
  readonly keyVariable: string;
}

/** Stands where the key would. */
const stand = 'agent-stack-key-placeholder';

async function catchRequest(agent: Agent, payload: JsonObject, ports: Ports): Promise<CaughtRequest> {
  const { llm } = agent.resolved;
  const stop = new AbortController();
  let keyVariable = llm.api_key_env ?? 'OPENAI_API_KEY';
  let caught: CaughtRequest | undefined;
  const fetch: Fetch = async (input, init) => {
    const headers = [...new Headers(init?.headers)];
    caught ??= { url: String(input), headers, body: String(init?.body), keyVariable };
    stop.abort(new CancelledError('The request was only to be seen.'));
    throw stop.signal.reason;
  };
  const seen: Ports = {
    ...ports,
    fetch,
    logger: { log: () => undefined },
    environment: { get: (name) => (name === keyVariable ? stand : ports.environment.get(name)) },
    secrets: {
      get(name) {
        keyVariable = name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
        return stand;
      },
    },
  };
  let refusal = `The provider ${JSON.stringify(llm.provider)} sends no HTTP request. Name a profile that does with --llm.`;
  const run = runAgent({ agent, payload, llm: connect(agent, seen), ports: seen, signal: stop.signal, delivery: 'call' });
  for await (const event of run) {
    if (event.final && event.result.error !== null) refusal = event.result.error.message;
  }
  if (caught === undefined) throw new UsageError(refusal);
  return caught;
}
