import { knownTools, serverOf } from '../core/config/knownTools.js';
import type { ProjectIndex } from '../core/config/projectIndex.js';
import { flagLabels, labelWords } from '../core/config/toolLabels.js';
import type { McpLock, ToolLabels } from '../core/generated/types.js';
import { nearestNames, suggest } from '../core/names.js';
import { matchesTool } from '../core/tools/allowedTools.js';
import { type LabelledEntry, labelTools as labelledText } from '../core/tools/mcp/labelTools.js';
import { lockPath, readLock } from '../core/tools/mcp/lockFile.js';
import { toSafeJson, visibleText } from '../core/visibleText.js';
import { type Cli, type GlobalOptions, UsageError } from './cli.js';
import { openCliProject } from './openCliProject.js';
import { locateProject } from './project.js';

/**
 * Writes what tools do into the lock, as entries such as `mail/send=sends,changes` say. Starts no server.
 *
 * @throws UsageError for an entry that is not understood, or names no tool or a changed one: nothing is written then
 */
export async function labelTools(cli: Cli, entries: readonly string[], options: GlobalOptions): Promise<void> {
  const { root, files } = locateProject(cli, options);
  const index = await openCliProject(cli, root, { code: 'never' }).index();
  const path = lockPath(index.settings.config_dir);
  const lock = await readLock(files, path);
  const changes = entries.flatMap((entry) => changesOf(entry, lock, index));
  const text = await files.readText(path);
  const after = labelledText(text, changes);
  if (after !== text) await files.writeText(path, after);
  // As `labelledText` does, the last entry of a tool counts.
  const last = [...new Map(changes.map((change) => [JSON.stringify([change.client_id, change.tool]), change])).values()];
  if (options.json) {
    cli.terminal.print(
      toSafeJson({ labelled: last.map((change) => ({ ...change, labels: change.labels ?? null })), changed: after !== text }),
    );
    return;
  }
  for (const { client_id, tool, labels } of last)
    cli.terminal.print(`${visibleText(`${client_id}/${tool}`)}: ${labels === undefined ? unlabelled : labelWords(labels)}`);
  cli.terminal.note(after === text ? `${path} says so already.` : `Wrote ${path}.`);
}

const unlabelled = 'unlabelled';

function changesOf(entry: string, lock: McpLock, index: ProjectIndex): readonly LabelledEntry[] {
  const at = entry.lastIndexOf('=');
  const pattern = entry.slice(0, Math.max(at, 0)).trim();
  if (pattern === '')
    throw new UsageError(`--label ${JSON.stringify(entry)} is not of the form SERVER/TOOL=LABELS, such as mail/send=sends,changes.`);
  const labels = parseLabels(entry.slice(at + 1));
  const all = Object.entries(lock.servers).flatMap(([client_id, { tools }]) =>
    Object.entries(tools).map(([tool, { changed }]) => ({ client_id, tool, isChanged: changed !== undefined })),
  );
  const matched = all.filter(({ client_id, tool }) => matchesTool(pattern, { name: tool, origin: { type: 'mcp', client_id, name: tool } }));
  if (matched.length === 0) throw new UsageError(unknownTool(pattern, all, index));
  const changed = labels === undefined ? [] : matched.filter(({ isChanged }) => isChanged);
  if (changed.length > 0) {
    const names = changed.map(({ client_id, tool }) => visibleText(`${client_id}/${tool}`)).join(', ');
    throw new UsageError(`Changed since pinned: ${names}. Accept it first (\`tools AGENT --pin\`), since that removes labels.`);
  }
  return matched.map(({ client_id, tool }) => ({ client_id, tool, labels }));
}

/** Undefined for `unlabelled`. */
function parseLabels(written: string): ToolLabels | undefined {
  const words = written.split(',').map((word) => word.trim());
  const alone = words.length === 1 ? words[0] : undefined;
  if (alone === unlabelled) return undefined;
  if (alone === 'none') return {};
  const known = ['reads:private', 'reads:public', ...flagLabels];
  if (words.includes('none') || words.includes(unlabelled))
    throw new UsageError(`\`none\` and \`${unlabelled}\` stand alone: ${JSON.stringify(written)} has other labels beside.`);
  for (const word of words) {
    if (known.includes(word)) continue;
    const nearest = nearestNames(word, [...known, 'none', unlabelled]);
    throw new UsageError(
      `There is no label ${JSON.stringify(word)}.${suggest(nearest, known)} \`none\` alone is a tool that does none of this, \`${unlabelled}\` alone removes the labels.`,
    );
  }
  const reads = (['private', 'public'] as const).filter((each) => words.includes(`reads:${each}`));
  if (reads.length > 1) throw new UsageError('A tool that reads both is labelled reads:private.');
  const flags = flagLabels.filter((flag) => words.includes(flag)).map((flag) => [flag, true]);
  return { ...(reads[0] && { reads: reads[0] }), ...Object.fromEntries(flags) };
}

function unknownTool(pattern: string, all: readonly Pick<LabelledEntry, 'client_id' | 'tool'>[], index: ProjectIndex): string {
  const fault = `No tool in the lock is named ${JSON.stringify(pattern)}.`;
  const local = knownTools(index, []).tools.find(({ name }) => name === pattern);
  if (local?.origin.type === 'built-in') return `${fault} ${pattern} is built in, and what it does is known.`;
  if (local !== undefined) return `${fault} ${pattern} is a tool of your own, whose code says what it does: defineTool({ labels }).`;
  const server = pattern.split('/', 1)[0] ?? '';
  const isUnlisted = pattern.includes('/') && serverOf(index, server) !== undefined && !all.some(({ client_id }) => client_id === server);
  if (isUnlisted) return `${fault} The tools of ${server} have not been listed yet: \`tools AGENT\` lists those of an agent that uses it.`;
  const names = all.map(({ client_id, tool }) => (pattern.includes('/') ? `${client_id}/${tool}` : tool));
  return `${fault}${suggest(nearestNames(pattern, new Set(names)), names)}`;
}
