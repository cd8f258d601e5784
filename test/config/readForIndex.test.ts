import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConfigFile } from '../../core/config/configFile.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import { readForIndex } from '../../core/config/readForIndex.js';
import { defaultSettings } from '../../core/config/readSettings.js';
import { maxDepth } from '../../core/jsonText/jsonShape.js';
import { writtenJson } from '../support/writtenJson.js';

const paths = [
  'agentstack.json',
  'config/agents/A2/v1.json',
  'config/llms/fast.json',
  'config/mcp.json',
  'config/orchestrations/flow.json',
  'config/payloads/A2/one.json',
  'config/personas/clerk.json',
  'config/prompts/Answer/v1.json',
  'config/system.json',
];

/** Both readings of a text at a path, as far as they should agree. */
function bothOf(path: string, text: string) {
  const identity = identifyFile(path, defaultSettings)!;
  const wanted = ({ value, foreign }: Pick<ConfigFile, 'value' | 'foreign'>) => ({ value, foreign });
  return { read: wanted(readForIndex(path, text, identity)), parsed: wanted(parseConfigFile(path, text, identity)) };
}

const keys = [
  'agent_name',
  'llm_id',
  'teams',
  'input',
  'template',
  'name',
  'scripts',
  'compilerOptions',
  '__proto__',
  '$schema',
  '$ignore',
];
const value = fc.constantFrom<unknown>('A2', 1, null, {}, [], 'agent-stack:agent.schema.json');

test('an index is told what parsing finds, of files of every kind and of what is plainly something else', () => {
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 6 }), (path, members) => {
      const { read, parsed } = bothOf(path, JSON.stringify(Object.fromEntries(members)));
      expect(read).toEqual(parsed);
    }),
    { numRuns: 1000 },
  );
});

test('so it is of any JSON, and of any text', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...paths),
      fc.oneof(
        writtenJson.map(({ text }) => text),
        fc.string(),
      ),
      (path, text) => {
        const { read, parsed } = bothOf(path, text);
        expect(read).toEqual(parsed);
      },
    ),
    { numRuns: 1000 },
  );
});

test.each([
  ['too deep', `${'['.repeat(maxDepth + 1)}${']'.repeat(maxDepth + 1)}`],
  ['long and too deep', `${'['.repeat(40_000)}${']'.repeat(40_000)}`],
  ['a key of ours behind many that are not', `{${Array.from({ length: 60 }, (_, at) => `"x${at}": 1`).join()}, "agent_name": "A2"}`],
  ['a byte order mark', '\uFEFF{"agent_name": "A2"}'],
  ['a key given twice', '{"agent_name": "A2", "agent_name": "A3"}'],
  ['a comment', '{"agent_name": "A2"} // of mine'],
])('so it is of a text with %s', (_name, text) => {
  for (const path of paths) {
    const { read, parsed } = bothOf(path, text);
    expect(read).toEqual(parsed);
  }
});
