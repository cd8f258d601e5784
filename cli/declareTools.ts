import { settingsPath } from '../core/config/paths.js';
import type { Json } from '../core/json.js';
import { editTowards } from '../core/jsonText/editTowards.js';
import { applyReplacements, JsonEdit } from '../core/jsonText/jsonEdit.js';
import { toSafeJson } from '../core/visibleText.js';
import { plural } from '../core/words.js';
import { type Cli, type GlobalOptions, UsageError } from './cli.js';
import { openCliProject } from './openCliProject.js';
import { locateProject } from './project.js';

/**
 * Declares the tools of the project's module in agentstack.json, so that their names and descriptions are known to users who do not
 * trusted its code. Declarations of other tools are kept.
 *
 * @throws UsageError where there is no module, or it was not loaded
 */
export async function declareTools(cli: Cli, options: GlobalOptions): Promise<void> {
  const { root, files } = locateProject(cli, options);
  const { settings, registered } = await openCliProject(cli, root, { code: 'reported' }).index();
  if (settings.tools === undefined) throw new UsageError(`${settingsPath} names no module under "tools" whose tools could be declared.`);
  const problem = registered.moduleProblem ?? registered.moduleUnseen;
  if (problem !== undefined) throw new UsageError(problem);
  const declared = registered.tools.map(({ name, description, parameters, examples, idempotent, side_effects, labels, needs_approval }) => [
    name,
    {
      description,
      parameters,
      ...(examples && { examples }),
      idempotent,
      side_effects,
      ...(labels && { labels }),
      ...(needs_approval !== undefined && { needs_approval }),
    },
  ]);
  const text = await files.readText(settingsPath);
  const edit = new JsonEdit(text);
  const skills = { ...settings.skills, ...Object.fromEntries(declared) };
  editTowards(edit, '/skills', settings.skills as unknown as Json, skills as unknown as Json);
  const after = applyReplacements(text, edit.replacements());
  if (after !== text) await files.writeText(settingsPath, after);
  const names = registered.tools.map(({ name }) => name);
  if (options.json) cli.terminal.print(toSafeJson({ declared: names, changed: after !== text }));
  else cli.terminal.note(`${settingsPath} declares ${plural(names.length, 'tool')} of ${settings.tools}.`);
}
