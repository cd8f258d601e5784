import type { CodeAction } from 'vscode-languageserver';
import { features } from '../../server/features/index.js';
import { createService } from '../../server/service.js';
import { documentOf } from '../support/documentOf.js';
import { fullCapabilities } from '../support/lspClient.js';
import { applyEdit } from '../support/serverHarness.js';
import { type Applied, type Files, type Found, judgeFix, judgeFixAll, judgeFormat, judgeRepair } from './fixJudges.js';
import { memoryHost, memoryRoot } from './memoryHost.js';
import { isJson } from './textParts.js';

/** What a faulty project was made from. */
export interface Origin {
  /** The text of the file without its slip of syntax. */
  readonly meant?: string | undefined;
  /** The files without the slip, where there is one only: a fix then brings no error that was not in these. */
  readonly sound?: Files | undefined;
}

/** Applies every fix of every finding in a file, each by itself, and the fix-all. What is worse after one is a complaint. */
export async function checkFixes(files: Files, path: string, { meant, sound }: Origin): Promise<readonly string[]> {
  const project = await open(files);
  const before = await project.findings();
  const known = sound === undefined ? undefined : await (await open(sound)).findings();
  const complaints: string[] = [];
  for (const action of await project.actions(path)) {
    const applied = await project.apply(action, path).catch((error: unknown) => String(error));
    const faults = typeof applied === 'string' ? [applied] : await judge(applied);
    const about = action.diagnostics?.[0]?.message ?? action.kind;
    const texts =
      typeof applied === 'string' ? {} : Object.fromEntries(Object.entries(applied.after).filter(([file, text]) => files[file] !== text));
    complaints.push(...faults.map((fault) => `${action.title} [${about}]: ${fault}\n  after: ${JSON.stringify(texts)}`));
  }
  return complaints;

  async function judge(applied: Applied): Promise<readonly string[]> {
    const after = await (await open(applied.after)).findings();
    const own = files[path] ?? '';
    const finding = before.find((item) => item.path === path && isSame(item, applied.action));
    if (finding === undefined) return [...judgeFormat(applied), ...judgeFixAll(own, applied.after[path] ?? '', meant)];
    if (!isJson(own)) return judgeRepair(own, applied.after[path] ?? '', finding, applied.action.title);
    return [...judgeFormat(applied), ...judgeFix(applied, finding, { before, after, known })];
  }
}

function isSame({ code, message, range }: Found, { diagnostics: [about] = [] }: CodeAction): boolean {
  return about !== undefined && code === about.code && message === about.message && JSON.stringify(range) === JSON.stringify(about.range);
}

/** A project in memory, all its files on disk. */
async function open(files: Files) {
  const fail = (_level: string, message: string, fields: unknown) => {
    const { error } = (fields ?? {}) as { error?: unknown };
    throw error instanceof Error ? error : new Error(message);
  };
  const service = createService({
    host: memoryHost(files),
    features,
    client: fullCapabilities,
    logger: { log: fail },
    folders: [memoryRoot],
  });
  service.start();
  await service.workspace.ready();
  const uri = (path: string) => `file://${memoryRoot}/${path}`;
  const toPath = (changed: string) => decodeURIComponent(changed).slice(uri('').length);
  return {
    async findings(): Promise<readonly Found[]> {
      const found: Found[] = [];
      for (const path of Object.keys(files)) found.push(...(await service.diagnose(uri(path))).items.map((item) => ({ ...item, path })));
      return found;
    },
    /** Those that change files. */
    async actions(path: string): Promise<readonly CodeAction[]> {
      const text = files[path] ?? '';
      const range = { start: { line: 0, character: 0 }, end: documentOf(text).positionAt(text.length) };
      const context = { diagnostics: [], only: ['quickfix', 'source.fixAll'] };
      const actions = (await service.request('textDocument/codeAction', {
        textDocument: { uri: uri(path) },
        range,
        context,
      })) as CodeAction[];
      return actions.filter(({ command }) => command === undefined);
    },
    async apply(action: CodeAction, path: string): Promise<Applied> {
      const { edit = {} } = (await service.request('codeAction/resolve', action)) as CodeAction;
      const moves = (edit.documentChanges ?? []).flatMap((step) =>
        'kind' in step && step.kind === 'rename' ? [[toPath(step.oldUri), toPath(step.newUri)] as const] : [],
      );
      const changed = applyEdit(edit, { text: (one) => files[one] ?? '', toPath });
      const after = Object.fromEntries(Object.entries({ ...files, ...changed }).filter(([one]) => !moves.some(([from]) => from === one)));
      return { action, path, before: files, after, movedTo: new Map(moves) };
    },
  };
}
