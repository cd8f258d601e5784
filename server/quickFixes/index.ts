import { cachePrefixBroken } from './cachePrefixBroken.js';
import { caseDuplicate } from './caseDuplicate.js';
import { conditionFieldUnknown } from './conditionFieldUnknown.js';
import { conditionOperatorType } from './conditionOperatorType.js';
import { conditionValueImpossible } from './conditionValueImpossible.js';
import { contextFieldUnknown } from './contextFieldUnknown.js';
import { defaultFitsSchema } from './defaultFitsSchema.js';
import { defaultUnknownField } from './defaultUnknownField.js';
import { deprecatedModel } from './deprecatedModel.js';
import { duplicateKey } from './duplicateKey.js';
import { effectiveConfigIncomplete } from './effectiveConfigIncomplete.js';
import { emptyText } from './emptyText.js';
import { entryTeamUnknown } from './entryTeamUnknown.js';
import { enumCaseCollision } from './enumCaseCollision.js';
import { enumDuplicateValue } from './enumDuplicateValue.js';
import { enumEmpty } from './enumEmpty.js';
import { enumMissing } from './enumMissing.js';
import { enumsMatchSchema } from './enumsMatchSchema.js';
import { envUnset } from './envUnset.js';
import { expectationImpossible } from './expectationImpossible.js';
import { expectationUnknown } from './expectationUnknown.js';
import { foreignName } from './foreignName.js';
import { inputInvalid } from './inputInvalid.js';
import { inputKeyUnused } from './inputKeyUnused.js';
import { invisibleCharacters } from './invisibleCharacters.js';
import { jsonComment } from './jsonComment.js';
import { jsonSyntax } from './jsonSyntax.js';
import { legacyAgentClass } from './legacyAgentClass.js';
import { limitInvalid } from './limitInvalid.js';
import { maxOutputExceedsModel } from './maxOutputExceedsModel.js';
import { mcpServerInvalid } from './mcpServerInvalid.js';
import { mcpToolDrift } from './mcpToolDrift.js';
import { mcpTypeMissing } from './mcpTypeMissing.js';
import { misplacedProperty } from './misplacedProperty.js';
import { nameMatchesPath } from './nameMatchesPath.js';
import { nextTeamUnknown } from './nextTeamUnknown.js';
import { outputSchemaInvalid } from './outputSchemaInvalid.js';
import { personaNested } from './personaNested.js';
import { placeholderInvalid } from './placeholderInvalid.js';
import { promptVariableUnknown } from './promptVariableUnknown.js';
import type { QuickFix } from './quickFix.js';
import { removeVerdict } from './removeVerdict.js';
import { requiredUndefined } from './requiredUndefined.js';
import { routingNotExhaustive } from './routingNotExhaustive.js';
import { routingShadowed } from './routingShadowed.js';
import { schema } from './schema.js';
import { schemaChangedInPlace } from './schemaChangedInPlace.js';
import { schemaKeywordUnknown } from './schemaKeywordUnknown.js';
import { schemaPortability } from './schemaPortability.js';
import { secretInPlainText } from './secretInPlainText.js';
import { skillDiffers } from './skillDiffers.js';
import { taskUnknown } from './taskUnknown.js';
import { temperatureUnsupported } from './temperatureUnsupported.js';
import { toolChoiceConflict } from './toolChoiceConflict.js';
import { trailingComma } from './trailingComma.js';
import { unknownAgent } from './unknownAgent.js';
import { unknownAgentVersion } from './unknownAgentVersion.js';
import { unknownEnvironment } from './unknownEnvironment.js';
import { unknownLlm } from './unknownLlm.js';
import { unknownMcpServer } from './unknownMcpServer.js';
import { unknownModel } from './unknownModel.js';
import { unknownPersona } from './unknownPersona.js';
import { unknownPrompt } from './unknownPrompt.js';
import { unknownProperty } from './unknownProperty.js';
import { unknownProvider } from './unknownProvider.js';
import { unknownSkill } from './unknownSkill.js';
import { unknownTool } from './unknownTool.js';
import { unusedMcpServer } from './unusedMcpServer.js';
import { versionMatchesPath } from './versionMatchesPath.js';

/** Every quick fix there is, in the order of the rules. A new one is one new file and one line here. */
export const quickFixes: readonly QuickFix[] = [
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
  enumsMatchSchema,
  enumMissing,
  enumDuplicateValue,
  enumEmpty,
  enumCaseCollision,
  requiredUndefined,
  defaultFitsSchema,
  defaultUnknownField,
  schemaKeywordUnknown,
  outputSchemaInvalid,
  schemaChangedInPlace,
  schemaPortability,
  temperatureUnsupported,
  maxOutputExceedsModel,
  cachePrefixBroken,
  deprecatedModel,
  unknownModel,
  unknownProvider,
  unknownEnvironment,
  unknownLlm,
  unknownAgent,
  unknownAgentVersion,
  unknownMcpServer,
  unknownSkill,
  unknownTool,
  skillDiffers,
  mcpToolDrift,
  toolChoiceConflict,
  mcpServerInvalid,
  mcpTypeMissing,
  unusedMcpServer,
  invisibleCharacters,
  emptyText,
  secretInPlainText,
  envUnset,
  placeholderInvalid,
  unknownPersona,
  personaNested,
  unknownPrompt,
  promptVariableUnknown,
  inputKeyUnused,
  inputInvalid,
  removeVerdict('baseline-invalid'),
  removeVerdict('baseline-stale'),
  expectationUnknown,
  expectationImpossible,
  caseDuplicate,
  legacyAgentClass,
  effectiveConfigIncomplete,
  entryTeamUnknown,
  nextTeamUnknown,
  taskUnknown,
  routingShadowed,
  routingNotExhaustive,
  conditionFieldUnknown,
  conditionValueImpossible,
  conditionOperatorType,
  contextFieldUnknown,
  limitInvalid,
];
