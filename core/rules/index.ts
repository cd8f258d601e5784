import { baselineInvalid } from './baselineInvalid.js';
import { baselineStale } from './baselineStale.js';
import { cachePrefixBroken } from './cachePrefixBroken.js';
import { caseDuplicate } from './caseDuplicate.js';
import { chooserNeedsEnums } from './chooserNeedsEnums.js';
import { conditionFieldUnknown } from './conditionFieldUnknown.js';
import { conditionOperatorType } from './conditionOperatorType.js';
import { conditionValueImpossible } from './conditionValueImpossible.js';
import { contextFieldUnknown } from './contextFieldUnknown.js';
import { contextWindowExceeded } from './contextWindowExceeded.js';
import { costAboveBudget } from './costAboveBudget.js';
import { defaultFitsSchema } from './defaultFitsSchema.js';
import { defaultUnknownField } from './defaultUnknownField.js';
import { deprecatedModel } from './deprecatedModel.js';
import { duplicateIdentity } from './duplicateIdentity.js';
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
import { fewShotFitsSchema } from './fewShotFitsSchema.js';
import { foreignFile } from './foreignFile.js';
import { foreignName } from './foreignName.js';
import { inputInvalid } from './inputInvalid.js';
import { inputKeyUnused } from './inputKeyUnused.js';
import { invisibleCharacters } from './invisibleCharacters.js';
import { jsonComment } from './jsonComment.js';
import { jsonSyntax } from './jsonSyntax.js';
import { judgeUnfit } from './judgeUnfit.js';
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
import { patternUnsupported } from './patternUnsupported.js';
import { personaNested } from './personaNested.js';
import { placeholderInvalid } from './placeholderInvalid.js';
import { promptDebris } from './promptDebris.js';
import { promptVariableUnknown } from './promptVariableUnknown.js';
import { requiredUndefined } from './requiredUndefined.js';
import { routingCycle } from './routingCycle.js';
import { routingNotExhaustive } from './routingNotExhaustive.js';
import { routingShadowed } from './routingShadowed.js';
import type { Rule } from './rule.js';
import { schema } from './schema.js';
import { schemaChangedInPlace } from './schemaChangedInPlace.js';
import { schemaKeywordUnknown } from './schemaKeywordUnknown.js';
import { schemaPortability } from './schemaPortability.js';
import { secretInPlainText } from './secretInPlainText.js';
import { skillDiffers } from './skillDiffers.js';
import { taskUnknown } from './taskUnknown.js';
import { temperatureUnsupported } from './temperatureUnsupported.js';
import { toolChoiceConflict } from './toolChoiceConflict.js';
import { toolsModule } from './toolsModule.js';
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
import { unreachableTeam } from './unreachableTeam.js';
import { unusedLlm } from './unusedLlm.js';
import { unusedMcpServer } from './unusedMcpServer.js';
import { unusedPersona } from './unusedPersona.js';
import { unusedTeam } from './unusedTeam.js';
import { versionMatchesPath } from './versionMatchesPath.js';

/** Every rule there is, in the order of RULES.md. A new rule is one new file and one line here. */
export const rules: readonly Rule[] = [
  jsonSyntax,
  jsonComment,
  trailingComma,
  duplicateKey,
  schema,
  unknownProperty,
  foreignFile,
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
  schemaKeywordUnknown,
  outputSchemaInvalid,
  schemaChangedInPlace,
  schemaPortability,
  temperatureUnsupported,
  maxOutputExceedsModel,
  contextWindowExceeded,
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
  toolsModule,
  mcpToolDrift,
  toolChoiceConflict,
  mcpServerInvalid,
  mcpTypeMissing,
  unusedLlm,
  unusedPersona,
  unusedMcpServer,
  unusedTeam,
  promptDebris,
  invisibleCharacters,
  emptyText,
  secretInPlainText,
  envUnset,
  placeholderInvalid,
  patternUnsupported,
  unknownPersona,
  personaNested,
  unknownPrompt,
  promptVariableUnknown,
  inputKeyUnused,
  inputInvalid,
  baselineInvalid,
  baselineStale,
  fewShotFitsSchema,
  expectationUnknown,
  expectationImpossible,
  caseDuplicate,
  judgeUnfit,
  legacyAgentClass,
  entryTeamUnknown,
  nextTeamUnknown,
  taskUnknown,
  unreachableTeam,
  routingShadowed,
  routingNotExhaustive,
  routingCycle,
  conditionFieldUnknown,
  conditionValueImpossible,
  conditionOperatorType,
  contextFieldUnknown,
  limitInvalid,
  costAboveBudget,
  effectiveConfigIncomplete,
];
