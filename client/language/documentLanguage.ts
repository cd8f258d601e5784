import * as vscode from 'vscode';
import type { FileIdentity } from '../../core/config/configFile.js';
import { settingsPath } from '../../core/config/paths.js';
import type { Services } from '../services.js';
import { couldBeOurs, OurFiles } from './ourFiles.js';

const ours = 'agent-config';
const plain = 'json';
/** What VS Code calls files it knows by name, mcp.json among them. */
const withComments = 'jsonc';
/** Pause in typing before a foreign file is checked again, in ms. */
const pause = 200;

/**
 * Gives every open JSON file the language it should have: ours in the places where the project keeps its files, wherever that is, and plain
 * JSON for files that exist and are not configs. The patterns in package.json decide nearly all of it before this is called. What a user has chosen,
 * in the status bar or by `files.associations`, stays.
 */
export function followDocuments({ projects, log }: Services): vscode.Disposable {
  return new DocumentLanguage(new OurFiles(projects), (error) => log.error('The language of a file could not be told', String(error)));
}

class DocumentLanguage implements vscode.Disposable {
  private readonly files: OurFiles;
  private readonly report: (error: unknown) => void;
  private readonly disposables: readonly vscode.Disposable[];
  /** Documents whose language the user or another extension has set since they were opened. */
  private readonly chosen = new WeakSet<vscode.TextDocument>();
  /** Documents seen so far, with the language they then had or were given. */
  private readonly seen = new WeakMap<vscode.TextDocument, string>();
  /** Files in config folders that are not configs yet: they may become so while they are typed. */
  private readonly foreign = new Map<vscode.TextDocument, NodeJS.Timeout | undefined>();

  constructor(files: OurFiles, report: (error: unknown) => void) {
    this.files = files;
    this.report = report;
    const settings = vscode.workspace.createFileSystemWatcher(`**/${settingsPath}`);
    const all = () => {
      for (const document of vscode.workspace.textDocuments) this.look(document);
    };
    this.disposables = [
      settings,
      settings.onDidCreate(all),
      settings.onDidChange(all),
      settings.onDidDelete(all),
      vscode.workspace.onDidOpenTextDocument((document) => this.opened(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.typed(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
    ];
    // Not while the extension is activated, since it reads the disk.
    setImmediate(() => {
      for (const document of vscode.workspace.textDocuments) this.opened(document);
    });
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
    for (const document of this.foreign.keys()) this.forget(document);
  }

  /** Also when a document gets another language: then it is one that has been seen. */
  private opened(document: vscode.TextDocument): void {
    const before = this.seen.get(document);
    if (before !== undefined && before !== document.languageId) this.chosen.add(document);
    this.seen.set(document, document.languageId);
    this.look(document);
  }

  private look(document: vscode.TextDocument): void {
    if (!isCandidate(document) || this.chosen.has(document)) return;
    this.settle(document).catch(this.report);
  }

  private async settle(document: vscode.TextDocument): Promise<void> {
    const file = await this.files.find(document.uri);
    const isOurs = file !== undefined && !(await isForeign(document, file));
    if (document.isClosed || this.chosen.has(document)) return;
    if (file === undefined || isOurs) this.forget(document);
    else if (!this.foreign.has(document)) this.foreign.set(document, undefined);
    // Other documents keep the language they have, unless that is ours.
    const targetLanguage = isOurs ? ours : document.languageId === ours ? plain : document.languageId;
    if (document.languageId === targetLanguage || isAssociated(document)) return;
    this.seen.set(document, targetLanguage);
    await vscode.languages.setTextDocumentLanguage(document, targetLanguage);
  }

  private typed(document: vscode.TextDocument): void {
    if (!this.foreign.has(document)) return;
    clearTimeout(this.foreign.get(document));
    this.foreign.set(
      document,
      setTimeout(() => this.look(document), pause),
    );
  }

  private forget(document: vscode.TextDocument): void {
    clearTimeout(this.foreign.get(document));
    this.foreign.delete(document);
  }
}

function isCandidate({ uri, languageId }: vscode.TextDocument): boolean {
  if (uri.scheme !== 'file') return false;
  return languageId === ours || ((languageId === plain || languageId === withComments) && couldBeOurs(uri.path));
}

/** In core's sense: with the mark of another tool. Checked when the file is opened, and again until it is a config. */
async function isForeign(document: vscode.TextDocument, { path, identity }: { path: string; identity: FileIdentity }): Promise<boolean> {
  const { parseConfigFile } = await import('../../core/config/parseConfigFile.js');
  return parseConfigFile(path, document.getText(), identity).foreign !== undefined;
}

/** Whether the user's settings name a language for this file. */
function isAssociated(document: vscode.TextDocument): boolean {
  const associations = vscode.workspace.getConfiguration('files', document.uri).get<Readonly<Record<string, string>>>('associations', {});
  return Object.keys(associations).some((pattern) => {
    const glob = pattern.includes('/') ? pattern : `**/${pattern}`;
    return vscode.languages.match({ pattern: glob }, document) > 0;
  });
}
