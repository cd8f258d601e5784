import {
  conditionFieldUnknown,
  conditionOperatorType,
  conditionValueImpossible,
  contextFieldUnknown,
  patternUnsupported,
  routingShadowed,
} from './conditions.js';
import { enumCaseCollision, enumDuplicateValue, enumEmpty, enumMissing, enumsMatchSchema } from './enums.js';
import { caseDuplicate, expectationImpossible, expectationUnknown, inputInvalid, removeVerdict } from './expectations.js';
import { foreignName } from './foreignName.js';
import { nameMatchesPath, versionMatchesPath } from './identities.js';
import { limitInvalid, misplacedProperty, personaNested, unknownProperty } from './keys.js';
import { mcpServerInvalid, mcpToolDrift, mcpTypeMissing, unknownMcpServer, unusedMcpServer } from './mcpServers.js';
import { deprecatedModel, maxOutputExceedsModel, temperatureUnsupported, unknownModel } from './models.js';
import {
  defaultFitsSchema,
  defaultUnknownField,
  outputSchemaInvalid,
  requiredUndefined,
  schemaKeywordUnknown,
  schemaPortability,
  schemaUnsatisfiable,
} from './outputSchemas.js';
import { placeholderInvalid } from './placeholderInvalid.js';
import { flowForbidden, toolUnlabelled } from './policies.js';
import { cachePrefixBroken, emptyText, inputKeyUnused, invisibleCharacters, promptVariableUnknown } from './prompts.js';
import type { QuickFix } from './quickFix.js';
import { policyUnknown, unknownAgent, unknownAgentVersion, unknownLlm, unknownPersona, unknownPrompt } from './references.js';
import { schema } from './schema.js';
import { schemaChangedInPlace } from './schemaChangedInPlace.js';
import { secretInPlainText } from './secretInPlainText.js';
import {
  effectiveConfigIncomplete,
  envUnset,
  layerWithoutEffect,
  modelNotChosen,
  unknownEnvironment,
  unknownProvider,
} from './settings.js';
import { duplicateKey, jsonComment, jsonSyntax, trailingComma } from './syntax.js';
import { entryTeamUnknown, legacyAgentClass, nextTeamUnknown, routingNotExhaustive, taskUnknown } from './teams.js';
import { skillDiffers, toolChoiceConflict, unknownSkill, unknownTool } from './tools.js';

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
  schemaUnsatisfiable,
  schemaChangedInPlace,
  schemaPortability,
  temperatureUnsupported,
  maxOutputExceedsModel,
  cachePrefixBroken,
  deprecatedModel,
  unknownModel,
  modelNotChosen,
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
  patternUnsupported,
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
  policyUnknown,
  flowForbidden,
  toolUnlabelled,
  layerWithoutEffect,
];
