import type { Json } from '../json.js';

/** The JSON pointer a local `$ref` stands for: `''` for `#`, `/$defs/x` for `#/$defs/x`; undefined for a remote or malformed one. */
export function toLocalPointer(reference: Json | undefined): string | undefined {
  if (typeof reference !== 'string') return undefined;
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  const fragment = reference.slice(1);
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A fragment with a broken percent escape names nothing.
    return undefined;
  }
}
