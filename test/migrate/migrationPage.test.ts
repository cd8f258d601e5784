import { describe, expect, test } from 'vitest';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { hasAction, type PageNode, toHtml } from '../../core/eval/report/page/pageElement.js';
import { environmentsOf } from '../../core/migrate/agentUses.js';
import { migrationPage } from '../../core/migrate/migrationPage.js';
import { planMigration } from '../../core/migrate/planMigration.js';
import { inEnglish } from '../../core/words.js';
import { memoryFiles } from '../support/memoryFiles.js';

const facts = { context_window: 128000, max_output_tokens: 16384, price: { input: 2, output: 8 } };
const settings = {
  old: { ...facts, ends: '2026-12-11', successor: 'new' },
  new: { ...facts, price: { input: 2.5, output: 8 }, unsupported: ['temperature'] },
  cheap: { ...facts, price: { input: 1, output: 4 } },
};
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const files = {
  'config/llms/main.json': json({ provider: 'openai', model_name: 'old', temperature: 0.2 }),
  'config/agents/A/v1.json': json({ system_text: 'Answer.', llm_config_id: 'main' }),
  'config/agents/B/v1.json': json({ system_text: 'Answer.', model_name: 'old', expose: true }),
};

interface Options {
  readonly texts?: Readonly<Record<string, string>>;
  readonly from?: string | null;
  readonly to?: string;
  readonly allowUnknown?: boolean;
  readonly language?: string;
}

async function pageOf({ texts = files, from = 'old', to, allowUnknown = false, language = 'en' }: Options = {}) {
  const project = memoryFiles({ 'agentstack.json': json({ models: settings }), ...texts });
  const index = await loadProjectIndex(project);
  const names = { from: from ?? undefined, to };
  const variables = { get: () => undefined };
  const plan = await planMigration({ files: project, index, variables, ...names, subjects: [], allow_unknown: allowUnknown });
  const environments = environmentsOf(index).length;
  const page = migrationPage(plan, { t: inEnglish, language, from, to: to ?? null, environments, asOf: '2026-11-27', allowUnknown });
  const steps = (['apply', 'changes', 'unknown'] as const).filter((step) => hasAction(page, { type: 'migrate', step }));
  return { plan, page, steps, lines: linesOf(page) };
}

/** The text of a page as one reads it, with a line for each block. */
function linesOf(node: PageNode): readonly string[] {
  const textOf = (part: PageNode): string => {
    if (typeof part === 'string') return part;
    const text = part.children.map(textOf).join('');
    return ['h1', 'h2', 'p', 'li', 'tr', 'pre', 'ul', 'button'].includes(part.tag) && part.attributes?.class !== 'link'
      ? `\n${text}\n`
      : part.tag === 'td' || part.tag === 'th'
        ? `${text} | `
        : text;
  };
  return textOf(node)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

describe('the page of a migration', () => {
  test('has the same sentences as the command, the price on top', async () => {
    const { lines, steps } = await pageOf();
    expect(lines).toEqual([
      '2 agents: 2 fit.',
      'Prices rise by at most 25 %.',
      'Migrate 2 Files...',
      'Show Changes',
      'old → new (openai)',
      'old ends on 2026-12-11, in 14 days; its provider names the successor.',
      'config/llms/main.json#/model_name: in place',
      'config/agents/B/v1.json#/model_name: new version config/agents/B/v2.json, since it is exposed',
      'Agent | Outcome | USD per 1M tokens in, out | Typical run | At most | Strict | Window | Cache from |',
      'A@v1',
      'temperature 0.2 has no effect any more: new does not take it.',
      expect.stringMatching(/^\| fits \| 2, 8 → 2\.5, 8 \| .* \| 128,000 \|/),
      'B@v1',
      // The default of a mode.
      'temperature 0 has no effect any more: new does not take it.',
      expect.stringMatching(/^\| fits \|/),
      'Also written',
      'config/llms/main.json: removes temperature 0.2, which new does not take.',
      'Whether the answers stay as good is not compared here. In a terminal, this asks the cases with both models:',
      'agent-stack migrate --from old --eval',
    ]);
    expect(steps).toEqual(['apply', 'changes']);
  });

  test('every place is behind a link', async () => {
    const { page, plan } = await pageOf({ texts: { ...files, 'config/agents/C/v1.json': '{ "model_name": "old"' } });
    for (const { file, pointer } of plan.moves.flatMap(({ places }) => places))
      expect(hasAction(page, { type: 'place', file, pointer })).toBe(true);
    expect(hasAction(page, { type: 'place', file: 'config/agents/C/v1.json', pointer: '' })).toBe(true);
  });

  test('a dearer model is a warning, and a cheaper one is not', async () => {
    const note = /role="note"/;
    expect(toHtml((await pageOf()).page)).toMatch(note);
    const { page, lines } = await pageOf({ to: 'cheap' });
    expect(lines[1]).toBe('Every price falls, by at least 50 %.');
    expect(toHtml(page)).not.toMatch(note);
  });

  test('what is not known is written only where the user includes it, and its price is a warning', async () => {
    const left = await pageOf({ to: 'nobody' });
    expect([left.steps, left.lines[1]]).toEqual([['unknown'], 'There is nothing to write.']);
    const included = await pageOf({ to: 'nobody', allowUnknown: true });
    expect([included.steps, included.lines[1]]).toEqual([['apply', 'changes', 'unknown'], 'How prices change is not known.']);
    expect(toHtml(included.page)).toMatch(/role="note"/);
  });

  test('a model that does not fit, and one without a successor, have no button', async () => {
    expect((await pageOf({ to: 'claude-opus-5' })).steps).toEqual([]);
    const { steps, lines } = await pageOf({ from: 'cheap', texts: { 'config/llms/main.json': json({ model_name: 'cheap' }) } });
    expect(steps).toEqual([]);
    expect(lines).toContain('cheap → ? (openai)');
  });

  test('says that nothing uses a model, which do, and what was not read', async () => {
    const broken = { ...files, 'config/agents/C/v1.json': '{' };
    expect((await pageOf({ from: 'other', texts: broken })).lines).toEqual([
      'Nothing in this project uses other.',
      'In use: old.',
      'Not read',
      'config/agents/C/v1.json cannot be read, so its model is not known.',
    ]);
    expect((await pageOf({ from: null, texts: {} })).lines).toEqual(['No model in use is known to end.', 'No agent names a model.']);
  });

  test('writes numbers as the language does', async () => {
    expect((await pageOf({ language: 'de' })).lines).toContainEqual(expect.stringMatching(/^\| fits \| 2; 8 → 2,5; 8 \|.*128\.000/));
  });

  test('nothing of a file can draw on the page', async () => {
    const name = '<b>\u202e`x';
    const { page } = await pageOf({ to: name });
    expect(toHtml(page)).not.toMatch(/<b>|\u202e/);
  });
});
