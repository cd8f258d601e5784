import { agentText, llmText } from '../server/agents.js';

/** The text of a file by its place, in one of several states: right, wrong by itself, wrong beside others, broken. */
export function textOf(path: string, state: number): string | undefined {
  const [kind = '', name = '', file] = path
    .replace(/^config\//, '')
    .replace(/\.(json|yaml)$/, '')
    .split('/');
  const states = statesOf(kind, name, file ?? 'v1');
  return states?.[state % states.length];
}

function statesOf(kind: string, name: string, version: string): readonly string[] | undefined {
  switch (kind) {
    case 'agents':
      return [
        agentText({}, name, version),
        agentText({ llm_config_id: 'a' }, name, version),
        agentText({ llm_config_id: 'b', temperature: 9 }, name, version),
        agentText({ persona_key: 'kind', mode: undefined }, name, version),
        agentText({ prompts: { system_prompt: 'p@v1' }, system_text: undefined }, name, version),
        agentText({}, 'Other', version),
        `{"agent_name": "${name}", `,
      ];
    case 'llms':
      return [llmText(name), llmText('b'), `{"llm_id": "${name}", "provider": "nobody"}`, '{'];
    case 'personas':
      return ['{"mode": "Chooser"}', '{"mode": "Chooser", "llm_config_id": "a"}', '{"mode": 3}', '['];
    case 'prompts':
      return [json({ name, version, template: 'Hello' }), json({ name, version, template: 'Hello {{input.x}}', variables: ['x'] }), '{}'];
    case 'orchestrations':
      return [flow(name, 'A@v1'), flow(name, 'B'), flow('other', 'A@v1'), `${flow(name, 'A')}}`];
    case 'payloads':
      return ['{"input": {"task": "x"}}', '{"inputs": {}}', '{'];
    case 'environments':
      return ['{}', '{"agent_defaults": {"temperature": 9}}', '{"agents": {"A": {"persona_key": "lost"}}}'];
    case 'system':
      return ['{}', '{"agent_defaults": {"persona_key": "kind"}}', '{"agents": {"A": {"llm_config_id": "b"}}}', '['];
    case 'mcp':
      return ['{"servers": {"files": {"type": "stdio", "command": "x"}}}', '{"servers": 1}'];
    case 'agentstack':
      return ['{}', '{"environment": "prod"}', '{"rules": {"unused-llm": "off", "foreign-file": "info"}}', '{"config_dir": "."}', '{'];
    default:
      return undefined;
  }
}

function flow(name: string, agent: string): string {
  const teams = { one: { name: 'One', tasks: [{ name: 't', agent, input: { task: 'x' } }], routing: { rules: [], default: null } } };
  return json({ name, entry_team: 'one', teams });
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Places of files: the folders and names are few, so that files meet. */
export const filePaths: readonly string[] = [
  'agentstack.json',
  'config/system.json',
  'config/mcp.json',
  'config/environments/prod.json',
  'config/agents/A/v1.json',
  'config/agents/A/v2.json',
  'config/agents/B/v1.json',
  'config/agents/C/v1.json',
  'config/agents/A/v3.yaml',
  'config/llms/a.json',
  'config/llms/b.json',
  'config/llms/a.yaml',
  'config/agents/D.json',
  'config/personas/kind/v1.json',
  'config/personas/kind.json',
  'config/personas/other.json',
  'config/prompts/p/v1.json',
  'config/prompts/A/v1.json',
  'config/orchestrations/flow.json',
  'config/orchestrations/second.json',
  'config/payloads/A/x.json',
  'config/payloads/B/x.json',
  'config/payloads/flow/y.json',
];

/** Other names for folders and files. */
export const names: readonly string[] = ['A', 'B', 'C', 'D', 'flow', 'kind', 'p', 'a', 'b'];
