import type { ConfigFile } from '../../config/configFile.js';
import type { JsonObject } from '../../json.js';
import { OutputContract } from '../../schema/outputContract.js';
import type { RuleContext } from '../rule.js';
import { forLastFile } from './forLastFile.js';

const contracts = forLastFile(() => new Map<JsonObject, OutputContract>());

/** What a schema of a file means, or of one of its layers: read once for all rules that check the file. */
export function contractOf(schema: JsonObject, file: ConfigFile, context: RuleContext): OutputContract {
  const known = contracts(file, context);
  const contract = known.get(schema) ?? new OutputContract(schema);
  known.set(schema, contract);
  return contract;
}
