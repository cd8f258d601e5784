import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ResponseError, type WorkspaceEdit } from 'vscode-languageserver';
import '../support/seed.js';
import { occurrencesIn } from '../../server/occurrences.js';
import { runs } from '../support/effort.js';
import type { Harness } from '../support/serverHarness.js';
import { editor, openProject } from './quickFixes/support.js';

const root = new URL('../../config/', import.meta.url);
const files: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`.replaceAll('//', '/');
      return [path.slice(path.lastIndexOf('/config/') + 1), readFileSync(path, 'utf8')];
    }),
);

/** The files after a rename, moved ones at their new place; undefined when it is refused. */
async function renamed(server: Harness, before: Readonly<Record<string, string>>, path: string, offset: number, newName: string) {
  const position = server.service.workspace.document(server.uri(path))!.positionAt(offset);
  const params = { textDocument: { uri: server.uri(path) }, position, newName };
  const edit = await server.request<WorkspaceEdit>('textDocument/rename', params).catch((error: unknown) => {
    if (error instanceof ResponseError) return undefined;
    throw error;
  });
  if (edit === undefined) return undefined;
  const toPath = (uri: string) => decodeURIComponent(uri.slice(server.uri('').length)).replace(/^\//, '');
  const applied = Object.entries(server.applied(edit)).map(([file, text]) => [file.replace(/^\//, ''), text] as const);
  const gone = (edit.documentChanges ?? []).flatMap((step) => ('kind' in step && step.kind === 'rename' ? [toPath(step.oldUri)] : []));
  return Object.fromEntries(Object.entries({ ...before, ...Object.fromEntries(applied) }).filter(([file]) => !gone.includes(file)));
}

async function problems(server: Harness): Promise<readonly string[]> {
  const [project] = server.service.workspace.projects;
  const found: string[] = [];
  for (const { path } of project!.knownFiles()) for (const { code } of await project!.findings(path)) found.push(code);
  return found.toSorted();
}

test('any name of the example project can be given another one, which brings no finding, and back, which gives the same bytes', async () => {
  const server = await openProject(files, { client: editor });
  const [project] = server.service.workspace.projects;
  const places = Object.keys(files).flatMap((path) =>
    occurrencesIn(project!.documentAt(path)!, project!).filter(({ isImplied }) => isImplied !== true),
  );
  expect(places.length).toBeGreaterThan(100);
  const before = await problems(server);
  const numRuns = runs(15, 150);
  let done = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(places.length - 1), async (which) => {
      const { path, range, entity } = places[which]!;
      const after = await renamed(server, files, path, range.start, 'Zz9');
      if (after === undefined) return;
      done += 1;
      const second = await openProject(after, { client: editor });
      // A judge is given what it judges by fixed names, so its keys can have no others.
      const isAllowed = (code: string) => !(entity.kind === 'input-key' && code === 'judge-unfit');
      expect((await problems(second)).filter(isAllowed), `${entity.kind} ${entity.name}`).toEqual(before);
      const [moved] = second.service.workspace.projects;
      const there = Object.keys(after)
        .flatMap((file) => occurrencesIn(moved!.documentAt(file)!, moved!))
        .find((place) => place.entity.name === 'Zz9' && place.isImplied !== true);
      expect(there, `${entity.kind} ${entity.name}`).toBeDefined();
      expect(await renamed(second, after, there!.path, there!.range.start, entity.name), `${entity.kind} ${entity.name}`).toEqual(files);
    }),
    { numRuns },
  );
  expect(done).toBeGreaterThan(numRuns / 2);
}, 600_000);
