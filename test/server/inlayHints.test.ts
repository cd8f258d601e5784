import { describe, expect, test } from 'vitest';
import type { InlayHint, MarkupContent } from 'vscode-languageserver';
import { type Harness, openServer } from '../support/serverHarness.js';
import { agentText } from './agents.js';

const agent = 'config/agents/A2/v1.json';
const everything = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

async function hints(server: Harness, path: string, range = everything): Promise<readonly InlayHint[]> {
  return server.request('textDocument/inlayHint', { textDocument: { uri: server.uri(path) }, range });
}

/** The text with every hint in it, as the editor shows it. */
/** As Markdown has it: what could be markup in a name is escaped. */
function linkTo(server: Harness, path: string): string {
  return `[${path.replaceAll('.', '\\.')}](<${server.uri(path)}>)`;
}

async function shown(server: Harness, path: string): Promise<string> {
  const text = server.text(path);
  const document = server.service.workspace.document(server.uri(path))!;
  const found = [...(await hints(server, path))].reverse();
  return found.reduce((at, { position, label }) => {
    const offset = document.offsetAt(position);
    return `${at.slice(0, offset)}‹${label as string}›${at.slice(offset)}`;
  }, text);
}

async function tooltip(server: Harness, hint: InlayHint | undefined): Promise<string> {
  return ((await server.request<InlayHint>('inlayHint/resolve', hint)).tooltip as MarkupContent).value;
}

const profile =
  '{"llm_id": "main", "provider": "openai", "model_name": "gpt-4.1", "temperature": 0.3, "api_key": "secret://key", "base_url": "${URL}"}';

describe('hints', () => {
  test('say what the fields left out are, after the last field there is', async () => {
    const server = await openServer({
      [agent]: '{\r\n  "agent_name": "A2", "version": "v1",\r\n  "description": "🎉",\r\n  "llm_config_id": "main"\r\n}',
      'config/llms/main.json': profile,
      'config/system.json': '{"agent_defaults": {"timeout_ms": 5000, "temperature": 1}}',
    });
    expect(await shown(server, agent)).toBe(
      '{\r\n  "agent_name": "A2", "version": "v1",\r\n  "description": "🎉",\r\n  "llm_config_id": "main"‹model_name: gpt-4.1, temperature: 0.3, timeout_ms: 5000›\r\n}',
    );
  });

  test('say which version an agent named without one is', async () => {
    const flow = 'config/orchestrations/flow.json';
    const server = await openServer({
      [agent]: agentText({ model_name: 'm' }),
      'config/agents/A2/v10.json': agentText({ model_name: 'm' }, 'A2', 'v10'),
      [flow]:
        '{"name": "flow", "entry_team": "one", "teams": {"one": {"name": "One", "tasks": [{"name": "x", "agent": "A2"}, {"name": "y", "agent": "A2@v1"}, {"name": "z", "agent": "B"}]}}}',
    });
    expect(await shown(server, flow)).toContain('"agent": "A2‹@v10›"');
    const versions = (await hints(server, flow)).filter(({ label }) => (label as string).startsWith('@'));
    expect(versions).toHaveLength(1);
    expect((versions[0]!.tooltip as MarkupContent).value).toContain(linkTo(server, 'config/agents/A2/v10.json'));
  });

  test('lead to files of the project alone, even if their names contain Markdown links', async () => {
    const file = 'config/llms/a](evil:x) [b.json';
    const server = await openServer({ [agent]: agentText(), [file]: profile });
    const text = await tooltip(server, (await hints(server, agent))[0]);
    expect(new Set(text.match(/\]\((?!<file:)/g))).toEqual(new Set(['](']));
    expect(text).toContain('config/llms/a\\](evil\\:x) \\[b\\.json](<file:');
  });

  test('say nothing of what is written, and nothing of built-in defaults', async () => {
    const server = await openServer({
      [agent]: agentText({ model_name: 'gpt-4.1', llm_config_id: 'main', temperature: 0 }),
      'config/llms/main.json': profile,
    });
    expect(await hints(server, agent)).toEqual([]);
  });

  test('name the only profile where no layer names one', async () => {
    const server = await openServer({ [agent]: agentText(), 'config/llms/main.json': profile });
    const found = await hints(server, agent);
    expect(found.map(({ label }) => label)).toEqual(['llm_config_id: main, model_name: gpt-4.1, temperature: 0.3']);
    const text = await tooltip(server, found[0]);
    expect(text).toContain('so the only profile counts');
    expect(text).toContain('`model_name` is not written here');
    expect(text).toContain('gpt-4.1');
    expect(text).toContain(`${linkTo(server, 'config/llms/main.json')}, its llm profile`);
  });

  test('take one row, and leave what does not fit to the tooltip', async () => {
    const server = await openServer({
      [agent]: agentText({ llm_config_id: 'main' }),
      'config/llms/main.json': profile,
      'config/system.json': '{"agent_defaults": {"timeout_ms": 5000, "retry_attempts": 2, "top_p": 0.5, "max_output_tokens": 10}}',
    });
    const found = await hints(server, agent);
    expect(found.map(({ label }) => label)).toEqual(['model_name: gpt-4.1, temperature: 0.3, top_p: 0.5, +3']);
    const text = await tooltip(server, found[0]);
    for (const field of ['model_name', 'max_output_tokens', 'retry_attempts']) expect(text).toContain(`\`${field}\` is not written here`);
    expect(text).toContain('Write a field here to override its value.');
  });

  test('never show what a variable holds, nor a key', async () => {
    const variables = { MODEL: 'private-model', OPENAI: 'sk-proj-Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg' };
    const server = await openServer(
      {
        [agent]: agentText({ system_text: undefined, persona_key: 'kind' }),
        'config/llms/main.json': '{"llm_id": "main", "provider": "openai", "model_name": "${MODEL}", "api_key": "secret://key"}',
        'config/personas/kind.json': JSON.stringify({
          system_text: `Key ${variables.OPENAI} of \${OPENAI}, and much more text that is cut off`,
        }),
      },
      { variables },
    );
    const found = await hints(server, agent);
    const said = JSON.stringify([found, await Promise.all(found.map((hint) => tooltip(server, hint)))]);
    expect(found[0]?.label).toContain('model_name: ${MODEL}, ');
    for (const value of Object.values(variables)) expect(said).not.toContain(value);
    expect(said).not.toContain('secret://');
  });

  test('of a task say what its persona or agent gives, in its config or after its last field', async () => {
    const path = 'config/orchestrations/o.json';
    const tasks = [
      { name: 'a', agent_type: 'single_shot', persona_key: 'kind', config: { temperature: 0.9 } },
      { name: 'b', agent: 'A2@v1' },
    ];
    const server = await openServer({
      [agent]: agentText({ model_name: 'gpt-4.1', system_text: undefined, purpose_text: undefined, mode: 'Writer' }),
      [path]: JSON.stringify({ name: 'o', entry_team: 't', teams: { t: { name: 'T', tasks, routing: { default: null } } } }),
      'config/personas/kind.json': '{"mode": "Chooser", "model_name": "gpt-4o"}',
    });
    const text = await shown(server, path);
    expect(text).toContain('"config":{"temperature":0.9‹model_name: gpt-4o, mode: Chooser›}');
    expect(text).toContain('"agent":"A2@v1"‹model_name: gpt-4.1, mode: Writer›');
  });

  test('are there in broken JSON, only in the range, and not where they are turned off', async () => {
    const files = { [agent]: '{\n "agent_name": "A2"\n "version": "v1", \n', 'config/llms/main.json': profile };
    const server = await openServer(files);
    expect(await shown(server, agent)).toContain('"version": "v1"‹llm_config_id: main, model_name: gpt-4.1, temperature: 0.3›');
    expect(await hints(server, agent, { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } })).toEqual([]);
    expect(await hints(await openServer(files, { settings: { inlayHints: { enabled: false } } }), agent)).toEqual([]);
  });
});

describe('a prompt of the store', () => {
  const prompt = 'config/prompts/long/v1.json';
  const words = (count: number) => Array.from({ length: count }, () => 'the').join(' ');
  const filesWith = (template: string, fields: string) => ({
    [agent]: `{"agent_name": "A2", "version": "v1", "prompts": {"system_prompt": "long@v1"}, ${fields}}`,
    [prompt]: `{"name": "long", "version": "v1", "template": ${JSON.stringify(template)}}`,
  });

  test('says where its stable beginning ends, and what is billed again', async () => {
    const server = await openServer(filesWith(`You "write".\nFor {{ input.reader }}. ${words(2000)}`, '"model_name": "gpt-4.1"'));
    expect(await shown(server, prompt)).toContain(
      '"You \\"write\\".\\nFor ‹stable prefix: about 5 tokens, 2,286 billed again in each call›{{ input.reader }}. the',
    );
    const [hint] = await hints(server, prompt);
    const { value } = hint!.tooltip as MarkupContent;
    expect(value).toContain(linkTo(server, agent));
    expect(value).toContain('from 1,024 tokens');
    expect(value).toContain('0\\.00343 USD');
  });

  test('says how much of it agents with one model share', async () => {
    const files = filesWith(`${words(2000)} {{input.reader}}`, '"model_name": "gpt-4.1"');
    const agents = ['B1', 'B2'].map((name, index) => [
      `config/agents/${name}/v1.json`,
      `{"agent_name": "${name}", "version": "v1", "prompts": {"system_prompt": "long@v1"}, "model_name": "${index === 0 ? 'gpt-4.1' : 'gpt-4o'}"}`,
    ]);
    const server = await openServer({ ...files, ...Object.fromEntries(agents) });
    const [hint] = await hints(server, prompt);
    expect((hint!.tooltip as MarkupContent).value).toContain('2 agents have this prompt and model; about 2,286 tokens at the beginning');
  });

  test('says only how long it is, where what changes stands at its end', async () => {
    const server = await openServer(filesWith(`${words(2000)} {{input.reader}}`, '"model_name": "gpt-4.1"'));
    expect(await shown(server, prompt)).toContain('the ‹stable prefix: about 2,286 tokens›{{input.reader}}');
  });

  test.each([
    ['of a model that is not known to cache', words(2000), '"model_name": "gpt-4"'],
    ['of a prompt that is too short for any cache', words(20), '"model_name": "gpt-4.1"'],
  ])('says nothing %s', async (_, text, fields) => {
    const server = await openServer(filesWith(`{{input.reader}} ${text}`, fields));
    expect(await hints(server, prompt)).toEqual([]);
  });
});
