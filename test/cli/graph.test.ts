import { describe, expect, test } from 'vitest';
import { agentstack, repository, temporaryProject } from './command.js';

const orchestration = {
  name: 'flow',
  entry_team: 'first',
  teams: { first: { tasks: [{ name: 'a', agent: 'X@v1' }], routing: { default: 'second' } } },
};

describe('graph', () => {
  test('prints Mermaid', async () => {
    const { code, stdout, stderr } = await agentstack(['graph', 'issue_intake'], { cwd: repository });
    expect(stdout).toMatch(/^flowchart TD\n/);
    expect(stdout).toContain('labels: failure');
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('prints a whole SVG, the same every time', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => agentstack(['graph', 'issue_intake', '--format', 'svg'], { cwd: repository })));
    expect(one?.stdout).toMatch(/^<svg [^>]+>[\s\S]+<\/svg>\n$/);
    expect(other?.stdout).toBe(one?.stdout);
  });

  test('marks what check finds, and draws it all the same', async () => {
    const cwd = temporaryProject({ 'config/orchestrations/flow.json': orchestration, 'config/agents/X/v1.json': {} });
    const { code, stdout } = await agentstack(['graph', 'flow', '--json'], { cwd });
    const { nodes, edges } = JSON.parse(stdout) as {
      nodes: object[];
      edges: { to: string; marks: { severity: string; message: string }[] }[];
    };
    expect(nodes).toContainEqual(expect.objectContaining({ kind: 'team', id: 'first', is_entry: true, is_unreachable: false }));
    expect(stdout).not.toMatch(/"[a-z]+[A-Z][A-Za-z]*":/);
    expect(edges.at(-1)).toMatchObject({
      to: 'missing second',
      marks: [{ severity: 'error', message: expect.stringContaining('second') }],
    });
    expect(code).toBe(0);
  });

  test('refuses what cannot be drawn, with what to do', async () => {
    const cwd = temporaryProject({ 'agentstack.json': {}, 'config/orchestrations/flow.json': '{ "name": ', 'config/agents/X/v1.json': {} });
    const broken = await agentstack(['graph', 'flow'], { cwd });
    expect(broken).toMatchObject({ code: 2, stdout: '' });
    expect(broken.stderr).toContain('config/orchestrations/flow.json:1:');
    const unknown = await agentstack(['graph', 'flaw'], { cwd });
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('"flow"');
  });
});
