import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json, JsonObject } from '../../core/json.js';

/**
 * A JSON Schema (draft-07) made from the published type declarations of a package: what the vendor says a request looks
 * like, not what our serializer happens to send. Every interface becomes an object that refuses unknown keys.
 *
 * Reads the subset of TypeScript that generated SDK declarations use: interfaces with `extends`, namespaces, type
 * aliases, unions, literals, arrays, index signatures, and `import * as`. Anything else stops with an error rather than
 * becoming a schema that accepts everything.
 *
 * @param file absolute path of a `.d.ts` file
 * @param root name of an exported interface or type alias in it, e.g. `ChatCompletionCreateParamsStreaming`
 */
export function declaredSchema(file: string, root: string): JsonObject {
  const modules = new Map<string, Module>();
  const definitions: Record<string, Json> = {};
  const pending: Declared[] = [];

  const refer = (declared: Declared): JsonObject => {
    const key = `${declared.module.name}.${declared.path}`;
    if (!Object.hasOwn(definitions, key)) {
      definitions[key] = true;
      pending.push(declared);
    }
    return { $ref: `#/definitions/${key}` };
  };
  const schema = refer(find(load(file, modules), [], root, modules));
  for (let declared = pending.pop(); declared !== undefined; declared = pending.pop()) {
    const scope: Scope = { module: declared.module, path: declared.path.split('.').slice(0, -1), modules, refer };
    definitions[`${declared.module.name}.${declared.path}`] = toSchema(declared.type, scope);
  }
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schema, definitions };
}

type Type =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'union' | 'intersection'; readonly members: readonly Type[] }
  | { readonly kind: 'array'; readonly item: Type }
  | { readonly kind: 'map'; readonly value: Type }
  | { readonly kind: 'object'; readonly bases: readonly string[]; readonly fields: readonly Field[] };

interface Field {
  readonly name: string;
  readonly optional: boolean;
  readonly type: Type;
}

interface Module {
  readonly name: string;
  readonly folder: string;
  /** Alias of `import * as Alias` to the file it names. */
  readonly imports: ReadonlyMap<string, string>;
  /** Dotted path, namespaces included, to the type declared there. */
  readonly types: ReadonlyMap<string, Type>;
}

interface Declared {
  readonly module: Module;
  readonly path: string;
  readonly type: Type;
}

interface Scope {
  readonly module: Module;
  readonly path: readonly string[];
  readonly modules: Map<string, Module>;
  readonly refer: (declared: Declared) => JsonObject;
}

function toSchema(type: Type, scope: Scope): JsonObject | true {
  switch (type.kind) {
    case 'literal':
      return { const: type.value };
    case 'array':
      return { type: 'array', items: toSchema(type.item, scope) };
    case 'map':
      return { type: 'object', additionalProperties: toSchema(type.value, scope) };
    case 'union':
      return { anyOf: type.members.map((member) => toSchema(member, scope)) };
    case 'intersection': {
      // `string & {}` is the declarations' way to keep completion for the literals of an open string union.
      const named = type.members.filter((member) => !(member.kind === 'object' && member.fields.length === 0));
      if (named.length !== 1) throw new Error('declared intersections of two real types are not understood');
      return toSchema(named[0]!, scope);
    }
    case 'object': {
      const fields = allFields(type, scope);
      return {
        type: 'object',
        properties: Object.fromEntries([...fields].map(([name, { field, at }]) => [name, toSchema(field.type, at)])),
        required: [...fields.values()].filter(({ field }) => !field.optional).map(({ field }) => field.name),
        additionalProperties: false,
      };
    }
    case 'name':
      if (type.name === 'unknown') return true;
      if (['string', 'number', 'boolean'].includes(type.name)) return { type: type.name };
      return scope.refer(find(scope.module, scope.path, type.name, scope.modules));
  }
}

/** Own fields after inherited ones, so a narrowed field (`stream: true`) takes the place of its wider base. */
function allFields(type: Type, scope: Scope): Map<string, { field: Field; at: Scope }> {
  if (type.kind !== 'object') throw new Error('an interface extends something that is not an interface');
  const fields = new Map<string, { field: Field; at: Scope }>();
  for (const base of type.bases) {
    const declared = find(scope.module, scope.path, base, scope.modules);
    const at: Scope = { ...scope, module: declared.module, path: declared.path.split('.').slice(0, -1) };
    for (const [name, inherited] of allFields(declared.type, at)) fields.set(name, inherited);
  }
  for (const field of type.fields) fields.set(field.name, { field, at: scope });
  return fields;
}

/** Looks a name up as TypeScript does: in the innermost namespace first, then outwards, then among the imports. */
function find(module: Module, path: readonly string[], name: string, modules: Map<string, Module>): Declared {
  for (let depth = path.length; depth >= 0; depth--) {
    const candidate = [...path.slice(0, depth), name].join('.');
    const type = module.types.get(candidate);
    if (type !== undefined) return { module, path: candidate, type };
  }
  const [alias, ...rest] = name.split('.');
  const imported = module.imports.get(alias!);
  if (imported === undefined) throw new Error(`${name} is declared neither in ${module.name} nor in what it imports`);
  return find(load(join(module.folder, imported), modules), [], rest.join('.'), modules);
}

function load(file: string, modules: Map<string, Module>): Module {
  const path = file.replace(/\.js$/, '.d.ts');
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, 'utf8');
  const module: Module = {
    name: `m${modules.size}`,
    folder: dirname(path),
    imports: new Map([...text.matchAll(/^import \* as (\w+) from "([^"]+)";$/gm)].map((match) => [match[1]!, match[2]!])),
    types: declarations(tokens(text)),
  };
  modules.set(path, module);
  return module;
}

function tokens(text: string): string[] {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
  return bare.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\w$]+(?:\.[\w$]+)*|=>|[^\s]/g) ?? [];
}

/** Collects every interface and type alias; other statements (classes, re-exports) are stepped over. */
function declarations(all: readonly string[]): Map<string, Type> {
  const types = new Map<string, Type>();
  let at = 0;

  const take = (expected?: string): string => {
    const token = all[at++];
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw new Error(`expected ${expected ?? 'more'} but found ${token} after ${all.slice(Math.max(0, at - 12), at - 1).join(' ')}`);
    }
    return token;
  };
  const skip = (token: string): boolean => {
    if (all[at] !== token) return false;
    at++;
    return true;
  };
  const skipBlock = (): void => {
    while (all[at] !== '{' && all[at] !== ';') at++;
    if (skip(';')) return;
    for (let depth = 0; ; ) {
      const token = take();
      if (token === '{') depth++;
      if (token === '}' && --depth === 0) return;
    }
  };

  const single = (): Type => {
    const token = take();
    let type: Type;
    if (token === '(') {
      type = union();
      take(')');
    } else if (token === '{') {
      type = body([]);
    } else if (token === 'Array') {
      take('<');
      type = { kind: 'array', item: union() };
      take('>');
    } else if (token === 'null' || token === 'true' || token === 'false') {
      type = { kind: 'literal', value: token === 'null' ? null : token === 'true' };
    } else if (/^['"]/.test(token)) {
      type = { kind: 'literal', value: token.slice(1, -1).replace(/\\(.)/g, '$1') };
    } else if (/^\d/.test(token)) {
      type = { kind: 'literal', value: Number(token) };
    } else if (/^[\w$]/.test(token)) {
      type = { kind: 'name', name: token };
    } else {
      throw new Error(`a type cannot start with ${token}`);
    }
    while (all[at] === '[' && all[at + 1] === ']') {
      at += 2;
      type = { kind: 'array', item: type };
    }
    return type;
  };
  const joined = (separator: string, kind: 'union' | 'intersection', part: () => Type): Type => {
    skip(separator);
    const members = [part()];
    while (skip(separator)) members.push(part());
    return members.length === 1 ? members[0]! : { kind, members };
  };
  const union = (): Type => joined('|', 'union', () => joined('&', 'intersection', single));
  const body = (bases: readonly string[]): Type => {
    const fields: Field[] = [];
    while (!skip('}')) {
      if (skip('[')) {
        take();
        take(':');
        take('string');
        take(']');
        take(':');
        const value = union();
        skip(';');
        take('}');
        return { kind: 'map', value };
      }
      skip('readonly');
      const name = take().replace(/^['"]|['"]$/g, '');
      const optional = skip('?');
      take(':');
      fields.push({ name, optional, type: union() });
      skip(';');
    }
    return { kind: 'object', bases, fields };
  };

  const statements = (path: readonly string[]): void => {
    while (at < all.length && all[at] !== '}') {
      skip('export');
      skip('declare');
      const word = all[at];
      const generic = all[at + 2] === '<';
      if (word === 'namespace') {
        at++;
        const name = take();
        take('{');
        statements([...path, name]);
        take('}');
      } else if (word === 'interface' && !generic) {
        at++;
        const name = take();
        const bases: string[] = [];
        if (skip('extends')) {
          do bases.push(take());
          while (skip(','));
        }
        if (all[at] !== '{') {
          skipBlock();
          continue;
        }
        take('{');
        types.set([...path, name].join('.'), body(bases));
      } else if (word === 'type' && !generic && all[at + 2] === '=') {
        const start = at;
        at += 3;
        try {
          types.set([...path, all[start + 1]!].join('.'), union());
          take(';');
        } catch {
          // A helper type outside the subset (conditional, mapped): looking it up later names it as undeclared.
          types.delete([...path, all[start + 1]!].join('.'));
          at = start;
          while (take() !== ';');
        }
      } else if (word === '{') {
        skipBlock();
        skip(';');
        if (skip('from')) at += 2;
      } else {
        skipBlock();
        if (skip('from')) at += 2;
      }
    }
  };
  statements([]);
  return types;
}
