import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import type { ProjectIndex } from '../../../core/config/projectIndex.js';
import type { JsonObject } from '../../../core/json.js';
import { agentNames } from '../../../core/names.js';
import { openEditorProject } from '../../editorProject.js';
import { readInput } from '../../panels/preview/inputFields.js';
import { InputStore } from '../../panels/preview/inputStore.js';
import type { RunChoice } from '../../panels/run/types.js';
import { noAgent } from '../../pickProject.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { checkedAgent } from './checkedRun.js';
import { chooseInput } from './chooseInput.js';
import { chooseProfile } from './chooseProfile.js';
import { LastChoices } from './lastChoice.js';
import { readCase } from './readCase.js';
import type { RunArgument } from './runArgument.js';
import { type Choice, pickOne, type StepEnd, takeSteps } from './steps.js';

/**
 * Decides what to run and asks for what is missing: agent, version, input, llm profile. The last choice is offered first.
 *
 * @returns undefined when the user cancelled
 * @throws Refusal when there is nothing to run, or what there is cannot run
 */
export async function chooseRun(services: Services, argument: RunArgument): Promise<RunChoice | undefined> {
  return new Chooser(services).choose(argument);
}

interface AgentName {
  readonly folder: ProjectFolder;
  readonly agent_name: string;
}

/** One pass through the questions. Each project is read once. */
class Chooser {
  private readonly services: Services;
  private readonly indexes = new Map<ProjectFolder, Promise<ProjectIndex>>();
  private target: AgentName | undefined;
  private version: string | undefined;
  private input: { readonly payload: JsonObject; readonly case: string | null } | undefined;
  /** Null is the agent's own profile. */
  private llm: string | null | undefined;

  constructor(services: Services) {
    this.services = services;
  }

  async choose(argument: RunArgument): Promise<RunChoice | undefined> {
    if (argument.uri !== undefined) await this.takeFile(argument.uri);
    if (argument.payload !== undefined) this.input = { payload: argument.payload, case: argument.case ?? null };
    else if (argument.case !== undefined) await this.takeCase(argument.case);
    this.llm = argument.llm;
    // A caller that brings the input has made its choice.
    if (argument.case !== undefined || argument.payload !== undefined) this.llm ??= null;
    const isGiven = { agent: this.target !== undefined, input: this.input !== undefined, llm: this.llm !== undefined };

    const isDone = await takeSteps([
      async () => (isGiven.agent ? 'skip' : this.askAgent()),
      async (canGoBack) => (isGiven.agent ? 'skip' : this.askVersion(canGoBack)),
      async (canGoBack) => (isGiven.input ? 'skip' : this.askInput(canGoBack)),
      async (canGoBack) => (isGiven.llm ? 'skip' : this.askProfile(canGoBack)),
    ]);
    const { target, version, input, llm = null } = this;
    if (!isDone || !target || version === undefined || !input) return undefined;
    const { folder, agent_name } = target;
    await this.last(folder).keep({ agent_name, version, payload: input.payload, case: input.case, llm });
    return { folder, agent_name, version, payload: input.payload, case: input.case ?? undefined, llm: llm ?? undefined };
  }

  /** An agent file names agent and version; a payload file names the agent and is the input. */
  private async takeFile(uri: vscode.Uri): Promise<void> {
    const folder = this.services.projects.of(uri);
    const path = folder?.pathOf(uri);
    if (folder === undefined || path === undefined) return;
    const index = await this.index(folder);
    const identity = identifyFile(path, index.settings);
    if (identity?.kind === 'agent' && identity.version !== undefined) {
      this.target = { folder, agent_name: identity.name };
      this.version = identity.version;
    } else if (identity?.kind === 'payload' && identity.agent !== undefined) {
      const newest = index.versions(identity.agent).at(-1);
      if (newest === undefined) return;
      this.target = { folder, agent_name: identity.agent };
      this.version = newest;
      await this.takeCase(identity.name);
    }
  }

  private async takeCase(name: string): Promise<void> {
    if (this.target) this.input = { payload: await readCase(this.services, this.target.folder, this.target.agent_name, name), case: name };
  }

  private async askAgent(): Promise<StepEnd> {
    const folders = await this.services.projects.list();
    const items: Choice<AgentName>[] = [];
    for (const folder of folders) {
      const index = await this.index(folder);
      const names = [...agentNames(index)];
      if (names.length === 0) continue;
      if (folders.length > 1) items.push({ label: folder.name, kind: vscode.QuickPickItemKind.Separator });
      const last = this.last(folder).find()?.agent_name;
      // The last one first: it is the likeliest.
      for (const agent_name of names.sort((left, right) => Number(right === last) - Number(left === last))) {
        const description = index.versions(agent_name).toReversed().join(', ');
        items.push({ label: agent_name, description, value: { folder, agent_name } });
      }
    }
    if (items.length === 0) throw noAgent();
    const title = vscode.l10n.t('Run Agent');
    const chosen = await pickOne({ title, placeholder: vscode.l10n.t('Which agent?'), items, canGoBack: false });
    if (chosen === undefined || chosen === 'back') return 'cancel';
    this.target = chosen;
    return 'next';
  }

  private async askVersion(canGoBack: boolean): Promise<StepEnd> {
    if (!this.target) return 'cancel';
    const { folder, agent_name } = this.target;
    const versions = (await this.index(folder)).versions(agent_name).toReversed();
    this.version = versions[0] ?? '';
    if (versions.length <= 1) return 'skip';
    const last = this.last(folder).find(agent_name)?.version;
    const chosen = await pickOne({
      title: vscode.l10n.t('Run {0}', agent_name),
      placeholder: vscode.l10n.t('Which version?'),
      items: versions.map((version, at) => ({
        label: version,
        ...(at === 0 && { description: vscode.l10n.t('newest') }),
        value: { version },
      })),
      canGoBack,
      active: ({ version }) => version === last,
    });
    if (chosen === undefined || chosen === 'back') return chosen ?? 'cancel';
    this.version = chosen.version;
    return 'next';
  }

  private async askInput(canGoBack: boolean): Promise<StepEnd> {
    if (!this.target || this.version === undefined) return 'cancel';
    const { folder, agent_name } = this.target;
    const index = await this.index(folder);
    // What cannot run is refused before anything else is asked.
    const { agent } = await checkedAgent(this.services, { folder, agent_name, version: this.version, llm: undefined });
    const prefix = `${agent_name}/`;
    const cases = [...index.ids('payload').keys()].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
    const last = this.last(folder).find(agent_name);
    const profiles = [...index.ids('llm').keys()];
    const previewed = previewInput(this.services.memory, folder, agent_name);
    const chosenInput = await chooseInput({ agent, cases, last, profiles, previewed, canGoBack });
    if (chosenInput === undefined || chosenInput === 'back') return chosenInput ?? 'cancel';
    if ('case' in chosenInput) await this.takeCase(chosenInput.case);
    else this.input = { payload: chosenInput.payload, case: null };
    if (chosenInput.llm === undefined) return 'next';
    this.llm = chosenInput.llm;
    return 'done';
  }

  private async askProfile(canGoBack: boolean): Promise<StepEnd> {
    if (!this.target || this.version === undefined) return 'cancel';
    const { folder, agent_name } = this.target;
    const { agent } = await checkedAgent(this.services, { folder, agent_name, version: this.version, llm: undefined });
    const last = this.last(folder).find(agent_name)?.llm ?? null;
    const chosen = await chooseProfile({ agent, index: await this.index(folder), last, canGoBack });
    if (chosen === undefined || chosen === 'back') return chosen ?? 'cancel';
    this.llm = chosen.llm;
    return 'next';
  }

  private index(folder: ProjectFolder): Promise<ProjectIndex> {
    let index = this.indexes.get(folder);
    if (index === undefined) {
      index = openEditorProject(this.services, folder, 'disk').then((project) => project.index());
      this.indexes.set(folder, index);
    }
    return index;
  }

  private last(folder: ProjectFolder): LastChoices {
    return new LastChoices(this.services.memory, folder);
  }
}

/** What was typed into the preview of an agent; undefined where nothing was, or where it is not JSON yet. */
function previewInput(memory: vscode.Memento, folder: ProjectFolder, agentName: string): JsonObject | undefined {
  const store = new InputStore(memory);
  try {
    const typed = store.get(`${folder.root} ${agentName}`);
    // An unchanged case is offered by its name.
    if (typed === undefined || typed.case !== '' || typed.values.size === 0) return undefined;
    const { payload, issues } = readInput(typed.values, []);
    return issues.length === 0 ? payload : undefined;
  } finally {
    store.dispose();
  }
}
