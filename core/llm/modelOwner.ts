/** The provider whose models are called so, in the table or not. */
export function modelOwner(model: string): string | undefined {
  return owners.find(([pattern]) => pattern.test(model))?.[1];
}

const owners: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^(?:models\/)?gemini-/, 'gemini'],
  [/^gpt-/, 'openai'],
];
