import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseTools, namesOf, type OfferedTool, type ToolFilter } from '../../core/config/toolChoice.js';

const builtIn = (name: string): OfferedTool => ({ name, origin: { type: 'built-in' } });
const skill = (name: string): OfferedTool => ({ name, origin: { type: 'skill' } });
const mcp = (client_id: string, name: string): OfferedTool => ({ name, origin: { type: 'mcp', client_id, name } });

const offered = [
  builtIn('read_file'),
  builtIn('calculator'),
  skill('summarise'),
  mcp('files', 'read_file'),
  mcp('files', 'list'),
  mcp('web', 'list'),
];

const chosen = (filter: ToolFilter, tools: readonly OfferedTool[] = offered) => chooseTools(tools, filter).chosen.map(({ name }) => name);

describe('the tools of an agent', () => {
  test('are all of its servers and nothing else when none is named', () => {
    expect(chosen({})).toEqual(['read_file', 'files_list', 'web_list']);
  });

  test('are exactly the named ones, built-in tools and skills among them', () => {
    expect(chosen({ enabled_tools: ['summarise', 'calculator', 'files_list'] })).toEqual(['calculator', 'summarise', 'files_list']);
    expect(chosen({ enabled_tools: [] })).toEqual([]);
  });

  test('of one name are all meant by it, and one of them by its server too', () => {
    expect(chosen({ enabled_tools: ['list'] })).toEqual(['files_list', 'web_list']);
    expect(chosen({ enabled_tools: ['web_list'] })).toEqual(['web_list']);
    expect(chosen({ enabled_tools: ['read_file'] })).toEqual(['read_file', 'files_read_file']);
    expect(chosen({ enabled_tools: ['files_read_file'] })).toEqual(['files_read_file']);
  });

  test('are taken away by either name', () => {
    expect(chosen({ exclude_components: ['list'] })).toEqual(['read_file']);
    expect(chosen({ exclude_components: ['files_list', 'files_read_file'] })).toEqual(['web_list']);
    expect(chosen({ enabled_tools: ['read_file', 'list'], exclude_components: ['files_read_file', 'web_list'] })).toEqual([
      'read_file',
      'files_list',
    ]);
  });

  test('that match nothing are told for each list', () => {
    const { unknown } = chooseTools(offered, { enabled_tools: ['lists', 'list', 'x'], exclude_components: ['y', 'list'] });
    expect(unknown).toEqual({ enabled_tools: ['lists', 'x'], exclude_components: ['y'] });
  });

  test('of an embedder take the place of built-in ones', () => {
    const tools = [builtIn('calculator'), skill('calculator')];
    expect(chooseTools(tools, { enabled_tools: ['calculator'] }).chosen).toEqual([{ name: 'calculator', tool: tools[1] }]);
  });

  test('have names every provider takes, and the lists know their own names too', () => {
    const long = 'x'.repeat(80);
    const tools = [mcp('my.server', 'a b/ü'), mcp('my.server', long), mcp('other', 'a.b'), mcp('other', 'a:b')];
    const names = chosen({}, tools);
    expect(names[0]).toBe('a_b__');
    expect(names[1]).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(names[2]).toMatch(/^other_a_b/);
    expect(new Set(names).size).toBe(4);
    expect(chosen({ enabled_tools: ['a b/ü', 'other_a.b'] }, tools)).toEqual([names[0], names[2]]);
    expect(chosen({ enabled_tools: names }, tools)).toEqual(names);
  });

  test('that clash only once they have their prefix are still told apart', () => {
    const names = chosen({}, [mcp('a', 'b_c'), mcp('x', 'b_c'), mcp('a_b', 'c'), mcp('x', 'c')]);
    expect(new Set(names).size).toBe(4);
    expect(names[1]).toBe('x_b_c');
  });

  test('with the name of an Object.prototype member are ordinary tools', () => {
    const tools = [mcp('s', '__proto__'), mcp('s', 'constructor'), mcp('t', 'constructor')];
    expect(chosen({ enabled_tools: ['__proto__', 'constructor'] }, tools)).toEqual(['__proto__', 's_constructor', 't_constructor']);
  });
});

const word = fc.stringMatching(/^[ab._ ]{1,4}$/);
const anyTool = fc.oneof(
  word.map(builtIn),
  word.map(skill),
  fc.tuple(word, word).map(([id, name]) => mcp(id, name)),
);
const tools = fc.uniqueArray(anyTool, { selector: (tool) => JSON.stringify(tool), maxLength: 12 });
const list = fc.option(fc.array(word, { maxLength: 4 }), { nil: undefined });

describe('any offer of tools', () => {
  test('names are fit and unique, and do not depend on the order', () => {
    fc.assert(
      fc.property(tools, list, list, (all, enabled_tools, exclude_components) => {
        const filter = { enabled_tools, exclude_components };
        const { chosen: some } = chooseTools(all, filter);
        const names = some.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        const servers = (list: typeof some) => list.filter(({ tool }) => tool.origin.type === 'mcp');
        const reversed = chooseTools([...all].reverse(), filter).chosen;
        expect(servers([...reversed].reverse())).toEqual(servers(some));
      }),
    );
  });

  test('every name of a chosen tool chooses it', () => {
    fc.assert(
      fc.property(tools, (all) => {
        for (const one of chooseTools(all, { enabled_tools: all.map(({ name }) => name) }).chosen) {
          for (const name of namesOf(one)) {
            expect(chooseTools(all, { enabled_tools: [name] }).chosen.map(({ tool }) => tool)).toContain(one.tool);
          }
        }
      }),
    );
  });
});
