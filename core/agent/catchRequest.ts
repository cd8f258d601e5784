import { CancelledError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { keyPlaceFor } from '../llm/providers/apiKey.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import type { Fetch, Ports } from '../ports.js';
import { secretVariable } from '../secrets/secretVariable.js';
import type { ToolSet } from '../tools/types.js';
import { toVisibleJson } from '../visibleText.js';
import { shellQuote } from '../words.js';
import { connect } from './modelCall.js';
import { runAgent } from './runAgent.js';
import type { Agent } from './types.js';

/** The HTTP request of a run. Nothing in it is secret: where the key would be stands `keyStand`. */
interface CaughtRequest {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON. */
  readonly body: string;
  /** The environment variable a run takes the key from. */
  readonly keyVariable: string;
}

/** Stands where the key would. */
export const keyStand = 'agent-stack-key-placeholder';

/**
 * The very request a run would send, caught where it would leave: nothing is sent, and no key is looked up.
 *
 * @returns the request, or why it cannot be made (`refusal`; undefined where the provider simply sends no HTTP request)
 */
export async function catchRequest(
  agent: Agent,
  payload: JsonObject,
  ports: Ports,
  providers: readonly LlmProvider[] = [],
): Promise<{ readonly request: CaughtRequest } | { readonly request: undefined; readonly refusal: string | undefined }> {
  if (agent.resolved.config.agent_type === 'orchestrating') {
    const refusal =
      'What a plan sends depends on what its steps give, so there is no one request to show. Run it, and look at its conversation.';
    return { request: undefined, refusal };
  }
  const stop = new AbortController();
  // Without a place of its own the provider asks for no key, and the name stands nowhere.
  let keyVariable = keyPlaceFor(agent.resolved.llm)?.name ?? 'OPENAI_API_KEY';
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
    environment: { get: (name) => (name === keyVariable ? keyStand : ports.environment.get(name)) },
    secrets: {
      get(name) {
        keyVariable = secretVariable(name);
        return keyStand;
      },
    },
  };
  let refusal: string | undefined;
  const run = runAgent({
    agent,
    payload,
    llm: connect(agent, seen, providers),
    ports: seen,
    signal: stop.signal,
    delivery: 'call',
    openTools: async () => frozenTools(agent),
  });
  for await (const event of run) {
    if (event.final && event.result.error !== null) refusal = event.result.error.message;
  }
  return caught === undefined ? { request: undefined, refusal } : { request: caught };
}

/** The tools as the files name them: no server is started to be shown a request. */
function frozenTools({ resolved }: Agent): ToolSet {
  const tools = resolved.tools.map((tool) => ({
    ...tool,
    idempotent: true,
    side_effects: false,
    needs_approval: true,
    call: () => Promise.reject(new CancelledError('The request was only to be seen.')),
  }));
  return { tools, close: async () => undefined };
}

/**
 * A request as a command for a POSIX shell. In place of the key it names the environment variable a run takes it from; undefined when no
 * shell can name that one.
 */
export function curlCommand({ url, headers, body, keyVariable }: CaughtRequest): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(keyVariable)) return undefined;
  const words = [shellQuote(url)];
  for (const [name, value] of headers) {
    if (name === 'user-agent' || name === 'accept') continue;
    const header = `${name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())}: ${value}`;
    words.push(`--header ${value.includes(keyStand) ? `"${header.replace(keyStand, `$${keyVariable}`)}"` : shellQuote(header)}`);
  }
  // A quoted here-document needs no escapes and has no limit of length; no line of JSON is equal to its last.
  return `curl ${[...words, "--data-binary @- <<'END_OF_REQUEST'"].join(' \\\n  ')}\n${toVisibleJson(JSON.parse(body))}\nEND_OF_REQUEST`;
}
