/** From the names of `operator` in the schema of definitions: the list of operators, each in the file that is named like it. */
export function operatorsOf(schemas) {
  const names = schemas.get('definitions').definitions.operator.enum.map(constantOf);
  return `// Made by scripts/generate.mjs from schemas/definitions.schema.json. Add the operator there, not here.
${names.map((name) => `import { ${name} } from '../routing/operators/${name}.js';`).join('\n')}
import type { Operator } from '../routing/operators/operator.js';

/** Every operator, in the order of the schema. */
export const operators: readonly Operator[] = [
${names.map((name) => `  ${name},`).join('\n')}
];
`;
}

/** `in` is a word of the language. */
function constantOf(name) {
  return name === 'in' ? 'isIn' : name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}
