import { isObject, type Json } from '../json.js';
import { keyOf, schemaType } from '../schema/schemaType.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
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
  return `    ${keyOf(name)}: {\n      readonly input: ${inputType(frozen.context)};\n      readonly output: ${output};\n    };`;
}

/** The input is merged over the context: it may omit existing keys, remove them with null, and add others. */
function inputType(context: Json): string {
  const entries = isObject(context) ? Object.entries(context) : [];
  const keys = entries.map(
    ([key, value]) => `readonly ${keyOf(key)}?: ${plainTypes.has(typeof value) ? `${typeof value} | null` : 'unknown'}`,
  );
  return keys.length === 0 ? 'object' : `Open<{ ${keys.join('; ')} }>`;
}

const plainTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
