import { type JSONPath, visit } from 'jsonc-parser';
import { createRandom } from './random.js';

/** Where in a token: before its first character, behind it, anywhere, before the last character, behind it. */
const everySpot = ['start', 'second', 'inside', 'last', 'end'] as const;
type Spot = (typeof everySpot)[number];

/**
 * Offsets by path: one place of each kind in all these texts, drawn with the seed of the tests. Places are of one kind when their folder, their
 * pointer but for the numbers of lists, the type of their token and the spot in it are the same.
 */
export function samplePlaces(
  texts: Readonly<Record<string, string>>,
  spots: readonly Spot[] = everySpot,
): ReadonlyMap<string, readonly number[]> {
  const random = createRandom();
  const kinds = new Map<string, { readonly path: string; readonly offset: number; readonly count: number }>();
  for (const [path, text] of Object.entries(texts)) {
    const folder = path.split('/').slice(0, 2).join('/');
    const around: JSONPath[] = [];
    const take = (type: string, start: number, length: number, pointer: JSONPath) => {
      const offsets = {
        start,
        second: start + 1,
        inside: start + Math.floor(random() * length),
        last: start + length - 1,
        end: start + length,
      };
      for (const spot of spots) {
        const kind = JSON.stringify([folder, ...pointer.map((part) => (typeof part === 'number' ? 0 : part)), type, spot]);
        const known = kinds.get(kind);
        const count = (known?.count ?? 0) + 1;
        // Each of the `count` places is drawn as often as any other.
        kinds.set(kind, known !== undefined && random() * count >= 1 ? { ...known, count } : { path, offset: offsets[spot], count });
      }
    };
    const begin = (type: string, offset: number, length: number, pointer: JSONPath) => {
      around.push(pointer);
      take(type, offset, length, pointer);
    };
    visit(text, {
      onObjectBegin: (offset, length, _line, _character, pointer) => begin('{', offset, length, pointer()),
      onArrayBegin: (offset, length, _line, _character, pointer) => begin('[', offset, length, pointer()),
      onObjectEnd: (offset, length) => take('}', offset, length, around.pop() ?? []),
      onArrayEnd: (offset, length) => take(']', offset, length, around.pop() ?? []),
      onObjectProperty: (name, offset, length, _line, _character, pointer) => take('key', offset, length, [...pointer(), name]),
      onLiteralValue: (value, offset, length, _line, _character, pointer) => take(typeof value, offset, length, pointer()),
      onSeparator: (character, offset, length) => take(character, offset, length, around.at(-1) ?? []),
    });
  }
  const places = new Map(Object.keys(texts).map((path) => [path, new Set<number>()]));
  for (const { path, offset } of kinds.values()) places.get(path)?.add(offset);
  return new Map([...places].map(([path, offsets]) => [path, [...offsets].sort((left, right) => left - right)]));
}
