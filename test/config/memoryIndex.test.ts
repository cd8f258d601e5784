import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryIndex } from '../../core/config/memoryIndex.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import { defaultSettings } from '../../core/config/readSettings.js';

const paths = ['config/personas/a.json', 'config/personas/b.json', 'config/agents/A/v1.json', 'config/agents/B/v1.json'];
const texts = [
  '{}',
  '{"persona_key": "a"}',
  '{"persona_key": "b", "llm_config_id": "main"}',
  '{"persona_key": "a", "llm_config_id": "x"}',
  '{',
];

function apply(index: MemoryIndex, path: string, text: string | undefined): void {
  const identity = identifyFile(path, defaultSettings);
  if (identity === undefined) throw new Error(`${path} is no config file`);
  if (text === undefined) index.remove(path);
  else if (text === 'unreadable') index.setUnreadable(path, identity);
  else index.set(parseConfigFile(path, text, identity));
}

function referencesIn(index: MemoryIndex) {
  const named = (['persona', 'llm'] as const).flatMap((kind) => ['a', 'b', 'main', 'x'].map((id) => index.referencesTo(kind, id)));
  return [...named, ...(['persona', 'llm'] as const).map((kind) => new Set(index.referencesOfKind(kind).flat()))];
}

test('who refers to whom is the same after changes, in whatever order, as in an index of the files as they are now', () => {
  const change = fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...texts, 'unreadable', undefined));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const index = new MemoryIndex(defaultSettings);
      const current = new Map<string, string>();
      for (const [path, text] of changes) {
        apply(index, path, text);
        if (text === undefined) current.delete(path);
        else current.set(path, text);
        const fresh = new MemoryIndex(defaultSettings);
        for (const [known, now] of current) apply(fresh, known, now);
        expect(referencesIn(index)).toEqual(referencesIn(fresh));
      }
    }),
    { numRuns: 300 },
  );
});
