import * as vscode from 'vscode';
import {
  type AgentDraft,
  type AgentDraftRequest,
  draftAgent,
  findAgentErrors,
  readCalledAgents,
} from '../../../core/agent/load/agentDraft.js';
import type { FileIdentity } from '../../../core/config/configFile.js';
import { readConfigFile } from '../../../core/config/parseConfigFile.js';
import { identifyFile } from '../../../core/config/paths.js';
import type { ProjectIndex } from '../../../core/config/projectIndex.js';
import { AgentStackError, ConfigInvalidError, InputInvalidError } from '../../../core/errors.js';
import type { PlacedFinding } from '../../../core/finding.js';
import type { JsonObject } from '../../../core/json.js';
import type { Kind } from '../../../core/kinds.js';
import type { Ports } from '../../../core/ports.js';
import { type Stretch, stretchesOf } from '../../../core/prompt/sourcePlaces.js';
import type { ComposedPrompt } from '../../../core/prompt/types.js';
import { type InputValues, keyOfIssue, readInput, type TypedInput, type WantedField, wantedFields } from './inputFields.js';
import { type InputStore, type PreviewInput, payloadPath, savedPayloads } from './inputStore.js';
import type { PreviewProject } from './previewProject.js';

/** A prompt as it would be sent, and what it was made of. */
export interface Composition extends ComposedPrompt {
  readonly draft: AgentDraft;
  readonly payload: JsonObject;
  readonly stretches: readonly Stretch[];
}

/** The state of an agent file at one moment. */
export interface PreviewState {
  readonly identity: FileIdentity;
  readonly index: ProjectIndex;
  readonly ports: Ports;
  /** The last prompt that could be composed; undefined before there was one. */
  readonly composition: Composition | undefined;
  /** Why `composition` is not what the file says now; undefined when it is. */
  readonly stale: string | undefined;
  readonly input: PreviewInput;
  readonly fields: readonly WantedField[];
  readonly cases: readonly string[];
  /** Ids of all llm profiles, and the one that overrides the agent's; undefined for the agent's. */
  readonly profiles: readonly string[];
  readonly llm: string | undefined;
  readonly typed: TypedInput;
  /** Everything that would stop a run, computed on first use. */
  errors(): Promise<readonly PlacedFinding[]>;
  /** What is wrong with the input, by key. */
  issues(): readonly { readonly key: string; readonly message: string }[];
}

/** One agent file, composed from the editors' content. Keeps the last good prompt, to show while the file is broken. */
export class AgentPreview {
  readonly uri: vscode.Uri;
  readonly project: PreviewProject;
  readonly #inputs: InputStore;
  /** An llm profile that overrides the agent's, as in a run. */
  #llm: string | undefined;
  #last: Composition | undefined;
  #wanted: readonly WantedField[] = [];
  /** The problems of the input when it was last checked. */
  #issues: ReturnType<PreviewState['issues']> = [];

  constructor(uri: vscode.Uri, project: PreviewProject, inputs: InputStore) {
    this.uri = uri;
    this.project = project;
    this.#inputs = inputs;
  }

  /** Under which its input is remembered: one for all versions. */
  inputKey({ name }: FileIdentity): string {
    return `${this.project.folder.root} ${name}`;
  }

  /** @param id undefined for the agent's own */
  chooseProfile(id: string | undefined): void {
    this.#llm = id;
  }

  /** @returns undefined when the file is not an agent file of its project */
  async compose(): Promise<PreviewState | undefined> {
    const path = this.project.folder.pathOf(this.uri);
    const [index, ports, schemas] = await Promise.all([this.project.index(), this.project.ports, this.project.schemas]);
    const identity = path === undefined ? undefined : identifyFile(path, index.settings);
    if (path === undefined || identity?.kind !== 'agent' || identity.version === undefined) return undefined;
    const cases = savedPayloads(index, identity.name);
    const input = await this.#input(identity, index, cases);
    const file = await readConfigFile(ports.files, path, identity);
    const profiles = [...index.ids('llm').keys()];
    // A removed profile is no longer chosen.
    const llm = this.#llm !== undefined && profiles.includes(this.#llm) ? this.#llm : undefined;
    const draftRequest = {
      agent_name: identity.name,
      version: identity.version,
      file,
      project: index,
      schemas,
      ports,
      environment_name: this.project.environment,
      ...(llm !== undefined && { overrides: { llm } }),
    };
    const request = { ...draftRequest, agents: await readCalledAgents(draftRequest) };
    const { draft, typed, stale } = this.#draft(request, input.values);
    return {
      identity,
      index,
      ports,
      composition: this.#last,
      stale,
      input,
      fields: this.#wanted,
      cases,
      profiles,
      llm,
      typed,
      errors: () => findAgentErrors(request, draft),
      issues: () => {
        if (draft !== undefined) this.#issues = inputIssues(draft, typed.payload);
        return [...typed.issues, ...this.#issues];
      },
    };
  }

  /** Composes where possible, and says why not where it is not. */
  #draft(request: AgentDraftRequest, values: InputValues): { draft: AgentDraft | undefined; typed: TypedInput; stale: string | undefined } {
    const { file } = request;
    const [fault] = file.syntax;
    const draft = draftAgent(request);
    if (draft === undefined) {
      return { draft, typed: readInput(values, this.#wanted), stale: fault?.message ?? vscode.l10n.t('The file holds no JSON object.') };
    }
    const below = unreadableBelow(draft, request);
    if (below !== undefined && this.#last !== undefined) return { draft, typed: readInput(values, this.#wanted), stale: below };
    this.#wanted = wantedFields(draft.resolved.config);
    const typed = readInput(values, this.#wanted);
    const [unread] = typed.issues;
    if (unread !== undefined) return { draft, typed, stale: `${unread.key}: ${unread.message}` };
    try {
      const composed = draft.prompt.compose(typed.payload);
      const { messages, response_format, tools, source_map } = composed;
      const stretches = stretchesOf(composed, draft.resolved.config);
      this.#last = { messages, response_format, tools, source_map, draft, payload: typed.payload, stretches };
      return { draft, typed, stale: undefined };
    } catch (error) {
      if (!(error instanceof AgentStackError)) throw error;
      return { draft, typed, stale: error.message };
    }
  }

  /** What was typed last; before that the first case. */
  async #input(identity: FileIdentity, index: ProjectIndex, cases: readonly string[]): Promise<PreviewInput> {
    const typedInput = this.#inputs.get(this.inputKey(identity));
    if (typedInput !== undefined && typedInput.case === '') return typedInput;
    const name = typedInput?.case ?? cases[0];
    if (name === undefined) return { case: '', values: new Map() };
    const values = await this.project.payload(payloadPath(index, identity.name, name));
    if (values !== undefined) return { case: name, values };
    return typedInput ?? { case: '', values: new Map() };
  }
}

/** Why a file the agent is layered on says nothing at all, in words; a prompt without it would be another one. */
function unreadableBelow({ resolved }: AgentDraft, { file: own, project }: AgentDraftRequest): string | undefined {
  return resolved.problems.find(({ file, pointer }) => {
    if (file === null || pointer !== '' || file === own.path) return false;
    const identity = identifyFile(file, project.settings);
    return identity !== undefined && isLayer(identity.kind) && project.value(identity.kind, identity.id) === undefined;
  })?.message;
}

function isLayer(kind: Kind): kind is 'system' | 'llm' | 'persona' | 'prompt' {
  return kind === 'system' || kind === 'llm' || kind === 'persona' || kind === 'prompt';
}

function inputIssues(draft: AgentDraft, payload: JsonObject): readonly { readonly key: string; readonly message: string }[] {
  try {
    return draft.prompt.checkPayload(payload).map(({ path, message }) => {
      const { key, below } = keyOfIssue(path);
      return { key, message: below === '' ? message : `${below} ${message}` };
    });
  } catch (error) {
    if (error instanceof InputInvalidError || error instanceof ConfigInvalidError) return [{ key: '', message: error.message }];
    throw error;
  }
}
