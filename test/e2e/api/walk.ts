import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { SeededRandom } from '../../fuzz/random.js';
import { checkedFindings } from '../../walk/checkedFindings.js';
import { differenceOf } from '../../walk/differenceOf.js';
import { shorten } from '../../walk/shorten.js';
import { below, isPossible, nameOffset, nextStep, type Step, startFiles, stepWords } from '../../walk/steps.js';
import { until, workspaceRoot } from './support.js';

const base = join(workspaceRoot(), 'walk');
const given = process.env.TEST_SEED;
const seed = given === 'random' ? Date.now() % 1_000_000 : Number(given ?? 20_260_101);
const steps = Number(process.env.AGENT_STACK_WALK_STEPS ?? 100);

describe('Problems', () => {
  it(`are what the command line finds, after each of ${steps} steps inside and outside of the editor`, async function () {
    this.timeout(600_000);
    await vscode.workspace.getConfiguration('files').update('refactoring.autoSave', true, vscode.ConfigurationTarget.Workspace);
    await begin();
    const random = new SeededRandom(seed);
    const taken: Step[] = [];
    for (let at = 0; at < steps; at++) {
      const step = nextStep(base, random);
      taken.push(step);
      await take(step);
      const difference = await remaining(20_000);
      if (difference !== undefined) throw new Error(`Seed ${seed}, step ${at + 1}:\n${difference}\n${await trace(taken)}`);
    }
    compareWithProgram();
  });
});

/** The files at the beginning, and no editor. */
async function begin(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  for (const path of [...below(base, 'project'), ...below(base, 'away')].reverse())
    if (!isKept(path)) rmSync(join(base, path), { recursive: true, force: true });
  for (const [path, text] of Object.entries(startFiles)) put(path, text);
  if (!existsSync(join(base, 'notes.txt'))) put('notes.txt', '');
  await catchUp();
  const difference = await remaining(30_000);
  assert.equal(difference, undefined, `at the beginning: ${difference}`);
}

/** The steps that are enough for a difference, found by taking fewer and fewer of them. */
async function trace(taken: readonly Step[]): Promise<string> {
  const fails = async (some: readonly Step[]) => {
    try {
      await begin();
      for (const step of some) await take(step);
    } catch {
      return false;
    }
    return (await remaining(3_000)) !== undefined;
  };
  return (await shorten(taken, fails, 60_000)).map(stepWords).join('\n');
}

async function take(step: Step): Promise<void> {
  if (!isPossible(base, step)) return;
  await ('inside' in step && !step.inside ? takeOutside(step) : takeInside(step));
  if ('inside' in step && !step.inside) await catchUp();
  for (const document of vscode.workspace.textDocuments) if (document.isDirty && isAbout(document.uri)) await document.save();
}

/** What users do sooner or later: they save something, and read files again whose texts VS Code has missed as well. */
async function catchUp(): Promise<void> {
  const isStale = (document: vscode.TextDocument) => {
    const file = document.uri.fsPath;
    return isAbout(document.uri) && !document.isDirty && existsSync(file) && readFileSync(file, 'utf8') !== document.getText();
  };
  const stale = () => vscode.workspace.textDocuments.filter(isStale);
  if (stale().length > 0) await until(() => stale().length === 0, 'VS Code to notice', 1_500).catch(() => undefined);
  for (const document of stale()) {
    await vscode.window.showTextDocument(document, { preview: false });
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
  await saveNotes();
}

/** Saves a file of no project, as users do sooner or later. The watcher may have lost what has happened outside, and the disk is looked at again. */
async function saveNotes(): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf('notes.txt'));
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), '.');
  await vscode.workspace.applyEdit(edit);
  assert.ok(await document.save(), 'the notes are saved');
}

function takeOutside(step: Step): void {
  if (step.act === 'write') put(step.path, step.text);
  else if (step.act === 'remove') rmSync(join(base, step.path), { recursive: true });
  else if (step.act === 'move') {
    mkdirSync(dirname(join(base, step.to)), { recursive: true });
    renameSync(join(base, step.path), join(base, step.to));
  }
}

async function takeInside(step: Step): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  switch (step.act) {
    case 'open':
      await vscode.window.showTextDocument(uriOf(step.path), { preview: false });
      return;
    case 'close':
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      return;
    case 'write': {
      const uri = uriOf(step.path);
      edit.createFile(uri, { ignoreIfExists: true });
      await vscode.workspace.applyEdit(edit);
      const document = await vscode.workspace.openTextDocument(uri);
      const change = new vscode.WorkspaceEdit();
      change.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), step.text);
      await vscode.workspace.applyEdit(change);
      return;
    }
    case 'remove':
      edit.deleteFile(uriOf(step.path), { recursive: true });
      break;
    case 'move':
      edit.renameFile(uriOf(step.path), uriOf(step.to));
      break;
    case 'rename': {
      const found = await renameEdit(step.path, step.name);
      if (found === undefined || found.size === 0) return;
      // In the answer of this command, moves come before texts. F2 itself changes the texts first.
      for (const [uri, changes] of found.entries()) {
        edit.set(uri, changes);
        found.set(uri, undefined as never);
      }
      assert.ok(await vscode.workspace.applyEdit(edit), `the texts of ${stepWords(step)} are changed`);
      // VS Code says of an edit without moves that it was not applied.
      await vscode.workspace.applyEdit(found);
      return;
    }
  }
  assert.ok(await vscode.workspace.applyEdit(edit), `${stepWords(step)} is applied`);
}

/** What F2 on the name of a file does; undefined where there is no name, or the server refuses. */
async function renameEdit(path: string, name: string): Promise<vscode.WorkspaceEdit | undefined> {
  const offset = nameOffset(base, path);
  if (offset === undefined) return undefined;
  const document = await vscode.workspace.openTextDocument(uriOf(path));
  await vscode.window.showTextDocument(document, { preview: false });
  try {
    return await vscode.commands.executeCommand('vscode.executeDocumentRenameProvider', document.uri, document.positionAt(offset), name);
  } catch {
    return undefined;
  }
}

/** What only one of Problems and `check` has, when they do not become the same; undefined when they do. */
async function remaining(milliseconds: number): Promise<string | undefined> {
  const expected = [...(await checkedFindings(base, 'project')), ...(await checkedFindings(base, 'away'))];
  let lines: readonly string[] = [];
  const isSame = () => {
    lines = differenceOf(problems(), expected);
    return lines.length === 0;
  };
  try {
    await until(isSame, 'the same', milliseconds);
    return undefined;
  } catch {
    return lines.join('\n');
  }
}

/** Problems in the folder, without what a prompt is told for its agents: the command line says that of the agent alone. */
function problems(): readonly string[] {
  return vscode.languages
    .getDiagnostics()
    .filter(([uri]) => isAbout(uri))
    .flatMap(([uri, diagnostics]) =>
      diagnostics
        .filter(({ source, message }) => source === 'agentstack' && !message.startsWith('For config/'))
        .map(({ range, code }) => `${pathOf(uri)}:${range.start.line + 1} ${typeof code === 'object' ? code.value : code}`),
    )
    .sort();
}

/** The same once with the program itself: what is compared with after each step is its engine. */
function compareWithProgram(): void {
  const extension = vscode.extensions.all.find(({ packageJSON }) => packageJSON.name === 'agent-stack');
  assert.ok(extension);
  const args = [join(extension.extensionPath, 'dist/cli.cjs'), 'check', '--json', '--project', join(base, 'project')];
  let output = '';
  try {
    output = execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } });
  } catch (error) {
    output = (error as { stdout: string }).stdout;
  }
  const { findings } = JSON.parse(output) as { findings: readonly { file: string; line: number; code: string; message: string }[] };
  // The editor judges the project's own environment; the program, the others too.
  const own = findings.filter(({ message }) => !/ \(environments? [^()]+\)$/.test(message));
  const lines = own.map(({ file, line, code }) => `project/${file}:${line} ${code}`).sort();
  assert.deepEqual(
    problems().filter((line) => line.startsWith('project/')),
    lines,
  );
}

/** Files of the beginning are written over, and their folders stay. */
function isKept(path: string): boolean {
  return Object.keys(startFiles).some((each) => each === path || each.startsWith(`${path}/`));
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function uriOf(path: string): vscode.Uri {
  return vscode.Uri.file(join(base, path));
}

function pathOf(uri: vscode.Uri): string {
  return relative(base, uri.fsPath).replaceAll('\\', '/');
}

function isAbout({ scheme, fsPath }: vscode.Uri): boolean {
  return scheme === 'file' && fsPath.startsWith(base);
}
