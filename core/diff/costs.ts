import type { Agent } from '../agent/types.js';
import type { UserModel } from '../config/projectSettings.js';
import { InputInvalidError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { countRequestTokens, loadTokenCounter } from '../llm/countTokens.js';
import { createModelTable, type ModelTable } from '../llm/modelTable.js';
import type { WorstCase } from '../llm/worstCase.js';
import type { AgentPrompt } from '../prompt/agentPrompt.js';
import { measurePrompt } from '../prompt/describePrompt.js';
import { textOf } from '../prompt/promptText.js';
import { assumedInput, staticWorstCase } from '../prompt/staticWorstCase.js';
import type { TypicalCost } from '../prompt/typicalCost.js';
import type { ProverTools } from '../routing/prover/choiceContext.js';
import { createFacts, orchestrationBounds } from '../rules/facts/orchestrationBounds.js';
import { cacheOf } from '../rules/facts/promptCache.js';
import { frozenGraph } from '../rules/facts/routingProofs.js';
import type { ComparedSide } from './comparedSide.js';
import { pairAgents, type SideAgent } from './pairAgents.js';
import type { CostChange, PrefixChange } from './types.js';

export interface CostOptions {
  /** Cases of a single agent, the same for both sides. Those that a side does not accept are skipped. Default: none. */
  readonly payloads?: readonly JsonObject[];
  /** Tokens of input from outside, as agentstack.json says. Default: `assumedInput`. */
  readonly assumed_input?: number | undefined;
  /** To prove which routes a run of an orchestration can take. Default: it may take all that simple schemas do not rule out. */
  readonly prover?: ProverTools;
}

/** What a run costs before and after; null if none of it changes. */
export async function compareCosts(before: ComparedSide, after: ComparedSide, options: CostOptions = {}): Promise<CostChange | null> {
  // A case counts if both sides accept it: otherwise the difference would be one of cases.
  const prompts = [before, after].flatMap((side) => mainAgent(side)?.prompt ?? []);
  const payloads = (options.payloads ?? []).filter((payload) => prompts.every((prompt) => accepts(prompt, payload)));
  const [left, right] = [await figuresOf(before, payloads, options), await figuresOf(after, payloads, options)];
  const prefixes = pairAgents(before, after).flatMap(({ instance, before: old, after: current }) =>
    old === undefined || current === undefined ? [] : prefixChange(instance, old, current),
  );
  if (prefixes.length === 0 && JSON.stringify(left) === JSON.stringify(right)) return null;
  return {
    maximum_before: left.maximum,
    maximum_after: right.maximum,
    typical_before: left.typical,
    typical_after: right.typical,
    prompt_tokens_before: left.tokens,
    prompt_tokens_after: right.tokens,
    prefixes,
  };
}

interface Figures {
  readonly maximum: WorstCase | null;
  /** With the longest case; null without one. */
  readonly typical: TypicalCost | null;
  readonly tokens: number | null;
}

/** The maximum is that of `check`, and with cases that of the lens; the rest is what `compose` shows. */
async function figuresOf(side: ComparedSide, payloads: readonly JsonObject[], options: CostOptions): Promise<Figures> {
  const { assumed_input = assumedInput, prover = {} } = options;
  const agents = new Map([...side.agents].map(([instance, { resolved }]) => [instance, resolved]));
  const models = modelsOf(side);
  const { orchestration: frozen } = side.value;
  if (frozen !== undefined) {
    const bounds = orchestrationBounds({ resolved: { frozen, agents }, models, graph: frozenGraph(frozen, agents, prover), assumed_input });
    return { maximum: bounds?.run ?? null, typical: null, tokens: null };
  }
  const agent = mainAgent(side);
  if (agent === undefined) return { maximum: null, typical: null, tokens: null };
  const bound = staticWorstCase({ ...createFacts(agents, models, assumed_input)(agent.resolved), payloads });
  // Which input was counted is the same on both sides.
  const { input: _, ...worst } = bound ?? { input: undefined };
  const maximum = bound === undefined ? null : (worst as WorstCase);
  if (agent.resolved.config.agent_type === 'orchestrating') return { maximum, typical: null, tokens: null };
  const longest = longestOf(agent, payloads);
  const measured = longest && (await measurePrompt(agent, agent.prompt.compose(longest)));
  return {
    maximum,
    typical: measured?.typical_cost ?? null,
    tokens: measured?.tokens.total ?? (await tokensWithoutInput(agent)),
  };
}

async function tokensWithoutInput({ prompt }: Agent): Promise<number> {
  const { system, user, tools } = prompt.shape();
  const model = prompt.model_name;
  const messages = [
    { role: 'system', content: textOf(system) },
    { role: 'user', content: textOf(user) },
  ] as const;
  return countRequestTokens(await loadTokenCounter([model]), { model, messages, tools }).tokens;
}

/** As `agentsOfSnapshot` reads them. */
function modelsOf({ value }: ComparedSide): ModelTable {
  return createModelTable((value.models ?? {}) as unknown as Readonly<Record<string, UserModel>>);
}

function mainAgent({ value, agents }: ComparedSide): Agent | undefined {
  return value.kind === 'agent' ? agents.get(value.name) : undefined;
}

/** Whether a prompt can be made of an input. */
export function accepts(prompt: AgentPrompt, payload: JsonObject): boolean {
  if (prompt.checkPayload(payload).length > 0) return false;
  try {
    prompt.compose(payload);
    return true;
  } catch (error) {
    if (error instanceof InputInvalidError) return false;
    throw error;
  }
}

function longestOf({ prompt }: Agent, payloads: readonly JsonObject[]): JsonObject | undefined {
  const sizes = payloads.map((payload) => prompt.compose(payload).messages.reduce((sum, { content }) => sum + content.length, 0));
  return payloads[sizes.indexOf(Math.max(...sizes))];
}

/** Only where the provider is known to cache on one side. Estimated, as in the rule cache-prefix-broken. */
function prefixChange(instance: string, before: SideAgent, after: SideAgent): readonly PrefixChange[] {
  const [old, current] = [before, after].map(({ side, agent }) => cacheOf(agent.resolved, modelsOf(side)));
  if (old === undefined || current === undefined || (old.caching === undefined && current.caching === undefined)) return [];
  const [left, right] = [old.prediction, current.prediction];
  if (left.stable_tokens === right.stable_tokens && left.cached_tokens === right.cached_tokens) return [];
  return [
    {
      instance,
      stable_tokens_before: left.stable_tokens,
      stable_tokens_after: right.stable_tokens,
      cached_tokens_before: left.cached_tokens,
      cached_tokens_after: right.cached_tokens,
    },
  ];
}
