// Replaces markdown-it's package `entities`, whose 2,000 names would be most of each page. It knows numbers and the names that models write.

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  middot: '·',
  bull: '•',
  times: '×',
  deg: '°',
  copy: '©',
  reg: '®',
  euro: '€',
  rarr: '→',
  larr: '←',
  le: '≤',
  ge: '≥',
  ne: '≠',
};

/** The character of an entity; an unknown one stays unchanged. */
export function decodeHTML(entity: string): string {
  const number = /^&#(?:x([\da-f]{1,6})|(\d{1,7}));$/i.exec(entity);
  if (number !== null) {
    const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
    const isCharacter = 0 < code && code <= 0x10ffff && !(0xd800 <= code && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  }
  const name = entity.slice(1, -1);
  return Object.hasOwn(namedEntities, name) ? (namedEntities[name] ?? entity) : entity;
}

/** The other name under which markdown-it asks for it. */
export function decodeHTMLStrict(entity: string): string {
  return decodeHTML(entity);
}
