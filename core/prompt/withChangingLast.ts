import { findTemplatePaths } from './template.js';

/**
 * A template with its changing parts behind the stable ones: whole paragraphs, or whole lines of a template that is one paragraph, each in its
 * order. A heading, or a line that ends with a colon, goes with the part below it. Undefined where that changes nothing.
 *
 * @param isStable whether a path inserts the same in every call. Default: none does
 */
export function withChangingLast(template: string, isStable: (path: string) => boolean = () => false): string | undefined {
  const paragraphs = splitAt(template, /(?:\r?\n[ \t]*){2,}/g);
  const { units, separator } =
    paragraphs.length > 1
      ? { units: paragraphs, separator: breakOf(template, 2) }
      : { units: splitAt(template, /\r?\n/g), separator: breakOf(template, 1) };
  const changing = units.map((unit) => findTemplatePaths(unit).some(({ path }) => !isStable(path)));
  for (let at = units.length - 2; at >= 0; at -= 1) if (changing[at + 1] && isHeading(units[at] ?? '')) changing[at] = true;
  const ordered = [...units.filter((_, at) => !changing[at]), ...units.filter((_, at) => changing[at])];
  const isSame = ordered.every((unit, at) => unit === units[at]);
  return isSame ? undefined : ordered.join(separator);
}

function splitAt(text: string, separator: RegExp): readonly string[] {
  return text.split(separator).filter((unit) => unit.trim() !== '');
}

function breakOf(template: string, times: number): string {
  return (template.includes('\r\n') ? '\r\n' : '\n').repeat(times);
}

function isHeading(unit: string): boolean {
  const isOneLine = !unit.includes('\n');
  return isOneLine && (/^#{1,6}\s/.test(unit) || unit.trimEnd().endsWith(':'));
}
