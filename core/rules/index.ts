import { chooserNeedsEnums } from './chooserNeedsEnums.js';
import { contextWindowExceeded } from './contextWindowExceeded.js';
import { defaultFitsSchema } from './defaultFitsSchema.js';
import { defaultUnknownField } from './defaultUnknownField.js';
import { deprecatedModel } from './deprecatedModel.js';
import { duplicateIdentity } from './duplicateIdentity.js';
import { duplicateKey } from './duplicateKey.js';
import { effectiveConfigIncomplete } from './effectiveConfigIncomplete.js';
import { enumCaseCollision } from './enumCaseCollision.js';
import { enumDuplicateValue } from './enumDuplicateValue.js';
import { enumEmpty } from './enumEmpty.js';
import { enumMissing } from './enumMissing.js';
import { enumsMatchSchema } from './enumsMatchSchema.js';
import { envUnset } from './envUnset.js';
import { fewShotFitsSchema } from './fewShotFitsSchema.js';
import { foreignName } from './foreignName.js';
import { invisibleCharacters } from './invisibleCharacters.js';
import { jsonComment } from './jsonComment.js';
import { jsonSyntax } from './jsonSyntax.js';
import { limitInvalid } from './limitInvalid.js';
import { maxOutputExceedsModel } from './maxOutputExceedsModel.js';
import { misplacedProperty } from './misplacedProperty.js';
import { nameMatchesPath } from './nameMatchesPath.js';
import { outputSchemaInvalid } from './outputSchemaInvalid.js';
import { patternUnsupported } from './patternUnsupported.js';
import { promptDebris } from './promptDebris.js';
import { promptVariableUnknown } from './promptVariableUnknown.js';
import { requiredUndefined } from './requiredUndefined.js';
import type { Rule } from './rule.js';
import { schema } from './schema.js';
import { schemaChangedInPlace } from './schemaChangedInPlace.js';
import { schemaPortability } from './schemaPortability.js';
import { secretInPlainText } from './secretInPlainText.js';
import { temperatureUnsupported } from './temperatureUnsupported.js';
import { trailingComma } from './trailingComma.js';
import { unknownLlm } from './unknownLlm.js';
import { unknownModel } from './unknownModel.js';
import { unknownPersona } from './unknownPersona.js';
import { unknownPrompt } from './unknownPrompt.js';
import { unknownProperty } from './unknownProperty.js';
import { unusedLlm } from './unusedLlm.js';
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
  defaultFitsSchema,
  defaultUnknownField,
  outputSchemaInvalid,
  schemaChangedInPlace,
  schemaPortability,
  temperatureUnsupported,
  maxOutputExceedsModel,
  contextWindowExceeded,
  deprecatedModel,
  unknownModel,
  unknownLlm,
  unusedLlm,
  promptDebris,
  invisibleCharacters,
  secretInPlainText,
  envUnset,
  patternUnsupported,
  unknownPersona,
  unknownPrompt,
  promptVariableUnknown,
  fewShotFitsSchema,
  limitInvalid,
  effectiveConfigIncomplete,
];
