import { CodeActionKind } from 'vscode-languageserver';
import { pathOf } from '../../core/config/paths.js';
import { pointerOf } from '../../core/json.js';
import { extractFields } from './extractFields.js';
import type { Refactoring } from './refactoring.js';
import { freeName, snakeCase } from './selection.js';

/** Fields that identify an agent, and fields that a persona must not set. */
const ownFields = new Set(['agent_name', 'version', 'persona_key', '$schema', '$ignore']);

/** Moves the selected fields of an agent to a persona that it names, and that other agents can also use. */
export const extractPersona: Refactoring = {
  name: 'extract-persona',
  kind: CodeActionKind.RefactorExtract,
  propose(context) {
    const { project, file, value, stretch } = context;
    if (file.identity.kind !== 'agent' || stretch.start === stretch.end) return [];
    const fields = context.fields.filter((name) => !ownFields.has(name));
    if (fields.length === 0) return [];
    const key = freeName(`${snakeCase(file.identity.name)}_persona`, project.index.ids('persona').keys());
    const path = pathOf('persona', key, project.index.settings);
    const title = `Extract ${fields.length === 1 ? fields[0] : `${fields.length} fields`} to a new persona ${JSON.stringify(key)} (same prompt)`;
    const { persona_key: persona } = value;
    if (typeof persona === 'string')
      return [{ title, disabled: `The agent already has the persona ${JSON.stringify(persona)}, and takes only one.`, changes: () => [] }];
    return [
      {
        title,
        changes: () => extractFields(context, { fields, path, reference: [pointerOf('persona_key'), key], identity: {} }),
      },
    ];
  },
};
