import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '../fuzz/random.js';
import { filePaths, names, textOf } from './texts.js';

/**
 * One thing that a user does, in the editor (`inside`) or beside it. Paths are relative to a folder that holds `project`, and `away`, which is in
 * no project. A step whose file is not there does nothing, so that a walk can be shortened.
 */
export type Step =
  | { readonly act: 'write'; readonly inside: boolean; readonly path: string; readonly text: string }
  | { readonly act: 'remove'; readonly inside: boolean; readonly path: string }
  | { readonly act: 'move'; readonly inside: boolean; readonly path: string; readonly to: string }
  /** F2 on what the file is called by. */
  | { readonly act: 'rename'; readonly path: string; readonly name: string }
  | { readonly act: 'open'; readonly path: string }
  | { readonly act: 'close' };

const faulty = /\.yaml$|\/mcp|\/D\.json$|\/kind\//;

/** Where the walk begins: a project in which nothing is wrong. */
export const startFiles: Readonly<Record<string, string>> = Object.fromEntries(
  filePaths.flatMap((path) => (faulty.test(path) ? [] : [[`project/${path}`, textOf(path, 0) as string]])),
);

/** A step that can be taken in a folder as it is now. */
export function nextStep(base: string, random: SeededRandom): Step {
  const present = below(base, 'project');
  const files = present.filter((path) => /\.(json|yaml)$/.test(path));
  const inside = random.next() < 0.6;
  const roll = random.next();
  const away = existsSync(join(base, 'away')) ? readdirSync(join(base, 'away')) : [];
  if (files.length < 6 || roll < 0.38) {
    const path = random.pick(random.next() < 0.7 || files.length === 0 ? filePaths.map((each) => `project/${each}`) : files);
    return { act: 'write', inside, path, text: textOf(path.slice('project/'.length), random.below(12)) ?? '{}' };
  }
  if (roll < 0.5) return { act: 'open', path: random.pick(files) };
  if (roll < 0.55) return { act: 'close' };
  if (roll < 0.63) return { act: 'remove', inside, path: random.pick(random.next() < 0.7 ? files : present) };
  if (roll < 0.73) return { act: 'rename', path: random.pick(files), name: random.pick(names) };
  if (away.length > 0 && roll < 0.82) {
    // What it was called is a part of its name, with "+" for "/".
    const name = random.pick(away);
    return { act: 'move', inside, path: `away/${name}`, to: `project/${name.replaceAll('+', '/')}` };
  }
  const path = random.pick(present);
  if (roll < 0.87) return { act: 'move', inside, path, to: `away/${path.slice('project/'.length).replaceAll('/', '+')}` };
  return { act: 'move', inside, path, to: siblingOf(path, random) };
}

/** Another name in the same folder. */
function siblingOf(path: string, random: SeededRandom): string {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const last = path.slice(folder.length + 1);
  const name = random.pick(last.startsWith('v') ? ['v1', 'v2', 'v3'] : names);
  return `${folder}/${name}${last.includes('.') ? last.slice(last.lastIndexOf('.')) : ''}`;
}

/** Files and folders in a folder, by their paths from `base`; without the folder itself. */
export function below(base: string, folder: string): readonly string[] {
  if (!existsSync(join(base, folder))) return [];
  return readdirSync(join(base, folder), { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? [path, ...below(base, path)] : [path];
    });
}

/** What the name of a file is said by in its text: the offset of the value, or undefined where F2 has nothing to rename. */
export function nameOffset(base: string, path: string): number | undefined {
  const found = /"(agent_name|llm_id|name)"\s*:\s*"(?=[A-Za-z])/.exec(readFileSync(join(base, path), 'utf8'));
  return found === null ? undefined : found.index + found[0].length;
}

/** Whether a step means something in a folder as it is now. */
export function isPossible(base: string, step: Step): boolean {
  const isThere = (path: string) => existsSync(join(base, path));
  switch (step.act) {
    case 'close':
      return true;
    case 'write':
      // The folders on the way may be files.
      return !below(base, 'project').includes(`${step.path}/`);
    case 'move':
      return isThere(step.path) && !isThere(step.to) && !step.to.startsWith(`${step.path}/`);
    default:
      return isThere(step.path);
  }
}

export function stepWords(step: Step): string {
  return JSON.stringify(step).replaceAll(/(\\n|\s)+ */g, ' ');
}
