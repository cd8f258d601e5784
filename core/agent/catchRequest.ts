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

/** The HTTP request of a run. It contains no secret: `keyStand` replaces the key. */
interface CaughtRequest {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON. */
  readonly body: string;
  /** The environment variable a run takes the key from. */
  readonly keyVariable: string;
}

/** Placeholder of the key. */
export const keyStand = 'agent-stack-key-placeholder';

/**
 * The exact request that a run would send, caught in place of `fetch`: nothing is sent, and no key is looked up.
 *
 * @returns the request, or why it cannot be made (`refusal`; undefined if the provider sends no HTTP request)
 */
export async function catchRequest(
  agent: Agent,
  payload: JsonObject,
  ports: Ports,
  providers: readonly LlmProvider[] = [],
): Promise<{ readonly request: CaughtRequest } | { readonly request: undefined; readonly refusal: string | undefined }> {
  if (agent.resolved.config.agent_type === 'orchestrating') {
    const refusal =
      'What a plan sends depends on the results of its steps, so there is no single request to show. Run it, and read its conversation.';
    return { request: undefined, refusal };
  }
  const stop = new AbortController();
  // If no key is configured, the provider needs none, and the name is unused.
  let keyVariable = keyPlaceFor(agent.resolved.llm)?.name ?? 'OPENAI_API_KEY';
  let caught: CaughtRequest | undefined;
  const fetch: Fetch = async (input, init) => {
    const headers = [...new Headers(init?.headers)];
    caught ??= { url: String(input), headers, body: String(init?.body), keyVariable };
    stop.abort(new CancelledError('The request was only to be shown.'));
    throw stop.signal.reason;
  };
  const catching: Ports = {
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
    llm: connect(agent, catching, providers),
    ports: catching,
    signal: stop.signal,
    delivery: 'call',
    openTools: async () => frozenTools(agent),
  });
  for await (const event of run) {
    if (event.final && event.result.error !== null) refusal = event.result.error.message;
  }
  return caught === undefined ? { request: undefined, refusal } : { request: caught };
}

/** The tools according to the files: no server is started to show a request. */
function frozenTools({ resolved }: Agent): ToolSet {
  const tools = resolved.tools.map((tool) => ({
    ...tool,
    idempotent: true,
    side_effects: false,
    needs_approval: true,
    call: () => Promise.reject(new CancelledError('The request was only to be shown.')),
  }));
  return { tools, close: async () => undefined };
}

/**
 * A request as a command for a POSIX shell. It takes the key from the environment variable that a run uses; undefined if that is not a valid
 * name in a shell.
 */
export function curlCommand({ url, headers, body, keyVariable }: CaughtRequest): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(keyVariable)) return undefined;
  const words = [shellQuote(url)];
  for (const [name, value] of headers) {
    if (name === 'user-agent' || name === 'accept') continue;
    const header = `${name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())}: ${value}`;
    words.push(`--header ${value.includes(keyStand) ? `"${header.replace(keyStand, `$${keyVariable}`)}"` : shellQuote(header)}`);
  }
  // A quoted here-document needs no escapes and may be of any length; no line of JSON equals its last line.
  return `curl ${[...words, "--data-binary @- <<'END_OF_REQUEST'"].join(' \\\n  ')}\n${toVisibleJson(JSON.parse(body))}\nEND_OF_REQUEST`;
}
