import type { Finding } from '../finding.js';
import type { Kind } from '../kinds.js';
import type { RuleCode } from '../ruleCodes.js';
import type { LayerProblem } from '../snapshot/effective.js';

/**
 * Findings that keep a run from starting even where files silence them: everything layering refuses (the type requires each code), unreadable
 * text, schemas and patterns that cannot be compiled, inputs that do not fit, and routes to missing teams. Of a forbidden flow, each run denies the call.
 */
const refusedByRun: Readonly<Record<LayerProblem['code'], true> & Partial<Record<RuleCode, true>>> = {
  'json-syntax': true,
  'json-comment': true,
  'trailing-comma': true,
  'duplicate-key': true,
  'duplicate-identity': true,
  schema: true,
  'output-schema-invalid': true,
  'model-not-chosen': true,
  'unknown-provider': true,
  'unknown-environment': true,
  'unknown-llm': true,
  'unknown-agent': true,
  'unknown-agent-version': true,
  'unknown-mcp-server': true,
  'unknown-skill': true,
  'skill-differs': true,
  'tools-module': true,
  'secret-in-plain-text': true,
  'env-unset': true,
  'placeholder-invalid': true,
  'pattern-unsupported': true,
  'unknown-persona': true,
  'persona-nested': true,
  'unknown-prompt': true,
  'input-invalid': true,
  'entry-team-unknown': true,
  'next-team-unknown': true,
  'limit-invalid': true,
  'flow-forbidden': true,
  'effective-config-incomplete': true,
};

/** Files of other tools, which no run reads. */
const unread: ReadonlySet<Kind> = new Set(['rootMcp', 'vscodeMcp']);
const layers: readonly Kind[] = ['agent', 'llm', 'persona', 'prompt', 'system', 'orchestration'];

/** Codes enforced in some kinds only: a secret where it would get into a snapshot, limits and schemas where a run applies them, a prompt in two formats. */
const refusedIn: ReadonlyMap<string, readonly Kind[]> = new Map([
  ['secret-in-plain-text', layers],
  ['limit-invalid', layers],
  ['duplicate-identity', ['prompt']],
  ['output-schema-invalid', layers],
  ['pattern-unsupported', [...layers, 'payload']],
]);

/** Whether a run refuses to start over a finding, so that neither `$ignore` nor a severity can silence it. */
export function isEnforced({ code, severity }: Pick<Finding, 'code' | 'severity'>, kind: Kind): boolean {
  if (severity !== 'error' || unread.has(kind) || !Object.hasOwn(refusedByRun, code)) return false;
  return refusedIn.get(code)?.includes(kind) ?? true;
}
