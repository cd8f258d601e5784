import { type Json, type JsonObject, valueAt } from '../json.js';

/** What a local `$ref` (`#`, `#/$defs/x`, percent-encoded or not) names in `root`, or undefined: remote, malformed, or nothing there. */
export function resolveReference(reference: Json | undefined, root: JsonObject): Json | undefined {
  if (typeof reference !== 'string') return undefined;
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  const fragment = reference.slice(1);
  if (!fragment.includes('%')) return valueAt(root, fragment);
  try {
    return valueAt(root, decodeURIComponent(fragment));
  } catch {
    // A fragment with a broken percent escape names nothing.
    return undefined;
  }
}
