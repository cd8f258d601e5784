import { join } from 'node:path';
import { checkProject } from '../../core/check/checkProject.js';
import { findProject } from '../../core/node/findProject.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { createNodeEnvironment } from '../../core/node/nodePorts.js';

/** What `check` finds in a folder of `base` now: path, line and code of each finding, sorted. Nothing where there is no project. */
export async function checkedFindings(base: string, folder: string): Promise<readonly string[]> {
  const root = join(base, folder);
  if (findProject(root) !== root) return [];
  const { findings } = await checkProject({ files: createNodeFiles(root), variables: createNodeEnvironment(process.env) });
  return findings.map(({ file, line, code }) => `${folder}/${file}:${line} ${code}`).sort();
}
