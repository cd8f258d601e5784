import {
  type ClientCapabilities,
  type Connection,
  type Registration,
  RegistrationRequest,
  TextDocumentSyncKind,
  UnregistrationRequest,
} from 'vscode-languageserver';
import { ownFiles } from '../../core/inventory/findToolFiles.js';

/**
 * Registers the requests about the files of other tools with the client, for exactly their places. An editor that starts the server for a language gets
 * all that it does, formatting included; this way, nothing is registered that it does not do for these files.
 */
export class ToolFileRegistration {
  private readonly connection: Connection;
  private readonly registrations: readonly Registration[];
  private isRegistered = false;
  private last: Promise<void> = Promise.resolve();

  constructor(connection: Connection, client: ClientCapabilities) {
    this.connection = connection;
    this.registrations = registrationsFor(client);
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

function registrationsFor({ textDocument = {} }: ClientCapabilities): readonly Registration[] {
  const documentSelector = selectorOf(() => true);
  const options = {
    definition: { documentSelector },
    references: { documentSelector },
    hover: { documentSelector },
    documentLink: { documentSelector },
    completion: {
      documentSelector: selectorOf(({ names = [] }) => names.length > 0),
      triggerCharacters: ['"', '@', '/', '_', '(', ' ', ','],
    },
  };
  const sync = { didOpen: {}, didChange: { syncKind: TextDocumentSyncKind.Incremental }, didClose: {} };
  return [
    ...Object.entries(sync).flatMap(([name, more]) => registration(textDocument.synchronization, name, { documentSelector, ...more })),
    ...Object.entries(options).flatMap(([name, more]) => registration(textDocument[name as keyof typeof options], name, more)),
  ];
}

function registration(
  ability: { dynamicRegistration?: boolean } | undefined,
  name: string,
  registerOptions: object,
): readonly Registration[] {
  return ability?.dynamicRegistration === true
    ? [{ id: `agentstack.otherTools.${name}`, method: `textDocument/${name}`, registerOptions }]
    : [];
}

/** Places that are only this tool's. A project's own files are in another language there, and are not asked about twice. */
function selectorOf(isWanted: (kind: (typeof ownFiles)[number]['kind']) => boolean) {
  return ownFiles.flatMap(({ kind }) => {
    const file = { scheme: 'file', pattern: `**/${kind.place}` };
    if (kind.isOwn !== undefined || !isWanted(kind)) return [];
    return /\.jsonc?$/.test(kind.place) ? ['json', 'jsonc'].map((language) => ({ ...file, language })) : [file];
  });
}
