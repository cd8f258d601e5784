import type { Severity } from '../core/finding.js';
import { isObject } from '../core/json.js';

/** Section `agentStack` of the client's settings. Missing settings and those of the wrong type have their defaults. */
export interface Settings {
  /** Severity by rule code; takes precedence over agentstack.json. Default empty. */
  readonly rules: Readonly<Record<string, Severity | 'off'>>;
  readonly codeLens: { readonly enabled: boolean };
  readonly inlayHints: { readonly enabled: boolean };
  /** Whether the files of other tools are checked. */
  readonly otherTools: { readonly enabled: boolean };
}

export const defaultSettings: Settings = Object.freeze({
  rules: Object.freeze({}),
  codeLens: Object.freeze({ enabled: true }),
  inlayHints: Object.freeze({ enabled: true }),
  otherTools: Object.freeze({ enabled: true }),
});

const severities: readonly unknown[] = ['off', 'hint', 'info', 'warning', 'error'] satisfies (Severity | 'off')[];

/** @param section the client's settings for `agentStack`: may be anything */
export function readClientSettings(section: unknown): Settings {
  if (!isObject(section)) return defaultSettings;
  const rules = isObject(section.rules) ? Object.entries(section.rules).filter(([, severity]) => severities.includes(severity)) : [];
  return {
    // Only entries with a severity as value remain.
    rules: Object.fromEntries(rules) as Settings['rules'],
    codeLens: { enabled: isEnabled(section.codeLens) },
    inlayHints: { enabled: isEnabled(section.inlayHints) },
    // One setting, without parts.
    otherTools: { enabled: section.otherTools !== false },
  };
}

function isEnabled(part: unknown): boolean {
  return !isObject(part) || part.enabled !== false;
}
