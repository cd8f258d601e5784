import { groupBy } from '../../groupBy.js';
import { valueAt } from '../../json.js';
import { oncePerInventory, textsAt } from '../facts.js';
import type { RulePlace } from '../permits.js';
import type { NamedFact, ToolFile } from '../toolFiles.js';
import { withoutEffect } from './deadRules.js';
import { type EffectiveRule, effects, indexRules, type PermissionRule, ruleParts } from './permissions.js';

export interface WrittenRule extends NamedFact {
  readonly effect: EffectiveRule['effect'];
  readonly rule: PermissionRule | undefined;
}

/** A rule that Claude Code consults, with its file. */
export interface LiveRule extends WrittenRule, EffectiveRule {
  readonly rule: PermissionRule;
  readonly file: ToolFile;
}

export function rulesOf({ source }: Pick<ToolFile, 'source'>): readonly WrittenRule[] {
  return effects.flatMap((effect) =>
    textsAt(source?.value, `/permissions/${effect}`).map((fact) => ({ ...fact, effect, rule: ruleParts(fact.name) })),
  );
}

export function isSettings({ path }: Pick<ToolFile, 'path'>): boolean {
  return /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/.test(path);
}

/** The settings by folder, those that are not shared first: they come before the others. */
export const settingsIn = oncePerInventory(({ files }) =>
  groupBy(
    files.filter(isSettings).sort((left, right) => Number(right.path.endsWith('.local.json')) - Number(left.path.endsWith('.local.json'))),
    ({ folder }) => folder,
  ),
);

/** The rules of a folder that have an effect by themselves. Lists of several files are merged. */
export const liveRules = oncePerInventory(
  (inventory) =>
    new Map(
      [...settingsIn(inventory)].map(([folder, files]) => [
        folder,
        files.flatMap((file) =>
          rulesOf(file).flatMap(({ rule, ...written }): readonly LiveRule[] =>
            rule === undefined || withoutEffect(rule, written.effect) !== undefined ? [] : [{ ...written, rule, file }],
          ),
        ),
      ]),
    ),
);

/** Finds the rule of a folder that comes before another one and matches all that it matches. */
export const earlierRules = oncePerInventory(
  (inventory) => new Map([...liveRules(inventory)].map(([folder, rules]) => [folder, indexRules(rules)])),
);

/**
 * The mode that sessions of a folder begin in: the settings that are not shared come before those that are, and "auto" counts in neither.
 * Source: https://code.claude.com/docs/en/permission-modes, 2026-11-27.
 */
export function modeIn(files: readonly ToolFile[]): RulePlace | undefined {
  const [place] = files.flatMap(({ path, source }) => {
    const text = valueAt(source?.value, '/permissions/defaultMode');
    return typeof text === 'string'
      ? [{ text: text === 'manual' ? 'default' : text, file: path, pointer: '/permissions/defaultMode' }]
      : [];
  });
  return place?.text === 'auto' ? undefined : place;
}
