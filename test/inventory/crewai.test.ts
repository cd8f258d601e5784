import { describe, expect, test } from 'vitest';
import { findingsIn } from '../support/toolFindings.js';

const agent = { role: 'Researcher', goal: 'Find facts.', backstory: 'You know the sources.' };
const task = { name: 'research', description: 'Research {topic}.', expected_output: 'Facts.', agent: 'researcher' };
const crew = { agents: ['researcher'], tasks: [task] };

async function codesOf(parts: object, agentParts: object = {}, others: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const findings = await findingsIn({
    'app/crew.jsonc': `// Our crew\n${JSON.stringify({ ...crew, ...parts })}`,
    'app/agents/researcher.jsonc': JSON.stringify({ ...agent, ...agentParts }),
    ...others,
  });
  return findings.map(
    ({ code, severity, file, pointer }) => `${code.replace('crewai/', '')} ${severity} ${file.replace('app/', '')} ${pointer}`,
  );
}

describe('a crew of JSON files', () => {
  test.each([
    [{}, []],
    [{ agents: ['researcher', 'writer'] }, ['agent-missing error crew.jsonc /agents/1']],
    [{ manager_agent: 'boss' }, ['agent-missing error crew.jsonc /manager_agent']],
    [{ tasks: [{ ...task, agent: 'writer' }] }, ['unknown-agent error crew.jsonc /tasks/0/agent']],
    [{ tasks: [task, { ...task, name: 'write', context: ['research'] }] }, []],
    [
      {
        tasks: [
          { ...task, context: ['write'] },
          { ...task, name: 'write' },
        ],
      },
      ['unknown-task error crew.jsonc /tasks/0/context/0'],
    ],
    [{ tasks: [{ ...task, expected_output: undefined }] }, ['incomplete error crew.jsonc /tasks/0']],
    [{ tasks: [{ ...task, agent: undefined }] }, ['incomplete error crew.jsonc /tasks/0']],
    [{ tasks: [{ ...task, agent: undefined }], process: 'hierarchical', manager_llm: 'openai/gpt-5' }, []],
    [{ process: 'hierarchical' }, ['incomplete error crew.jsonc /process']],
    [{ tasks: [{ ...task, tools: ['custom:stock', 'SerperDevTool'] }] }, ['tool-missing error crew.jsonc /tasks/0/tools/0']],
    [{ verbos: true, field_of_a_newer_version: true }, ['unknown-field warning crew.jsonc /verbos']],
  ])('%j', async (parts, expected) => {
    expect(await codesOf(parts)).toEqual(expected);
  });

  test.each([
    [{ goal: undefined }, ['incomplete error agents/researcher.jsonc ']],
    [{ goal: undefined, from_repository: 'researcher' }, []],
    [{ settings: { max_iters: 3 } }, ['unknown-field warning agents/researcher.jsonc /settings/max_iters']],
    [{ type: { python: 'app.Own' }, max_iters: 3 }, []],
    [{ tools: ['custom:stock'] }, ['tool-missing error agents/researcher.jsonc /tools/0']],
  ])('its agent: %j', async (parts, expected) => {
    expect(await codesOf({}, parts)).toEqual(expected);
  });

  test('a tool of its own that is there', async () => {
    expect(await codesOf({}, { tools: ['custom:stock'] }, { 'app/tools/stock.py': '' })).toEqual([]);
  });

  test('files of other programs under these names are left alone', async () => {
    expect(await codesOf({}, {}, { 'app/agents/other.json': '{ broken' })).toEqual([]);
    expect(await findingsIn({ 'crew.json': '{ "agents": [{ "name": "Ada" }], "tasks": [{ "description": "Sail" }] }' })).toEqual([]);
    expect(await findingsIn({ 'templates/crew.jsonc': '{ "agents": {{agents}} }' })).toEqual([]);
    expect((await findingsIn({ 'crew.jsonc': '{ "agents": [' })).map(({ code }) => code)).toEqual(['other-tools/unreadable']);
    expect(await findingsIn({ 'agents/a.json': '{ "role": "x", "goal": "y" }' })).toEqual([]);
    expect(await findingsIn({ 'config/agents.yaml': 'a:\n  role: x\n', 'config/tasks.yaml': 'b: c: d\n' })).toEqual([]);
  });
});

describe('a crew of YAML files', () => {
  const agents = 'researcher:\n  role: Researcher\n  goal: Find facts\n  backstory: You know the sources\n';
  const tasks = (lines: string) => `research:\n  description: Research\n  expected_output: Facts\n${lines}`;
  test.each([
    [agents, tasks('  agent: researcher\n'), []],
    [agents, tasks('  agent: reseacher\n'), ['unknown-agent warning']],
    [agents, tasks('  agent: a_method_of_crew_py\n'), []],
    [agents, tasks('  context: [reserch]\n'), ['unknown-task warning']],
    [agents, tasks('  context: [a_method_of_crew_py]\n'), []],
    [`${agents}writer:\n  role: Writer\n  goal: Write\n`, tasks('  agent: writer\n'), ['incomplete warning']],
    [agents, tasks('write:\n  description: Write\n'), ['incomplete warning']],
  ])('%j %j', async (agentsText, tasksText, expected) => {
    const found = await findingsIn({ 'src/app/config/agents.yaml': agentsText, 'src/app/config/tasks.yaml': tasksText });
    expect(found.map(({ code, severity }) => `${code.replace('crewai/', '')} ${severity}`)).toEqual(expected);
  });
});
