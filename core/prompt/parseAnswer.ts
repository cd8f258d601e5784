import { AgentPromptValidationError, type Issue } from '../errors.js';
import { type Json, type JsonObject, pointerOf } from '../json.js';
import type { ValueCheck } from '../schema/schemaCompiler.js';
import { type FoundObject, findObjects } from './findObjects.js';
import { issueSentence } from './payloadCheck.js';
import { readRawAnswer } from './rawAnswer.js';
import type { ParsedOutput, Repair } from './types.js';

export interface AnswerContract {
  /** The compiled output schema. */
  readonly check: ValueCheck;
  /** Values for fields that the answer lacks, filled in before the check. */
  readonly defaults: JsonObject;
  /** Whether the schema has a field of this name. */
  readonly isField: (name: string) => boolean;
}

/** Number of issues quoted in the error's message; all of them are in its `issues`. */
const quotedIssues = 3;

/**
 * The checked output of a model's answer. Of several objects, the one that fits the schema is used (of several that fit, the one
 * that gives most fields itself, then the first); if none fits, the error is about the first complete one. Values are never
 * changed: every repair of syntax, and each default, is in `repairs`.
 * @throws AgentPromptValidationError and no other error, whatever `raw` is
 */
export function parseAnswer(raw: unknown, contract: AnswerContract): ParsedOutput {
  const answer = readRawAnswer(raw, contract.isField);
  if (answer.type === 'none') throw refuse([answer.issue], raw);
  if (answer.type === 'object') {
    const { output, issues, repairs } = judge(answer.value, contract);
    if (issues.length > 0) throw refuse(issues, raw);
    return { output, repairs };
  }

  const { text, cut } = answer;
  const { objects, hasArray } = findObjects(text, cut);
  const judged = objects.flatMap((candidate) => (candidate.value ? [{ candidate, ...judge(candidate.value, contract) }] : []));
  const fitting = judged.filter(({ candidate, issues }) => candidate.issues.length === 0 && issues.length === 0);
  const [first] = fitting;
  if (!first) {
    const [whole] = judged;
    if (whole) throw refuse([...whole.candidate.issues, ...whole.issues], text);
    throw refuse(objects[0]?.issues ?? [describeNothing(text, hasArray)], text);
  }
  const best = fitting.reduce((left, right) => (right.fieldCount > left.fieldCount ? right : left), first);
  return {
    output: best.output,
    repairs: [...surroundings(text, best.candidate, objects.length), ...best.candidate.repairs.list(), ...best.repairs],
  };
}

interface Judged {
  readonly output: JsonObject;
  readonly issues: readonly Issue[];
  readonly repairs: readonly Repair[];
  /** How many fields of the schema are in the answer itself. */
  readonly fieldCount: number;
}

function judge(value: JsonObject, { check, defaults, isField }: AnswerContract): Judged {
  const missing = Object.keys(defaults).filter((name) => !Object.hasOwn(value, name));
  const output = missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing.map((name) => [name, copy(defaults[name])])) };
  const repairs = missing.map((name): Repair => {
    const message = `${name} was missing and took its default ${JSON.stringify(defaults[name])}.`;
    return { kind: 'default', path: pointerOf(name), message };
  });
  return { output, issues: check(output), repairs, fieldCount: Object.keys(value).filter(isField).length };
}

/** The caller may change its output, but not the config's own lists and objects. */
function copy(value: Json | undefined): Json {
  return typeof value === 'object' ? structuredClone(value) : (value ?? null);
}

function surroundings(text: string, { start, end }: FoundObject, objects: number): readonly Repair[] {
  const repairs: Repair[] = [];
  let before = text.slice(0, start).trim();
  let after = text.slice(end).trim();
  const lastLine = before.slice(before.lastIndexOf('\n') + 1).trim();
  if (/^(?:`{3,}|~{3,}) ?[\w+.-]*$/.test(lastLine)) {
    repairs.push({ kind: 'fence', message: 'Took the object out of a code fence.' });
    before = before.slice(0, before.lastIndexOf('\n') + 1).trim();
    after = after.replace(/^(?:`{3,}|~{3,})/, '').trim();
  }
  if (objects > 1) repairs.push({ kind: 'prose', message: `Took the object at character ${start + 1}, one of ${objects} in the answer.` });
  if (before !== '') repairs.push({ kind: 'prose', message: `Left out ${count(before.length)} before the object.` });
  if (after !== '') repairs.push({ kind: 'prose', message: `Left out ${count(after.length)} after the object.` });
  return repairs;
}

function count(units: number): string {
  return units === 1 ? '1 character' : `${units} characters`;
}

function describeNothing(text: string, hasArray: boolean): Issue {
  if (text.trim() === '') return { path: '', keyword: 'syntax', message: 'The answer is empty; one JSON object was expected.' };
  if (hasArray) return { path: '', keyword: 'type', message: 'The answer is an array; one JSON object was expected.' };
  return { path: '', keyword: 'syntax', message: 'The answer holds no JSON object.' };
}

function refuse(issues: readonly Issue[], raw: unknown): AgentPromptValidationError {
  const quoted = issues.slice(0, quotedIssues).map((issue) => issueSentence(issue, 'The answer'));
  const more = issues.length > quotedIssues ? ` (${issues.length - quotedIssues} more.)` : '';
  return new AgentPromptValidationError(`The answer does not fit the output schema. ${quoted.join(' ')}${more}`, issues, toText(raw));
}

function toText(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  try {
    return JSON.stringify(raw) ?? String(raw);
  } catch {
    // Cyclic, a bigint, or a getter that throws: the issues already report it.
    return '(not JSON)';
  }
}
