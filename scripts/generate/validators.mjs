import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _, Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { buildSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Schemas that are checked at run time; each is exported under its own name. */
const checked = ['agent', 'agentstack', 'llm', 'lock', 'mcp', 'orchestration', 'payload', 'persona', 'prompt', 'system'];

const options = {
  allErrors: true,
  strict: false,
  // The meta-schemas' formats (uri, regex) say too little for a finding; patterns are judged by the linear-time engine.
  validateFormats: false,
  // Lengths in UTF-16 units: no schema of ours sets more than `minLength: 1`, and ajv needs a helper for code points.
  unicode: false,
  logger: false,
  messages: false,
  code: { esm: true, source: true, lines: false },
};

/** Errors that one loop reports at most. */
const mostErrors = 100;

const helpers = 'function add(list, error) {if(list === null)return [error];list.push(error);return list;}';

const banner = '// Made by scripts/generate.mjs from schemas/. Change the schemas, not this file.\n';

/** Plain functions that validate each kind of file, and JSON Schemas against their own dialect, without ajv. */
export async function validatorsOf(schemas) {
  const { reportInnerErrors } = await importTypeScript('core/schema/ajvKeywords.ts');
  const dialects = { kinds: new Ajv(options), draft07: withTolerantEnums(), draft2020: new Ajv2020(options) };
  for (const ajv of Object.values(dialects)) reportInnerErrors({ ajv, _ });
  const { kinds, draft07, draft2020 } = dialects;
  for (const schema of schemas.values()) kinds.addSchema(withoutAnnotations(schema));
  const names = Object.fromEntries(checked.map((name) => [name, `agent-stack:${name}.schema.json`]));
  const code = [
    standalone.default(kinds, names),
    asConstant('draft07', draft07, 'http://json-schema.org/draft-07/schema'),
    asConstant('draft2020', draft2020, 'https://json-schema.org/draft/2020-12/schema'),
  ]
    .join('\n')
    // Lists that must be unique hold strings wherever our schemas and the meta-schemas ask for it, so identity decides.
    .replaceAll('require("ajv/dist/runtime/equal").default', 'Object.is');
  const helper = code.match(/require\([^)]*\)/)?.[0];
  if (helper !== undefined) throw new Error(`A validator needs ${helper}, a helper of ajv: say the same with other keywords.`);
  const patterns = JSON.stringify(Object.fromEntries(patternMessages([...schemas.values()])));
  const messages = `export const patternMessages = /* @__PURE__ */ new Map(Object.entries(${patterns}));`;
  return {
    code: `${banner}${helpers}\n${messages}\n${trimmed(code)}\n`,
    declarations: declarationsOf([...checked, 'draft07', 'draft2020']),
  };
}

/** The build uses the very code that runs later; Node 20 reads no TypeScript. */
async function importTypeScript(file) {
  const [{ text }] = buildSync({ entryPoints: [join(root, file)], bundle: true, format: 'esm', write: false }).outputFiles;
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}

/** Draft-07 says that the values of an `enum` SHOULD be unique; ajv's copy of its meta-schema demands it, in quadratic time. */
function withTolerantEnums() {
  const meta = structuredClone(new Ajv(options).getSchema('http://json-schema.org/draft-07/schema').schema);
  delete meta.properties.enum.uniqueItems;
  return new Ajv({ ...options, meta: false, validateSchema: false }).addSchema(meta);
}

/** Every compiled module numbers its names from the start, so each but the first lives in a function of its own. */
function asConstant(name, ajv, id) {
  const code = standalone.default(ajv, { [name]: id });
  const [head, validate] = code.match(/^"use strict";export const \w+ = (\w+);/);
  return `export const ${name} = /* @__PURE__ */ (() => {${code.slice(head.length)}return ${validate};})();`;
}

/**
 * Smaller, and safe on hostile files: a loop that has found enough stops, since a list of a million wrong items would
 * otherwise cost a million errors, each copied again at every level above.
 */
function trimmed(code) {
  return (
    code
      // Comparing all with all takes quadratic time. Only lists of types are so compared, and there are seven types.
      .replace(/if\((i\d+) > 1\)\{(?=outer\d+:)/g, 'if($1 > 1 && $1 < 9){')
      .replace(/schemaPath:"(?:[^"\\]|\\.)*",/g, '')
      .replace(/if\(vErrors === null\)\{vErrors = \[(err\d+)\];\}else \{vErrors\.push\(\1\);\}/g, 'vErrors = add(vErrors, $1);')
      .replace(/for\((?:let i\d+=0; i\d+<len\d+; i\d+\+\+|const key\d+ in data\d*)\)\{/g, `$&if(errors >= ${mostErrors})break;`)
  );
}

/** The schema without what only people read. A name inside `properties` or `definitions` is not a keyword. */
function withoutAnnotations(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  const kept = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (['title', 'description', 'default', 'examples', 'patternErrorMessage'].includes(keyword)) continue;
    const isMap = ['properties', 'definitions', 'dependencies'].includes(keyword);
    kept[keyword] = isMap
      ? Object.fromEntries(Object.entries(value).map(([name, sub]) => [name, withoutAnnotations(sub)]))
      : withoutAnnotations(value);
  }
  return kept;
}

/** What a value must be that a pattern refuses, by pattern: `must be a name ...`. */
function patternMessages(schema) {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern, patternErrorMessage: message } = schema;
  const own = typeof message === 'string' ? [[pattern, message[0].toLowerCase() + message.slice(1)]] : [];
  return [...own, ...Object.values(schema).flatMap(patternMessages)];
}

function declarationsOf(names) {
  return `${banner}export interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly propertyName?: string;
}
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly AjvError[] | null;
}
/** What a value must be that a pattern of ours refuses, by pattern. */
export const patternMessages: ReadonlyMap<string, string>;
${names.map((name) => `export const ${name}: Validator;`).join('\n')}
`;
}
