import * as vscode from 'vscode';
import { type AgentDraft, draftAgent, findAgentErrors, readCalledAgents } from '../../../core/agent/load/agentDraft.js';
import { createRuleContext } from '../../../core/check/ruleContext.js';
import type { ConfigFile, FileIdentity } from '../../../core/config/configFile.js';
import { readConfigFile } from '../../../core/config/parseConfigFile.js';
import { identifyFile } from '../../../core/config/paths.js';
import type { PlacedFinding } from '../../../core/finding.js';
import { createModelTable } from '../../../core/llm/modelTable.js';
import { countText } from '../../../core/llm/tokenText.js';
import { worstCaseWords } from '../../../core/llm/worstCase.js';
import { assumedInput, staticWorstCase } from '../../../core/prompt/staticWorstCase.js';
import { basisWords, boundsIn, boundsWords, createFacts } from '../../../core/rules/facts/orchestrationBounds.js';
import { originsIn, outlineSnapshot, type Snapshot, type SnapshotSubject } from '../../../core/snapshot/createSnapshot.js';
import {
  draftOrchestration,
  findOrchestrationErrors,
  type OrchestrationDraft,
  type OrchestrationDraftRequest,
  readOrchestrationAgents,
} from '../../../core/team/orchestrationDraft.js';
import type { PreviewProject } from '../../panels/preview/previewProject.js';
import type { EffectiveContent, EffectiveFacts } from './effectiveState.js';

/** A file that has an effective config. */
export interface EffectiveTarget {
  readonly path: string;
  readonly identity: FileIdentity;
}

/** Undefined for a file that is neither an agent nor an orchestration. */
export async function effectiveTarget(project: PreviewProject, uri: vscode.Uri): Promise<EffectiveTarget | undefined> {
  const path = project.folder.pathOf(uri);
  const identity = path === undefined ? undefined : identifyFile(path, (await project.index()).settings);
  if (path === undefined || (identity?.kind !== 'agent' && identity?.kind !== 'orchestration')) return undefined;
  return { path, identity };
}

/** The effective config of a file from what is in the editors. `content` is undefined while the text is not a JSON object. */
export async function composeEffective(
  project: PreviewProject,
  { path, identity }: EffectiveTarget,
  environment: string | undefined,
): Promise<EffectiveFacts> {
  const [index, ports, schemas] = await Promise.all([project.index(), project.ports, project.schemas]);
  const file = await readConfigFile(ports.files, path, identity);
  const draftRequest = { file, project: index, schemas, ports, environment_name: environment ?? project.environment };
  const composed = identity.kind === 'agent' ? await ofAgent(draftRequest, identity) : await ofOrchestration(draftRequest);
  const { errors, subject, snapshot, notes } = composed;
  return {
    folder: project.folder,
    name: identity.id,
    environment: draftRequest.environment_name ?? index.settings.environment,
    hash: snapshot?.hash,
    notes,
    errors,
    stale: subject === undefined ? (file.syntax[0]?.message ?? vscode.l10n.t('The file holds no JSON object.')) : undefined,
    content: subject && contentOf(subject, snapshot),
  };
}

interface Made {
  readonly errors: readonly PlacedFinding[];
  readonly subject: SnapshotSubject | undefined;
  readonly snapshot: Snapshot | undefined;
  readonly notes: readonly string[];
}

type Asked = Omit<OrchestrationDraftRequest, 'agents'>;

async function ofAgent(asked: Asked, { name, version = '' }: FileIdentity): Promise<Made> {
  const namedRequest = { ...asked, agent_name: name, version };
  const request = { ...namedRequest, agents: await readCalledAgents(namedRequest) };
  const draft = draftAgent(request);
  return {
    errors: await findAgentErrors(request, draft),
    subject: draft && { kind: 'agent', resolved: draft.resolved, called: draft.called },
    snapshot: draft?.snapshot,
    notes: draft ? costOfAgent(draft, asked) : [],
  };
}

async function ofOrchestration(asked: Asked): Promise<Made> {
  const request = { ...asked, agents: await readOrchestrationAgents(asked) };
  const draft = draftOrchestration(request);
  return {
    errors: await findOrchestrationErrors(request, draft),
    subject: draft && { kind: 'orchestration', resolved: draft.resolved },
    snapshot: draft?.snapshot,
    notes: draft ? costOfOrchestration(draft, request) : [],
  };
}

function costOfAgent({ resolved, called }: AgentDraft, { project }: Asked): readonly string[] {
  const { models, assumed_input_tokens = assumedInput } = project.settings;
  const worst = staticWorstCase(createFacts(called, createModelTable(models), assumed_input_tokens)(resolved));
  if (worst === undefined) return [];
  const { language } = vscode.env;
  const words = worstCaseWords(worst, vscode.l10n.t, language);
  return [vscode.l10n.t('A run: {0}, counted with an input of {1} tokens', words, countText(assumed_input_tokens, language))];
}

function costOfOrchestration({ resolved }: OrchestrationDraft, request: OrchestrationDraftRequest): readonly string[] {
  const { project, schemas, ports, agents = new Map<string, ConfigFile>(), file } = request;
  const context = createRuleContext({
    project,
    models: createModelTable(project.settings.models),
    variables: ports.environment,
    schemas,
    agent: (name, version) => agents.get(`${name}@${version}`),
  });
  const bounds = boundsIn(file, { ...context, orchestration: () => resolved });
  if (bounds === undefined) return [];
  const { language } = vscode.env;
  const words = boundsWords(bounds, vscode.l10n.t, language);
  return [`${vscode.l10n.t('A run: {0}.', words)} ${basisWords(bounds, vscode.l10n.t, language)}`];
}

function contentOf(subject: SnapshotSubject, snapshot: Snapshot | undefined): EffectiveContent {
  const frozen = snapshot ?? outlineSnapshot(subject);
  return { value: frozen.value, origins: originsIn(frozen), subject };
}
