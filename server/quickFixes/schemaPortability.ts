import { isObject, type Json, valueAt } from '../../core/json.js';
import { editTowards } from '../../core/jsonText/editTowards.js';
import { editJson } from '../edits/fileChange.js';
import { toStrictForm } from '../edits/strictForm.js';
import type { QuickFix } from './quickFix.js';

/** Rewrites the schema in the form that the provider's strict mode takes. The title names the keywords that are lost. */
export const schemaPortability: QuickFix = {
  code: 'schema-portability',
  fixes({ related = [], data = {} }, { project, file }) {
    const path = related[0]?.file ?? file.path;
    const at = '/output_schema';
    const root = project.documentAt(path)?.config?.value;
    const schema = valueAt(root, at);
    if (!isObject(schema)) return [];
    const fineTuned =
      Array.isArray(data.violations) &&
      data.violations.some(({ message }: { message?: unknown }) => String(message).includes('fine-tuned'));
    const form = toStrictForm(schema, { fineTuned });
    const total = Array.isArray(data.violations) ? data.violations.length : form.left.length;
    if (form.left.length >= total) return [];
    const costs = [
      ...(form.dropped.length > 0 ? [`without ${form.dropped.join(', ')}`] : []),
      ...(form.left.length > 0 ? [`${form.left.length} ${form.left.length === 1 ? 'place stays' : 'places stay'}`] : []),
      ...(path === file.path ? [] : [`in ${path}`]),
    ];
    const title = `Rewrite the schema to the strict form${costs.length > 0 ? ` (${costs.join('; ')})` : ''}`;
    const changes = () => editJson(project, path, (edit) => editTowards(edit, at, schema as Json, form.schema));
    return [{ title, ...(form.left.length === 0 && { preferred: true }), changes }];
  },
};
