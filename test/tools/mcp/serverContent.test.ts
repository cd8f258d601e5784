import { describe, expect, test } from 'vitest';
import { createServerContent } from '../../../core/tools/mcp/serverContent.js';
import { npmServer, type Setup, sessionOf, setup } from './support.js';

const signal = new AbortController().signal;
const everything = (it: Setup) => sessionOf(it, npmServer('everything', 'stdio'), { client_id: 'all' });

describe('resources and prompts of a server', () => {
  test('are listed, narrowed by name where the agent names some, and taken away by name and URI', async () => {
    const it = setup();
    const session = everything(it);
    const all = createServerContent([session], {});
    const resources = await all.resources(signal);
    const prompts = await all.prompts(signal);
    expect(resources.length).toBeGreaterThan(2);
    expect(prompts.map(({ name }) => name)).toEqual(expect.arrayContaining(['simple-prompt', 'args-prompt']));
    expect(prompts.find(({ name }) => name === 'args-prompt')?.arguments).toContainEqual(
      expect.objectContaining({ name: 'city', required: true }),
    );

    const [first, second] = resources;
    const filtered = createServerContent([session], {
      enabled_tools: ['list_resources', 'get_prompt', 'all_args-prompt'],
      exclude_components: [first?.uri ?? '', second?.name ?? ''],
    });
    expect((await filtered.resources(signal)).map(({ uri }) => uri)).toEqual(resources.slice(2).map(({ uri }) => uri));
    expect((await filtered.prompts(signal)).map(({ name }) => name)).toEqual(['args-prompt']);
    expect(await filtered.read({ client_id: 'all', uri: first?.uri ?? '' }, signal)).toEqual({
      content: `This agent may not read ${first?.uri} of all.`,
      is_error: true,
    });
    // Taken away by its name, it cannot be read by its address either.
    expect(await filtered.read({ client_id: 'all', uri: second?.uri ?? '' }, signal)).toEqual({
      content: `This agent may not read ${second?.uri} of all.`,
      is_error: true,
    });
    expect((await filtered.read({ client_id: 'all', uri: resources[2]?.uri ?? '' }, signal)).is_error).toBeUndefined();
    expect(await filtered.prompt({ client_id: 'all', name: 'simple-prompt', arguments: {} }, signal)).toEqual({
      content: 'all has no prompt "simple-prompt". It has: args-prompt.',
      is_error: true,
    });

    const only = createServerContent([session], { enabled_tools: ['read_resource', second?.uri ?? ''] });
    expect((await only.resources(signal)).map(({ uri }) => uri)).toEqual([second?.uri]);
    expect((await only.read({ client_id: 'all', uri: 'demo://resource/dynamic/text/1' }, signal)).is_error).toBe(true);
    expect((await all.read({ client_id: 'all', uri: 'demo://resource/dynamic/text/1' }, signal)).documents).toHaveLength(1);
    const blob = await all.read({ client_id: 'all', uri: 'demo://resource/dynamic/blob/1' }, signal);
    expect(blob.content).toMatch(/^\[file demo:\/\/resource\/dynamic\/blob\/1: .*, \d+ bytes\]$/);
    expect(blob.value).toMatchObject({ contents: [{ blob: expect.any(String) }] });
  });

  test('are told with what is wrong where there are none', async () => {
    const it = setup();
    const session = everything(it);
    const content = createServerContent([session], {});
    expect((await content.prompt({ client_id: 'all', name: 'args-prompt', arguments: { city: 'Ulm' } }, signal)).content).toMatch(
      /^\[user\]\n.*Ulm/,
    );
    expect(await content.prompt({ client_id: 'all', name: 'args-prompt', arguments: {} }, signal)).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/^The MCP server "all" refused: /),
    });
    expect(await content.read({ client_id: 'none', uri: 'x' }, signal)).toEqual({
      content: 'There is no server "none". There are: all.',
      is_error: true,
    });
    expect(await content.read({ client_id: 'all', uri: 'nothing://here' }, signal)).toMatchObject({ is_error: true });
  });

  test('of several servers name the one that fails', async () => {
    const it = setup();
    const broken = sessionOf(it, it.server(['exit']), { client_id: 'broken' });
    const content = createServerContent([sessionOf(it, it.server(), { client_id: 'fine' }), broken], {});
    await expect(content.resources(signal)).rejects.toThrow('The MCP server "broken" ended with exit code');
  });

  test('of a server that has only tools are none', async () => {
    const it = setup();
    const content = createServerContent([sessionOf(it, it.server())], {});
    expect([await content.resources(signal), await content.prompts(signal)]).toEqual([[], []]);
  });
});
