import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _, Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build, buildSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Schemas that are checked at run time; each is exported under its own name. */
const checked = [
  'agent',
  'agentstack',
  'baseline',
  'llm',
  'lock',
  'mcp',
  'orchestration',
  'payload',
  'persona',
  'prompt',
  'rootMcp',
  'system',
  'vscodeMcp',
];

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

/** A loop that has found so many errors stops: a list of a million wrong items would make a million errors, copied at every level above. */
const mostErrors = 100;

const draft07Id = 'http://json-schema.org/draft-07/schema';
const draft2020Id = 'https://json-schema.org/draft/2020-12/schema';

const banner = '// Made by scripts/generate.mjs from schemas/. Change the schemas, not this file.';

/** Plain functions that validate each kind of file, and JSON Schemas against their own dialect, without ajv. */
export async function validatorsOf(schemas) {
  const { reportInnerErrors } = await importTypeScript('core/schema/ajvKeywords.ts');
  const prepare = (ajv) => {
    reportInnerErrors({ ajv, _ });
    compareStrings(ajv);
    stopAtManyErrors(ajv);
    return ajv;
  };
  const kinds = prepare(new Ajv(options));
  for (const schema of schemas.values()) kinds.addSchema(copyOf(schema));
  const names = Object.fromEntries(checked.map((name) => [name, `agent-stack:${name}.schema.json`]));
  const draft07 = prepare(withMetaSchemas(Ajv));
  const draft2020 = prepare(withMetaSchemas(Ajv2020));
  const patterns = JSON.stringify(Object.fromEntries(patternMessages([...schemas.values()])));
  const code = await bundle({
    kinds: standalone.default(kinds, names),
    draft07: standalone.default(draft07, { draft07: draft07Id }),
    draft2020: standalone.default(draft2020, { draft2020: draft2020Id }),
    patterns: `export const patternMessages = /* @__PURE__ */ new Map(Object.entries(${patterns}));`,
  });
  return { code, declarations: declarationsOf([...checked, 'draft07', 'draft2020']) };
}

/** Bundles several generated modules, whose names clash, into one. ajv's `require` of its own helpers is not supported. */
async function bundle(modules) {
  const { outputFiles } = await build({
    stdin: {
      contents: Object.keys(modules)
        .map((name) => `export * from 'module:${name}';`)
        .join(''),
    },
    plugins: [
      {
        name: 'modules',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /^module:/ }, ({ path }) => ({ path: path.slice('module:'.length), namespace: 'module' }));
          onResolve({ filter: /^ajv\// }, ({ path }) => ({
            errors: [{ text: `A validator needs ${path}, a helper of ajv: say the same with other keywords.` }],
          }));
          onLoad({ filter: /.*/, namespace: 'module' }, ({ path }) => ({ contents: modules[path] }));
        },
      },
    ],
    bundle: true,
    format: 'esm',
    banner: { js: banner },
    minifyIdentifiers: true,
    minifySyntax: true,
    write: false,
  });
  return outputFiles[0].text;
}

/** The build uses the very code that runs later; Node 20 reads no TypeScript. */
async function importTypeScript(file) {
  const [{ text }] = buildSync({ entryPoints: [join(root, file)], bundle: true, format: 'esm', write: false }).outputFiles;
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}

/** ajv's own meta-schemas, copied. Draft-07 says that the values of an `enum` SHOULD be unique; ajv's meta-schema demands it. */
function withMetaSchemas(Dialect) {
  const ajv = new Dialect({ ...options, meta: false, validateSchema: false });
  for (const { schema } of Object.values(new Dialect(options).schemas)) {
    const meta = copyOf(schema);
    if (schema.$id.startsWith(draft07Id)) delete meta.properties.enum.uniqueItems;
    ajv.addSchema(meta);
  }
  return ajv;
}

/** In what is applied to each item or field: the loop ends once so many errors are found. */
const stopKeyword = 'stop';

function stopAtManyErrors(ajv) {
  const code = ({ gen }) => gen.if(_`errors >= ${mostErrors}`, () => gen.break());
  ajv.addKeyword({ keyword: stopKeyword, before: '$ref', code });
}

/**
 * ajv compares all items with all others, in quadratic time. Lists that must be unique hold strings wherever our schemas and the meta-schemas
 * ask for it, so a set will do.
 */
function compareStrings(ajv) {
  const definition = ajv.getKeyword('uniqueItems');
  definition.error = { message: 'must hold each item once' };
  definition.code = (cxt) => {
    if (cxt.schema) cxt.fail(_`new Set(${cxt.data}).size < ${cxt.data}.length`);
  };
}

const annotations = new Set(['title', 'description', 'default', 'examples', 'contentMediaType', 'mergedByKey', 'patternErrorMessage']);
const maps = new Set(['properties', 'patternProperties', 'definitions', '$defs', 'dependencies']);
const loops = new Set(['items', 'additionalItems', 'additionalProperties', 'patternProperties', 'propertyNames']);

/** The schema without what says nothing of the values it allows, and with `stop` in what may be applied to many. Names in a map are no keywords. */
function copyOf(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(copyOf);
  const copy = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (annotations.has(keyword)) continue;
    const held = loops.has(keyword) ? stopping : copyOf;
    copy[keyword] = maps.has(keyword) ? Object.fromEntries(Object.entries(value).map(([name, sub]) => [name, held(sub)])) : held(value);
  }
  return copy;
}

function stopping(schema) {
  const isJudging = typeof schema === 'object' && !Array.isArray(schema) && Object.keys(schema).length > 0;
  return isJudging ? { [stopKeyword]: true, ...copyOf(schema) } : copyOf(schema);
}

/** What a value must be that a pattern refuses, by pattern: `must be a name ...`. */
function patternMessages(schema) {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern, patternErrorMessage: message } = schema;
  const own = typeof message === 'string' ? [[pattern, message[0].toLowerCase() + message.slice(1)]] : [];
  return [...own, ...Object.values(schema).flatMap(patternMessages)];
}

function declarationsOf(names) {
  return `${banner}
export interface AjvError {
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
