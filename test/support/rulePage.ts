import { readFileSync } from 'node:fs';

const folder = new URL('../../docs/rules/', import.meta.url);

/** The files of an example on the page of a rule, by project path, without those at the git base. */
export function filesOnPage(code: string, section: 'Wrong' | 'Right'): Readonly<Record<string, string>> {
  const page = readFileSync(new URL(`${code}.md`, folder), 'utf8');
  const [, below = ''] = page.split(new RegExp(`^## ${section}$`, 'm'));
  const blocks = [...below.split(/^## /m)[0]!.matchAll(/^```\w+(?: (.+))?\n([\s\S]*?)^```$/gm)];
  return Object.fromEntries(
    blocks.flatMap(([, path = 'config/agents/A2/v1.json', text = '']) => (path.endsWith(' at base') ? [] : [[path, text]])),
  );
}
