import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** A fenced block of a page. */
export interface Block {
  /** `docs/cli.md:12`: the page and the line of the fence. */
  readonly place: string;
  readonly page: string;
  /** Empty where the fence names none. */
  readonly language: string;
  /** What follows the language: for JSON the file that the block is. */
  readonly file: string | undefined;
  readonly text: string;
}

/** Every page for readers: those at the root, that of the extension, all of docs/. */
export const pages: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md') && name !== 'THIRD-PARTY-NOTICES.md'),
  'client/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
].filter((page) => existsSync(join(root, page)));

export function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

export function blocksOf(page: string): Block[] {
  const text = textOf(page);
  return [...text.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^\1```$/gm)].map(({ index, 1: indent = '', 2: info = '', 3: body = '' }) => {
    const [language = '', ...rest] = info.trim().split(' ');
    const line = text.slice(0, index).split('\n').length;
    const block = body.replace(new RegExp(`^${indent}`, 'gm'), '');
    return { place: `${page}:${line}`, page, language, file: rest.join(' ') || undefined, text: block };
  });
}

/** Code within the lines of a page, outside of its blocks. */
export function inlineCodeOf(page: string): string[] {
  const prose = textOf(page).replace(/^( *)```[\s\S]*?^\1```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
}
