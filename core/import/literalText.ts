/**
 * A text that is sent as it is although it holds what reads as an environment variable: `${HOME}` becomes `${DOLLAR:-$}{HOME}`, where `DOLLAR` is
 * unset, or a dollar sign, as envsubst has it.
 */
export function literalText(text: string): string {
  return text.replace(/\$(?=\{[A-Za-z_][A-Za-z0-9_]*(?:\}|:-))/g, () => '${DOLLAR:-$}');
}
