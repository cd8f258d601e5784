import { CodeActionKind } from 'vscode-languageserver';
import { isObject } from '../../core/json.js';
import { copyWithVersion } from '../quickFixes/createFile.js';
import { nextVersionOf } from '../quickFixes/schemaChangedInPlace.js';
import { requestFailed } from '../requestFailed.js';
import type { Refactoring } from './refactoring.js';

/** A copy of an agent as its next version, as `agent-stack new version` makes it. */
export const createNextVersion: Refactoring = {
  name: 'next-version',
  kind: CodeActionKind.RefactorRewrite,
  propose(context) {
    const { project, file, fields } = context;
    const identity = ['version', 'agent_name'].filter((name) => isObject(file.value) && Object.hasOwn(file.value, name));
    if (identity.length > 0 && !fields.some((name) => identity.includes(name))) return [];
    const next = nextVersionOf(context);
    if (next === undefined) return [];
    return [
      {
        title: `Create the next version ${next.version}`,
        changes() {
          const text = copyWithVersion(project, file.path, next.version);
          if (text === undefined) throw requestFailed('The version of the file cannot be incremented.');
          return [{ type: 'create', path: next.path, text }];
        },
      },
    ];
  },
};
