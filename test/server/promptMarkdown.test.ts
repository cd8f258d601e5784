import { describe, expect, test } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionList,
  Hover,
  Location,
  LocationLink,
  SemanticTokens,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { type Harness, openServer } from '../support/serverHarness.js';
import { editor, filesAfter } from './quickFixes/support.js';

const agentPath = 'config/agents/Reviewer/v1.json';
const path = 'config/prompts/reviewer/v1.md';
const agent = '{ "input_keys": ["lang", "text"], "llm_config_id": "offline", "prompts": { "system_prompt": "re|viewer@v1" } }';
const base = {
  'agentstack.json': '{}',
  [agentPath]: agent,
  'config/llms/offline.json': '{ "llm_id": "offline", "provider": "offline", "model_name": "offline" }',
};

const open = (text: string, files: Readonly<Record<string, string>> = {}) =>
  openServer(
    { ...base, ...files, [path]: text },
    { client: { ...editor, textDocument: { ...editor.textDocument, hover: { contentFormat: ['plaintext'] } } } },
  );

/** The text of the file at a place. */
function at(server: Harness, file: string, { start, end }: Location['range']): string {
  const { textDocument } = server.service.workspace.document(server.uri(file))!;
  return textDocument.getText({ start, end });
}

async function diagnostics(server: Harness): Promise<readonly string[]> {
  const { items } = await server.service.diagnose(server.uri(path));
  return items.map(({ range, code }) => `${at(server, path, range)} ${code}`);
}

/** The text after an item is chosen, with its snippet as it is. */
async function completed(text: string): Promise<Readonly<Record<string, string>>> {
  const server = await open(text);
  const { position, ...rest } = server.at(path);
  const list = await server.request<CompletionList | null>('textDocument/completion', { ...rest, position });
  const { textDocument } = server.service.workspace.document(server.uri(path))!;
  return Object.fromEntries(
    (list?.items ?? []).map(({ label, textEdit, additionalTextEdits = [] }) => {
      const edit = textEdit as TextEdit & { readonly replace?: TextEdit['range'] };
      expect(additionalTextEdits).toEqual([]);
      const range = edit.range ?? edit.replace;
      return [
        label,
        textDocument.getText({ start: { line: 0, character: 0 }, end: range.start }) +
          edit.newText +
          textDocument.getText({ start: range.end, end: { line: 999, character: 0 } }),
      ];
    }),
  );
}

describe('in a prompt in Markdown', () => {
  test('findings are at their places while it is typed', async () => {
    const server = await open('---\nname: reviwer\n---\n\nHi\n\nSay {{|input.lagn}}.\n');
    expect(await diagnostics(server)).toEqual(['reviwer name-matches-path', '{{input.lagn}} prompt-variable-unknown']);
    server.edit(path, '---\nvariables:\n  - a\n---\n|Hi');
    expect(await diagnostics(server)).toEqual(['  - a json-syntax']);
    server.edit(path, '|Hi {{input.lang}}');
    expect(await diagnostics(server)).toEqual([]);
  });

  test('paths are completed between braces, and nothing else of the text', async () => {
    expect(await completed('Say\n{{|\n\nto "x"')).toMatchObject({
      'input.lang': 'Say\n{{input.lang}}\n\nto "x"',
      'input.text': expect.anything(),
    });
    expect(await completed('Say {{input.l|a}} now')).toMatchObject({ 'input.lang': 'Say {{input.lang}} now' });
    expect(await completed('Say |')).toEqual({});
  });

  test('fields are completed as lines of the front matter, and their values', async () => {
    const lines = await completed('---\nname: reviewer\n|\nvariables: ["input.lang"]\n---\nHi');
    expect(Object.keys(lines).sort()).toEqual(['$ignore', '$schema', 'few_shot_examples', 'version']);
    expect(lines.version).toBe('---\nname: reviewer\nversion: "${1:v1}"\nvariables: ["input.lang"]\n---\nHi');
    expect(lines.few_shot_examples).toMatch(/\nfew_shot_examples: \[\n {4}\{\n[\s\S]*\n {2}\]\nvariables/);
    expect((await completed('---\nve|\n---\nHi')).version).toBe('---\nversion: "${1:v1}"\n---\nHi');
    expect((await completed('---\nvariables: ["|"]\n---\nHi'))['input.lang']).toBe('---\nvariables: ["input.lang"]\n---\nHi');
    expect((await completed('---\nversion: |\n---\nHi')).v1).toBe('---\nversion: "v1"\n---\nHi');
    expect((await completed('---\nname: rev|\n---\nHi')).reviewer).toBe('---\nname: reviewer\n---\nHi');
  });

  test('hover explains fields and paths, and counts the tokens of the text', async () => {
    const server = await open('---\nna|me: reviewer\n---\n\nSay |{{input.la|ng}}.\n');
    const hover = async (index: number) => {
      const answer = await server.request<Hover>('textDocument/hover', server.at(path, index));
      return [at(server, path, answer.range!), (answer.contents as { readonly value: string }).value.split('\n', 1)[0]];
    };
    expect(await hover(0)).toEqual(['name', 'name: string']);
    expect(await hover(1)).toEqual(['lang', `lang (input, required by ${agentPath})`]);
    expect(await hover(2)).toEqual(['lang', `lang (input, required by ${agentPath})`]);
    server.edit(path, 'Say |no\nmore');
    expect(await hover(0)).toEqual(['Say no\nmore', 'About 4 tokens.']);
  });

  test('lenses count its tokens and users, and its paths have colours', async () => {
    const server = await open('---\nvariables: ["input.lang"]\n---\n\n|Say {{input.lang}}.\n');
    const textDocument = { uri: server.uri(path) };
    const lenses = await server.request<CodeLens[]>('textDocument/codeLens', { textDocument });
    const resolved = await Promise.all(lenses.map((lens) => server.request<CodeLens>('codeLens/resolve', lens)));
    expect(resolved.map(({ range, command }) => [range.start.line, command?.title])).toEqual([
      [0, '1 reference'],
      [4, 'about 6 tokens'],
    ]);
    const { data } = await server.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
    expect(data.filter((_value, index) => index % 5 === 0)).toEqual([1, 3, 0, 0]);
  });

  test('it is neither formatted nor folded', async () => {
    const server = await open('---\nvariables: [ "input.lang" ]\n---\n\n|Say.\n');
    const textDocument = { uri: server.uri(path) };
    const options = { tabSize: 2, insertSpaces: true };
    expect(await server.request('textDocument/formatting', { textDocument, options })).toBeNull();
    expect(await server.request('textDocument/foldingRange', { textDocument })).toBeNull();
  });
});

describe('names lead', () => {
  test('from an agent to the prompt, and back', async () => {
    const server = await open('---\nname: revie|wer\n---\n\nSay.\n');
    const [place] = await server.request<LocationLink[]>('textDocument/definition', server.at(agentPath));
    expect([place?.targetUri, place && at(server, path, place.targetSelectionRange)]).toEqual([server.uri(path), 'reviewer']);
    const params = { ...server.at(path), context: { includeDeclaration: false } };
    const [user] = await server.request<Location[]>('textDocument/references', params);
    expect([user?.uri, user && at(server, agentPath, user.range)]).toEqual([server.uri(agentPath), 'reviewer']);
  });

  test('to the start of a prompt that says no name', async () => {
    const server = await open('Say.');
    const answer = await server.request<LocationLink[]>('textDocument/definition', server.at(agentPath));
    expect(answer.map(({ targetUri }) => targetUri)).toEqual([server.uri(path)]);
  });
});

describe('renaming', () => {
  const renamed = async (server: Harness, place: object, newName: string) =>
    Object.fromEntries(
      Object.entries(server.applied(await server.request<WorkspaceEdit>('textDocument/rename', { ...place, newName }))).map(
        ([file, text]) => [file.replace(/^\//, ''), text],
      ),
    );

  test('the prompt moves its file and changes its users', async () => {
    const server = await open('---\nname: revie|wer\n---\n\nSay "x".\n');
    expect(await renamed(server, server.at(path), 'critic')).toEqual({
      [agentPath]: agent.replace('re|viewer', 'critic'),
      'config/prompts/critic/v1.md': '---\nname: critic\n---\n\nSay "x".\n',
    });
  });

  test('its version keeps the format', async () => {
    const server = await open('---\nversion: v|1\n---\nSay.');
    expect(Object.keys(await renamed(server, server.at(path), 'v2'))).toContain('config/prompts/reviewer/v2.md');
  });

  test('its file or folder in the file tree changes its fields and its users', async () => {
    const server = await open('---\nname: reviewer\nversion: v1\n---\n\nSay.\n');
    const moved = async (oldPath: string, newPath: string) => {
      const files = [{ oldUri: server.uri(oldPath), newUri: server.uri(newPath) }];
      const edit = await server.request<WorkspaceEdit>('workspace/willRenameFiles', { files });
      return Object.fromEntries(Object.entries(server.applied(edit)).map(([file, text]) => [file.replace(/^\//, ''), text]));
    };
    expect(await moved(path, 'config/prompts/reviewer/v2.md')).toEqual({
      [agentPath]: agent.replace('re|viewer@v1', 'reviewer@v2'),
      [path]: '---\nname: reviewer\nversion: v2\n---\n\nSay.\n',
    });
    expect(await moved('config/prompts/reviewer', 'config/prompts/critic')).toEqual({
      [agentPath]: agent.replace('re|viewer@v1', 'critic@v1'),
      [path]: '---\nname: critic\nversion: v1\n---\n\nSay.\n',
    });
  });

  test('an input of its agents changes its text and its variables', async () => {
    const server = await open('---\nvariables: ["input.lang"]\n---\n\nSay "{{input.la|ng}}"\nand {{input.lang}}.\n');
    const after = await renamed(server, server.at(path), 'language');
    expect(after[path]).toBe('---\nvariables: ["input.language"]\n---\n\nSay "{{input.language}}"\nand {{input.language}}.\n');
    expect(after[agentPath]).toContain('"input_keys": ["language", "text"]');
  });
});

describe('actions', () => {
  const actionsAt = async (server: Harness, file: string, range?: Location['range']) => {
    const { textDocument, position } = server.at(file);
    return server.request<CodeAction[]>('textDocument/codeAction', {
      textDocument,
      range: range ?? { start: position, end: position },
      context: { diagnostics: [] },
    });
  };
  const apply = async (server: Harness, actions: readonly CodeAction[], words: string) => {
    const action = actions.find(({ title }) => title.includes(words));
    if (action === undefined) throw new Error(`No ${words} among ${actions.map(({ title }) => title).join('; ')}`);
    return filesAfter(server, action);
  };

  test('fix a path in the text, a field in the front matter, and all', async () => {
    const text = '---\nname: reviwer # x\nextra: 1\nvariables: ["input.lang"]\n---\n\nSay\r{{input.la|gn}}.\n';
    const server = await open(text.replace(' # x', ''));
    const plain = text.replace(' # x', '').replace('|', '');
    expect(await apply(server, await actionsAt(server, path), 'Change to {{input.lang}}')).toEqual({
      [path]: plain.replace('lagn', 'lang'),
    });
    const start = { line: 1, character: 8 };
    expect(await apply(server, await actionsAt(server, path, { start, end: start }), 'Change name')).toEqual({
      [path]: plain.replace('reviwer', 'reviewer'),
    });
    const extra = { line: 2, character: 1 };
    expect(await apply(server, await actionsAt(server, path, { start: extra, end: extra }), 'Remove "extra"')).toEqual({
      [path]: plain.replace('extra: 1\n', ''),
    });
    expect(await apply(server, await actionsAt(server, path), 'Ignore')).toEqual({
      [path]: plain.replace('---\n\n', '$ignore: { "prompt-variable-unknown": ["/template"] }\n---\n\n'),
    });
  });

  test('extract the prompt of an agent to a text file, where nothing sent changes', async () => {
    const text = (rest: string) =>
      `{\n  "system_text": "You |say \\"no\\".\\n\\nOften.",\n  "input_keys": ["text"],\n  "llm_config_id": "offline"${rest}\n}\n`;
    const file = 'config/agents/Sayer/v2.json';
    const server = await open('Say.', { [file]: text('') });
    expect(await apply(server, await actionsAt(server, file), 'Extract the prompt to a file, config/prompts/Sayer/v2.md')).toEqual({
      [file]: '{\n  "prompts": {\n    "system_prompt": "Sayer@v2"\n  },\n  "input_keys": ["text"],\n  "llm_config_id": "offline"\n}\n',
      'config/prompts/Sayer/v2.md': 'You say "no".\n\nOften.\n',
    });
    const taken = await open('Say.', { [file]: text(',\n  "prompts": { "system_prompt": "reviewer@v1" }') });
    const [disabled] = (await actionsAt(taken, file)).filter(({ title }) => title.startsWith('Extract the prompt'));
    expect(disabled?.disabled?.reason).toBe('There is a template from the prompt store here already.');
  });

  const sayer = 'config/agents/Sayer/v2.json';
  const plain = (fields: string) => `{ "llm_config_id": "offline", "input_keys": ["text"]${fields === '' ? '' : `, ${fields}`} }`;

  test('extract the purpose of an agent with the text before it, as they are sent together', async () => {
    const server = await open('Say.', { [sayer]: plain('"system_text": "You say no.", "purpose_text": "Of|ten."') });
    expect(await apply(server, await actionsAt(server, sayer), 'Extract the prompt')).toEqual({
      [sayer]: '{ "llm_config_id": "offline", "input_keys": ["text"], "prompts": { "system_prompt": "Sayer@v2" } }',
      'config/prompts/Sayer/v2.md': 'You say no.\n\nOften.\n',
    });
    const needed = await open('Say.', {
      [sayer]: plain(
        '"mode": "Writer", "output_schema": { "type": "object", "properties": { "a": { "type": "string" } } }, "system_text": "You.", "purpose_text": "Of|ten."',
      ),
    });
    await expect(apply(needed, await actionsAt(needed, sayer), 'Extract the prompt')).rejects.toThrow('purpose_text');
    const braces = await open('Say.', { [sayer]: plain('"system_text": "You.", "purpose_text": "Of|ten {{input.text}}."') });
    await expect(apply(braces, await actionsAt(braces, sayer), 'Extract the prompt')).rejects.toThrow(
      'This would change the composed prompt',
    );
  });

  test('say that the text of the user message stays', async () => {
    const server = await open('Say.', { [sayer]: plain('"system_text": "You.", "user_text": "Do| {{input.text}}."') });
    const [disabled] = (await actionsAt(server, sayer)).filter(({ title }) => title.startsWith('Extract the prompt'));
    expect(disabled?.disabled?.reason).toContain('user_text makes the USER message');
  });

  test('extract the prompt of a persona, unless one of its agents or tasks has another', async () => {
    const persona = 'config/personas/kind.json';
    const flow = 'config/orchestrations/flow.json';
    const files = {
      [persona]: '{ "system_text": "You are| kind." }',
      [sayer]: plain('"persona_key": "kind"'),
      [flow]:
        '{ "entry_team": "one", "teams": { "one": { "tasks": [{ "name": "say", "persona_key": "kind", "agent_type": "single_shot", "config": { "llm_config_id": "offline" } }] } } }',
    };
    const server = await open('Say.', files);
    expect(await apply(server, await actionsAt(server, persona), 'Extract the prompt to a file, config/prompts/kind/v1.md')).toEqual({
      [persona]: '{ "prompts": { "system_prompt": "kind@v1" } }',
      'config/prompts/kind/v1.md': 'You are kind.\n',
    });
    const other = await open('Say.', { ...files, [sayer]: plain('"persona_key": "kind", "system_text": "You are not."') });
    await expect(apply(other, await actionsAt(other, persona), 'Extract the prompt')).rejects.toThrow(
      'the composed prompt of the agent Sayer@v2',
    );
    const task = await open('Say.', { ...files, [flow]: files[flow].replace('"config": {', '"config": { "system_text": "You are not.",') });
    await expect(apply(task, await actionsAt(task, persona), 'Extract the prompt')).rejects.toThrow(`in ${flow}`);
    const environment = await open('Say.', {
      ...files,
      'config/environments/prod.json': '{ "agents": { "Sayer": { "prompts": { "system_prompt": "reviewer@v1" } } } }',
    });
    await expect(apply(environment, await actionsAt(environment, persona), 'Extract the prompt')).rejects.toThrow('Sayer@v2');
  });

  test('extract the prompt of a task, and of a layer under all agents', async () => {
    const flow = 'config/orchestrations/flow.json';
    const server = await open('Say.', {
      [sayer]: plain(''),
      'config/system.json': '{ "agent_defaults": { "system_text": "You are ours." } }',
      [flow]:
        '{ "entry_team": "one", "teams": { "one": { "tasks": [{ "name": "say it", "agent": "Sayer@v2", "config": { "system_text": "You |say it." } }] } } }',
    });
    expect(await apply(server, await actionsAt(server, flow), 'Extract the prompt to a file, config/prompts/say_it/v1.md')).toEqual({
      [flow]:
        '{ "entry_team": "one", "teams": { "one": { "tasks": [{ "name": "say it", "agent": "Sayer@v2", "config": { "prompts": { "system_prompt": "say_it@v1" } } }] } } }',
      'config/prompts/say_it/v1.md': 'You say it.\n',
    });
    const defaults = await open('Say.', {
      [sayer]: plain(''),
      'config/system.json': '{ "agent_defaults": { "system_text": "You are| ours." } }',
    });
    expect(await apply(defaults, await actionsAt(defaults, 'config/system.json'), 'Extract the prompt')).toEqual({
      'config/system.json': '{ "agent_defaults": { "prompts": { "system_prompt": "agent_defaults@v1" } } }',
      'config/prompts/agent_defaults/v1.md': 'You are ours.\n',
    });
  });

  test('do not extract a text whose braces are none of a template', async () => {
    const file = 'config/agents/Sayer/v2.json';
    const fields =
      '"agent_name": "Sayer", "version": "v2", "mode": "Writer", "purpose_text": "p", "output_schema": { "type": "object", "properties": { "a": { "type": "string" } } }';
    const server = await open('Say.', {
      [file]: `{ ${fields}, "llm_config_id": "offline", "system_text": "Keep {{input.|x}} as it is." }`,
    });
    await expect(apply(server, await actionsAt(server, file), 'Extract the prompt')).rejects.toThrow('Nothing provides {{input.x}}');
  });

  test('write a prompt of the store as text', async () => {
    const json = 'config/prompts/other/v1.json';
    const server = await open('Say.', {
      [json]: '{ "$schema": "agent-stack:prompt.schema.json", "name": "other", "template": "|Say\\nno." }',
    });
    expect(await apply(server, await actionsAt(server, json), 'Write this prompt as text')).toMatchObject({
      'config/prompts/other/v1.md': '---\nname: other\n---\n\nSay\nno.\n',
    });
  });
});
