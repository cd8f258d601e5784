import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import type { PlacedFinding } from '../../../core/finding.js';
import type { Stretch } from '../../../core/prompt/sourcePlaces.js';
import { singleFlight } from '../../../core/singleFlight.js';
import { toVisibleJson } from '../../../core/visibleText.js';
import { showPage } from '../../panels/webviewPage.js';
import type { Services } from '../../services.js';
import type { AgentPreview, Composition, PreviewState } from './agentPreview.js';
import { type FromPage, isFromPage, type Tab, type ToPage } from './messages.js';
import { doAction } from './panelActions.js';
import { PanelInput } from './panelInput.js';
import { type MessageView, patchMessages, type ShownStretches, shownStretches, viewMessages } from './pieces.js';
import type { Previews } from './previews.js';
import { defaultFinder, factsOf, formatOf, problemsOf, toolsOf } from './promptFacts.js';
import { TokenCache } from './promptTokens.js';
import { requestOf, type WholeRequest } from './requestView.js';
import { revealFinding, revealPlace, revealValue, type Scene, SourceMarks } from './sourceMarks.js';
import { pageStrings } from './strings.js';

export const viewType = 'agentStack.preview';

const nothingSent = { agent: '', format: '', tools: '', profiles: '', stale: '', lit: '' };

/** What is on the page: a version and what it was made of. */
interface Shown extends ShownStretches {
  readonly version: number;
  readonly composition: Composition;
  readonly messages: readonly MessageView[];
}

/** The preview beside an agent file: follows the active one, and what is typed in it and in all it is made of. */
export class PreviewPanel implements vscode.Disposable {
  readonly #cover: Services['cover'];
  readonly #previews: Previews;
  readonly #panel: vscode.WebviewPanel;
  readonly #marks = new SourceMarks();
  readonly #input: PanelInput;
  readonly #tokens = new TokenCache();
  readonly #disposables: vscode.Disposable[] = [];
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly #update: () => void;
  readonly #judge: () => void;
  readonly #catch: () => void;
  readonly #light: () => void;

  #preview: AgentPreview | undefined;
  #isLocked = false;
  #isReady = false;
  #tab: Tab = 'prompt';
  #state: PreviewState | undefined;
  #errors: readonly PlacedFinding[] = [];
  #shown: Shown | undefined;
  #version = 0;
  #request: WholeRequest | undefined;
  /** What the page has, to send only what is different. */
  #sent = { ...nothingSent };

  constructor(services: Services, previews: Previews, panel: vscode.WebviewPanel) {
    this.#cover = services.cover;
    this.#previews = previews;
    this.#panel = panel;
    this.#input = new PanelInput(previews.inputs);
    const report = (error: unknown) => services.log.error('The preview failed', error instanceof Error ? error : String(error));
    this.#update = singleFlight(() => this.#compose(), report);
    this.#judge = singleFlight(() => this.#tellFacts(), report);
    this.#catch = singleFlight(() => this.#tellRequest(), report);
    this.#light = singleFlight(() => this.#tellLit(), report);
    showPage(services.extension, panel, { name: 'preview', strings: pageStrings() });
    this.#disposables.push(
      this.#marks,
      this.#disposed,
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (isFromPage(message)) void this.#receive(message).catch(report);
      }),
      panel.onDidChangeViewState(() => {
        this.#marks.clear();
        // A hidden page is taken down; it asks for everything when it is back.
        if (!panel.visible) this.#isReady = false;
      }),
      panel.onDidDispose(() => this.dispose()),
      previews.onDidChange((folder) => {
        if (folder === this.#preview?.project.folder) this.#update();
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined && !this.#isLocked) void this.#follow(editor.document.uri).catch(report);
        this.#light();
      }),
      vscode.window.onDidChangeTextEditorSelection(() => this.#light()),
    );
  }

  /** The agent file it shows. */
  get uri(): vscode.Uri | undefined {
    return this.#preview?.uri;
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#disposed.fire();
    for (const disposable of this.#disposables.splice(0)) disposable.dispose();
    this.#panel.dispose();
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

  async #follow(uri: vscode.Uri): Promise<void> {
    const project = uri.toString() === this.uri?.toString() ? undefined : this.#previews.projectOf(uri);
    const path = project?.folder.pathOf(uri);
    if (project === undefined || path === undefined) return;
    const { settings } = await project.index();
    const isStillActive = vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
    if (isStillActive && !this.#isLocked && identifyFile(path, settings)?.kind === 'agent') this.show(uri);
  }

  async #compose(): Promise<void> {
    const preview = this.#preview;
    if (!this.#isReady) return;
    const state = await preview?.compose();
    if (preview !== this.#preview) return;
    this.#state = state;
    if (preview === undefined || state === undefined) {
      this.#shown = undefined;
      this.#sent.agent = '';
      this.#post({ type: 'nothing' });
      return;
    }
    this.#tellAgent(preview, state);
    this.#tellPrompt(state);
    const input = this.#input.update(preview, state);
    if (input !== undefined) this.#post(input);
    this.#tellProfiles(state);
    this.#light();
    this.#judge();
  }

  #tellAgent({ uri, project }: AgentPreview, { identity: { name, version = '' } }: PreviewState): void {
    const isLocked = this.#isLocked;
    const state = { uri: uri.toString(), isLocked };
    const key = JSON.stringify(state);
    if (key === this.#sent.agent) return;
    this.#sent.agent = key;
    this.#panel.title = vscode.l10n.t('Preview {0}', `${name}@${version}`);
    this.#post({ type: 'agent', name, version, path: project.folder.pathOf(uri) ?? '', isLocked, state });
  }

  #tellPrompt({ composition, stale }: PreviewState): void {
    if (composition === undefined) {
      this.#shown = undefined;
      this.#sent.format = '';
      this.#sent.tools = '';
      this.#post({ type: 'prompt', version: ++this.#version, base: 0, messages: [], format: null, tools: null });
    } else if (composition !== this.#shown?.composition) {
      const messages = viewMessages(composition, composition.stretches, defaultFinder(composition));
      const format = formatOf(composition);
      const formatKey = JSON.stringify(format);
      const tools = toolsOf(composition);
      const toolsKey = JSON.stringify(tools);
      const before = this.#shown;
      const version = ++this.#version;
      this.#shown = { version, composition, messages, ...shownStretches(composition.stretches, messages) };
      this.#post({
        type: 'prompt',
        version,
        base: before?.version ?? 0,
        messages: patchMessages(before?.messages ?? [], messages),
        ...(formatKey !== this.#sent.format && { format }),
        ...(toolsKey !== this.#sent.tools && { tools }),
      });
      this.#sent.format = formatKey;
      this.#sent.tools = toolsKey;
    }
    const staleKey = `${composition !== undefined} ${stale}`;
    if (staleKey === this.#sent.stale) return;
    this.#sent.stale = staleKey;
    this.#post({ type: 'stale', reason: stale ?? null, hasPrompt: composition !== undefined });
  }

  #tellProfiles({ profiles: ids, llm: chosen = '' }: PreviewState): void {
    const key = JSON.stringify([ids, chosen]);
    if (key === this.#sent.profiles) return;
    this.#sent.profiles = key;
    this.#post({ type: 'profiles', ids, chosen });
  }

  /** What takes longer than composing comes after it. */
  async #tellFacts(): Promise<void> {
    const state = this.#state;
    if (state === undefined) return;
    this.#errors = await state.errors();
    if (state !== this.#state) return;
    this.#post({ type: 'problems', problems: problemsOf(state, this.#errors) });
    const { composition } = state;
    if (composition === undefined) return;
    const tokens = await this.#tokens.count(composition.draft.prompt.model_name, composition, () => state !== this.#state);
    if (tokens === undefined || this.#shown?.composition !== composition) return;
    this.#post({ type: 'facts', version: this.#shown.version, facts: factsOf(composition, tokens) });
    if (this.#tab === 'request' || this.#tab === 'curl') this.#catch();
  }

  async #tellRequest(): Promise<void> {
    const shown = this.#shown;
    const state = this.#state;
    if (shown === undefined || state === undefined) return;
    const { view, whole } = await requestOf(shown.composition, state.ports);
    if (shown !== this.#shown) return this.#catch();
    this.#request = whole;
    this.#post({ type: 'request', version: shown.version, request: view });
  }

  /** The caret of the editor, in the prompt. */
  async #tellLit(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const shown = this.#shown;
    const scene = this.#scene;
    if (editor === undefined || shown === undefined || scene === undefined || !this.#isReady) return;
    if (scene.folder.pathOf(editor.document.uri) === undefined) return;
    const touched = this.#marks.touched(scene, editor, shown.stretches);
    const pieces = touched.map((index) => shown.places[index]).filter((place) => place !== undefined);
    const key = `${shown.version} ${pieces.join()}`;
    if (key === this.#sent.lit) return;
    this.#sent.lit = key;
    this.#post({ type: 'lit', version: shown.version, pieces });
  }

  async #receive(message: FromPage): Promise<void> {
    const scene = this.#scene;
    switch (message.type) {
      case 'ready':
        // Changes while the panel was hidden were not observed, so everything is read again.
        this.#preview?.project.reload();
        this.#isReady = true;
        this.#shown = undefined;
        this.#sent = { ...nothingSent };
        this.#input.forget();
        return this.#update();
      case 'hover':
        return scene && this.#marks.mark(scene, this.#stretchAt(message));
      case 'leave':
        return this.#marks.clear();
      case 'open':
        return this.#open(this.#stretchAt(message));
      case 'openError':
        return this.#openError(this.#errors[message.index]);
      case 'openPointer':
        return scene && revealValue(scene, message.pointer, this.#panel.viewColumn);
      case 'openTool':
        return this.#openTool(message.index);
      case 'lock':
        this.#isLocked = message.isLocked;
        if (!this.#isLocked && vscode.window.activeTextEditor) await this.#follow(vscode.window.activeTextEditor.document.uri);
        return this.#update();
      case 'field':
        return this.#input.setField(message.key, message);
      case 'removeField':
        return this.#input.removeField(message.key);
      case 'case':
        return this.#input.choose(message.name);
      case 'profile':
        this.#preview?.chooseProfile(message.id === '' ? undefined : message.id);
        return this.#update();
      case 'tab':
        this.#tab = message.tab;
        if (this.#tab === 'request' || this.#tab === 'curl') this.#catch();
        return;
      case 'copy':
        return vscode.env.clipboard.writeText(this.#textOf(message.what, message.index));
      case 'do':
        if (this.#preview === undefined || this.#state === undefined) return;
        return doAction(message.action, { preview: this.#preview, state: this.#state, input: this.#input, column: this.#panel.viewColumn });
      case 'painted':
        return;
    }
  }

  #stretchAt({ version, message, piece }: { version: number; message: number; piece: number }): Stretch | undefined {
    const shown = this.#shown;
    if (shown === undefined || shown.version !== version) return undefined;
    const index = shown.places.findIndex(([ofMessage, ofPiece]) => ofMessage === message && ofPiece === piece);
    return shown.stretches[index];
  }

  async #open(stretch: Stretch | undefined): Promise<void> {
    const scene = this.#scene;
    if (scene !== undefined && stretch !== undefined) await this.#marks.reveal(scene, stretch, this.#panel.viewColumn);
  }

  async #openError(error: PlacedFinding | undefined): Promise<void> {
    const folder = this.#preview?.project.folder;
    if (folder !== undefined && error !== undefined) await revealFinding(folder, error, this.#panel.viewColumn);
  }

  async #openTool(index: number): Promise<void> {
    const scene = this.#scene;
    const source = scene?.composition.draft.resolved.tools[index]?.source;
    if (scene !== undefined && source != null) await revealPlace(scene, source, this.#panel.viewColumn);
  }

  get #scene(): Scene | undefined {
    const folder = this.#preview?.project.folder;
    if (folder === undefined || this.#shown === undefined || this.#state === undefined) return undefined;
    return { folder, composition: this.#shown.composition, environment: this.#state.ports.environment };
  }

  #textOf(what: Extract<FromPage, { type: 'copy' }>['what'], index: number): string {
    const composition = this.#shown?.composition;
    if (composition === undefined) return '';
    if (what === 'message') return composition.messages[index]?.content ?? '';
    if (what === 'format') return toVisibleJson(composition.response_format);
    if (what === 'hash') return composition.draft.snapshot?.hash ?? '';
    return this.#request?.[what] ?? '';
  }

  #post(message: ToPage): void {
    void this.#panel.webview.postMessage(this.#cover.apply(message));
  }
}
