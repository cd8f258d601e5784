import { describe, expect, test } from 'vitest';
import { isScalar, parseDocument, visit } from 'yaml';
import { type Json, type JsonObject, pointerOf, segmentsOf, valueAt } from '../../core/json.js';
import { checkProject } from '../support/checkProject.js';
import { optionsOf, understand } from './commandLine.js';
import { type Block, blocksOf, inlineCodeOf, pages, textOf } from './pages.js';
import { shellCommands } from './shell.js';

// Every block of code on every page is judged: compiled, parsed, checked, or run by a test of its own. What a block is, its fence says.

const blocks = pages.flatMap(blocksOf);

/** Languages that other tests judge, or none can: the reason. */
const judgedElsewhere: Readonly<Record<string, string>> = {
  ts: 'test/docs/typescript.test.ts compiles it',
  js: 'test/docs/typescript.test.ts compiles it',
  sql: 'test/dbos/faults.test.ts executes it',
  python: 'Python runs it, with packages of other tools, which are not installed here',
  text: 'output or a drawing: it holds no command',
  mermaid: 'GitHub draws it',
  markdown: 'a file of another tool, which test/inventory/rulePages.test.ts checks',
  lua: 'Neovim reads it; test/server/neovim.test.ts runs the recipe for 0.7',
  toml: 'Helix and Zed read it, which are not installed here',
  rust: 'Zed compiles it, which is not installed here',
  elisp: 'Emacs reads it, which is not installed here',
  ini: 'systemd reads it; its command is judged with the inline code of its page',
  dockerfile: 'Docker builds it; its commands are judged below',
};

/** Programs other than ours that a command on a page may start. */
const otherPrograms = new Set([
  'cat',
  '@modelcontextprotocol/inspector',
  'cd',
  'code',
  'curl',
  'docker',
  'echo',
  'export',
  'gh',
  'git',
  'jq',
  'mkdir',
  'node',
  'npm',
  'npx',
  'printf',
  'tsc',
]);

/** Files of other programs, which are JSON and no config of ours. */
const foreignFiles = [
  'launch.json',
  'tasks.json',
  'settings.json',
  'LSP.sublime-settings',
  'package.json',
  'tsconfig.json',
  'output.json',
  'outcome.json',
  'finding.json',
];

test('every block says in which language it is, and each language is judged', () => {
  const judges = new Set(['json', 'jsonc', 'sh', 'console', 'yaml', ...Object.keys(judgedElsewhere)]);
  expect(blocks.filter(({ language }) => !judges.has(language)).map(({ place, language }) => `${place} "${language}"`)).toEqual([]);
});

describe('JSON', () => {
  const documents = blocks.filter(({ language, page }) => language === 'json' && !isRulePage(page));

  test.each(documents.map((block) => [block.place, block] as const))('%s', async (_place, { file, text }) => {
    for (const value of valuesOf(text)) await judge(file, value);
  });

  test('the examples of rules are those that test/rules/rulePages.test.ts checks', () => {
    for (const page of pages.filter(isRulePage)) {
      const sections = textOf(page).split(/^## /m);
      for (const section of sections) if (/^```/m.test(section)) expect(section, page).toMatch(/^(Wrong|Right|Fix)\n/);
    }
  });
});

test('the lines of a console are commands after $, and what they print', () => {
  for (const { place, text } of blocks.filter(({ language }) => language === 'console')) expect(text, place).toMatch(/^\$ /);
});

test('a block without commands holds none', () => {
  for (const { place, text } of blocks.filter(({ language }) => language === 'text')) {
    expect(text, place).not.toMatch(/^\s*(\$ |npx |npm |agent-?stack )/m);
  }
});

describe('commands', () => {
  const scripts = blocks.flatMap((block) => scriptsOf(block).map((script) => [block.place, script] as const));

  test.each(scripts)('%s', async (_place, script) => {
    for (const { words } of shellCommands(script)) await judgeCommand(words);
  });
});

describe('commands within a line', () => {
  const codes = pages.flatMap((page) =>
    inlineCodeOf(page).flatMap((code) => (/^(npx )?agent-?stack [a-z]/.test(code) ? [[page, code] as const] : [])),
  );

  test.each(codes)('%s: %s', async (_page, code) => {
    const [, verb = '', rest = ''] = /^(?:npx )?agent-?stack (\S+)(.*)$/.exec(code) ?? [];
    const options = await optionsOf(verb);
    expect(options, `no verb "${verb}"`).toBeDefined();
    const flags = [...rest.matchAll(/(?<=[\s[(])--?[a-z][a-z-]*/g)].map(([flag]) => flag);
    expect(flags.filter((flag) => !options!.has(flag) && !options!.has(`--no-${flag.slice(2)}`))).toEqual([]);
  });
});

test('YAML is read, and its commands are known', async () => {
  for (const { place, text } of blocks.filter(({ language }) => language === 'yaml')) {
    for (const script of yamlScripts(text, place)) for (const { words } of shellCommands(script)) await judgeCommand(words);
  }
});

function isRulePage(page: string): boolean {
  return page.startsWith('docs/rules/') && page !== 'docs/rules/README.md';
}

function scriptsOf({ language, text }: Block): string[] {
  if (language === 'sh') return [text];
  if (language === 'console') return [[...text.matchAll(/^\$ (.*)$/gm)].map(([, line]) => line).join('\n')];
  return [];
}

/** What `run` of a workflow and `entry` of a hook start. */
function yamlScripts(text: string, place: string): string[] {
  const document = parseDocument(text);
  expect(document.errors, place).toEqual([]);
  const scripts: string[] = [];
  visit(document, {
    Pair(_index, { key, value }) {
      if (isScalar(key) && (key.value === 'run' || key.value === 'entry') && isScalar(value)) scripts.push(String(value.value));
    },
  });
  return scripts.map((script) => script.replaceAll(/\$\{\{[^}]*\}\}/g, 'VALUE'));
}

async function judgeCommand(words: readonly string[]): Promise<void> {
  const [program = '', ...rest] = words;
  if (program === 'npx') await judgeCommand(rest.filter((word) => word !== '--yes'));
  else if (program === 'agent-stack') await understand(rest);
  else if (program === 'node' && rest[0] === 'dist/cli.cjs') await understand(rest.slice(1));
  else expect([...otherPrograms], words.join(' ')).toContain(program);
}

/** One value, or one in each line. */
function valuesOf(text: string): unknown[] {
  const lines = text.trim().split('\n');
  const isList = lines.length > 1 && lines.every((line) => /^\{.*\}$/.test(line));
  return isList ? lines.map((line) => JSON.parse(line)) : [JSON.parse(text)];
}

/** A file of ours is checked as `check` does, but for what it refers to: the page shows it alone. */
async function judge(fence: string | undefined, value: unknown): Promise<void> {
  expect(fence, 'the fence names the file: ```json config/agents/A2/v1.json').toBeDefined();
  const [file = '', pointer] = fence!.split('#');
  if (foreignFiles.some((name) => file.endsWith(name))) return;
  expect(file).toMatch(/^(agentstack\.json|config\/|\.mcp\.json|\.vscode\/mcp\.json)/);
  const document = pointer === undefined ? value : partOf(file, pointer, value as Json);
  const files = new Map([[placeOf(file, value), JSON.stringify(document, null, 2)]]);
  const findings = await checkProject({ files, base: new Map(), variables: [] });
  const own = new Set<string>(['json-syntax', 'schema', 'unknown-property', 'misplaced-property', 'foreign-name', 'duplicate-identity']);
  expect(findings.filter(({ code }) => own.has(code)).map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
}

/** Several profiles in one block are files of their own. */
function placeOf(file: string, value: unknown): string {
  const { llm_id } = value as { readonly llm_id?: string };
  return file === 'config/llms/' ? `${file}${llm_id}.json` : file;
}

/** A whole file around a part of one: `agents/A2/v1.json#/execution_plan`. */
function partOf(file: string, pointer: string, value: Json): Json {
  const [, kind, name = '', version = ''] = /^config\/(\w+)\/([\w.-]+?)(?:\/([\w.-]+))?\.json$/.exec(file) ?? [];
  const whole: Json =
    kind === 'orchestrations'
      ? { name, entry_team: 'triage', teams: { triage: { name: 'Triage', tasks: [], routing: { default: null } } } }
      : { agent_name: name, version, system_text: 'You help.', model_name: 'gpt-4.1-mini' };
  if (pointer === '') return { ...whole, ...(value as JsonObject) };
  const steps = segmentsOf(pointer);
  const holder = valueAt(whole, pointerOf(...steps.slice(0, -1))) as Record<string, Json>;
  holder[steps.at(-1)!] = value;
  return whole;
}
