import type { Severity } from '../core/finding.js';
import { isObject } from '../core/json.js';

/** Section `agentStack` of the client's settings. Settings that are missing or of the wrong type have their defaults. */
export interface Settings {
  /** Severity by rule code; counts before agentstack.json. Default empty. */
  readonly rules: Readonly<Record<string, Severity | 'off'>>;
  readonly codeLens: { readonly enabled: boolean };
  readonly inlayHints: { readonly enabled: boolean };
}

export const defaultSettings: Settings = Object.freeze({
  rules: Object.freeze({}),
  codeLens: Object.freeze({ enabled: true }),
  inlayHints: Object.freeze({ enabled: true }),
});

const severities: readonly unknown[] = ['off', 'hint', 'info', 'warning', 'error'] satisfies (Severity | 'off')[];

/** @param section what the client says about `agentStack`: anything at all */
export function readClientSettings(section: unknown): Settings {
  if (!isObject(section)) return defaultSettings;
  const rules = isObject(section.rules) ? Object.entries(section.rules).filter(([, severity]) => severities.includes(severity)) : [];
  return {
    // Only entries whose value is a severity are left.
    rules: Object.fromEntries(rules) as Settings['rules'],
    codeLens: { enabled: isEnabled(section.codeLens) },
    inlayHints: { enabled: isEnabled(section.inlayHints) },
  };
}

function isEnabled(part: unknown): boolean {
  return !isObject(part) || part.enabled !== false;
}
