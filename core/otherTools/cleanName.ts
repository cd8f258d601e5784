import { isDeviceName, isLegalName } from '../kinds.js';

const longest = 64;

/**
 * A legal name (`isLegalName`) made of any text: accents are taken off, every run of other characters becomes one underscore. The text itself where
 * it is legal.
 *
 * @param fallback a legal name, for a text of which nothing is left
 */
export function cleanName(text: string, fallback: string): string {
  if (isLegalName(text)) return text;
  const plain = text
    // A longer text is not a name, and need not be looked at as a whole.
    .slice(0, 1000)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, longest)
    .replace(/[._-]+$/, '');
  if (plain === '') return fallback;
  return isDeviceName(plain) ? `${plain.replaceAll('.', '_').slice(0, longest - 1)}_` : plain;
}

/** A legal part name (of a team, a task or a step), which has no dot. */
export function cleanPartName(text: string, fallback: string): string {
  return cleanName(text.replaceAll('.', '_'), fallback).replaceAll('.', '_');
}

/** The name itself, or the first free one of it with a number. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) free = `${name.slice(0, 60)}_${number}`;
  return free;
}
