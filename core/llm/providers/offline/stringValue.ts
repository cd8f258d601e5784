import type { JsonObject } from '../../../json.js';
import { lengthOf } from './fits.js';
import { formatSamples } from './formats.js';
import { patternTexts } from './patternText.js';
import { fold, type Payload, wordsOf } from './payload.js';

/** Length of a text without a limit, in characters. */
const usual = 48;
const mostLength = 100_000;

/**
 * Texts for a field, likeliest first: the payload's value under the field's own name, a word of the payload that matches the
 * pattern, a sample of the format, else words of the payload from a position derived from the name. Each still has to be checked.
 */
export function* stringValues(name: string, schemas: readonly JsonObject[], payload: Payload): Generator<string, void, undefined> {
  const numbers = (keyword: string) => schemas.map((schema) => schema[keyword]).filter((value) => typeof value === 'number');
  const least = Math.max(0, ...numbers('minLength'));
  const most = Math.min(mostLength, ...numbers('maxLength'));
  if (least > most) return;
  const patterns = schemas.map(({ pattern }) => pattern).filter((pattern) => typeof pattern === 'string');
  const formats = schemas.map(({ format }) => format).filter((format) => typeof format === 'string');

  const payloadValue = payload.values.get(fold(name));
  if (typeof payloadValue === 'string') yield cut(payloadValue, most);
  if (patterns.length > 0 || formats.length > 0) yield* payload.texts.flatMap((text) => text.split(' ')).slice(0, 500);
  for (const format of formats) yield* formatSamples(format);
  for (const pattern of patterns) {
    for (let variant = 0; variant < 40; variant++) yield* patternTexts(pattern, least, variant);
  }
  for (let variant = 0; variant < 40; variant++) yield words(name, payload, least, most, variant);
}

function words(name: string, { texts }: Payload, least: number, most: number, variant: number): string {
  const targetLength = Math.max(least, Math.min(most, usual));
  const start = texts[(hash(name) + variant) % texts.length]!;
  const all = [...start.split(' ').slice(Math.floor(variant / texts.length)), ...texts.flatMap((text) => text.split(' '))];
  const parts: string[] = [];
  for (let length = 0; length < targetLength; length += lengthOf(parts.at(-1)!) + 1) parts.push(all[parts.length % all.length]!);
  const text = parts.join(' ');
  const fitting = cut(text, most).trimEnd();
  return lengthOf(fitting) < least ? fitting.padEnd(fitting.length + least - lengthOf(fitting), '.') : fitting;
}

/** At most `most` code points, cut between words where that keeps at least half of them. */
function cut(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const fullText = characters.slice(0, most).join('');
  const space = fullText.lastIndexOf(' ');
  return space > most / 2 ? fullText.slice(0, space) : fullText;
}

function hash(name: string): number {
  let sum = 0;
  for (const word of wordsOf(name)) for (const character of word) sum = (sum * 31 + character.charCodeAt(0)) % 1_000_003;
  return sum;
}
