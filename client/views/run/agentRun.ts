import { randomUUID } from 'node:crypto';
import type { Agent } from '../../../core/agent/agentFactory.js';
import { AgentPromptValidationError } from '../../../core/errors.js';
import { type Json, pointerOf } from '../../../core/json.js';
import type { Project } from '../../../core/node/openProject.js';
import { sourceOf } from './approvals.js';
import type { RunChoice, RunPlan } from './liveRun.js';
import { newFacts } from './newFacts.js';
import { type FieldCheck, Transcript, toFields } from './transcript.js';

/** A run of one agent. */
export function planAgentRun(project: Project, agent: Agent, chosen: RunChoice): RunPlan {
  const { config, llm } = agent.resolved;
  // An agent that remembers begins a conversation, which another run can go on with.
  const session = config.include_history ? (chosen.session ?? randomUUID()) : undefined;
  const choice = { ...chosen, session };
  const facts = newFacts({
    agent: choice.agent_name,
    version: choice.version,
    project: choice.folder.name,
    root: choice.folder.root,
    status: 'running',
    started: Date.now(),
    provider: llm.provider,
    model: config.model_name ?? null,
    profile: llm.llm_id ?? null,
    simulated: llm.provider === 'offline',
    input: toFields(choice.payload, 'unchecked'),
    session: session ?? null,
    canContinue: session !== undefined,
  });
  const origins = toolOrigins(agent);
  return {
    folder: choice.folder,
    project,
    choice,
    transcript: new Transcript(facts, { check: fieldCheckOf(agent), price: agent.price, originOf: (tool) => origins.get(tool) ?? '' }),
    start(hooks) {
      const { agent_name, version, payload, llm: profile } = choice;
      const overrides = profile === undefined ? {} : { llm: profile };
      const context = session === undefined ? {} : { session_id: session };
      return project.run({ agent_name, version, payload, overrides, context, ...hooks });
    },
  };
}

/** Who offers each tool of an agent. */
export function toolOrigins({ resolved }: Agent): ReadonlyMap<string, string> {
  return new Map(resolved.tools.map(({ name, origin }) => [name, sourceOf(origin)]));
}

/** A field by itself is valid when nothing that the schema says of the whole answer concerns it. */
function fieldCheckOf({ prompt }: Agent): FieldCheck {
  return (name: string, value: Json) => {
    try {
      prompt.parseAndValidate(Object.fromEntries([[name, value]]));
      return true;
    } catch (error) {
      if (!(error instanceof AgentPromptValidationError)) throw error;
      const own = pointerOf(name);
      return !error.issues.some(({ path, keyword }) => path === own || path.startsWith(`${own}/`) || keyword === 'additionalProperties');
    }
  };
}
