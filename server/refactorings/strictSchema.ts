import { CodeActionKind } from 'vscode-languageserver';
import { isObject } from '../../core/json.js';
import { editTowards } from '../../core/jsonText/editTowards.js';
import { findStrictViolations } from '../../core/prompt/strictSchema.js';
import { editJson } from '../edits/fileChange.js';
import { toStrictForm } from '../edits/strictForm.js';
import type { Refactoring } from './refactoring.js';

/** Rewrites the output schema in the form that strict modes accept, for any provider. */
export const strictSchema: Refactoring = {
  name: 'strict-schema',
  kind: CodeActionKind.RefactorRewrite,
  propose(context) {
    const { project, file, value, fields } = context;
    const { output_schema: schema } = value;
    if (!isObject(schema) || !fields.includes('output_schema')) return [];
    const violations = findStrictViolations(schema);
    const form = violations.length === 0 ? undefined : toStrictForm(schema);
    if (form === undefined || form.left.length >= violations.length) return [];
    const costs = form.dropped.length > 0 ? `, without ${form.dropped.join(', ')}` : '';
    const limits = form.left.length > 0 ? `, as far as possible` : '';
    return [
      {
        title: `Make the output schema strict${limits}${costs}`,
        changes: () => editJson(project, file.path, (edit) => editTowards(edit, '/output_schema', schema, form.schema)),
      },
    ];
  },
};
