import { promptTexts } from '../generated/fields.js';
import { isObject, type JsonObject, listOf, pointerOf } from '../json.js';
import { fragmentsIn } from './facts/agentFragments.js';
import type { Report, Rule } from './rule.js';

/** A text for a model that is empty or blank. */
export const emptyText: Rule = {
  code: 'empty-text',
  severity: 'warning',
  kinds: ['agent', 'persona', 'system', 'orchestration', 'llm', 'prompt'],
  on: 'value',
  check(file, _context, report) {
    const { identity, value } = file;
    if (!isObject(value)) return;
    if (identity.kind === 'llm' || identity.kind === 'prompt') return checkFields(value, '', report);
    for (const fragment of fragmentsIn(file)) checkFragment(fragment.value, fragment.pointer, report);
  },
};

function checkFields(value: JsonObject, at: string, report: Report): void {
  for (const field of promptTexts) {
    const text = Object.hasOwn(value, field) ? value[field] : undefined;
    if (typeof text === 'string' && text.trim() === '') reportEmpty(at + pointerOf(field), field, report);
  }
}

function checkFragment(value: JsonObject, at: string, report: Report): void {
  checkFields(value, at, report);
  const plan = isObject(value.execution_plan) ? value.execution_plan : {};
  for (const [index, step] of listOf(plan.steps).entries()) {
    if (isObject(step) && typeof step.llm === 'string' && step.llm.trim() === '')
      reportEmpty(`${at}/execution_plan/steps/${index}/llm`, 'llm', report);
  }
}

function reportEmpty(pointer: string, field: string, report: Report): void {
  report({ pointer, message: `${field} is empty, so the model gets nothing. Write it, or remove it.` });
}
