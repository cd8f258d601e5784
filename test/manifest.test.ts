import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { otherMcpFiles, places } from '../core/config/paths.js';
import { rules } from '../core/generated/rules.js';
import { kinds } from '../core/kinds.js';
import { ruleCodes } from '../core/ruleCodes.js';
import { layers } from '../core/snapshot/effective.js';

// Adding a thing is one file and one line; what is still missing is named here, by the very line.

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const list = (folder: string) => readdirSync(join(root, folder));

describe('rules', () => {
  test('every code has exactly one rule, in the order of the codes', () => {
    expect(rules.map(({ code }) => code)).toEqual([...ruleCodes]);
  });

  test.each(ruleCodes)('%s has its file, its page and its test', (code) => {
    const file = code.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(existsSync(join(root, `core/rules/${file}.ts`)), `core/rules/${file}.ts`).toBe(true);
    expect(existsSync(join(root, `docs/rules/${code}.md`)), `docs/rules/${code}.md`).toBe(true);
    expect(existsSync(join(root, `test/rules/${code}.test.ts`)), `test/rules/${code}.test.ts`).toBe(true);
  });

  test('no page is left over', () => {
    const pages = list('docs/rules').filter((name) => name.endsWith('.md') && name !== 'README.md');
    expect(pages.map((name) => name.replace('.md', '')).sort()).toEqual([...ruleCodes].sort());
  });
});

describe('kinds', () => {
  test('every kind has a place', () => {
    // agentstack.json and the lists of MCP servers of other tools lie outside of the config folder.
    const outside = [...otherMcpFiles.values()].map(({ kind }) => kind);
    expect(new Set([...places.map(({ kind }) => kind), ...outside, 'settings'])).toEqual(new Set(kinds));
  });

  test('every schema is draft-07 and describes its root', () => {
    for (const name of list('schemas')) {
      const schema = JSON.parse(read(`schemas/${name}`));
      expect(schema.$schema, name).toBe('http://json-schema.org/draft-07/schema#');
      expect(schema.description, name).toBeTruthy();
    }
  });
});

describe('documents', () => {
  test('every file that docs/requirements.md names exists', () => {
    const named = [...read('docs/requirements.md').matchAll(/`((?:core|cli|test|schemas|config)\/[^`{]+)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(60);
    expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('every link between documents leads somewhere', () => {
    const pages = [
      'README.md',
      'CONTRIBUTING.md',
      ...list('docs')
        .filter((name) => name.endsWith('.md'))
        .map((name) => `docs/${name}`),
    ];
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
        .map(([, target]) => join(page, '..', target!))
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${page} -> ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test('docs/layers.md names every layer', () => {
    const text = read('docs/layers.md');
    expect(layers.filter((layer) => !text.includes(`\`${layer}\``) && !new RegExp(`\\b${layer}\\b`).test(text))).toEqual([]);
  });

  test('the README has fewer than 900 words, and leaves nothing out of an example', () => {
    const readme = read('README.md');
    expect(readme.split(/\s+/).length).toBeLessThan(900);
    expect([...readme.matchAll(/```[\s\S]*?```/g)].filter(([block]) => block.includes('...'))).toEqual([]);
  });

  test('README and changelog count the rules right', () => {
    for (const page of ['README.md', 'CHANGELOG.md'])
      expect(read(page)).toContain(`ore than ${Math.floor(ruleCodes.length / 10) * 10} rules`);
  });
});

/**
 * Lines of TypeScript that each room may have; `core` stands for the files of `core/` itself. Lines are a cost: whoever raises a number says why in
 * that line, and whoever makes a room smaller lowers it.
 */
const mostLines: { readonly [room: string]: number } = {
  // words.ts moved in from core/rules, how a long text is cut and escaped from the rooms that do, and the names of providers from core/config.
  // What a caller's budget has to be. How an error is told, from the command line, for evals and what is served; which eval was paid for.
  // One phrase for the names that there are, from three rules; items by key, from seven rooms.
  // What the editor's package leaves out says so in one place.
  // Files over those of a project, for plans that write nothing, from core/import.
  // The stretches of a diff around its changes.
  // Days of the calendar, for verdicts and models. A path beside a file, from core/import.
  // Where a fork comes from, in the context of its run.
  core: 1930,
  // What calls without an answer are billed for.
  // What of the settings is not understood.
  // The gate at which a run stops for a person, and what is changed there.
  // The policy in snapshots, and runs held to it.
  // The steps of plans and the tools of the run at a stop.
  // What a record answered, beside what was paid.
  // Changes at stops kept with steps and records, and applied again.
  // Stops at what is found in a run.
  'core/agent': 6320,
  // What nothing silences, and who is told when a second profile comes; every environment.
  'core/check': 940,
  // Whether a file in our places shows that it is ours; the turns of a case; the agents that name a persona. Cases whose expectations nothing reads.
  // The keys of an orchestration's input.
  // Prompts in Markdown: their paths, and a duplicate in JSON. The revisions of MCP in the lock.
  // When a user's model ends.
  // What tools do: labels of users and code, claims of servers.
  'core/config': 2435,
  // A worker claims a flow before each step, and considers none dead after an outage.
  'core/dbos': 2520,
  // Breakpoints in config files, values at a stop, and the adapter of the Debug Adapter Protocol.
  // Conditions, hit counts and log points, refused in words where they can never be evaluated.
  // Threads, steps, the frames of plans, open calls, and the past moments of a run. The line of the breakpoint that stopped it.
  // Places in every file that gives an agent something, answers at any depth, expectations.
  // Breakpoints follow their values in files that change. Exception breakpoints.
  // What can be edited at a stop as a text, for terminals and pages.
  // Tools that a launch allows.
  'core/debug': 3120,
  // What changes between two states of a project: prompts, costs, contracts, permissions, routes and verdicts; its pages for terminals and comments.
  // Contracts with their readers, and routes with their examples.
  // What is only written differently: behaviour without its names, and agents, personas, servers and steps under other names; teams that no run reaches.
  // Which field moved a verdict: the search with its statistics, mixes of two frozen configs, what does not fit together, and the evals that ask them.
  // Each file of a side is read once.
  // Projects that begin and end, and what a submodule hides.
  // Exposed subjects that are not offered any more.
  'core/diff': 5205,
  // The two halves of a verdict's key, versions compared with each other, the order of the runs, and costs without the discounts of caches; arguments and order of calls; what recordings answered.
  // Conversations: turns that are run, kept, judged and told one by one.
  // Whether one value can make an expectation hold.
  // Whether a new model is not worse by more than a margin.
  'core/eval': 4295,
  // What a fork takes from its record, what it calls itself, and why; fields that are changed for it, and its report.
  'core/fork': 365,
  // A secret that one place shows is hidden in every other.
  'core/import': 1290,
  // The files of other tools in a folder: found, read, counted, checked.
  // Which name means what another file defines, and the names that fit at a place.
  // Where models are written, who uses them, and when they end; the same of files that an editor has read.
  // What agents of other tools may do, with the rules to look at.
  'core/inventory': 1046,
  // Numbers that cannot be held exactly, and multiples by their digits.
  // Prompts in Markdown as the JSON text that all code reads, the map between both, and edits back.
  // Pointers of Git LFS.
  'core/jsonText': 2130,
  // Why an answer ended, what failed calls are billed for, turns that a vendor pauses, and thoughts in texts. What of a chat is not read.
  // The documented options of each provider, described for completion and hover: data.
  // When models end, and where their successors lead.
  // Texts that were counted a moment ago.
  'core/llm': 6985,
  'core/markdown': 700,
  // Where models are named, what another one changes, and the edits.
  // What cases say of both models, and why none could. The sentences of the command line, and the page for an editor.
  'core/migrate': 1405,
  // The process of tools is ended whatever its code does, and what it sends is checked; whose code the user trusts; files that
  // the user names.
  // ACP over stdio. The files of a project at a commit.
  // Links to folders in a commit, and folders that only a commit has.
  // A text in the user's own editor.
  'core/node': 4270,
  // The importers of core/import, and what core/config knew of other tools.
  // What each tool reads in places of its own, and what is wrong there. The rules for files of Claude Code, opencode and Kiro.
  // Agent cards, crews, Agent Spec and agents of plug-ins.
  // Where each tool writes names, and of what. Agents and flows of Agent Spec are imported.
  // promptfoo: prompts, providers, tests with their assertions, as public configs write them.
  // Which keys are parameters of a provider, from core/rules. The kind of each field of Agent Spec.
  // Permissions of Claude Code, opencode and Kiro: what decides, what each agent may do, and rules that are dead, shadowed or loose.
  'core/otherTools': 9040,
  // What the tools of well-known MCP servers do: data, and which entry of mcp.json is which server.
  // Where data may go, and the proof of a policy. What a run may call.
  'core/permits': 2950,
  // Came out of core/node.
  // What earlier runs took, for the typical cost; recordings in place of the offline provider; what the turns of a conversation add.
  // Whom an MCP server's questions go to.
  // Cases that run with another state of the files.
  // The gate of a run.
  // 45 of it: a kept run as its record, and its replay.
  // 385 of it: forks of runs, opened, walked through, run and judged by a case.
  // 315 of it: forks of runs, opened, walked through and run.
  'core/project': 2705,
  // The typical cost beside the bound. Agents that are sent as written, and the lines of their templates.
  // The figures of a prompt without its sources.
  'core/prompt': 3545,
  // What is proven of calls, multiples, beginnings of patterns and places in lists.
  // Patterns that exclude each other by their characters.
  // Two routings compared, with an output for each difference.
  // Conditions on what a debugger shows, where a value that cannot be compared is unknown.
  'core/routing': 3950,
  // What JSON Schema ignores or nothing meets, and what nothing silences. The templates of plain agents.
  // Values of a persona without effect, listed values that only a compiled schema judges, and the input that a case lacks.
  // What a number with a unit is here, which tasks and steps can be used, whose fields a profile holds, how fit a judge is.
  // How soon a model ends.
  // The tools of an orchestration.
  // All changes of a contract, judged once for the rule and the comparison of behaviour.
  // The routes of frozen orchestrations, proven as those of files are.
  // Input keys that a schema limits.
  // Which rules can find an error.
  // The policy held against agents and orchestrations.
  'core/rules': 10415,
  // Its story took in what faces folded from events themselves.
  // Sums of what runs cost; the marks of a replay.
  // What a person changed at a stop.
  // 400 of it: a kept run played again as its record.
  // 400 of it: what takes over from a record where a request differs, the changed fields that caused it, and steps that wait for no disk.
  // What a record is of, for a launch that names nothing else.
  // Changes at stops in journals and records.
  // 80 of it: the shape of records, which may have been written by hand.
  'core/run': 5215,
  'core/scaffold': 650,
  // kindFields.ts moved in from core/rules. What is refused since it could not be judged as JSON Schema says, and keywords without effect.
  // Keywords of one schema against each other.
  // Types of allOf that exclude each other.
  'core/schema': 2578,
  // The names of files with secrets came from core/tools. Secrets in headers that are arguments and in addresses, and learning by value.
  'core/secrets': 1100,
  // With the MCP server and the chat completions, out of core/node. The chats of editors (ACP). The entry of the MCP registry.
  // Agents and flows as Agent Spec, with teams that rules choose and names that its library refuses. Approvals that a policy wants.
  'core/serve': 2570,
  // Identities that the path says, and the inputs of orchestrations.
  // Origins without their text.
  // The policy and its layers, and what tools do.
  'core/snapshot': 3955,
  // What the input of an orchestration must have.
  // Stops at routes, and time that does not count there.
  // Which tasks are at work at a stop; changes at routes that are kept.
  'core/team': 1895,
  // A metric for each kind of token.
  'core/telemetry': 1210,
  // Both revisions of MCP, and servers that change theirs; what a server asks the user.
  // Labels and annotations in the lock. Why a policy asks.
  'core/tools': 4125,
  // Paths in the texts of plain agents.
  // The files of other tools, and folders that are no project.
  // Fixes for what was meant: the order of tasks and steps, a nested placeholder taken apart, comments kept, a persona moved; names in fallbacks and verdicts.
  // Prompts in Markdown: positions and edits by their JSON text.
  // Navigation, hover and completion in the files of other tools, registered for their places alone.
  // Hints of one row. Places of other tools that more programs have. Options of profiles. Prompts of all layers extracted, proven for each agent and task.
  // The day, and when a model ends, wherever it is named.
  // What a client has of a file, from the moment its answer begins.
  // Names in a policy.
  // The move to a successor.
  server: 19400,
  // Pages that are named as their panel is; answers in text as they come; links to the files that models name.
  // Commands that offer the way out where they have nothing to work with.
  // Labels of tools. Why a policy asks.
  // A server that crashes is started again by the extension, not by the library of the language client.
  // What a person changed at a stop.
  // A migration: its page, and the edit of all files with what stops it.
  // F5: what is debugged, its checks, and the debugger in the extension host.
  // Kept runs and recordings in the debugger, and the values that launch.json completes.
  // A run that is stopped in its panel, and values under the pointer.
  // Forks of kept runs, with their plan and their steps side by side.
  client: 25150,
  // Whether the code of a project may run, and its tools where it may not; a conversation is no input of one run. Folders that
  // are watched, and types that are only compared.
  // How each finding is fixed; an agent made of a schema. The entry of the MCP registry.
  // The day as of which models are judged. `migrate`: its options, tables and Markdown, and what `--eval` asks.
  // The models in use. What `diff --blame` asks before it spends.
  // Subjects that only the commit has.
  // What tools do: written and shown.
  // What agents of other tools may do. A question at the terminal.
  // What a person changed at a stop.
  // Stops of a run at a terminal, and the debugger for editors.
  // Forks: the verb, its plan and its report.
  cli: 10425,
};

describe('rooms', () => {
  const linesOf = (path: string) => read(path).split('\n').length - 1;
  const filesIn = (folder: string) => {
    const isFlat = folder === 'core';
    return readdirSync(join(root, folder), { recursive: !isFlat, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  };

  test('no file has more than 350 lines', () => {
    const files = ['core', 'server', 'client', 'cli'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
        name.endsWith('.ts') && !name.startsWith('generated') ? [`${folder}/${name}`] : [],
      ),
    );
    expect(files.length).toBeGreaterThan(1000);
    expect(files.filter((file) => linesOf(file) > 350)).toEqual([]);
  });

  test('all have a budget of lines', () => {
    const rooms = readdirSync(join(root, 'core'), { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== 'generated',
    );
    expect(Object.keys(mostLines).sort()).toEqual(['core', ...rooms.map(({ name }) => `core/${name}`), 'cli', 'client', 'server'].sort());
  });

  test.each(Object.entries(mostLines))('%s has at most %i lines', (room, most) => {
    const lines = filesIn(room).reduce((sum, file) => sum + linesOf(file), 0);
    expect(lines).toBeLessThanOrEqual(most);
    // A budget that is far too large keeps nothing small.
    expect(lines).toBeGreaterThan(most * 0.8);
  });
});

describe('package.json', () => {
  const manifest = JSON.parse(read('package.json'));

  test('pins every version exactly', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
    }
  });

  test('starts the extension for exactly the panels that come back', () => {
    const restored = [...read('client/panels/restorePanels.ts').matchAll(/restore\(\s*'([^']+)'/g)].map(
      ([, type]) => `onWebviewPanel:${type}`,
    );
    const starts = manifest.activationEvents.filter((event: string) => event.startsWith('onWebviewPanel:'));
    expect(starts.sort()).toEqual(restored.sort());
  });

  test('has no dependency at run time: everything is bundled', () => {
    expect(manifest.dependencies ?? {}).toEqual({});
  });
});
