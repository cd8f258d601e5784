import type { Registered } from '../config/projectIndex.js';
import type { DeclaredSkill } from '../config/projectSettings.js';
import { type JsonObject, pointerOf } from '../json.js';
import { shorten } from '../words.js';
import { canonicalJson } from './canonicalJson.js';

/** A field of a skill that agentstack.json declares in one way and code registers in another. */
export interface SkillDifference {
  readonly name: string;
  /** In agentstack.json. */
  readonly pointer: string;
  readonly field: string;
  /** Canonical JSON. */
  readonly declared: string;
  readonly registered: string;
}

const compared = ['description', 'parameters', 'examples', 'idempotent', 'side_effects', 'labels', 'needs_approval'] as const;

/**
 * Where declarations and code disagree. A field that a declaration leaves out is taken from the code, and labels that the code leaves out from the
 * declaration.
 */
export function skillDifferences(skills: Readonly<Record<string, DeclaredSkill>>, registered: Registered): readonly SkillDifference[] {
  return registered.tools.flatMap((tool) => {
    const declared = Object.hasOwn(skills, tool.name) ? skills[tool.name] : undefined;
    if (declared === undefined) return [];
    return compared.flatMap((field): SkillDifference[] => {
      const isOptional = field === 'labels' || field === 'needs_approval';
      if (declared[field] === undefined || (isOptional && tool[field] === undefined)) return [];
      const [left, right] = [declared[field], tool[field] ?? []].map((value) => canonicalJson(value as JsonObject)) as [string, string];
      if (left === right) return [];
      return [{ name: tool.name, pointer: pointerOf('skills', tool.name, field), field, declared: left, registered: right }];
    });
  });
}

/** One sentence that names both sides and the fix. */
export function differenceWords({ name, field, declared, registered }: SkillDifference): string {
  return (
    `The tool ${JSON.stringify(name)} has the ${field} ${shorten(declared, longest, '...')} in agentstack.json, but ${shorten(registered, longest, '...')} where code ` +
    'registers it. Remove the declaration: registering is enough.'
  );
}

const longest = 300;
