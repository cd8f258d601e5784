import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import type { PlacedFinding } from '../../../core/finding.js';
import { readPastRuns } from '../../../core/project/readPastRuns.js';
import type { Stretch } from '../../../core/prompt/sourcePlaces.js';
import type { PastRuns } from '../../../core/prompt/typicalCost.js';
import { singleFlight } from '../../../core/singleFlight.js';
import { toVisibleJson } from '../../../core/visibleText.js';
import type { Services } from '../../services.js';
import { PanelPage } from '../panelPage.js';
import type { AgentPreview, Composition, PreviewState } from './agentPreview.js';
import { type FromPage, fromPage, type Tab, type ToPage } from './messages.js';
import { doAction } from './panelActions.js';
import { PanelInput } from './panelInput.js';
import { type MessageView, patchMessages, type ShownStretches, shownStretches, viewMessages } from './pieces.js';
import type { Previews } from './previews.js';
import { defaultFinder, factsOf, formatOf, problemsOf, toolsOf } from './promptFacts.js';
import { TokenCache } from './promptTokens.js';
import { requestOf, type WholeRequest } from './requestView.js';
import { revealFinding, revealPlace, revealValue, type Scene, SourceMarks } from './sourceMarks.js';

/** What is on the page: a version and what it was made of. */
interface Shown extends ShownStretches {
  readonly version: number;
  readonly composition: Composition;
  readonly messages: readonly MessageView[];
}

/** The preview beside an agent file: follows the active one, and edits in it and in everything it is made of. */
export class PreviewPanel {
  readonly page: PanelPage<ToPage, typeof fromPage>;
  readonly #previews: Previews;
  readonly #marks = new SourceMarks();
  readonly #input: PanelInput;
  readonly #tokens = new TokenCache();
  #past: { readonly of: string; readonly runs: Promise<PastRuns | undefined> } | undefined;
  readonly #update: () => void;
  readonly #sendFacts: () => void;
  readonly #sendRequest: () => void;
  readonly #sendLit: () => void;

  #preview: AgentPreview | undefined;
  #isLocked = false;
  #tab: Tab = 'prompt';
  #state: PreviewState | undefined;
  #errors: readonly PlacedFinding[] = [];
  shownContent: Shown | undefined;
  #version = 0;
  #request: WholeRequest | undefined;

  constructor(services: Services, previews: Previews, panel: vscode.WebviewPanel) {
    this.#previews = previews;
    this.#input = new PanelInput(previews.inputs);
    const report = (error: unknown) => services.log.error('The preview failed', error instanceof Error ? error : String(error));
    this.#update = singleFlight(() => this.#compose(), report);
    this.#sendFacts = singleFlight(() => this.#factsToPage(), report);
    this.#sendRequest = singleFlight(() => this.#requestToPage(), report);
    this.#sendLit = singleFlight(() => this.#litToPage(), report);
    this.page = new PanelPage(services, panel, {
      name: 'preview',
      command: 'agentStack.previewPrompt',
      messages: fromPage,
      onReady: () => this.#sendAll(),
      onViewChange: () => this.#marks.clear(),
      on: {
        hover: (place) => this.#scene && this.#marks.mark(this.#scene, this.#stretchAt(place)),
        leave: () => this.#marks.clear(),
        open: (place) => this.#open(this.#stretchAt(place)),
        openError: ({ index }) => this.#openError(this.#errors[index]),
        openPointer: ({ pointer }) => this.#scene && revealValue(this.#scene, pointer, this.page.column),
        openTool: ({ index }) => this.#openTool(index),
        lock: ({ isLocked }) => this.#lock(isLocked),
        field: (field) => this.#input.setField(field.key, field),
        removeField: ({ key }) => this.#input.removeField(key),
        case: ({ name }) => this.#input.choose(name),
        profile: ({ id }) => {
          this.#preview?.chooseProfile(id === '' ? undefined : id);
          this.#update();
        },
        tab: ({ tab }) => {
          this.#tab = tab;
          if (tab === 'request' || tab === 'curl') this.#sendRequest();
        },
        copy: ({ what, index }) => vscode.env.clipboard.writeText(this.#textOf(what, index)),
        do: ({ action }) => this.#do(action),
        painted: () => undefined,
      },
    });
    this.page.own(
      this.#marks,
      previews.onDidChange((folder) => folder === this.#preview?.project.folder && this.#update()),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined && !this.#isLocked) void this.#follow(editor.document.uri).catch(report);
        this.#sendLit();
      }),
      vscode.window.onDidChangeTextEditorSelection(this.#sendLit),
    );
  }

  /** Shows another agent file. */
  show(uri: vscode.Uri, lock: 'locked' | 'following' = this.#isLocked ? 'locked' : 'following'): void {
    this.#isLocked = lock === 'locked';
    if (this.#preview?.uri.toString() !== uri.toString()) {
      this.#preview = this.#previews.open(uri);
      this.#state = undefined;
      this.#errors = [];
      this.#marks.clear();
    }
    this.#update();
  }

  #sendAll(): void {
    // Changes while the panel was hidden were not observed, so everything is read again.
    this.#preview?.project.reload();
    this.shownContent = undefined;
    this.#input.forget();
    this.#update();
  }

  async #lock(isLocked: boolean): Promise<void> {
    this.#isLocked = isLocked;
    const active = vscode.window.activeTextEditor;
    if (!isLocked && active !== undefined) await this.#follow(active.document.uri);
    this.#update();
  }

  async #follow(uri: vscode.Uri): Promise<void> {
    const project = uri.toString() === this.#preview?.uri.toString() ? undefined : this.#previews.projectOf(uri);
    const path = project?.folder.pathOf(uri);
    if (project === undefined || path === undefined) return;
    const { settings } = await project.index();
    const isStillActive = vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
    if (isStillActive && !this.#isLocked && identifyFile(path, settings)?.kind === 'agent') this.show(uri);
  }

  async #compose(): Promise<void> {
    const preview = this.#preview;
    if (!this.page.isReady) return;
    const state = await preview?.compose();
    if (preview !== this.#preview) return;
    this.#state = state;
    if (preview === undefined || state === undefined) {
      this.shownContent = undefined;
      this.page.forget();
      this.page.send({ type: 'nothing' });
      return;
    }
    this.#sendAgent(preview, state);
    this.#sendPrompt(state);
    const input = this.#input.update(preview, state);
    if (input !== undefined) this.page.send(input);
    this.page.update({ type: 'profiles', ids: state.profiles, chosen: state.llm ?? '' });
    this.#sendLit();
    this.#sendFacts();
  }

  #sendAgent({ uri, project }: AgentPreview, { identity: { name, version = '' } }: PreviewState): void {
    const isLocked = this.#isLocked;
    const state = { uri: uri.toString(), isLocked };
    this.page.title = vscode.l10n.t('Preview {0}', `${name}@${version}`);
    this.page.update({ type: 'agent', name, version, path: project.folder.pathOf(uri) ?? '', isLocked, state });
  }

  #sendPrompt({ composition, stale }: PreviewState): void {
    if (composition === undefined) {
      this.shownContent = undefined;
      this.page.send({ type: 'prompt', version: ++this.#version, base: 0, messages: [] });
    } else if (composition !== this.shownContent?.composition) {
      const messages = viewMessages(composition, composition.stretches, defaultFinder(composition));
      const before = this.shownContent;
      const version = ++this.#version;
      this.shownContent = { version, composition, messages, ...shownStretches(composition.stretches, messages) };
      const patches = patchMessages(before?.messages ?? [], messages);
      this.page.send({ type: 'prompt', version, base: before?.version ?? 0, messages: patches });
    }
    this.page.update({ type: 'format', format: composition === undefined ? null : formatOf(composition) });
    this.page.update({ type: 'tools', tools: composition === undefined ? null : toolsOf(composition) });
    this.page.update({ type: 'stale', reason: stale ?? null, hasPrompt: composition !== undefined });
  }

  /** What takes longer than composing comes after it. */
  async #factsToPage(): Promise<void> {
    const state = this.#state;
    if (state === undefined) return;
    this.#errors = await state.errors();
    if (state !== this.#state) return;
    this.page.send({ type: 'problems', problems: problemsOf(state, this.#errors) });
    const { composition } = state;
    if (composition === undefined) return;
    const tokens = await this.#tokens.count(composition.draft.prompt.model_name, composition, () => state !== this.#state);
    if (tokens === undefined || this.shownContent?.composition !== composition) return;
    const past = await this.#pastRuns(state, composition);
    if (this.shownContent?.composition !== composition) return;
    this.page.send({ type: 'facts', version: this.shownContent.version, facts: factsOf(composition, tokens, past) });
    if (this.#tab === 'request' || this.#tab === 'curl') this.#sendRequest();
  }

  /** Read once for an agent and model: while a prompt is typed there is no other run of it. */
  #pastRuns({ ports }: PreviewState, { draft: { prompt, resolved } }: Composition): Promise<PastRuns | undefined> {
    const { agent_name, version } = resolved.config;
    const of = JSON.stringify([agent_name, version, prompt.model_name]);
    if (this.#past?.of !== of) this.#past = { of, runs: readPastRuns(ports.files, { agent_name, version, model_name: prompt.model_name }) };
    return this.#past.runs;
  }

  async #requestToPage(): Promise<void> {
    const shown = this.shownContent;
    const state = this.#state;
    if (shown === undefined || state === undefined) return;
    const { view, whole } = await requestOf(shown.composition, state.ports);
    if (shown !== this.shownContent) return this.#sendRequest();
    this.#request = whole;
    this.page.send({ type: 'request', version: shown.version, request: view });
  }

  /** The caret of the editor, in the prompt. */
  async #litToPage(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const shownContent = this.shownContent;
    const scene = this.#scene;
    if (editor === undefined || shownContent === undefined || scene === undefined || !this.page.isReady) return;
    if (scene.folder.pathOf(editor.document.uri) === undefined) return;
    const touched = this.#marks.touched(scene, editor, shownContent.stretches);
    const pieces = touched.map((index) => shownContent.places[index]).filter((place) => place !== undefined);
    this.page.update({ type: 'lit', version: shownContent.version, pieces });
  }

  async #do(action: Extract<FromPage, { type: 'do' }>['action']): Promise<void> {
    if (this.#preview === undefined || this.#state === undefined) return;
    await doAction(action, { preview: this.#preview, state: this.#state, input: this.#input, column: this.page.column });
  }

  #stretchAt({ version, message, piece }: { version: number; message: number; piece: number }): Stretch | undefined {
    const shown = this.shownContent;
    if (shown === undefined || shown.version !== version) return undefined;
    const index = shown.places.findIndex(([ofMessage, ofPiece]) => ofMessage === message && ofPiece === piece);
    return shown.stretches[index];
  }

  async #open(stretch: Stretch | undefined): Promise<void> {
    const scene = this.#scene;
    if (scene !== undefined && stretch !== undefined) await this.#marks.reveal(scene, stretch, this.page.column);
  }

  async #openError(error: PlacedFinding | undefined): Promise<void> {
    const folder = this.#preview?.project.folder;
    if (folder !== undefined && error !== undefined) await revealFinding(folder, error, this.page.column);
  }

  async #openTool(index: number): Promise<void> {
    const scene = this.#scene;
    const source = scene?.composition.draft.resolved.tools[index]?.source;
    if (scene !== undefined && source != null) await revealPlace(scene, source, this.page.column);
  }

  get #scene(): Scene | undefined {
    const folder = this.#preview?.project.folder;
    if (folder === undefined || this.shownContent === undefined || this.#state === undefined) return undefined;
    return { folder, composition: this.shownContent.composition, environment: this.#state.ports.environment };
  }

  #textOf(what: Extract<FromPage, { type: 'copy' }>['what'], index: number): string {
    const composition = this.shownContent?.composition;
    if (composition === undefined) return '';
    if (what === 'message') return composition.messages[index]?.content ?? '';
    if (what === 'format') return toVisibleJson(composition.response_format);
    if (what === 'hash') return composition.draft.snapshot?.hash ?? '';
    return this.#request?.[what] ?? '';
  }
}
