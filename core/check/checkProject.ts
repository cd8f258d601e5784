import type { ConfigFile, FileIdentity } from '../config/configFile.js';
import { loadProjectIndex } from '../config/loadProjectIndex.js';
import type { KnownFile } from '../config/memoryIndex.js';
import type { PlacedFinding } from '../finding.js';
import type { Kind } from '../kinds.js';
import { placeUnlisted } from './placeUnlisted.js';
import { ProjectCheck } from './projectCheck.js';
import { namesAgents } from './readAgentsOf.js';
import type { CheckProjectOptions, CheckReport } from './types.js';

export type { CheckProjectOptions, CheckReport };

/**
 * Checks every config file of a project, or those under `paths`. Files are read, checked and dropped one by one: memory holds the index
 * and the findings. A fault of a file, even that it is unreadable, is a finding.
 *
 * @throws the signal's reason; an error naming rule and file when a rule throws
 */
export async function checkProject(options: CheckProjectOptions): Promise<CheckReport> {
  const { files, paths, environment, onIndex, onProgress, signal } = options;
  signal?.throwIfAborted();
  const index = options.index ?? (await loadProjectIndex(files));
  onIndex?.(index);
  if (environment !== undefined) {
    const { default_environment = index.settings.environment } = index.settings;
    index.settings = { ...index.settings, environment, default_environment };
  }
  const isWanted = (path: string) => paths === undefined || paths.some((wanted) => contains(wanted, path));
  const listedFiles = [...index.files(), ...index.foreignFiles()];
  const toRead = filesToRead(listedFiles, isWanted);
  const total = toRead.length;
  const check = new ProjectCheck(options, index, isWanted);
  const endStep = createSteps(options, total);

  // Plans name agents, and whether those exist is known once all agents have been read, so agents with plans come second.
  const planners: ConfigFile[] = [];
  for (const file of toRead.filter(isAgent)) {
    const config = await check.read(file);
    if (config !== undefined && namesAgents(config, index)) {
      planners.push(config);
      continue;
    }
    if (config !== undefined) await check.check(config);
    await endStep();
  }
  for (const planner of planners) {
    await check.check(planner);
    await endStep();
  }
  for (const file of toRead.filter((file) => !isAgent(file)).sort(byReferredToLast)) {
    const config = await check.read(file);
    if (config !== undefined) await check.check(config);
    await endStep();
  }
  onProgress?.({ checked: total, total });
  const unlisted = index.findings.filter(({ file }) => index.identityOf(file) === undefined && isWanted(file));
  const findings = [...check.findings, ...placeUnlisted(unlisted, index.settings.rules)].sort(byPlace);
  const countOf = (severity: PlacedFinding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  const exists = (wanted: string) =>
    wanted === '' || listedFiles.some(({ path }) => contains(wanted, path)) || index.findings.some(({ file }) => contains(wanted, file));
  return {
    findings,
    files: check.count,
    errors: countOf('error'),
    warnings: countOf('warning'),
    unmatched: (paths ?? []).filter((wanted) => !exists(wanted)),
  };
}

function contains(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

function isAgent({ identity }: KnownFile): boolean {
  return identity.kind === 'agent';
}

/** Whether an llm profile, a persona or an MCP server is used depends on every file; a baseline depends on the payloads of its agent. */
function filesToRead(known: readonly KnownFile[], isWanted: (path: string) => boolean): readonly KnownFile[] {
  const wanted = known.filter(({ path }) => isWanted(path));
  if (wanted.some(({ identity: { kind } }) => kind === 'llm' || kind === 'persona' || kind === 'mcp')) return known;
  const compared = new Set(wanted.flatMap(({ identity: { kind, name } }) => (kind === 'baseline' ? [name] : [])));
  const isCompared = ({ kind, agent }: FileIdentity) => kind === 'payload' && agent !== undefined && compared.has(agent);
  return compared.size === 0 ? wanted : known.filter(({ path, identity }) => isWanted(path) || isCompared(identity));
}

/**
 * The order in which kinds are checked: baselines after the payloads whose cases they name, and kinds that may be unused last, when all references to
 * them are known.
 */
const rankOf = (kind: Kind): number => (kind === 'baseline' ? 1 : ['llm', 'persona', 'prompt', 'mcp'].includes(kind) ? 2 : 0);

function byReferredToLast(left: KnownFile, right: KnownFile): number {
  return rankOf(left.identity.kind) - rankOf(right.identity.kind);
}

/** Milliseconds between two turns of the event loop; without a clock, files. */
const stepLimits = { milliseconds: 50, files: 64 };

/** Called after each file: reports progress and yields to the event loop from time to time. @throws the signal's reason */
function createSteps({ clock, onProgress, signal }: CheckProjectOptions, total: number): () => Promise<void> {
  let checked = 0;
  let last = clock?.monotonic() ?? 0;
  return async () => {
    checked += 1;
    const now = clock?.monotonic() ?? 0;
    if (clock === undefined ? checked % stepLimits.files > 0 : now - last < stepLimits.milliseconds) return;
    last = now;
    onProgress?.({ checked, total });
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
  };
}

/** As they are reported. */
export function byPlace(left: PlacedFinding, right: PlacedFinding): number {
  return (
    compare(left.file, right.file) ||
    left.range.start - right.range.start ||
    left.range.end - right.range.end ||
    compare(left.code, right.code) ||
    compare(left.message, right.message)
  );
}

/** By UTF-16 units. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
