import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import type { PlacedFinding } from '../../../core/finding.js';
import type { Stretch } from '../../../core/prompt/stretches.js';
import { toVisibleJson } from '../../../core/visibleText.js';
import type { Client } from '../../client.js';
import { createPage, webviewRoot } from '../webviewPage.js';
import type { AgentPreview, Composition, PreviewState } from './agentPreview.js';
import { coalesce } from './coalesce.js';
import { type InputValues, toFieldViews } from './inputFields.js';
import { payloadPath } from './inputStore.js';
import { type FromPage, isFromPage, type Tab, type ToPage } from './messages.js';
import { type MessageView, patchMessages, viewMessages } from './pieces.js';
import type { Previews } from './previews.js';
import { defaultFinder, factsOf, formatOf, problemsOf } from './promptFacts.js';
import { TokenCache } from './promptTokens.js';
import { requestOf, type WholeRequest } from './requestView.js';
import { savePayload } from './savePayload.js';
import { SourceMarks, showBeside } from './sourceMarks.js';
import { pageStrings } from './strings.js';

export const viewType = 'agentStack.preview';

/** What is on the page: a version and what it was made of. */
interface Shown {
  readonly version: number;
  readonly composition: Composition;
  readonly messages: readonly MessageView[];
  /** The stretches that are shown, with where. */
  readonly stretches: readonly Stretch[];
  readonly places: readonly (readonly [message: number, piece: number])[];
}

type InputMessage = Extract<ToPage, { type: 'input' }>;

/** The preview beside an agent file: follows the active one, and what is typed in it and in all it is made of. */
export class PreviewPanel implements vscode.Disposable {
  readonly #previews: Previews;
  readonly #panel: vscode.WebviewPanel;
  readonly #marks = new SourceMarks();
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
  #sent = { agent: '', format: '', stale: '', input: undefined as InputMessage | undefined, lit: '' };

  constructor(client: Client, previews: Previews, panel: vscode.WebviewPanel) {
    this.#previews = previews;
    this.#panel = panel;
    const report = (error: unknown) => client.log.error('The preview failed', error instanceof Error ? error : String(error));
    this.#update = coalesce(() => this.#compose(), report);
    this.#judge = coalesce(() => this.#tellFacts(), report);
    this.#catch = coalesce(() => this.#tellRequest(), report);
    this.#light = coalesce(() => this.#tellLit(), report);
    const media = vscode.Uri.joinPath(client.extension.extensionUri, 'client', 'media');
    panel.iconPath = { light: vscode.Uri.joinPath(media, 'file-light.svg'), dark: vscode.Uri.joinPath(media, 'file-dark.svg') };
    panel.webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(client.extension)] };
    panel.webview.html = createPage(client.extension, panel.webview, { name: 'preview', title: panel.title, strings: pageStrings() });
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

  get visible(): boolean {
    return this.#panel.visible;
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
      this.#post({ type: 'nothing' });
      return;
    }
    this.#tellAgent(preview, state);
    this.#tellPrompt(state);
    this.#tellInput(state);
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
      this.#post({ type: 'prompt', version: ++this.#version, base: 0, messages: [] });
    } else if (composition !== this.#shown?.composition) {
      const messages = viewMessages(composition, composition.stretches, defaultFinder(composition));
      const format = formatOf(composition);
      const formatKey = JSON.stringify(format);
      const before = this.#shown;
      const version = ++this.#version;
      this.#shown = { version, composition, messages, ...placesOf(composition, messages) };
      this.#post({
        type: 'prompt',
        version,
        base: before?.version ?? 0,
        messages: patchMessages(before?.messages ?? [], messages),
        ...(formatKey !== this.#sent.format && { format }),
      });
      this.#sent.format = formatKey;
    }
    const staleKey = `${composition !== undefined} ${stale}`;
    if (staleKey === this.#sent.stale) return;
    this.#sent.stale = staleKey;
    this.#post({ type: 'stale', reason: stale ?? null, hasPrompt: composition !== undefined });
  }

  #tellInput({ input, wanted, cases }: PreviewState): void {
    const message: InputMessage = { type: 'input', fields: toFieldViews(input.values, wanted), cases, current: input.case };
    if (JSON.stringify(message) === JSON.stringify(this.#sent.input)) return;
    this.#sent.input = message;
    this.#post(message);
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
    const tokens = await this.#tokens.count(composition.draft.prompt.model_name, composition.messages, () => state !== this.#state);
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
    const folder = this.#preview?.project.folder;
    if (editor === undefined || shown === undefined || folder === undefined || this.#state === undefined) return;
    if (!this.#isReady || folder.pathOf(editor.document.uri) === undefined) return;
    const { environment } = this.#state.ports;
    const touched = this.#marks.touched(folder, shown.composition, environment, editor, shown.stretches);
    const pieces = touched.flatMap((index) => shown.places[index] ?? []);
    const lit = touched.map((index) => shown.places[index]).filter((place) => place !== undefined);
    const key = `${shown.version} ${pieces.join()}`;
    if (key === this.#sent.lit) return;
    this.#sent.lit = key;
    this.#post({ type: 'lit', version: shown.version, pieces: lit });
  }

  async #receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        // Whatever nobody told of while it was hidden is read again.
        this.#preview?.project.reload();
        this.#isReady = true;
        this.#shown = undefined;
        this.#sent = { agent: '', format: '', stale: '', input: undefined, lit: '' };
        return this.#update();
      case 'hover':
        return this.#mark(this.#stretchAt(message));
      case 'leave':
        return this.#marks.clear();
      case 'open':
        return this.#open(this.#stretchAt(message));
      case 'openError':
        return this.#openError(this.#errors[message.index]);
      case 'openPointer':
        return this.#openPointer(message.pointer);
      case 'lock':
        this.#isLocked = message.isLocked;
        if (!this.#isLocked && vscode.window.activeTextEditor) await this.#follow(vscode.window.activeTextEditor.document.uri);
        return this.#update();
      case 'field':
        return this.#setField(message.key, message.kind, message.text);
      case 'removeField':
        return this.#setValues(new Map([...this.#values].filter(([key]) => key !== message.key)));
      case 'case':
        return this.#chooseCase(message.name);
      case 'tab':
        this.#tab = message.tab;
        if (this.#tab === 'request' || this.#tab === 'curl') this.#catch();
        return;
      case 'copy':
        return vscode.env.clipboard.writeText(this.#textOf(message.what, message.index));
      case 'do':
        return this.#do(message.action);
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

  #mark(stretch: Stretch | undefined): void {
    if (this.#shown === undefined || this.#state === undefined || this.#preview === undefined) return;
    this.#marks.mark(this.#preview.project.folder, this.#shown.composition, this.#state.ports.environment, stretch);
  }

  async #open(stretch: Stretch | undefined): Promise<void> {
    if (stretch === undefined || this.#shown === undefined || this.#state === undefined || this.#preview === undefined) return;
    const { folder } = this.#preview.project;
    await this.#marks.reveal(folder, this.#shown.composition, this.#state.ports.environment, stretch, this.#panel.viewColumn);
  }

  async #openError(finding: PlacedFinding | undefined): Promise<void> {
    if (finding === undefined || this.#preview === undefined) return;
    const document = await vscode.workspace.openTextDocument(this.#preview.project.folder.uriOf(finding.file));
    const start = new vscode.Position(finding.line - 1, finding.column - 1);
    const end = new vscode.Position(finding.end_line - 1, finding.end_column - 1);
    await showBeside(document, new vscode.Range(start, end), this.#panel.viewColumn);
  }

  /** A place of the effective config, wherever it is written. */
  async #openPointer(pointer: string): Promise<void> {
    const origins = this.#shown?.composition.draft.resolved.origins ?? new Map();
    const below = [...origins].find(([leaf]) => leaf === pointer || leaf.startsWith(`${pointer}/`));
    if (below === undefined) return;
    const [leaf, { file, pointer: at, layer }] = below;
    const inFile: string = at.slice(0, at.length - (leaf.length - pointer.length));
    await this.#open({ message: 0, start: 0, end: 0, offset: -1, file, pointer: inFile, layer });
  }

  get #values(): InputValues {
    return this.#state?.input.values ?? new Map();
  }

  #setValues(values: InputValues, name = ''): void {
    if (this.#preview === undefined || this.#state === undefined) return;
    this.#previews.inputs.set(this.#preview.inputKey(this.#state.identity), { values, case: name });
  }

  #setField(key: string, kind: 'text' | 'json', text: string): void {
    const { input } = this.#sent;
    const fields = input?.fields.map((field) => (field.key === key ? { ...field, kind, text } : field)) ?? [];
    // The page has this already: only what else follows from it is sent.
    if (input !== undefined) this.#sent.input = { ...input, current: '', fields };
    // Fields nobody has typed in yet keep their places.
    const values = new Map(toFieldViews(this.#values, this.#state?.wanted ?? []).flatMap((field) => this.#known(field.key, key)));
    this.#setValues(values.set(key, { kind, text }));
  }

  #known(key: string, changed: string): [string, { kind: 'text' | 'json'; text: string }][] {
    const value =
      this.#values.get(key) ?? this.#state?.wanted.find((field) => field.key === key && (field.isRequired || key === changed))?.initial;
    return value === undefined ? [] : [[key, value]];
  }

  async #chooseCase(name: string): Promise<void> {
    const state = this.#state;
    if (state === undefined || this.#preview === undefined) return;
    if (name === '') return this.#setValues(new Map());
    const values = await this.#preview.project.payload(payloadPath(state.index, state.identity.name, name));
    this.#setValues(values ?? new Map(), name);
  }

  #textOf(what: Extract<FromPage, { type: 'copy' }>['what'], index: number): string {
    const composition = this.#shown?.composition;
    if (composition === undefined) return '';
    if (what === 'message') return composition.messages[index]?.content ?? '';
    if (what === 'format') return toVisibleJson(composition.response_format);
    if (what === 'hash') return composition.draft.snapshot?.hash ?? '';
    return this.#request?.[what] ?? '';
  }

  async #do(action: Extract<FromPage, { type: 'do' }>['action']): Promise<void> {
    const state = this.#state;
    if (state === undefined || this.#preview === undefined) return;
    const { folder } = this.#preview.project;
    if (action === 'run') await vscode.commands.executeCommand('agentStack.runAgent', this.uri);
    else if (action === 'text') await vscode.commands.executeCommand('agentStack.previewAsText', this.uri);
    else if (action === 'compare') await vscode.commands.executeCommand('agentStack.comparePrompts', this.uri);
    else if (action === 'save') {
      const name = await savePayload(folder, state);
      if (name !== undefined) this.#setValues(this.#values, name);
    } else if (state.input.case !== '') {
      const uri = folder.uriOf(payloadPath(state.index, state.identity.name, state.input.case));
      await showBeside(await vscode.workspace.openTextDocument(uri), undefined, this.#panel.viewColumn);
    }
  }

  #post(message: ToPage): void {
    void this.#panel.webview.postMessage(message);
  }
}

/** Of each message the first stretches are shown, one piece each. */
function placesOf({ stretches }: Composition, messages: readonly MessageView[]): Pick<Shown, 'stretches' | 'places'> {
  const counts = messages.map(() => 0);
  const shown: Stretch[] = [];
  const places: [number, number][] = [];
  for (const stretch of stretches) {
    const piece = counts[stretch.message] ?? 0;
    if (piece >= (messages[stretch.message]?.pieces.length ?? 0)) continue;
    counts[stretch.message] = piece + 1;
    shown.push(stretch);
    places.push([stretch.message, piece]);
  }
  return { stretches: shown, places };
}
