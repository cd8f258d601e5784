import { describe, expect, test } from 'vitest';
import type { ClientCapabilities, PrepareRenameResult, WorkspaceEdit } from 'vscode-languageserver';
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
const orders = `{
  "agent_name": "Orders",
  "version": "v1",
  "agent_type": "react",
  "system_text": "You look up orders.",
  "llm_config_id": "main",
  "enabled_tools": ["lookup"],
  "output_schema": {
    "type": "object",
    "required": ["from", "to"],
    "properties": { "from": { "$ref": "#/$defs/place" }, "to": { "$ref": "#/$defs/place" } },
    "$defs": { "place": { "type": "string" } }
  }
}
`;
const steps = `{
  "agent_name": "Steps",
  "version": "v1",
  "agent_type": "orchestrating",
  "execution_plan": { "steps": [{ "name": "one", "skill": "lookup" }], "output": "{{steps.one.output}}" }
}
`;
const files = {
  'config/agents/Review/v1.json': agent,
  'config/orchestrations/article.json': team,
  'config/llms/main.json': '{ "llm_id": "main", "provider": "offline", "model_name": "offline" }\n',
  'config/mcp.json': `{
  "inputs": [{ "id": "token", "type": "promptString", "description": "Token", "password": true }],
  "servers": { "github": { "command": "npx", "env": { "TOKEN": "Bearer \${input:token}" } } }
}
`,
  'agentstack.json': '{ "environment": "prod", "skills": { "lookup": { "description": "Looks up an order." } } }\n',
  'config/environments/prod.json': '{}\n',
  'config/agents/Orders/v1.json': orders,
  'config/agents/Steps/v1.json': steps,
  'config/payloads/Review/case.json': `{
  "input": { "draft": "x" },
  "expected": { "verdict": "unsure" },
  "expect": [{ "any": [{ "output_field": "verdict", "operator": "in", "value": ["pass", "unsure"] }] }]
}
`,
  'config/payloads/article/case.json': `{
  "context": { "draft": "y" },
  "expect": [
    { "task": "check", "output_field": "verdict", "operator": "equals", "value": "pass" },
    { "route": true, "operator": "equals", "value": ["review", "review"] },
    { "judge": "Review@v1", "output_field": "verdict", "operator": "not_equals", "value": "unsure" }
  ]
}
`,
  'config/payloads/Orders/case.json': `{
  "input": {},
  "expect": [
    { "tool": "lookup", "operator": "equals", "value": 1 },
    { "judge": "Review@v1", "output_field": "verdict", "operator": "equals", "value": "pass" }
  ]
}
`,
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
  [
    'an output field, from a case',
    'config/payloads/article/case.json',
    '"output_field": "ver|dict", "operator": "equals"',
    'judgement',
    '"verdict"',
  ],
  ['an enum value, from a case', 'config/payloads/Review/case.json', '"expected": { "verdict": "un|sure" }', 'open', '"unsure"'],
  ['an agent, from a judge', 'config/payloads/Orders/case.json', '"judge": "Rev|iew@v1"', 'Judge', 'Review@'],
  ['a task, from a case', 'config/payloads/article/case.json', '"task": "che|ck"', 'look', 'check'],
  ['a team, from a route', 'config/payloads/article/case.json', '["rev|iew", "review"]', 'first', '"review"'],
  ['a skill, from a case', 'config/payloads/Orders/case.json', '"tool": "look|up"', 'find', 'lookup'],
  ['an agent', article, '"Rev|iew@v1"', 'Judge', 'Review@'],
  ['a version', article, 'Review@v|1', 'v2', '@v1'],
  ['an llm profile', review, '"ma|in"', 'large', '"main"'],
  ['an MCP server', review, '["git|hub"]', 'gitlab', '"github"'],
  ['a team', article, '"entry_team": "rev|iew"', 'first', '"review"'],
  ['a task', article, '"task": "che|ck"', 'look', 'check'],
  ['an input key', review, '["dr|aft"]', 'body', '"draft": "x"'],
  ['an MCP input', 'config/mcp.json', '${input:to|ken', 'secret', 'token'],
  ['a definition of a schema', 'config/agents/Orders/v1.json', '"#/$defs/pl|ace"', 'spot', 'place'],
  ['a skill', 'config/agents/Orders/v1.json', '["loo|kup"]', 'find', 'lookup'],
  ['an orchestration', article, '"name": "art|icle"', 'story', 'article'],
  ['an environment', 'agentstack.json', '"environment": "pr|od"', 'live', 'prod'],
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

test('a client that moves files gets the moves after the texts, even if it announces no documentChanges, as Neovim 0.7', async () => {
  const server = await openServer(files, {
    client: { workspace: { workspaceEdit: { resourceOperations: ['rename', 'create', 'delete'] } } },
  });
  const edit = await request(server, review, '"ma|in"', 'large');
  expect(Object.keys(edit)).toEqual(['documentChanges']);
  expect(edit.documentChanges?.map((step) => ('kind' in step ? step.kind : 'edit'))).toEqual(['edit', 'edit', 'edit', 'rename']);
});

describe('the folder that files move to', () => {
  const client = {
    workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['rename', 'create'], failureHandling: 'abort' } },
  };
  const operations = ({ documentChanges = [] }: WorkspaceEdit, server: Harness) =>
    documentChanges.flatMap((step) => {
      if (!('kind' in step) || step.kind === 'delete') return [];
      const uri = step.kind === 'create' ? step.uri : step.newUri;
      return [`${step.kind} ${uri.slice(server.uri('').length + 1)}${step.options?.overwrite ? ', over what is there' : ''}`];
    });

  test('is made first, before anything changes, by a client that makes no folders itself', async () => {
    const two = agent.replace('"v1"', '"v2"');
    const server = await openServer({ ...files, 'config/agents/Review/v2.json': two }, { client: client as ClientCapabilities });
    const edit = await request(server, article, '"Rev|iew@v1"', 'Judge');
    expect(edit.documentChanges?.slice(0, 2).map((step) => ('kind' in step ? step.kind : 'edit'))).toEqual(['create', 'create']);
    expect(operations(edit, server)).toEqual([
      'create config/agents/Judge/v1.json',
      'create config/payloads/Judge/case.json',
      'rename config/agents/Judge/v1.json, over what is there',
      'rename config/agents/Judge/v2.json',
      'rename config/payloads/Judge/case.json, over what is there',
    ]);
  });

  test('is left alone where it is there', async () => {
    const server = await openServer(files, { client: client as ClientCapabilities });
    const edit = await request(server, review, '"ma|in"', 'large');
    expect(operations(edit, server)).toEqual(['rename config/llms/large.json']);
  });
});

describe('is refused with the reason', () => {
  test.each([
    ['a name that is not a legal one', article, '"Rev|iew@v1"', 'a b', 'is not a legal agent name'],
    ['a field of that name beside it', review, '"ver|dict": { "type"', 'score', 'already'],
    ['a value that is listed already', review, '"enum": ["p|ass"', 'fail', 'already'],
    ['a task of that name in the team', article, '"name": "che|ck"', 'again', 'already'],
    ['a team name with a dot', article, '"entry_team": "rev|iew"', 'a.b', 'is not a legal team name'],
    ['an input of that name', 'config/mcp.json', '"id": "to|ken"', 'a b', 'is not a legal MCP input name'],
    ['a tool of that name', 'config/agents/Orders/v1.json', '["loo|kup"]', 'calculator', 'The tool "calculator" already exists'],
    [
      'a definition that a $ref would have to escape',
      'config/agents/Orders/v1.json',
      '"#/$defs/pl|ace"',
      'a/b',
      'is not a legal definition name',
    ],
    ['nothing there', review, '"sys|tem_text"', 'x', 'Nothing here can be renamed'],
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
    await expect(request(server, article, 'Review@v|1', 'v9')).rejects.toThrow('another version of Review would be the newest');
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

  const moved = (edit: WorkspaceEdit | null, server: Harness) =>
    edit?.documentChanges?.flatMap((step) =>
      'kind' in step && step.kind === 'rename' ? [step.newUri.slice(server.uri('').length + 1)] : [],
    );

  test('take the payloads of an agent along when all of its versions move, and no other', async () => {
    const server = await open({ ...files, 'config/agents/Review/v2.json': agent.replace('"v1"', '"v2"') });
    expect(moved(await move(server, 'config/agents/Review', 'config/agents/Judge'), server)).toEqual(['config/payloads/Judge/case.json']);
    expect(moved(await move(server, 'config/agents/Review/v1.json', 'config/agents/Judge/v1.json'), server)).toEqual([]);
  });

  test('take the baseline of an agent along', async () => {
    const server = await open({ ...files, 'config/baselines/Review.json': '{ "format": 2, "verdicts": [] }\n' });
    expect(moved(await move(server, 'config/agents/Review', 'config/agents/Judge'), server)).toEqual([
      'config/payloads/Judge/case.json',
      'config/baselines/Judge.json',
    ]);
  });

  test('take the payloads of an orchestration along', async () => {
    const server = await open({ ...files, 'config/payloads/article/case.json': '{ "input": {} }\n' });
    expect(moved(await move(server, 'config/orchestrations/article.json', 'config/orchestrations/news.json'), server)).toEqual([
      'config/payloads/news/case.json',
    ]);
    const edit = await request(server, 'config/orchestrations/article.json', '"name": "art|icle"', 'news');
    expect(moved(edit, server)).toEqual(['config/orchestrations/news.json', 'config/payloads/news/case.json']);
  });

  test.each([
    ['both an agent and an orchestration have that name', { 'config/orchestrations/Review.json': team }],
    ['config/payloads/Judge/case.json already exists', { 'config/payloads/Judge/case.json': '{ "input": {} }\n' }],
  ])('leave payloads where they are when %s, and say so', async (reason, more) => {
    const said: string[] = [];
    const server = await openServer({ ...files, ...more }, { client: fullCapabilities, onWarning: (message) => said.push(message) });
    expect(moved(await move(server, 'config/agents/Review', 'config/agents/Judge'), server)).toEqual([]);
    expect(said).toEqual([`The payloads of Review stay where they are: ${reason}.`]);
  });

  test('are left alone when they are not ours', async () => {
    const server = await open();
    expect(await move(server, 'README.md', 'READ.md')).toBeNull();
  });
});
