import { orchestrationInputs } from '../config/orchestrationParts.js';
import { isObject, type Json } from '../json.js';
import { keyOf, schemaType } from '../schema/schemaType.js';
import { type FrozenOrchestration, instanceOf } from '../snapshot/snapshotValue.js';
import type { LoadedOrchestration } from './loadOrchestration.js';

/** The types of an orchestration as a member of `ProjectOrchestrations`: its input, based on its own context, and the output of each task. */
export function orchestrationTypes(name: string, { orchestration }: LoadedOrchestration): string {
  const { frozen, agents } = orchestration;
  const teams = Object.entries(frozen.teams).map(([team, { tasks }]) => {
    const outcomes = tasks.map((task) => {
      const schema = agents.get(instanceOf(team, task.name))?.resolved.config.output_schema;
      const output = schema === undefined ? 'Json' : schemaType(schema, '            ');
      return `            readonly ${keyOf(task.name)}?: TaskOutcome<${output}>;\n`;
    });
    const fields = `          readonly team: ${JSON.stringify(team)};\n          readonly tasks: {\n${outcomes.join('')}          };\n`;
    return `\n        | {\n${fields}        }`;
  });
  const output = `{\n        readonly teams: readonly (${teams.join('')}\n        )[];\n        readonly context: JsonObject;\n      }`;
  return `    ${keyOf(name)}: {\n      readonly input: ${inputType(frozen)};\n      readonly output: ${output};\n    };`;
}

/** The input is merged over the context: it may omit existing keys, remove them with null, and add others. */
function inputType(frozen: FrozenOrchestration): string {
  const keys = orchestrationInputs(frozen).map(
    ({ name, schema, fallback, isRequired }) => `readonly ${keyOf(name)}${isRequired ? '' : '?'}: ${typeOf(schema, fallback)}`,
  );
  return keys.length === 0 ? 'object' : `Open<{ ${keys.join('; ')} }>`;
}

function typeOf(schema: Json | undefined, fallback: Json | undefined): string {
  if (isObject(schema)) return `${schemaType(schema, '      ')}${fallback === undefined ? '' : ' | null'}`;
  return plainTypes.has(typeof fallback) ? `${typeof fallback} | null` : 'unknown';
}

const plainTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
