import type { ClientCapabilities, CodeAction, Diagnostic } from 'vscode-languageserver';
import { fixtureTools } from '../../support/fixtureTools.js';
import { fullCapabilities } from '../../support/lspClient.js';
import { type Harness, type HarnessOptions, openServer } from '../../support/serverHarness.js';

/** An editor that can do everything. */
export const editor: ClientCapabilities = fullCapabilities;

/** A project in an editor: `|` is no cursor here but a character of the text. */
export async function openProject(files: Readonly<Record<string, string>>, options: HarnessOptions = {}): Promise<Harness> {
  const plain = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replaceAll('|', '||')]));
  const server = await openServer(plain, { client: editor, host: { registeredIn: () => fixtureTools(files) }, ...options });
  // A module of tools is loaded while requests are answered already.
  await server.service.workspace.ready();
  return server;
}

export async function diagnosticsOf(server: Harness, path: string): Promise<readonly Diagnostic[]> {
  return (await server.service.diagnose(server.uri(path))).items;
}

/** The code actions that belong to the first finding of a code in a file. */
export async function actionsFor(server: Harness, path: string, code: string): Promise<readonly CodeAction[]> {
  const finding = (await diagnosticsOf(server, path)).find((item) => item.code === code);
  if (finding === undefined) throw new Error(`${path} has no finding ${code}`);
  const params = { textDocument: { uri: server.uri(path) }, range: finding.range, context: { diagnostics: [finding] } };
  const actions = await server.request<CodeAction[]>('textDocument/codeAction', params);
  const key = JSON.stringify([finding.code, finding.range, finding.message]);
  return actions.filter(({ diagnostics }) => diagnostics?.some((one) => JSON.stringify([one.code, one.range, one.message]) === key));
}

/** The files after a code action: those it changes, creates and moves (`undefined` for where they were). */
export async function filesAfter(server: Harness, action: CodeAction): Promise<Readonly<Record<string, string>>> {
  const resolved = await server.request<CodeAction>('codeAction/resolve', action);
  if (resolved.edit === undefined) throw new Error(`${action.title} has no edit`);
  const applied = server.applied(resolved.edit);
  return Object.fromEntries(Object.entries(applied).map(([path, text]) => [path.replace(/^\//, ''), text]));
}

/** Project paths that an edit takes away by moving them. */
export async function movedFrom(server: Harness, action: CodeAction): Promise<readonly string[]> {
  const { edit } = await server.request<CodeAction>('codeAction/resolve', action);
  const root = decodeURIComponent(server.uri(''));
  return (edit?.documentChanges ?? []).flatMap((step) =>
    'kind' in step && step.kind === 'rename' ? [decodeURIComponent(step.oldUri).slice(root.length).replace(/^\//, '')] : [],
  );
}

const agentPath = 'config/agents/A2/v1.json';

/** The fixes of the first finding of a code, by title, with the text that each leaves. */
export async function fixesOf(code: string, text: string, at = agentPath, files: Readonly<Record<string, string>> = {}) {
  const server = await openProject({ ...files, [at]: text });
  const actions = (await actionsFor(server, at, code)).filter(({ title }) => !title.startsWith('Ignore'));
  const preferred = actions.find(({ isPreferred }) => isPreferred)?.title;
  return {
    titles: actions.map(({ title }) => title),
    preferred,
    async after(title: string) {
      const action = actions.find((one) => one.title === title);
      if (action === undefined) throw new Error(`No "${title}" among: ${actions.map((one) => one.title).join('; ')}`);
      return (await filesAfter(server, action))[at];
    },
  };
}

export async function afterFixAll(text: string, at = agentPath): Promise<string | undefined> {
  const server = await openProject({ [at]: text });
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const context = { diagnostics: [], only: ['source.fixAll'] };
  const [action] = await server.request<CodeAction[]>('textDocument/codeAction', { textDocument: { uri: server.uri(at) }, range, context });
  return action === undefined ? undefined : (await filesAfter(server, action))[at];
}
