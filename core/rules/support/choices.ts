import { type Choices, filterChoices, type OutputContract, type SchemaPlace } from '../../schema/outputContract.js';

/** The strings that an output field may be. */
export interface TextChoices extends Choices {
  readonly values: readonly string[];
}

/** The strings among the values that a field is chosen from; undefined where it is chosen from other values, or from none. */
export function findChoices(contract: OutputContract, field: SchemaPlace): TextChoices | undefined {
  const choices = contract.choices(field);
  const texts = choices && filterChoices(choices, (value) => typeof value === 'string');
  return texts === undefined || texts.values.length === 0 ? undefined : (texts as TextChoices);
}
