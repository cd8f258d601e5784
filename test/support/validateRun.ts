import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';

// Compiled here from the published schemas with plain ajv, so that nothing of ours stands between what is printed and its schema.
const schemas = join(import.meta.dirname, '../../schemas');
const read = (name: string) => JSON.parse(readFileSync(join(schemas, `${name}.schema.json`), 'utf8'));
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
const schemaNames = [
  'definitions',
  'behaviour-diff',
  'result',
  'event',
  'eval-report',
  'fork-report',
  'migration',
  'model-report',
  'permits',
];
for (const name of schemaNames) ajv.addSchema(read(name), name);

function validator(name: string) {
  const validate = ajv.getSchema(name)!;
  // Through JSON, as every reader outside gets it.
  return (value: unknown): string[] => {
    if (validate(JSON.parse(JSON.stringify(value)))) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

export const validateResult = validator('result');
export const validateEvent = validator('event');
export const validateEvalReport = validator('eval-report');
export const validateForkReport = validator('fork-report');
export const validateMigration = validator('migration');
export const validateModelReport = validator('model-report');
export const validateBehaviourDiff = validator('behaviour-diff');
export const validatePermits = validator('permits');
