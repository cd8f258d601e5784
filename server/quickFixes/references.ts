import type { PlacedFinding } from '../../core/finding.js';
import type { RuleCode } from '../../core/ruleCodes.js';
import { type CreatableKind, createFileFix } from './createFile.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textIn, textsIn } from './support.js';

/** Replaces a dangling reference with a similar name, or creates the missing file. */
export function referenceFix(code: RuleCode, kind: CreatableKind): QuickFix {
  return {
    code,
    fixes(finding, context) {
      const id = textIn(finding, 'id');
      if (id === undefined) return [];
      const create = createFileFix(context.project, kind, id);
      return [...nearestFixes(finding, id, context), ...(create === undefined ? [] : [create])];
    },
  };
}

function nearestFixes(finding: PlacedFinding, id: string, context: FixContext): readonly Fix[] {
  const { pointer, target } = finding;
  const nearest = textsIn(finding, 'nearest');
  // The file as a whole refers by its location: `payloads/{agent}/`.
  if (pointer === '') return nearest.flatMap((name) => moveFix(name, context) ?? []);
  if (target === 'key')
    return nearest.map((name) =>
      editFix(context, `Rename to ${JSON.stringify(name)}`, (edit) => edit.rename(pointer, name), nearest.length === 1),
    );
  if (!pointer.endsWith('/prompts/system_prompt_version')) return replaceFixes(context, pointer, nearest);
  // Only the version is written there; another prompt would need another field.
  const name = id.slice(0, id.lastIndexOf('@') + 1);
  return replaceFixes(
    context,
    pointer,
    nearest.filter((other) => other.startsWith(name)).map((other) => other.slice(name.length)),
  );
}

function moveFix(name: string, { project, file }: FixContext): Fix | undefined {
  const segments = file.path.split('/');
  segments[segments.length - 2] = name;
  const to = segments.join('/');
  if (file.identity.kind !== 'payload' || project.documentAt(to) !== undefined) return undefined;
  return { title: `Move to ${to}`, changes: () => [{ type: 'move', from: file.path, to }] };
}

/** Replaces a name in a policy that nothing has with a similar one. */
export const policyUnknown: QuickFix = { code: 'policy-unknown', fixes: (finding, context) => nearestFixes(finding, '', context) };

export const unknownAgent: QuickFix = referenceFix('unknown-agent', 'agent');

export const unknownAgentVersion: QuickFix = referenceFix('unknown-agent-version', 'agent');

export const unknownLlm: QuickFix = referenceFix('unknown-llm', 'llm');

export const unknownPersona: QuickFix = referenceFix('unknown-persona', 'persona');

export const unknownPrompt: QuickFix = referenceFix('unknown-prompt', 'prompt');
