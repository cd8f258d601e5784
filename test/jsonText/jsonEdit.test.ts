import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '../support/seed.js';
import { isObject, type Json, pointerOf } from '../../core/json.js';
import { applyReplacements, JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { RawJson } from '../../core/jsonText/jsonStyle.js';

const edited = (text: string, change: (edit: JsonEdit) => void): string => {
  const edit = new JsonEdit(text);
  change(edit);
  return applyReplacements(text, edit.replacements());
};

describe('a member is added', () => {
  test('in the indentation of its neighbours', () => {
    const text = '{\r\n\t"a": 1.0,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n';
    expect(edited(text, (edit) => edit.set('/b/d', [1, 2]))).toBe(
      '{\r\n\t"a": 1.0,\r\n\t"b": {\r\n\t\t"c": 2,\r\n\t\t"d": [1, 2]\r\n\t}\r\n}\r\n',
    );
  });

  test('behind the one it belongs to, or first', () => {
    const text = '{\n  "a": 1,\n  "b": 2\n}';
    expect(edited(text, (edit) => edit.set('/x', 3, { after: ['nope', 'a'] }))).toBe('{\n  "a": 1,\n  "x": 3,\n  "b": 2\n}');
    expect(edited(text, (edit) => edit.set('/x', 3, { first: true }))).toBe('{\n  "x": 3,\n  "a": 1,\n  "b": 2\n}');
  });

  test('with the objects around it that are not there', () => {
    expect(edited('{\n  "a": 1\n}', (edit) => edit.set('/b/c', 'x'))).toBe('{\n  "a": 1,\n  "b": {\n    "c": "x"\n  }\n}');
    expect(edited('{"a":1}', (edit) => edit.set('/b/c', 'x'))).toBe('{"a":1,"b":{"c":"x"}}');
  });

  test('to an empty object, on one line where the file is on one line', () => {
    expect(edited('{}', (edit) => edit.set('/a', 1))).toBe('{ "a": 1 }');
    expect(edited('{\n  "a": {}\n}', (edit) => edit.set('/a/b', 1))).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
  });
});

describe('a member is removed with its comma', () => {
  const text = '{ "a": 1, "b": 2, "c": 3 }';
  test.each([
    ['/a', '{ "b": 2, "c": 3 }'],
    ['/b', '{ "a": 1, "c": 3 }'],
    ['/c', '{ "a": 1, "b": 2 }'],
  ])('%s', (pointer, after) => {
    expect(edited(text, (edit) => edit.remove(pointer))).toBe(after);
  });

  test('and several at once, neighbours or all', () => {
    expect(edited(text, (edit) => edit.remove('/a').remove('/b'))).toBe('{ "c": 3 }');
    expect(edited(text, (edit) => edit.remove('/b').remove('/c'))).toBe('{ "a": 1 }');
    expect(edited(text, (edit) => edit.remove('/a').remove('/b').remove('/c'))).toBe('{}');
  });
});

test('a value keeps its digits and escapes when only its neighbour or its key changes', () => {
  const text = '{"t": 1.50, "s": "\\u00e9\\/", "s2": "😀|x"}';
  expect(edited(text, (edit) => edit.rename('/t', 'temperature').remove('/s'))).toBe('{"temperature": 1.50, "s2": "😀|x"}');
  expect(edited(text, (edit) => edit.replace('/t', new RawJson('15.0')))).toBe('{"t": 15.0, "s": "\\u00e9\\/", "s2": "😀|x"}');
  expect(edited(text, (edit) => edit.replaceWithin('/s2', 'value', { start: 2, end: 3 }, '"'))).toContain('"😀\\"x"');
});

test('a value that is moved keeps how it is written', () => {
  const text = '{\n  "in": {\n    "deep": {\n      "n": 1.0\n    }\n  }\n}';
  const moved = edited(text, (edit) => edit.set('/deep', edit.rawOf('/in/deep')).remove('/in/deep'));
  expect(moved).toBe('{\n  "in": {},\n  "deep": {\n    "n": 1.0\n  }\n}');
});

test('two members of an object that is not there yet are both in it', () => {
  const both = edited('{ "a": 1 }', (edit) => edit.set('/new/x', 1).set('/new/deep/y', 2).set('/new/deep/z', 3));
  expect(JSON.parse(both)).toEqual({ a: 1, new: { x: 1, deep: { y: 2, z: 3 } } });
});

const key = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', 'constructor', 'x/y', '~', '', '😀', '1', 'line\nbreak'),
  fc.string({ maxLength: 4 }),
);
const { value: anyValue } = fc.letrec<{ value: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0.5, 'x', '"\\', '${V}'),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries)),
}));

interface Step {
  readonly type: 'remove' | 'replace' | 'insert' | 'item' | 'rename';
  readonly at: number;
  readonly key: string;
  readonly value: Json;
}

const step: fc.Arbitrary<Step> = fc.record({
  type: fc.constantFrom('remove', 'replace', 'insert', 'item', 'rename'),
  at: fc.nat(30),
  key,
  value: anyValue,
});

/** A mutable copy in which keys are in order and ordinary. */
type Model = { kind: 'list'; items: Model[] } | { kind: 'object'; members: Map<string, Model> } | { kind: 'scalar'; value: Json };

function modelOf(value: Json): Model {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(modelOf) };
  if (isObject(value)) return { kind: 'object', members: new Map(Object.entries(value).map(([name, item]) => [name, modelOf(item)])) };
  return { kind: 'scalar', value };
}

function jsonOf(model: Model): Json {
  if (model.kind === 'list') return model.items.map(jsonOf);
  if (model.kind === 'object') return Object.fromEntries([...model.members].map(([name, item]) => [name, jsonOf(item)]));
  return model.value;
}

function pointersIn(value: Json, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, item]) => pointersIn(item as Json, at + pointerOf(name)))];
}

describe('for any value, layout and edit', () => {
  const layout = fc.constantFrom<(value: Json) => string>(
    (value) => JSON.stringify(value),
    (value) => JSON.stringify(value, null, 2),
    (value) => `\uFEFF${JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n')}\r\n`,
    (value) => JSON.stringify(value).replaceAll(',"', ', "'),
  );
  const read = (text: string) => JSON.parse(text.replace(/^\uFEFF/, '')) as Json;

  test('one edit gives the text of exactly the edited value', () => {
    fc.assert(
      fc.property(anyValue, layout, step, (value, write, { type, at, key: name, value: put }) => {
        const text = write(value);
        if (JSON.stringify(read(text)) !== JSON.stringify(value)) return;
        const pointers = pointersIn(value);
        const pointer = pointers[at % pointers.length] as string;
        const model = modelOf(value);
        const names =
          pointer === ''
            ? []
            : pointer
                .slice(1)
                .split('/')
                .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
        const last = names.at(-1);
        let around = model;
        for (const part of names.slice(0, -1)) {
          if (around.kind === 'list') around = around.items[Number(part)] as Model;
          else if (around.kind === 'object') around = around.members.get(part) as Model;
        }
        const own =
          last === undefined
            ? model
            : around.kind === 'list'
              ? around.items[Number(last)]!
              : (around as Extract<Model, { kind: 'object' }>).members.get(last)!;
        const edit = new JsonEdit(text);
        if (type === 'remove') {
          if (last === undefined) return;
          if (around.kind === 'list') around.items.splice(Number(last), 1);
          else if (around.kind === 'object') around.members.delete(last);
          edit.remove(pointer);
        } else if (type === 'replace') {
          edit.replace(pointer, put);
          if (last === undefined) {
            expect(read(applyReplacements(text, edit.replacements()))).toEqual(put);
            return;
          }
          if (around.kind === 'list') around.items[Number(last)] = modelOf(put);
          else if (around.kind === 'object') around.members.set(last, modelOf(put));
        } else if (type === 'insert') {
          if (own.kind !== 'object') return;
          own.members.set(name, modelOf(put));
          edit.set(pointer + pointerOf(name), put);
        } else if (type === 'item') {
          if (own.kind !== 'list') return;
          const index = at % (own.items.length + 1);
          own.items.splice(index, 0, modelOf(put));
          edit.insertItem(pointer, put, index);
        } else {
          if (last === undefined || around.kind !== 'object' || around.members.has(name)) return;
          const members = [...around.members];
          around.members.clear();
          for (const [other, item] of members) around.members.set(other === last ? name : other, item);
          edit.rename(pointer, name);
        }
        expect(read(applyReplacements(text, edit.replacements()))).toEqual(jsonOf(model));
      }),
      { numRuns: 1500 },
    );
  });

  test('any number of edits at once keep the text JSON, and what they do not touch byte for byte', () => {
    fc.assert(
      fc.property(anyValue, layout, fc.array(step, { minLength: 1, maxLength: 6 }), (value, write, steps) => {
        const text = write(value);
        if (JSON.stringify(read(text)) !== JSON.stringify(value)) return;
        const edit = new JsonEdit(text);
        const pointers = pointersIn(value);
        for (const { type, at, key: name, value: put } of steps) {
          const pointer = pointers[at % pointers.length] as string;
          if (pointer === '' && type !== 'insert' && type !== 'item') continue;
          if (type === 'remove') edit.remove(pointer);
          else if (type === 'replace') edit.replace(pointer, put);
          else if (type === 'insert') edit.set(pointer + pointerOf(name), put);
          else if (type === 'rename' && edit.isMember(pointer)) edit.rename(pointer, name);
        }
        const replacements = edit.replacements();
        for (const [index, { start, end }] of replacements.entries()) {
          expect(start).toBeLessThanOrEqual(end);
          if (index > 0) expect(replacements[index - 1]!.end).toBeLessThanOrEqual(start);
        }
        read(applyReplacements(text, replacements));
      }),
      { numRuns: 1500 },
    );
  });
});
