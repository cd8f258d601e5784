import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { FileProblem } from '../../../core/ports.js';
import { listRunIds, readRunFiles, readRunSummary } from '../../../core/run/readRuns.js';
import { containsText, fitsSummary } from '../../../core/run/runFilter.js';
import { isEnded, type RunSummary } from '../../../core/run/runSummary.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunGrouping, RunNode, RunReference, TreeFilter } from '../../panels/run/types.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { groupRuns } from './groupRuns.js';
import type { GroupNode, RunsNode } from './runItem.js';
import { isFiltering, toRunFilter } from './treeFilter.js';

/** Runs that are read at first, and again with each "Show More". */
const pageSize = 100;

/**
 * The runs of all projects, newest first, pinned ones before all. Of thousands only the names of their folders are read; a page of them is
 * read. A run that has ended for good is read once.
 */
export class RunsTree {
  private readonly services: Services & WithRuns;
  private readonly summaries = new Map<string, RunSummary>();
  private limit = pageSize;
  private roots: readonly RunsNode[] = [];
  private hasSeveralProjects = false;

  constructor(services: Services & WithRuns) {
    this.services = services;
  }

  showMore(): void {
    this.limit += pageSize;
  }

  /** The groups, and what leads to the rest. */
  async load(grouping: RunGrouping, filter: TreeFilter): Promise<readonly RunsNode[]> {
    const all = await this.list();
    const isPinned = ({ folder, run_id }: RunReference) => this.services.runs.isPinned({ folder, run_id });
    const pinned = (await this.readFitting(all.filter(isPinned), Number.POSITIVE_INFINITY, filter)).nodes;
    const unpinned = all.filter((reference) => !isPinned(reference));
    const { nodes: page, seen } = await this.readFitting(unpinned, this.limit, filter);
    this.forgetOthers([...pinned, ...page]);
    const { t } = vscode.l10n;
    const words = { today: t('Today'), yesterday: t('Yesterday'), unknown: t('Unknown'), language: vscode.env.language };
    const groups = groupRuns(
      page.map((node) => ({ ...node, started: node.summary.started, name: node.summary.name })),
      grouping,
      Date.now(),
      words,
    );
    const nodes: RunsNode[] = groups.map(({ key, label, runs }) => ({ type: 'group', key, label, runs }));
    if (pinned.length > 0) nodes.unshift({ type: 'group', key: 'pinned', label: t('Pinned'), runs: pinned });
    if (unpinned.length > seen) nodes.push({ type: 'more', hidden: unpinned.length - seen });
    this.roots = nodes;
    return nodes;
  }

  parentOf(node: RunsNode): GroupNode | undefined {
    if (node.type !== 'run') return undefined;
    return this.groups().find(({ runs }) => runs.some(({ run_id, folder }) => run_id === node.run_id && folder === node.folder));
  }

  /** The node of a run, with as many pages read as that takes; undefined when there is no such run. */
  async find({ folder, run_id }: RunReference, grouping: RunGrouping, filter: TreeFilter): Promise<RunNode | undefined> {
    const at = (await this.list()).findIndex((listedRun) => listedRun.folder === folder && listedRun.run_id === run_id);
    if (at >= this.limit) this.limit = Math.ceil((at + 1) / pageSize) * pageSize;
    await this.load(grouping, filter);
    return this.groups()
      .flatMap(({ runs }) => runs)
      .find((node) => node.folder === folder && node.run_id === run_id);
  }

  /** The newest runs, read. */
  async newest(count: number): Promise<readonly RunNode[]> {
    return this.read((await this.list()).slice(0, count));
  }

  /** The newest runs that fit, at most `limit`, and how many had to be read for them. */
  private async readFitting(references: readonly RunReference[], limit: number, filter: TreeFilter) {
    if (!isFiltering(filter)) {
      const nodes = await this.read(references.slice(0, limit));
      return { nodes, seen: nodes.length };
    }
    const activeFilter = toRunFilter(filter, Date.now());
    const nodes: RunNode[] = [];
    let seen = 0;
    for (const reference of references) {
      if (nodes.length === limit) break;
      seen += 1;
      if (filter.projects.length > 0 && !filter.projects.includes(reference.folder.root)) continue;
      const [node] = await this.read([reference]);
      if (node !== undefined && fitsSummary(node.summary, activeFilter) && (await this.hasText(node, filter.text))) nodes.push(node);
      if (seen % 20 === 19) await new Promise((resolve) => setImmediate(resolve));
    }
    return { nodes, seen };
  }

  private async hasText({ folder, run_id }: RunReference, text: string): Promise<boolean> {
    return text === '' || containsText(await readRunFiles(createNodeFiles(folder.root), run_id), text);
  }

  private groups(): readonly GroupNode[] {
    return this.roots.filter((node) => node.type === 'group');
  }

  private async list(): Promise<readonly RunReference[]> {
    const selectedRuns: RunReference[] = [];
    const folders = await this.services.projects.list();
    this.hasSeveralProjects = folders.length > 1;
    for (const folder of folders) {
      for (const run_id of await this.idsIn(folder)) selectedRuns.push({ folder, run_id });
    }
    // Ids start with the time, so those of several projects can be ordered without reading any.
    return selectedRuns.sort((left, right) => (left.run_id < right.run_id ? 1 : left.run_id > right.run_id ? -1 : 0));
  }

  private async idsIn(folder: ProjectFolder): Promise<readonly string[]> {
    try {
      return await listRunIds(createNodeFiles(folder.root));
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      this.services.log.warn(`The runs of ${folder.name} cannot be listed: ${error.message}`);
      return [];
    }
  }

  private async read(references: readonly RunReference[]): Promise<readonly RunNode[]> {
    const nodes: RunNode[] = [];
    for (const [at, { folder, run_id }] of references.entries()) {
      const key = keyOf({ folder, run_id });
      const live = this.services.runs.findLive({ folder, run_id });
      const summary = this.summaries.get(key) ?? (await readRunSummary(createNodeFiles(folder.root), run_id));
      // A resumable run is still open, even if it was cancelled.
      if (isEnded(summary.state) && !summary.can_resume) this.summaries.set(key, summary);
      nodes.push({
        type: 'run',
        folder,
        run_id,
        summary,
        project: this.hasSeveralProjects ? folder.name : null,
        isLive: live?.isLive === true,
        isPinned: this.services.runs.isPinned({ folder, run_id }),
      });
      // Reading is quick but not free: others get their turn.
      if (at % 20 === 19) await new Promise((resolve) => setImmediate(resolve));
    }
    return nodes;
  }

  private forgetOthers(nodes: readonly RunNode[]): void {
    const keys = new Set(nodes.map(keyOf));
    for (const key of this.summaries.keys()) if (!keys.has(key)) this.summaries.delete(key);
  }
}

function keyOf({ folder, run_id }: RunReference): string {
  return `${folder.root}\0${run_id}`;
}
