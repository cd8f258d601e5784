/** What only one of two lists has, each as often: `+` for what is shown and not found, `-` for what is found and not shown. */
export function differenceOf(shown: readonly string[], found: readonly string[]): readonly string[] {
  return [...without(shown, found).map((line) => `+ ${line}`), ...without(found, shown).map((line) => `- ${line}`)];
}

function without(list: readonly string[], taken: readonly string[]): readonly string[] {
  const left = [...taken];
  return list.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
