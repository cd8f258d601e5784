import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listProject } from '../../client/views/agents/listing.js';
import { FileProblem } from '../../core/ports.js';
import { memoryFiles } from '../support/memoryFiles.js';

const list = (files: Readonly<Record<string, string>>) => listProject(memoryFiles(files), async () => undefined);
const names = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name);

describe('the files of a project', () => {
  test('are in natural order, versions newest first, payloads with their agent', async () => {
    const { agents, prompts, llms, environments, mcp } = await list({
      'config/agents/b/v10.json': '{}',
      'config/agents/b/v9.json': '{}',
      'config/agents/A2/v1.json': '{}',
      'config/agents/A10/v1.json': '{}',
      'config/payloads/b/two.json': '{}',
      'config/payloads/b/one.json': '{}',
      'config/payloads/gone/one.json': '{}',
      'config/prompts/p/v1.json': '{}',
      'config/llms/fast.json': '{}',
      'config/environments/prod.json': '{}',
      'config/environments/dev.json': '{}',
      'config/system.json': '{}',
      'config/mcp.json': '{}',
      'config/readme.json': '{}',
    });
    expect(names(agents)).toEqual(['A2', 'A10', 'b', 'gone']);
    expect(names(agents[2]!.versions)).toEqual(['v10', 'v9']);
    expect(names(agents[2]!.payloads)).toEqual(['one', 'two']);
    expect(agents[3]!.versions).toEqual([]);
    expect(names(prompts)).toEqual(['p']);
    expect(names(llms)).toEqual(['fast']);
    expect(names(environments)).toEqual(['system', 'dev', 'prod']);
    expect(mcp).toBe('config/mcp.json');
  });

  test('have the payloads of an orchestration with it, and those of a name that is shared with the agent', async () => {
    const { agents, orchestrations } = await list({
      'config/agents/A/v1.json': '{}',
      'config/orchestrations/A.json': '{}',
      'config/orchestrations/team.json': '{}',
      'config/payloads/A/own.json': '{}',
      'config/payloads/team/two.json': '{}',
      'config/payloads/team/one.json': '{}',
    });
    expect(names(agents)).toEqual(['A']);
    expect(names(agents[0]!.payloads)).toEqual(['own']);
    expect(orchestrations.map(({ name, payloads }) => [name, names(payloads)])).toEqual([
      ['A', []],
      ['team', ['one', 'two']],
    ]);
  });

  test('are found where agentstack.json says', async () => {
    const { agents, settings } = await list({
      'agentstack.json': '{ "config_dir": "ai" }',
      'ai/agents/A/v1.json': '',
      'config/agents/B/v1.json': '',
    });
    expect(settings.config_dir).toBe('ai');
    expect(names(agents)).toEqual(['A']);
  });

  test('may be called like what every object has', async () => {
    const { agents } = await list({ 'config/agents/constructor/v1.json': '{}', 'config/agents/__proto__/v1.json': '{}' });
    expect(names(agents).sort()).toEqual(['__proto__', 'constructor']);
  });

  test('are listed without reading any, and with pauses when there are many', async () => {
    const read: string[] = [];
    const entry = (name: string, kind: 'file' | 'directory') => ({ name, kind });
    const thousands = Array.from({ length: 10_000 }, (_, index) => entry(`agent${index}`, 'directory'));
    const files = {
      ...memoryFiles(),
      readText: (path: string) => {
        read.push(path);
        throw new FileProblem('not-found', path, 'not there');
      },
      // A disk that takes its time, so that they are more than one stretch on any machine.
      list: (folder: string) => {
        for (const end = performance.now() + 0.01; performance.now() < end; );
        if (folder === 'config/agents') return thousands;
        return folder.startsWith('config/agents/') ? [entry('v1.json', 'file')] : [];
      },
    };
    let pauses = 0;
    const { agents } = await listProject(files, async () => {
      pauses += 1;
    });
    expect(agents).toHaveLength(10_000);
    expect(read).toEqual(['agentstack.json']);
    expect(pauses).toBeGreaterThan(3);
  });

  test('are each in exactly one place', () =>
    fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9][\w.-]{0,5}$/), { maxLength: 8 }), async (found) => {
        const files = Object.fromEntries(
          found.flatMap((name) => [
            [`config/agents/${name}/v1.json`, ''],
            [`config/payloads/${name}/case.json`, ''],
          ]),
        );
        const { agents, paths } = await list(files);
        expect(agents.flatMap(({ versions, payloads }) => [...versions, ...payloads].map(({ path }) => path)).sort()).toEqual(
          [...paths].sort(),
        );
        expect([...paths].sort()).toEqual(Object.keys(files).sort());
      }),
    ));
});
