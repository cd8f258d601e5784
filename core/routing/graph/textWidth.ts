/**
 * Approximate width of a text in a common sans-serif font, in pixels at a font size in pixels; rather too wide than too narrow. For pictures
 * that are made where no font can be measured.
 */
export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const character of text) ems += emsOf(character);
  return ems * size;
}

function emsOf(character: string): number {
  if (/[ilj.,:;'|!·]/.test(character)) return 0.3;
  if (/[ tfr()[\]{}"*/\\-]/.test(character)) return 0.4;
  if (/[mwMW@%…→]/.test(character)) return 0.92;
  if (/[A-Z]/.test(character)) return 0.7;
  return (character.codePointAt(0) ?? 0) > 0x2e80 ? 1.05 : 0.58;
}

/** The text, or as much of its start as fits, followed by `…`. */
export function fitText(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  const characters = [...text];
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(`${characters.slice(0, middle).join('')}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join('').trimEnd()}…`;
}

/** The text in at most `most` lines of at most `width`, broken between words where possible; the rest becomes `…`. */
export function wrapText(text: string, width: number, most: number, measure: (text: string) => number): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const lines: string[] = [];
  let line = '';
  for (const [index, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === most - 1) return [...lines, fitText([line, ...words.slice(index)].join(' '), width, measure)];
    lines.push(fitText(line, width, measure));
    line = word;
  }
  return line === '' ? lines : [...lines, fitText(line, width, measure)];
}
