import { unlessRefused } from '../../core/agent/load/refused.js';
import { builtInTools } from '../../core/config/builtInTools.js';
import { type KnownTool, knownTools, serverOf } from '../../core/config/knownTools.js';
import type { ProjectIndex } from '../../core/config/projectIndex.js';
import { type ChosenTool, chooseTools } from '../../core/config/toolChoice.js';
import { claimWords, labelWords } from '../../core/config/toolLabels.js';
import type { ToolLabels } from '../../core/generated/types.js';
import { tidyTemporaries } from '../../core/node/temporaryFiles.js';
import { catalogueLabels } from '../../core/permits/labels.js';
import type { EffectiveAgent } from '../../core/snapshot/effective.js';
import { listProjectTools, type ProjectListing } from '../../core/tools/mcp/listProjectTools.js';
import { toolDifference } from '../../core/tools/mcp/lock.js';
import { createEnvironmentInputs } from '../../core/tools/mcp/resolveServer.js';
import { toSafeJson, visibleLines, visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { collect } from '../agentCall.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, example, exitCodes, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { catchInterrupts } from '../interrupt.js';
import { openCliProject } from '../openCliProject.js';
import { environmentOption } from '../optionValues.js';
import { parseAgent } from '../parseAgent.js';
import { locateProject } from '../project.js';

interface ToolsOptions extends GlobalOptions {
  readonly diff?: boolean;
  readonly pin?: boolean;
  readonly offline?: boolean;
  readonly declare?: boolean;
  readonly label?: readonly string[];
  readonly environment?: string;
}

export const tools: VerbSetup = (command, cli) => {
  command
    .argument('[agent]', 'NAME, or NAME@VERSION; without a version the newest')
    .option('--diff', 'show how tools differ from their pins')
    .option('--pin', 'accept and pin the tools as the servers list them now')
    .option('--offline', 'start no server, and show mcp.lock.json')
    .option('--declare', 'write the tools of the module to "skills" in agentstack.json, for users who have not trusted its code')
    .option(
      '--label <labels>',
      'write what tools do into mcp.lock.json, SERVER/TOOL=LABELS with commas between; * for any characters; repeatable',
      collect,
    )
    .option(...environmentOption)
    .addHelpText('after', () =>
      example(cli, [
        'tools Helper',
        'tools Helper --diff',
        'tools Helper --pin',
        'tools Helper --offline --json',
        'tools --declare',
        "tools --label 'mail/send=sends,changes' --label 'mail/search=reads:private,untrusted'",
      ]),
    )
    .addHelpText(
      'after',
      '\nStarts the MCP servers of the agent, has them list their tools, and ends them. Tools that are listed for the first time are pinned in\n' +
        'mcp.lock.json; a run refuses one that differs from what is pinned.\n' +
        'Exit codes: 0 nothing has changed, 1 a tool has changed or a server failed, 2 the config or the command cannot be used, 130 cancelled.',
    )
    .action(async (spec: string | undefined) => {
      const options = readOptions<ToolsOptions>(cli, command);
      const alone = [options.declare === true, options.label !== undefined].filter(Boolean).length;
      if (alone !== (spec === undefined ? 1 : 0)) throw new UsageError('Name an agent, or give --declare or --label.');
      if (options.label !== undefined) return (await import('../labelTools.js')).labelTools(cli, options.label, options);
      if (spec === undefined) return (await import('../declareTools.js')).declareTools(cli, options);
      if (options.offline && options.pin) throw new UsageError('--pin accepts what servers list now, so it cannot be --offline.');
      await showTools(cli, spec, options);
    });
};

async function showTools(cli: Cli, spec: string, options: ToolsOptions): Promise<void> {
  const { root } = locateProject(cli, options);
  const { pin = false, offline = false } = options;
  const project = openCliProject(cli, root, options);
  const index = await project.index();
  checkEnvironment(index, options.environment);
  const [agent_name, version] = parseAgent(spec, index);
  const { config } = unlessRefused(await project.load({ index, agent_name, version })).agent.resolved;
  if (!offline) tidyTemporaries(root, index.settings.config_dir);
  const { signal, release } = catchInterrupts(cli.terminal);
  try {
    const { client_ids = [] } = config;
    const isListing = config.agent_type === 'react' && client_ids.length > 0 && !offline;
    const resolveInput = createEnvironmentInputs(project.ports);
    const listing = isListing
      ? await listProjectTools({ project: index, ports: project.ports, resolveInput, client_ids, accept: pin, signal })
      : undefined;
    const report = reportOf(config, listing?.written ? await project.index() : index, listing);
    if (options.json) cli.terminal.print(toSafeJson(toJson(report)));
    else printReport(cli, report, options);
    const hasFailed = listing?.servers.some(({ failure }) => failure !== undefined) === true;
    const hasChanged = report.rows.some(({ state }) => state === 'changed' || state === 'gone');
    cli.exit(hasFailed || hasChanged ? exitCodes.failed : exitCodes.ok);
  } finally {
    release();
  }
}

/** `new`: pinned by this very call. */
type State = 'built-in' | 'skill' | 'pinned' | 'new' | 'changed' | 'gone';

interface Row {
  readonly chosen: ChosenTool<KnownTool>;
  readonly state: State;
  /** What the catalogue of well-known servers says of it, where its user says nothing. */
  readonly catalogued: ToolLabels | undefined;
}

interface Report {
  readonly config: EffectiveAgent;
  readonly rows: readonly Row[];
  /** Of the servers' tools, those the agent's lists leave out. */
  readonly left_out: readonly KnownTool[];
  /** Entries of enabled_tools that do not exist. */
  readonly unknown: readonly string[];
  /** Servers whose tools have not been listed yet. */
  readonly unlisted: readonly string[];
  readonly listing: ProjectListing | undefined;
}

function reportOf(config: EffectiveAgent, index: ProjectIndex, listing: ProjectListing | undefined): Report {
  if (config.agent_type !== 'react') return { config, rows: [], left_out: [], unknown: [], unlisted: [], listing };
  const offered = knownTools(index, config.client_ids ?? []);
  const { chosen, unknown } = chooseTools(offered.tools, config);
  const isNew = ({ origin }: KnownTool) =>
    origin.type === 'mcp' && listing?.servers.find(({ client_id }) => client_id === origin.client_id)?.tools.get(origin.name) === 'new';
  const taken = new Set(chosen.map(({ tool }) => tool));
  return {
    config,
    rows: chosen.map((entry) => ({
      chosen: entry,
      state: isNew(entry.tool) ? 'new' : stateOf(entry.tool),
      catalogued: cataloguedLabels(entry.tool, index),
    })),
    left_out: offered.tools.filter((tool) => tool.origin.type === 'mcp' && !taken.has(tool)),
    unknown: unknown.enabled_tools,
    unlisted: offered.unlisted,
    listing,
  };
}

/** Of a tool that has changed since it was pinned, the catalogue says nothing. */
function cataloguedLabels({ origin, labels, locked }: KnownTool, index: ProjectIndex): ToolLabels | undefined {
  if (origin.type !== 'mcp' || labels !== undefined || locked?.changed !== undefined) return undefined;
  return catalogueLabels(serverOf(index, origin.client_id) ?? {}, origin.name);
}

function stateOf({ origin, locked }: KnownTool): State {
  if (origin.type !== 'mcp') return origin.type;
  if (locked?.changed === undefined) return 'pinned';
  return locked.changed === null ? 'gone' : 'changed';
}

/** MCP tools need approval in any case; for a skill its program decides. */
function approvalOf({ tool: { name, origin } }: ChosenTool<KnownTool>): boolean | null {
  if (origin.type === 'skill') return null;
  return origin.type === 'mcp' || builtInTools.some((tool) => tool.name === name && tool.needs_approval);
}

function toJson({ config, rows, left_out, unknown, unlisted, listing }: Report) {
  return {
    agent_name: config.agent_name,
    version: config.version,
    agent_type: config.agent_type,
    tools: rows.map(({ chosen, state, catalogued }) => {
      const { description, parameters, origin, locked, labels, annotations } = chosen.tool;
      return {
        name: chosen.name,
        description,
        parameters,
        origin,
        needs_approval: approvalOf(chosen),
        state,
        labels: labels ?? catalogued ?? null,
        label_source: catalogued === undefined ? labelSourceOf(chosen.tool) : 'catalogue',
        ...(annotations && { annotations }),
        ...(locked && { hash: locked.hash }),
        ...(locked?.changed !== undefined && { changed: locked.changed }),
      };
    }),
    left_out: left_out.map(({ origin }) => origin),
    unknown,
    unlisted,
    servers: (listing?.servers ?? []).map(({ client_id, failure, tools: states, warnings }) => ({
      client_id,
      tools: Object.fromEntries(states),
      warnings,
      error: failure === undefined ? null : { code: failure.code, message: failure.message },
    })),
    lock: listing === undefined ? null : { path: listing.path, written: listing.written },
  };
}

function printReport(cli: Cli, report: Report, { diff = false }: ToolsOptions): void {
  const { terminal, name } = cli;
  const { bold, dim } = terminal.out;
  const { config, rows, left_out, unknown, unlisted, listing } = report;
  const agent = `${config.agent_name}@${config.version}`;
  if (config.agent_type !== 'react') {
    terminal.print(`${agent} is of agent_type ${config.agent_type}: only "react" agents have tools.`);
    return;
  }
  terminal.print(bold(`${agent} may call ${plural(rows.length, 'tool')}${rows.length > 0 ? ':' : '.'}`));
  const cells = rows.map(
    ({ chosen, state, catalogued }) =>
      [
        visibleText(chosen.name),
        sourceOf(chosen),
        asks[state],
        words[state],
        catalogued ? `${labelWords(catalogued)} (catalogue)` : doesWords(chosen.tool),
      ] as const,
  );
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)));
  for (const [index, row] of cells.entries()) {
    const { chosen, state } = rows[index] as Row;
    const isChanged = state === 'changed' || state === 'gone';
    const padded = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const pin = isChanged ? terminal.out.yellow(padded[3] ?? '') : dim(padded[3] ?? '');
    terminal.print(`  ${padded[0]}  ${dim(padded[1] ?? '')}  ${padded[2]}  ${pin}  ${row[4]}`.trimEnd());
    if (diff && isChanged) printDifference(cli, chosen.tool);
  }
  for (const { client_id, failure, warnings } of listing?.servers ?? []) {
    for (const words of warnings) terminal.note(`${terminal.err.yellow('warning:')} ${client_id} ${visibleText(words)}.`);
    if (failure !== undefined) terminal.note(`${terminal.err.red('error:')} ${visibleLines(failure.message)}`);
    else if (
      !left_out.concat(rows.map(({ chosen }) => chosen.tool)).some(({ origin }) => origin.type === 'mcp' && origin.client_id === client_id)
    ) {
      terminal.note(`${client_id} lists no tools.`);
    }
  }
  if (left_out.length > 0) terminal.print(dim(`Not enabled, or excluded: ${left_out.map((tool) => visibleText(tool.name)).join(', ')}`));
  for (const entry of unknown)
    terminal.note(`${terminal.err.yellow('warning:')} enabled_tools names ${visibleText(entry)}, which does not exist.`);
  const failed = new Set(listing?.servers.flatMap(({ client_id, failure }) => (failure ? [client_id] : [])));
  const missing = unlisted.filter((id) => !failed.has(id));
  if (missing.length > 0) terminal.note(`Not listed yet: ${missing.join(', ')}. \`${name} tools ${config.agent_name}\` lists their tools.`);
  if (listing?.written) terminal.note(dim(`Wrote ${listing.path}.`));
  const changed = rows.filter(({ state }) => state === 'changed' || state === 'gone').length;
  if (changed > 0) {
    const look = diff ? '' : `\`${name} tools ${config.agent_name} --diff\` shows how, and `;
    terminal.note(`${plural(changed, 'tool')} changed since pinned, so runs are refused. ${look}\`--pin\` accepts it.`);
  }
}

const asks: Readonly<Record<State, string>> = { 'built-in': '', skill: '', pinned: 'asks', new: 'asks', changed: 'asks', gone: 'asks' };
const words: Readonly<Record<State, string>> = {
  'built-in': '',
  skill: '',
  pinned: 'pinned',
  new: 'new, pinned now',
  changed: 'changed since it was pinned',
  gone: 'pinned, but no longer listed',
};

function sourceOf({ name, tool: { origin } }: ChosenTool<KnownTool>): string {
  if (origin.type !== 'mcp') return origin.type === 'built-in' ? 'built in' : 'skill';
  return origin.name === name ? origin.client_id : visibleText(`${origin.client_id} (${origin.name})`);
}

/** The source of a tool's labels; null for an unlabelled tool. */
function labelSourceOf({ origin, labels, annotations }: KnownTool): 'built-in' | 'code' | 'user' | 'claims' | null {
  if (origin.type === 'built-in') return 'built-in';
  if (labels !== undefined) return origin.type === 'skill' ? 'code' : 'user';
  return annotations !== undefined && claimWords(annotations) !== undefined ? 'claims' : null;
}

function doesWords({ origin, labels, annotations, locked }: KnownTool): string {
  // Labels do not count for a tool that has changed.
  if (origin.type === 'built-in' || locked?.changed !== undefined) return '';
  if (labels !== undefined) return labelWords(labels);
  const claims = annotations && claimWords(annotations);
  return claims === undefined ? 'unlabelled' : `${claims} (claimed)`;
}

function printDifference({ terminal }: Cli, { locked }: KnownTool): void {
  if (locked?.changed === undefined) return;
  const { red, green, dim } = terminal.out;
  for (const { mark, text } of toolDifference(locked, locked.changed)) {
    const line = `    ${mark} ${visibleText(text)}`.trimEnd();
    terminal.print(mark === '-' ? red(line) : mark === '+' ? green(line) : dim(line));
  }
}
