interface Format {
  /** The n-th of many different texts of this format. */
  readonly sample: (number: number) => string;
  /** Accepts the samples and other ordinary texts of the format; when in doubt it refuses. */
  readonly pattern: RegExp;
}

const day = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])';
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)';
const label = '[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?';
const host = `${label}(?:\\.${label}){1,5}`;
const address = `https?://${host}(?:/[A-Za-z0-9._~-]{1,80}){0,9}/?`;
const two = (number: number) => String(number).padStart(2, '0');
const dayOf = (number: number) =>
  `20${two(26 + (Math.floor(number / 336) % 70))}-${two(1 + (Math.floor(number / 28) % 12))}-${two(1 + (number % 28))}`;
const timeOf = (number: number) => `${two(Math.floor(number / 3600) % 24)}:${two(Math.floor(number / 60) % 60)}:${two(number % 60)}Z`;

/** The string formats of JSON Schema and OpenAPI that validators check. */
const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['date', { sample: dayOf, pattern: new RegExp(`^${day}$`) }],
  ['time', { sample: timeOf, pattern: new RegExp(`^${time}$`) }],
  ['iso-time', { sample: timeOf, pattern: new RegExp(`^${time}$`) }],
  ['date-time', { sample: (number) => `${dayOf(number)}T12:00:00Z`, pattern: new RegExp(`^${day}T${time}$`) }],
  ['iso-date-time', { sample: (number) => `${dayOf(number)}T12:00:00Z`, pattern: new RegExp(`^${day}T${time}$`) }],
  ['duration', { sample: (number) => `P${number + 1}D`, pattern: /^P\d{1,9}[DW]$/ }],
  ['email', { sample: (number) => `user${number || ''}@example.com`, pattern: new RegExp(`^[A-Za-z0-9]{1,30}@${host}$`) }],
  ['hostname', { sample: (number) => `host${number || ''}.example.com`, pattern: new RegExp(`^${host}$`) }],
  ['ipv4', { sample: (number) => `192.0.2.${number % 256}`, pattern: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/ }],
  ['ipv6', { sample: (number) => `2001:db8::${(number + 1).toString(16)}`, pattern: /^2001:db8::[1-9a-f][0-9a-f]{0,3}$/ }],
  ['uri', { sample: (number) => `https://example.com/${number || ''}`, pattern: new RegExp(`^${address}$`) }],
  ['url', { sample: (number) => `https://example.com/${number || ''}`, pattern: new RegExp(`^${address}$`) }],
  ['uri-reference', { sample: (number) => `/path/${number}`, pattern: new RegExp(`^(?:${address}|(?:/[A-Za-z0-9._~-]{1,80}){1,9})$`) }],
  ['uri-template', { sample: (number) => `/path/${number}`, pattern: /^(?:\/[A-Za-z0-9._~-]{1,80}){1,9}$/ }],
  [
    'uuid',
    {
      sample: (number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
      pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    },
  ],
  ['regex', { sample: (number) => `^[a-z]{${number + 1}}$`, pattern: /^\^\[a-z\]\{\d{1,4}\}\$$/ }],
  ['json-pointer', { sample: (number) => `/items/${number}`, pattern: /^(?:\/[a-z0-9]{1,40}){0,9}$/ }],
  ['relative-json-pointer', { sample: (number) => `${number}/items`, pattern: /^\d{1,4}(?:\/[a-z0-9]{1,40}){0,9}$/ }],
  ['json-pointer-uri-fragment', { sample: (number) => `#/items/${number}`, pattern: /^#(?:\/[a-z0-9]{1,40}){0,9}$/ }],
  ['byte', { sample: (number) => btoa(String(number).padStart(3, '0')), pattern: /^(?:[A-Za-z0-9+/]{4})+$/ }],
]);

/** Texts of a format; none when any text is valid. */
export function formatSamples(format: string): string[] {
  const knownFormat = formats.get(format);
  return knownFormat === undefined ? [] : Array.from({ length: 64 }, (_, number) => knownFormat.sample(number));
}

export function fitsFormat(format: string, text: string): boolean {
  return formats.get(format)?.pattern.test(text) ?? true;
}
