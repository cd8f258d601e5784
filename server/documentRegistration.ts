import {
  type ClientCapabilities,
  type Connection,
  type DocumentSelector,
  type Registration,
  RegistrationRequest,
  type ServerCapabilities,
  TextDocumentSyncKind,
  UnregistrationRequest,
} from 'vscode-languageserver';
import { ownFiles } from '../core/inventory/findToolFiles.js';

/**
 * Registers the requests about some files with the client, for exactly their places. An editor that starts the server for a language gets all that it
 * does, formatting included; this way, nothing is registered that it does not do for these files.
 */
export class DocumentRegistration {
  private readonly connection: Connection;
  private readonly registrations: readonly Registration[];
  private isRegistered = false;
  private last: Promise<void> = Promise.resolve();

  constructor(connection: Connection, registrations: readonly Registration[]) {
    this.connection = connection;
    this.registrations = registrations;
  }

  /** Registers them, or takes that back. A client that takes no such registration has what `initialize` announced. */
  set(isWanted: boolean): Promise<void> {
    const next = this.last.then(() => this.change(isWanted));
    this.last = next.catch(() => undefined);
    return next;
  }

  private async change(isWanted: boolean): Promise<void> {
    const { connection, registrations } = this;
    if (isWanted === this.isRegistered || registrations.length === 0) return;
    this.isRegistered = isWanted;
    if (isWanted) await connection.sendRequest(RegistrationRequest.type, { registrations: [...registrations] });
    else await connection.sendRequest(UnregistrationRequest.type, { unregisterations: [...registrations] });
  }
}

/** Requests about the files of other tools. */
export function toolFileRegistrations(client: ClientCapabilities): readonly Registration[] {
  const documentSelector = selectorOf(() => true);
  return registrationsFor(client, 'otherTools', documentSelector, {
    definition: {},
    references: {},
    hover: {},
    documentLink: {},
    completion: {
      documentSelector: selectorOf(({ names = [], place }) => names.length > 0 && !/\.ya?ml$/.test(place)),
      triggerCharacters: ['"', '@', '/', '_', '(', ' ', ','],
    },
  });
}

/** Requests about prompts in Markdown: all that the server announces for JSON, except what a Markdown editor does itself. */
export function promptRegistrations(client: ClientCapabilities, announced: ServerCapabilities): readonly Registration[] {
  const documentSelector = [{ scheme: 'file', language: 'markdown', pattern: '**/prompts/*/*.md' }];
  return registrationsFor(client, 'prompts', documentSelector, {
    completion: announced.completionProvider,
    hover: announced.hoverProvider,
    definition: announced.definitionProvider,
    references: announced.referencesProvider,
    documentHighlight: announced.documentHighlightProvider,
    documentLink: announced.documentLinkProvider,
    rename: announced.renameProvider,
    codeAction: announced.codeActionProvider,
    codeLens: announced.codeLensProvider,
    inlayHint: announced.inlayHintProvider,
    semanticTokens: announced.semanticTokensProvider,
    diagnostic: announced.diagnosticProvider && { ...announced.diagnosticProvider, workspaceDiagnostics: false },
  });
}

type Ability = Exclude<keyof NonNullable<ClientCapabilities['textDocument']>, 'synchronization' | 'publishDiagnostics' | 'filters'>;

/** @param options of each request; undefined for one that the server does not do for this client */
function registrationsFor(
  { textDocument = {} }: ClientCapabilities,
  id: string,
  documentSelector: DocumentSelector,
  options: { readonly [Name in Ability]?: object | boolean | undefined },
): readonly Registration[] {
  const register = (ability: { dynamicRegistration?: boolean } | undefined, name: string, more: object | boolean | undefined) =>
    ability?.dynamicRegistration === true && more !== undefined && more !== false
      ? [
          {
            id: `agentstack.${id}.${name}`,
            method: `textDocument/${name}`,
            registerOptions: { documentSelector, ...(typeof more === 'object' && more) },
          },
        ]
      : [];
  const sync = { didOpen: {}, didChange: { syncKind: TextDocumentSyncKind.Incremental }, didClose: {} };
  return [
    ...Object.entries(sync).flatMap(([name, more]) => register(textDocument.synchronization, name, more)),
    ...Object.entries(options).flatMap(([name, more]) => register(textDocument[name as Ability], name, more)),
  ];
}

/**
 * Places that no other program keeps files in, or only files of this very name. A project's own files are in another language there, and are not
 * asked about twice.
 */
function selectorOf(isWanted: (kind: (typeof ownFiles)[number]['kind']) => boolean): DocumentSelector {
  return ownFiles.flatMap(({ kind }) => {
    const file = { scheme: 'file', pattern: `**/${kind.place}` };
    const isShared = kind.isOwn !== undefined && /\*[^/]*$/.test(kind.place);
    if (isShared || !isWanted(kind)) return [];
    return /\.jsonc?$/.test(kind.place) ? ['json', 'jsonc'].map((language) => ({ ...file, language })) : [file];
  });
}
