/** Puts a text into the language of the user, with `{0}` for the first value. */
export type Translate = (text: string, ...values: readonly (string | number)[]) => string;

/** The texts as they are: for the command line, and where no language is known. */
export const inEnglish: Translate = (text, ...values) =>
  text.replace(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
