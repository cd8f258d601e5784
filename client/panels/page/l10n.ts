let translations: Readonly<Record<string, string>> | undefined;

/** A text in the user's language, with `{0}` for the first value. An English text is its own key, as in `vscode.l10n`. */
export function t(text: string, ...values: readonly (string | number)[]): string {
  translations ??= JSON.parse(document.body.dataset.translations ?? '{}') as Readonly<Record<string, string>>;
  const translated = Object.hasOwn(translations, text) ? translations[text] : undefined;
  return (translated ?? text).replace(/\{(\d)\}/g, (placeholder, index: string) => String(values[Number(index)] ?? placeholder));
}
