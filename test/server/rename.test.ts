import { describe, expect, test } from 'vitest';
import type { PrepareRenameResult, WorkspaceEdit } from 'vscode-languageserver';
import { fullCapabilities } from '../support/lspClient.js';
import { type Harness, openServer } from '../support/serverHarness.js';

const agent = `{
  "agent_name": "Review",
  "version": "v1",
  "mode": "Chooser",
  "system_text": "You review.",
  "purpose_text": "Judge.",
  "llm_config_id": "main",
  "client_ids": ["github"],
  "input_keys": ["draft"],
  "output_schema": {
    "type": "object",
    "required": ["verdict", "score"],
    "properties": {
      "verdict": { "type": "string", "enum": ["pass", "fail", "unsure"] },
      "score": { "type": "integer" }
    }
  },
  "enums": { "verdict": ["pass", "fail", "unsure"] },
  "defaults": { "verdict": "unsure" }
}
`;
const team = `{
  "name": "article",
  "entry_team": "review",
  "teams": {
    "review": {
      "name": "Review",
      "tasks": [
        { "name": "check", "agent": "Review@v1", "input": { "draft": "{{context.draft}}" } },
        { "name": "again", "agent": "Review", "depends_on": ["check"], "input": { "draft": "{{tasks.check.output.verdict}}" } }
      ],
      "routing": {
        "rules": [
          { "condition": { "task": "check", "output_field": "verdict", "operator": "in", "value": ["pass", "unsure"] }, "next_team": null },
          { "condition": { "task": "again", "output_field": "verdict", "operator": "equals", "value": "fail" }, "next_team": "review" }
        ],
        "default": "review"
      }
    }
  }
}
`;
const files = {
  'config/agents/Review/v1.json': agent,
  'config/orchestrations/article.json': team,
  'config/llms/main.json': '{ "llm_id": "main", "provider": "offline", "model_name": "offline" }\n',
  'config/mcp.json': '{ "servers": { "github": { "command": "npx" } } }\n',
  'config/payloads/Review/case.json': '{ "input": { "draft": "x" } }\n',
  'config/system.json': '{ "agents": { "Review": { "temperature": 0 } } }\n',
};

/** Renames what a text stands at in a file: `needle` with a `|` where the cursor is. */
async function renamed(server: Harness, path: string, needle: string, newName: string): Promise<Readonly<Record<string, string>>> {
  const before = { ...files, ...Object.fromEntries(Object.keys(files).map((file) => [file, server.text(file)])) };
  const edit = await request(server, path, needle, newName);
  const applied = Object.fromEntries(Object.entries(server.applied(edit)).map(([file, text]) => [file.replace(/^\//, ''), text]));
  const root = decodeURIComponent(server.uri(''));
  const gone = (edit.documentChanges ?? []).flatMap((step) =>
    'kind' in step && step.kind === 'rename' ? [decodeURIComponent(step.oldUri).slice(root.length).replace(/^\//, '')] : [],
  );
  return Object.fromEntries(Object.entries({ ...before, ...applied }).filter(([file]) => !gone.includes(file)));
}

function placeOf(server: Harness, path: string, needle: string) {
  const text = server.text(path);
  const at = text.indexOf(needle.replace('|', ''));
  if (at < 0) throw new Error(`${path} has no ${needle}`);
  const lines = text.slice(0, at + needle.indexOf('|')).split('\n');
  return { textDocument: { uri: server.uri(path) }, position: { line: lines.length - 1, character: lines.at(-1)!.length } };
}

function request(server: Harness, path: string, needle: string, newName: string): Promise<WorkspaceEdit> {
  return server.request<WorkspaceEdit>('textDocument/rename', { ...placeOf(server, path, needle), newName });
}

const open = (texts: Readonly<Record<string, string>> = files) => openServer(texts, { client: fullCapabilities });
const article = 'config/orchestrations/article.json';
const review = 'config/agents/Review/v1.json';

/** Kind, where it is named, its new name, and what is then nowhere left. */
const cases = [
  ['an output field', review, '"ver|dict": { "type"', 'judgement', '"verdict"'],
  ['an enum value', review, '"enum": ["p|ass"', 'ok', '"pass"'],
  ['an enum value, from a condition', article, '["pass", "un|sure"]', 'open', '"unsure"'],
  ['an agent', article, '"Rev|iew@v1"', 'Judge', 'Review@'],
  ['a version', article, 'Review@v|1', 'v2', '@v1'],
  ['an llm profile', review, '"ma|in"', 'large', '"main"'],
  ['an MCP server', review, '["git|hub"]', 'gitlab', '"github"'],
  ['a team', article, '"entry_team": "rev|iew"', 'first', '"review"'],
  ['a task', article, '"task": "che|ck"', 'look', 'check'],
  ['an input key', review, '["dr|aft"]', 'text', '"draft": "x"'],
] as const;

describe.each(cases)('%s', (_kind, path, needle, newName, gone) => {
  test(`is renamed to ${newName} everywhere, brings no finding, and back gives the same bytes`, async () => {
    const server = await open();
    const problems = async (on: Harness) => {
      const found: string[] = [];
      for (const project of on.service.workspace.projects)
        for (const known of project.knownFiles()) for (const { code } of await project.findings(known.path)) found.push(code);
      return found.toSorted();
    };
    const before = await problems(server);
    const after = await renamed(server, path, needle, newName);
    expect(Object.values(after).join('\n')).not.toContain(gone);
    expect(after).not.toEqual(files);
    const second = await open(after);
    expect(await problems(second)).toEqual(before);
    // The same place under its new name: what follows the cursor up to there is the same.
    const [start = '', rest = ''] = needle.split('|');
    const head = start.replace(/[A-Za-z0-9_]*$/, '');
    const old = `${/[A-Za-z0-9_]*$/.exec(start)![0]}${/^[A-Za-z0-9_]*/.exec(rest)![0]}`;
    expect(old).toMatch(/^\w+$/);
    const moved = Object.keys(after).find((file) => after[file]!.includes(head + newName))!;
    const edit = await request(second, moved, `${head}|${newName}`, old);
    const root = decodeURIComponent(second.uri(''));
    const back = Object.fromEntries(Object.entries(second.applied(edit)).map(([file, text]) => [file.replace(/^\//, ''), text]));
    const left = (edit.documentChanges ?? []).flatMap((step) =>
      'kind' in step && step.kind === 'rename' ? [decodeURIComponent(step.oldUri).slice(root.length).replace(/^\//, '')] : [],
    );
    expect(Object.fromEntries(Object.entries({ ...after, ...back }).filter(([file]) => !left.includes(file)))).toEqual(files);
  });
});

test('the name alone is prepared, without quotes and without the version beside it', async () => {
  const server = await open();
  const found = await server.request<PrepareRenameResult>('textDocument/prepareRename', placeOf(server, article, '"Rev|iew@v1"'));
  expect(found).toMatchObject({ placeholder: 'Review' });
  expect(await server.request('textDocument/prepareRename', placeOf(server, review, '"sys|tem_text"'))).toBeNull();
});

test('an agent moves with its files: those of its versions and its payloads', async () => {
  const server = await open();
  const edit = await request(server, article, '"Rev|iew@v1"', 'Judge');
  const moves = edit.documentChanges?.flatMap((step) =>
    'kind' in step && step.kind === 'rename' ? [step.newUri.slice(server.uri('').length)] : [],
  );
  expect(moves).toEqual(['/config/agents/Judge/v1.json', '/config/payloads/Judge/case.json']);
});

describe('is refused with the reason', () => {
  test.each([
    ['a name that is no legal one', article, '"Rev|iew@v1"', 'a b', 'no legal agent name'],
    ['a field of that name beside it', review, '"ver|dict": { "type"', 'score', 'already'],
    ['a value that is listed already', review, '"enum": ["p|ass"', 'fail', 'already'],
    ['a task of that name in the team', article, '"name": "che|ck"', 'again', 'already'],
    ['a team name with a dot', article, '"entry_team": "rev|iew"', 'a.b', 'no legal team name'],
    ['nothing there', review, '"sys|tem_text"', 'x', 'Nothing that can be renamed'],
  ])('%s', async (_what, path, needle, newName, reason) => {
    const server = await open();
    await expect(request(server, path, needle, newName)).rejects.toThrow(reason);
  });

  test('a file that may name it and cannot be read', async () => {
    const server = await open({ ...files, 'config/agents/Broken/v1.json': '{ "llm_config_id": "main" ' });
    await expect(request(server, review, '"ma|in"', 'large')).rejects.toThrow('config/agents/Broken/v1.json');
  });

  test('a file that would have to move, where the editor moves none', async () => {
    const server = await openServer(files, { client: {} });
    await expect(request(server, article, '"Rev|iew@v1"', 'Judge')).rejects.toThrow('move config/agents/Review/v1.json');
    const edit = await request(server, article, '"task": "che|ck"', 'look');
    expect(Object.keys(edit)).toEqual(['changes']);
  });

  test('a task that a section of system.json speaks of', async () => {
    const server = await open({ ...files, 'config/system.json': '{ "agents": { "check": { "temperature": 0 } } }' });
    await expect(request(server, article, '"task": "che|ck"', 'look')).rejects.toThrow('agents.check');
  });

  test('a version that would make another one the newest', async () => {
    const second = agent.replace('"v1"', '"v2"');
    const server = await open({ ...files, 'config/agents/Review/v2.json': second });
    await expect(request(server, article, 'Review@v|1', 'v9')).rejects.toThrow('the newest of Review');
  });
});

test('a prompt that an agent names by its version alone is named whole once the agent is called otherwise', async () => {
  const server = await open({
    'config/agents/A2/v1.json': '{\n  "agent_name": "A2",\n  "version": "v1",\n  "prompts": { "system_prompt_version": "v3" }\n}\n',
    'config/prompts/A2/v3.json': '{ "name": "A2", "version": "v3", "template": "You are {{input.x}}." }\n',
  });
  const edit = await request(server, 'config/agents/A2/v1.json', '"agent_name": "A|2"', 'B');
  const after = server.applied(edit);
  expect(Object.values(after).join()).toContain('"prompts": { "system_prompt": "A2@v3" }');
});

describe('files that are moved in the editor', () => {
  const move = (server: Harness, from: string, to: string) =>
    server.request<WorkspaceEdit | null>('workspace/willRenameFiles', { files: [{ oldUri: server.uri(from), newUri: server.uri(to) }] });

  test('take their identity and all references with them', async () => {
    const server = await open();
    const edit = await move(server, 'config/llms/main.json', 'config/llms/large.json');
    const after = server.applied(edit!);
    expect(after['/config/llms/main.json'] ?? after['config/llms/main.json']).toContain('"llm_id": "large"');
    expect(Object.values(after).join()).toContain('"llm_config_id": "large"');
  });

  test('also as a folder', async () => {
    const server = await open();
    const after = Object.values(server.applied((await move(server, 'config/agents/Review', 'config/agents/Judge'))!)).join();
    expect(after).toContain('"agent_name": "Judge"');
    expect(after).toContain('"agent": "Judge@v1"');
    expect(after).toContain('"agent": "Judge"');
    expect(after).not.toContain('"Review": { "temperature"');
  });

  test('are left alone when they are not ours', async () => {
    const server = await open();
    expect(await move(server, 'README.md', 'READ.md')).toBeNull();
  });
});
