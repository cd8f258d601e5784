import type { Agent } from '../agent/types.js';
import type { Json, JsonObject } from '../json.js';
import { findProviderFacts, limitSent } from '../llm/providers/providerFacts.js';
import { refusedParameters } from '../llm/refusedParameters.js';
import { canonicalJson, canonicalObject } from '../snapshot/canonicalJson.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import type { Orchestration } from '../team/types.js';
import { type EvalCase, expectationsOf } from './readCases.js';

/** Incremented when a release judges or runs the same files differently, so that old verdicts are not carried over. */
const format = 2;

/** SHA-256 of the UTF-8 bytes of a text, in lower-case hexadecimal digits. */
type Sha256 = (text: string) => string;

/** An agent or an orchestration. */
type Asked = Agent | (Pick<Orchestration, 'snapshot'> & Partial<Pick<Orchestration, 'agents'>>);

interface AskedFacts {
  readonly subject: Asked;
  readonly tested: Pick<EvalCase, 'turns'>;
  readonly sha256: Sha256;
}

interface TestFacts {
  readonly tested: Pick<EvalCase, 'turns'>;
  /** By reference, as written. */
  readonly judges: ReadonlyMap<string, Asked>;
  readonly sha256: Sha256;
}

/**
 * The first half of a verdict's key: the request. For a single-shot agent it covers the request as sent and how the answer is parsed, in a
 * conversation for each turn without the answers before it; for loops, plans and orchestrations the frozen config, since later requests depend on
 * answers. Two verdicts with the same halves differ only by the model's randomness. The key does not cover the code of skills, the behaviour of
 * servers, `repeats` or `pass_rate`.
 *
 * @returns 64 lower-case hexadecimal digits
 * @throws InputInvalidError when the input cannot be composed
 */
export function askedKey({ subject, tested, sha256 }: AskedFacts): string {
  const entries = expectationsOf(tested);
  const inputs = tested.turns.map(({ input }) => input);
  const [first = {}] = inputs;
  const hasTurns = inputs.length > 1;
  const isSingle = 'resolved' in subject && subject.resolved.config.agent_type === 'single_shot';
  const decisive = {
    format: canonicalJson(format),
    ...(isSingle
      ? {
          ...(hasTurns
            ? { requests: `[${inputs.map((input) => requestText(subject, input)).join()}]` }
            : { request: requestText(subject, first) }),
          answer: constantsOf(subject).answer,
          limits: textOf(limitsOf(subject, entries, hasTurns)),
        }
      : {
          frozen: canonicalJson(behaviourOf(subject.snapshot, sha256)),
          input: canonicalJson(JSON.stringify(hasTurns ? inputs : first)),
          models: textOf(modelsOf(subject, entries)),
        }),
  };
  return sha256(canonicalObject(decisive));
}

/**
 * The second half: the test, which is the input and the expectations of each turn, and the judges. Two agents are compared only by verdicts of the
 * same test: a looser expectation makes no agent better.
 *
 * @returns 64 lower-case hexadecimal digits
 */
export function testKey({ tested: { turns }, judges, sha256 }: TestFacts): string {
  const [first, ...others] = turns.map(({ input, expect, expected }) => ({
    input: canonicalJson(JSON.stringify(input)),
    expect: canonicalJson(expect.map(({ entry }) => entry)),
    ...(expected !== undefined && { expected: canonicalJson(expected) }),
  }));
  const decisive = {
    format: canonicalJson(format),
    ...first,
    ...(others.length > 0 && { turns: `[${others.map(canonicalObject).join()}]` }),
    judges: textOf(
      Object.fromEntries(
        [...judges].map(([reference, judge]) => [reference, { frozen: behaviourOf(judge.snapshot, sha256), models: modelsOf(judge, []) }]),
      ),
    ),
  };
  return sha256(canonicalObject(decisive));
}

/** The request to the provider, as canonical JSON. */
function requestText(agent: Agent, input: JsonObject): string {
  const { messages } = agent.prompt.compose(input);
  return canonicalObject({
    ...constantsOf(agent).request,
    messages: canonicalJson(messages.map(({ role, content }) => ({ role, content }))),
  });
}

/** The parts that all cases of an agent share, as canonical JSON. */
interface Constants {
  /** Members of the request. */
  readonly request: { readonly [key: string]: string };
  readonly answer: string;
}

const constants = new WeakMap<Agent, Constants>();

function constantsOf(agent: Agent): Constants {
  const cached = constants.get(agent);
  if (cached !== undefined) return cached;
  const members = Object.entries(constantRequestOf(agent)).filter(([, value]) => value !== undefined);
  const request = Object.fromEntries(members.map(([name, value]) => [name, textOf(value)]));
  const computed = { request, answer: textOf(answerOf(agent)) };
  constants.set(agent, computed);
  return computed;
}

/** A request without its messages. Keys and time limits reach no prompt, and parameters that the model refuses are omitted. */
function constantRequestOf({ prompt, resolved, model }: Agent): object {
  const { provider, base_url, options } = resolved.llm;
  const { response_format } = prompt.shape();
  const { model_name, temperature, top_p } = prompt;
  const max_output_tokens = limitSent(resolved.llm, prompt.max_output_tokens, model);
  const isNeeded = findProviderFacts(provider)?.neededLimit !== undefined;
  const refused = refusedParameters(model, options).filter((name) => !(isNeeded && name === 'max_output_tokens'));
  const parameters = Object.entries({ temperature, top_p, max_output_tokens }).filter(([name]) => !refused.includes(name));
  return {
    // A model writes the fields in the order of the schema.
    response_format: JSON.stringify(response_format),
    ...Object.fromEntries(parameters),
    model_name,
    provider,
    base_url,
    options,
  };
}

/** The settings that decide how an answer is parsed and whether it is requested again. */
function answerOf({ resolved: { config } }: Agent): Partial<EffectiveAgent> {
  const { mode, output_schema, enums, defaults, retry_invalid } = config;
  return { mode, output_schema, enums, defaults, retry_invalid } as Partial<EffectiveAgent>;
}

/** The limits that truncate an answer or its history, and the prices that expectations of costs depend on. */
function limitsOf({ resolved, model, price }: Agent, expect: readonly Json[], hasHistory = false): object {
  const { budget, retry_invalid = 0 } = resolved.config;
  const max_cost = budget?.max_cost;
  const { context_window, max_output_tokens } = model ?? {};
  return {
    ...((hasHistory || max_cost !== undefined || retry_invalid > 0) && { context_window, max_output_tokens }),
    ...((max_cost !== undefined || JSON.stringify(expect).includes('"cost_usd"')) && { max_cost, price: price ?? null }),
  };
}

/**
 * Facts about the models of a loop, a plan, an orchestration or a judge: when a conversation is truncated, which parameters an adapter adds or
 * omits, and prices if an expectation depends on them.
 */
function modelsOf(subject: Asked, expect: readonly Json[]): object {
  const agents = [...('resolved' in subject ? [['', subject] as const] : []), ...(subject.agents ?? [])];
  return Object.fromEntries(
    agents.map(([instance, agent]) => {
      const { context_window, max_output_tokens } = agent.model ?? {};
      const refused = refusedParameters(agent.model, agent.resolved.llm.options);
      return [instance, { context_window, max_output_tokens, refused, ...limitsOf(agent, expect) }];
    }),
  );
}

/** Computed once for all cases of an agent. */
const behaviours = new WeakMap<Snapshot, string>();

/** The hash of a snapshot without the parts that affect no run: the name of the environment, descriptions, tracing. */
function behaviourOf(snapshot: Snapshot, sha256: Sha256): string {
  const cached = behaviours.get(snapshot);
  if (cached !== undefined) return cached;
  const { environment: _environment, agents, ...rest } = snapshot.value;
  const described = Object.entries(agents).map(([instance, config]) => {
    const { description: _description, tracing: _tracing, ...decisive } = config;
    return [instance, decisive] as const;
  });
  const hash = sha256(textOf({ ...rest, agents: Object.fromEntries(described) }));
  behaviours.set(snapshot, hash);
  return hash;
}

/** Canonical JSON without undefined fields, which it would refuse. */
function textOf(value: unknown): string {
  return canonicalJson(JSON.parse(JSON.stringify(value)) as Json);
}
