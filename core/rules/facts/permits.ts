import { findAgent } from '../../config/agentReference.js';
import { agentsInPlan, stepsNaming } from '../../config/agentToolChoice.js';
import type { ConfigFile } from '../../config/configFile.js';
import { tasksIn, teamsIn } from '../../config/orchestrationParts.js';
import type { RelatedPlace } from '../../finding.js';
import { isObject, type JsonObject, pointerOf, valueAt } from '../../json.js';
import { createFlowGraph, type FlowGraph } from '../../permits/flowGraph.js';
import { isMeant } from '../../permits/policyTerms.js';
import { type AssertionVerdict, coveredBy, type Offence, provePolicy } from '../../permits/prove.js';
import { agentSubject, orchestrationSubject, type PermitSubject, type SubjectTool, toolsOf } from '../../permits/subject.js';
import { policyOf } from '../../snapshot/policy.js';
import { instanceOf } from '../../snapshot/snapshotValue.js';
import type { LayeredPolicy } from '../../snapshot/types.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { frozenGraph, needsProverTools } from './routingProofs.js';

/** What the policy says of an agent or orchestration. */
export interface Permits {
  readonly layered: LayeredPolicy;
  readonly subject: PermitSubject;
  readonly graph: FlowGraph;
  /** Without the offences that the file of another agent shows. */
  readonly verdicts: readonly AssertionVerdict[];
}

/** Undefined where no policy is set, and where it cannot concern the file. */
export const permitsOf = forLastFile((file: ConfigFile, context: RuleContext): Permits | undefined => {
  const layered = policyOf(context.project);
  if (layered === undefined) return undefined;
  const subject = subjectOf(file, context);
  if (subject === undefined || !mayConcern(layered, subject)) return undefined;
  const { graph, verdicts } = proofOf(subject, layered);
  let elsewhere: ReadonlySet<string> | undefined;
  const isElsewhere = (pointer: string, offence: Offence) => {
    elsewhere ??= offencesElsewhere(file, subject, layered, context);
    return elsewhere.has(keyOf(pointer, offence));
  };
  const own = verdicts.map(({ pointer, offences, ...verdict }) => ({
    ...verdict,
    pointer,
    offences: subject.agents.size === 1 ? offences : offences.filter((offence) => !isElsewhere(pointer, offence)),
  }));
  return { layered, subject, graph, verdicts: own };
});

/** Whether the routes of an orchestration, and with them its flows, depend on more than simple schemas. */
export function permitsNeedSchemas(file: ConfigFile, context: RuleContext): boolean {
  return file.identity.kind === 'orchestration' && policyOf(context.project) !== undefined && needsProverTools(file, context);
}

export function subjectOf(file: ConfigFile, context: RuleContext): PermitSubject | undefined {
  if (!isObject(file.value)) return undefined;
  if (file.identity.kind === 'orchestration') {
    const { name, frozen, agents } = context.orchestration(file);
    const tools = { schemas: context.schemas, patterns: context.patterns };
    return orchestrationSubject(name, frozen, agents, frozenGraph(frozen, agents, tools));
  }
  if (file.identity.kind !== 'agent' || file.identity.version === undefined) return undefined;
  const agent = context.effective(file);
  return agentSubject(agent, context.called(agent));
}

/** Whether anything could be forbidden: nearly every agent lacks what a policy is about, and needs no graph. */
function mayConcern({ policy: { never = [], agents = {} } }: LayeredPolicy, subject: PermitSubject): boolean {
  if (Object.keys(agents).some((name) => coveredBy(name, subject).size > 0)) return true;
  if (never.length === 0) return false;
  const tools = [...subject.agents].flatMap(([instance, agent]) => toolsOf(instance, agent));
  const has = (term: string) => tools.some((tool) => isMeant(term, tool) !== false);
  return never.some(({ from, to }) => has(from) && has(to));
}

function proofOf(subject: PermitSubject, { policy }: LayeredPolicy): Pick<Permits, 'graph' | 'verdicts'> {
  const graph = createFlowGraph([subject]);
  return { graph, verdicts: provePolicy(graph, [subject], policy) };
}

/** Offences that the files of other agents show, in which the fix belongs. Of agents that call each other, each shows its own. */
function offencesElsewhere(file: ConfigFile, subject: PermitSubject, layered: LayeredPolicy, context: RuleContext): ReadonlySet<string> {
  const keys = new Set<string>();
  const ids = new Set([...subject.agents.values()].map(({ config }) => `${config.agent_name}@${config.version}`));
  for (const id of ids) {
    const target = id === file.identity.id ? undefined : findAgent(context.project, id);
    const other = target && context.agent(target.name, target.version);
    const alone = other && subjectOf(other, context);
    if (alone === undefined || alone.agents.has(file.identity.id)) continue;
    for (const { pointer, offences } of proofOf(alone, layered).verdicts) for (const offence of offences) keys.add(keyOf(pointer, offence));
  }
  return keys;
}

function keyOf(pointer: string, { tool: { agent_name, id, place }, isSure }: Offence): string {
  return JSON.stringify([pointer, agent_name, id, place ?? null, isSure]);
}

/** Where in the file a finding about a tool belongs: on what gives it to the agent, else on what brings the agent, else at the root. */
export function placeOfTool(
  { identity, path, value }: ConfigFile,
  { subject }: Pick<Permits, 'subject'>,
  { place, instance, id }: Pick<SubjectTool, 'place' | 'instance' | 'id'>,
  { project }: Pick<RuleContext, 'project'>,
): { readonly pointer: string; readonly related: readonly RelatedPlace[] } {
  if (place?.file === path) return { pointer: place.pointer, related: [] };
  const related = place === undefined ? [] : [{ ...place, message: `It gives the agent ${id}.` }];
  const persona = isObject(value) && typeof value.persona_key === 'string' ? value.persona_key : undefined;
  const isOfPersona = persona !== undefined && place !== undefined && project.ids('persona').get(persona) === place.file;
  const pointer =
    identity.kind === 'orchestration'
      ? taskPointer(value as JsonObject, subject, instance)
      : instance === subject.name
        ? isOfPersona
          ? '/persona_key'
          : ''
        : stepPointer(value as JsonObject, subject, instance);
  return { pointer, related };
}

function taskPointer(value: JsonObject, subject: PermitSubject, instance: string): string {
  const task = teamsIn(value)
    .flatMap(tasksIn)
    .find(({ team, name }) => name !== undefined && leadsTo(subject, instanceOf(team, name), instance));
  if (task === undefined) return '';
  const field = ['agent', 'persona_key'].find((name) => typeof task.value[name] === 'string');
  return field === undefined ? task.pointer : `${task.pointer}/${field}`;
}

function stepPointer(value: JsonObject, subject: PermitSubject, instance: string): string {
  const plan = subject.agents.get(subject.name)?.config.execution_plan;
  const step = stepsNaming(plan, 'agent').find(({ name }) => leadsTo(subject, name, instance));
  const pointer = step && pointerOf('execution_plan', 'steps', step.index, 'agent');
  // The plan may be a persona's.
  return pointer !== undefined && typeof valueAt(value, pointer) === 'string' ? pointer : '';
}

/** Whether an agent is another, or calls it, directly or through others. */
export function leadsTo({ agents }: PermitSubject, from: string, to: string): boolean {
  const reached = new Set([from]);
  // A set grows while it is iterated.
  for (const instance of reached) for (const called of agentsInPlan(agents.get(instance)?.config.execution_plan)) reached.add(called);
  return reached.has(to);
}

/** Where an assertion is written, as a related place. */
export function assertionPlace({ origins }: LayeredPolicy, pointer: string): readonly RelatedPlace[] {
  const origin = origins.get(pointer);
  return origin === undefined || origin.file === null
    ? []
    : [{ file: origin.file, pointer: origin.pointer, message: 'The policy says so here.' }];
}
