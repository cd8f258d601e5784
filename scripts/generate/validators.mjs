import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

/** Schemas that are checked at run time; each is exported under its own name. */
const checked = ['agent', 'agentstack', 'llm', 'payload', 'persona', 'prompt', 'system'];

const options = {
  allErrors: true,
  strict: false,
  // The meta-schemas' formats (uri, regex) say too little for a finding; patterns are judged by the linear-time engine.
  validateFormats: false,
  // Lengths in UTF-16 units: no schema of ours sets more than `minLength: 1`, and ajv needs a helper for code points.
  unicode: false,
  logger: false,
  code: { esm: true, source: true, lines: false },
};

const banner = '// Made by scripts/generate.mjs from schemas/. Change the schemas, not this file.\n';

/** Plain functions that validate each kind of file, and JSON Schemas against their own dialect, without ajv. */
export function validatorsOf(schemas) {
  const kinds = new Ajv(options);
  for (const schema of schemas.values()) kinds.addSchema(withoutAnnotations(schema));
  const names = Object.fromEntries(checked.map((name) => [name, `agent-stack:${name}.schema.json`]));
  const code = [
    standalone.default(kinds, names),
    asConstant('draft07', new Ajv(options), 'http://json-schema.org/draft-07/schema'),
    asConstant('draft2020', new Ajv2020(options), 'https://json-schema.org/draft/2020-12/schema'),
  ]
    .join('\n')
    // Lists that must be unique hold strings wherever our schemas and the meta-schemas ask for it, so identity decides.
    .replaceAll('require("ajv/dist/runtime/equal").default', 'Object.is');
  const helper = code.match(/require\([^)]*\)/)?.[0];
  if (helper !== undefined) throw new Error(`A validator needs ${helper}, a helper of ajv: say the same with other keywords.`);
  return { code: `${banner}${code}\n`, declarations: declarationsOf([...checked, 'draft07', 'draft2020']) };
}

/** Every compiled module numbers its names from the start, so each but the first lives in a function of its own. */
function asConstant(name, ajv, id) {
  const code = standalone.default(ajv, { [name]: id });
  const [head, validate] = code.match(/^"use strict";export const \w+ = (\w+);/);
  return `export const ${name} = /* @__PURE__ */ (() => {${code.slice(head.length)}return ${validate};})();`;
}

/** The schema without what only people read. A name inside `properties` or `definitions` is not a keyword. */
function withoutAnnotations(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  const kept = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (['title', 'description', 'default', 'examples'].includes(keyword)) continue;
    const isMap = ['properties', 'definitions', 'dependencies'].includes(keyword);
    kept[keyword] = isMap
      ? Object.fromEntries(Object.entries(value).map(([name, sub]) => [name, withoutAnnotations(sub)]))
      : withoutAnnotations(value);
  }
  return kept;
}

function declarationsOf(names) {
  return `${banner}export interface AjvError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly AjvError[] | null;
}
${names.map((name) => `export const ${name}: Validator;`).join('\n')}
`;
}
