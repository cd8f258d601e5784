import { chooserNeedsEnums } from './chooserNeedsEnums.js';
import { duplicateIdentity } from './duplicateIdentity.js';
import { duplicateKey } from './duplicateKey.js';
import { enumCaseCollision } from './enumCaseCollision.js';
import { enumDuplicateValue } from './enumDuplicateValue.js';
import { enumEmpty } from './enumEmpty.js';
import { enumMissing } from './enumMissing.js';
import { enumsMatchSchema } from './enumsMatchSchema.js';
import { foreignName } from './foreignName.js';
import { jsonComment } from './jsonComment.js';
import { jsonSyntax } from './jsonSyntax.js';
import { misplacedProperty } from './misplacedProperty.js';
import { nameMatchesPath } from './nameMatchesPath.js';
import { outputSchemaInvalid } from './outputSchemaInvalid.js';
import { requiredUndefined } from './requiredUndefined.js';
import type { Rule } from './rule.js';
import { schema } from './schema.js';
import { schemaChangedInPlace } from './schemaChangedInPlace.js';
import { schemaPortability } from './schemaPortability.js';
import { trailingComma } from './trailingComma.js';
import { unknownProperty } from './unknownProperty.js';
import { versionMatchesPath } from './versionMatchesPath.js';

/** Every rule there is, in the order of RULES.md. A new rule is one new file and one line here. */
export const rules: readonly Rule[] = [
  jsonSyntax,
  jsonComment,
  trailingComma,
  duplicateKey,
  schema,
  unknownProperty,
  foreignName,
  misplacedProperty,
  nameMatchesPath,
  versionMatchesPath,
  duplicateIdentity,
  enumsMatchSchema,
  enumMissing,
  enumDuplicateValue,
  enumEmpty,
  enumCaseCollision,
  chooserNeedsEnums,
  requiredUndefined,
  outputSchemaInvalid,
  schemaChangedInPlace,
  schemaPortability,
];
