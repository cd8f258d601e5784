import { newFileText } from '../../core/config/fileText.js';
import { pathOf, settingsPath } from '../../core/config/paths.js';
import { isObject, pointerOf } from '../../core/json.js';
import { isLegalName } from '../../core/kinds.js';
import { nearestNames } from '../../core/names.js';
import { environmentNames } from '../../core/snapshot/checkEnvironment.js';
import { environmentId } from '../../core/snapshot/collectFragments.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textIn, textsIn } from './support.js';

/** Sets the agent type that fits. Texts, schemas and the choices of a Chooser are known only to the author. */
export const effectiveConfigIncomplete: QuickFix = {
  code: 'effective-config-incomplete',
  fixes(finding, context) {
    const { pointer } = finding;
    const isTask = /^\/teams\/[^/]*\/tasks\/\d+\/name$/.test(pointer);
    if (pointer !== '' && !isTask) return [];
    const around = isTask ? pointer.slice(0, -'/name'.length) : '';
    const type = textIn(finding, 'agent_type');
    const fixes: Fix[] = [];
    if (type !== undefined)
      fixes.push(
        editFix(
          context,
          `Add "agent_type": ${JSON.stringify(type)}`,
          (edit) => edit.set(`${around}/agent_type`, type, { after: ['version', 'agent_name', 'name'] }),
          true,
        ),
      );
    const field = textIn(finding, 'field');
    const value = textIn(finding, 'value');
    if (field !== undefined && value !== undefined)
      fixes.push(
        editFix(
          context,
          `Add ${JSON.stringify(field)}: ${JSON.stringify(value)}`,
          (edit) => edit.set(pointerOf(field), value, { after: [...(field === 'version' ? ['agent_name'] : []), '$schema'] }),
          true,
        ),
      );
    return fixes;
  },
};

/** Names one of the profiles, in the agent or task or for all agents. */
export const modelNotChosen: QuickFix = {
  code: 'model-not-chosen',
  fixes(finding, context) {
    const profiles = textsIn(finding, 'profiles');
    const at = finding.pointer === '' ? '' : `${finding.pointer.replace(/\/name$/, '')}/config`;
    const system = pathOf('system', 'system', context.project.index.settings);
    const isThere = isObject(context.project.documentAt(system)?.config?.value);
    return profiles.flatMap((id) => [
      editFix(context, `Use the llm profile ${JSON.stringify(id)} here`, (edit) =>
        edit.set(`${at}/llm_config_id`, id, { after: ['agent_type', 'version', 'agent_name'] }),
      ),
      ...(isThere
        ? [
            {
              title: `Use ${JSON.stringify(id)} for all agents that name no model`,
              changes: () => editJson(context.project, system, (edit) => edit.set('/agent_defaults/llm_config_id', id)),
            },
          ]
        : []),
    ]);
  },
};

/** Gives an unset variable an empty fallback, for the author to fill in. Placeholders of MCP servers have no fallbacks. */
export const envUnset: QuickFix = {
  code: 'env-unset',
  fixes(finding, context) {
    const { start, end } = finding.data ?? {};
    const variable = textIn(finding, 'variable');
    if (context.file.identity.kind === 'mcp' || variable === undefined || typeof start !== 'number' || typeof end !== 'number') return [];
    const text = `\${${variable}:-}`;
    return [
      editFix(context, `Give it an empty fallback: ${text}`, (edit) => edit.replaceWithin(finding.pointer, 'value', { start, end }, text)),
    ];
  },
};

/** Changes to a similar environment with a file, or creates an empty file for this one. */
export const unknownEnvironment: QuickFix = {
  code: 'unknown-environment',
  fixes(finding, context) {
    const name = textIn(finding, 'environment');
    if (name === undefined) return [];
    const { project } = context;
    const nearest = replaceFixes(context, finding.pointer, nearestNames(name, environmentNames(project.index)));
    const id = environmentId(name);
    const path = pathOf('system', id, project.index.settings);
    // On a case-insensitive file system, a name that differs only in letter case is the same file.
    const isThere = project.documentAt(path) !== undefined || project.index.twins('system', id, path).length > 0;
    if (!isLegalName(name) || isThere) return nearest;
    const changes = () => [{ type: 'create', path, text: newFileText('system', { agent_defaults: {} }) } as const];
    return [...nearest, { title: `Create ${path}`, changes }];
  },
};

const providers = pointerOf('providers');

/** Changes to the nearest name, or lists the name in agentstack.json as one that a program registers. */
export const unknownProvider: QuickFix = {
  code: 'unknown-provider',
  fixes(finding, context) {
    const name = textIn(finding, 'name');
    if (name === undefined) return [];
    const nearest = replaceFixes(context, finding.pointer, textsIn(finding, 'nearest'));
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return nearest;
    const { project } = context;
    const list = {
      title: `List ${JSON.stringify(name)} under "providers" in ${settingsPath}`,
      changes: () =>
        project.documentAt(settingsPath) === undefined
          ? [{ type: 'create' as const, path: settingsPath, text: newFileText('settings', { providers: [name] }) }]
          : editJson(project, settingsPath, (edit) =>
              // The existing entries of the file stay as written.
              project.settings.providers.length > 0 ? edit.insertItem(providers, name) : edit.set(providers, [name]),
            ),
    };
    return [...nearest, list];
  },
};

/** Removes a value that a higher layer always overrides. */
export const layerWithoutEffect: QuickFix = {
  code: 'layer-without-effect',
  fixes: ({ pointer }, context) => [
    editFix(context, `Remove ${pointer.slice(pointer.lastIndexOf('/') + 1)} here`, (edit) => edit.remove(pointer)),
  ],
};
