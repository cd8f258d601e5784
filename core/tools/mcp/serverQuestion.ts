import { isObject, type Json, type JsonObject, listOf } from '../../json.js';

/** What an MCP server asks the user during a call: a form of a few values (elicitation). Its words are not trusted. */
export interface ServerQuestion {
  readonly client_id: string;
  /** Why it asks, in its own words. */
  readonly message: string;
  /** At least one. */
  readonly fields: readonly QuestionField[];
  /** Aborts when the call is no longer waited for. */
  readonly signal: AbortSignal;
}

export interface QuestionField {
  readonly name: string;
  /** What to call it. Default: its name. */
  readonly title: string;
  readonly description?: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  /** The values to choose from, if there are only these. */
  readonly options?: readonly { readonly value: string; readonly title: string }[];
  readonly required: boolean;
  readonly default?: string | number | boolean;
}

/** Asks the user. `decline`: they do not want to say. `cancel`: they left without an answer. */
export type AnswerServer = (question: ServerQuestion) => Promise<JsonObject | 'decline' | 'cancel'>;

/** Most fields of a form, and the most characters of one of its texts. */
const mostFields = 20;
const longest = 1000;

/** The fields of a form; undefined for one that cannot be shown, such as one with lists. */
export function questionFields(schema: Json | undefined): readonly QuestionField[] | undefined {
  const properties = isObject(schema) && isObject(schema.properties) ? Object.entries(schema.properties) : [];
  if (properties.length === 0 || properties.length > mostFields) return undefined;
  const required = new Set(isObject(schema) ? listOf(schema.required) : []);
  const fields = properties.map(([name, field]) => (isObject(field) ? toField(name, field, required.has(name)) : undefined));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function toField(name: string, field: JsonObject, required: boolean): QuestionField | undefined {
  const { type, title, description, default: first } = field;
  if (type !== 'string' && type !== 'number' && type !== 'integer' && type !== 'boolean') return undefined;
  const options = optionsOf(field);
  return {
    name,
    title: typeof title === 'string' ? title.slice(0, longest) : name,
    ...(typeof description === 'string' && { description: description.slice(0, longest) }),
    type,
    ...(options && { options }),
    required,
    ...(['string', 'number', 'boolean'].includes(typeof first) && { default: first as string | number | boolean }),
  };
}

function optionsOf({ enum: values, enumNames, oneOf }: JsonObject): QuestionField['options'] {
  if (Array.isArray(values)) {
    const titles = listOf(enumNames);
    return values.map((value, index) => ({ value: String(value), title: String(titles[index] ?? value) }));
  }
  if (!Array.isArray(oneOf)) return undefined;
  return oneOf.filter(isObject).map(({ const: value, title }) => ({ value: String(value), title: String(title ?? value) }));
}

/** The value that a user has typed for a field, or undefined if it is none of its type. */
export function typedValue({ type, options }: QuestionField, text: string): Json | undefined {
  if (options !== undefined && !options.some(({ value }) => value === text)) return undefined;
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? number : undefined;
}
