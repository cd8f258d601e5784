import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTexts, placeholdersOf, readBundle, textsIn, translations } from '../scripts/l10n.mjs';

// Every word of the interface in every language. `node scripts/l10n.mjs` repairs what can be repaired without knowing the language.

const root = join(import.meta.dirname, '..');
const texts = findTexts();
const wanted = [...new Set(texts.map(({ text }) => text))].sort();

describe('the texts in the code', () => {
  test('are found, however they are quoted', () => {
    const code = [
      "vscode.l10n.t('It\\'s \"{0}\"', name);",
      'vscode.l10n.t(',
      '  "One\\n{0} and {1}",',
      '  f(a, [b, c]),',
      "  'x, y',",
      ');',
      '// vscode.l10n.t is not called here.',
      'const { t } = vscode.l10n;',
      "const found = at('no text') ?? t('Short');",
    ].join('\n');
    expect(textsIn(code, 'a.ts')).toEqual([
      { text: 'It\'s "{0}"', values: 1, place: 'a.ts:1' },
      { text: 'One\n{0} and {1}', values: 2, place: 'a.ts:2' },
      { text: 'Short', values: 0, place: 'a.ts:9' },
    ]);
  });

  test.each([
    'vscode.l10n.t(text)',
    "vscode.l10n.t('a' + b)",
    'vscode.l10n.t(`a ${b}`)',
    'const { t: say } = vscode.l10n;',
    'l10n.t({ message: "a" })',
  ])('must be literals: %s', (code) => {
    expect(() => textsIn(code, 'a.ts')).toThrow(/a\.ts:1/);
  });

  test('get as many values as they have places for, or none: then a page puts them in', () => {
    expect(texts.length).toBeGreaterThan(20);
    const wrong = texts.filter(({ text, values }) => values > 0 && placeholdersOf(text).length !== values);
    expect(wrong.map(({ place, text }) => `${place} ${text}`)).toEqual([]);
  });
});

describe('l10n/', () => {
  test('has German', () => expect(translations().map(({ language }) => language)).toContain('de'));

  test('bundle.l10n.json holds every text as it is', () => {
    expect(readBundle('bundle.l10n.json')).toEqual(Object.fromEntries(wanted.map((text) => [text, text])));
  });

  describe.each(translations())('$name', ({ name }) => {
    const bundle = readBundle(name);

    test('lacks no text', () => {
      expect(texts.filter(({ text }) => !Object.hasOwn(bundle, text)).map(({ text, place }) => `${place} ${text}`)).toEqual([]);
    });

    test('has none that nothing shows any more', () => {
      expect(Object.keys(bundle).filter((text) => !wanted.includes(text))).toEqual([]);
    });

    test('has the places for values that the English text has', () => {
      const wrong = Object.entries(bundle).filter(
        ([text, translated]) => String(placeholdersOf(text)) !== String(placeholdersOf(translated)),
      );
      expect(wrong).toEqual([]);
    });

    test('keeps icons, links and what is at the ends', () => {
      const marks = (text: string) => [
        ...(text.match(/\$\([\w~-]+\)|\]\([^)]+\)/g) ?? []),
        /^\s*/.exec(text)?.[0],
        /(?:\.\.\.|[.:?…])?\s*$/.exec(text)?.[0],
      ];
      const wrong = Object.entries(bundle).filter(([text, translated]) => String(marks(text)) !== String(marks(translated)));
      expect(wrong).toEqual([]);
    });
  });
});

describe('German', () => {
  const bundle = readBundle('bundle.l10n.de.json');
  const german: Record<string, string> = { ...bundle, ...JSON.parse(readFileSync(join(root, 'package.nls.de.json'), 'utf8')) };

  test('is translated, not copied', () => {
    // Words that are the same in both languages.
    const shared =
      /^(?:Agents?|Evals?(?:: \{0\})?|Chat(?:: \{0\})?|(?:Graph|Teams?)(?: \{0\})?|JSON|Personas?|Prompts?|Snapshot|Status|System|Text|Tokens|Tools|cURL|Commits|optional|\{0\} %|\{0\}, in \{1\})$/;
    expect(Object.keys(bundle).filter((text) => bundle[text] === text && !shared.test(text))).toEqual([]);
  });

  test('has no English sentence in it', () => {
    const english = /\b(?:the|and|of|is|are|not|with|from|this|at|to|for|by|has)\b/;
    const words = (text: string) => text.replaceAll(/`[^`]*`|\]\([^)]*\)|\{\w+\}|"[^"]*"/g, '');
    expect(Object.values(german).filter((text) => english.test(words(text)))).toEqual([]);
  });

  test('speaks to the user in one way', () => {
    expect(Object.values(german).filter((text) => /en Sie\b|\bIhre[nmrs]?\b/.test(text))).toEqual([]);
  });
});

describe('the code of the extension', () => {
  test('shows no text that cannot be translated', () => {
    // Names of modes, and examples of names and commands, are the same in every language.
    const names = ['Chooser', 'Writer', 'Extractor', 'TicketRouter', 'issue_triage', 'issue_intake', 'github', 'server-filesystem .'];
    const fields = 'title|placeHolder|placeholder|prompt|label|tooltip|description|detail';
    const before = String.raw`(?:show(?:Information|Warning|Error)Message\(|\b(?:${fields}): |new Refusal\()`;
    const shown = new RegExp(`${before}${String.raw`\s*(['"\`])((?:(?!\1).)*[A-Za-z]{2}.*?)\1`}`, 'g');
    expect([...'{ title: "Some Title" }'.matchAll(shown)]).toHaveLength(1);
    const files = readdirSync(join(root, 'client'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/panels.*page/.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name));
    const found = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(shown)].map(([, , text]) => `${file.slice(root.length + 1)}: ${text}`),
    );
    expect(found.filter((line) => !names.some((name) => line.endsWith(name)) && !/\$\{/.test(line))).toEqual([]);
  });
});

/** The manifest without what tools of chats say to models alone. */
function shownIn(manifest: string): string {
  const whole = JSON.parse(manifest);
  const languageModelTools = whole.contributes.languageModelTools.map(
    ({ name: _name, inputSchema: _schema, modelDescription: _words, ...shown }: Record<string, unknown>) => shown,
  );
  return JSON.stringify({ ...whole, contributes: { ...whole.contributes, languageModelTools } }, null, 2);
}

describe('package.json', () => {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  const keys = [...new Set([...manifest.matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key!))].sort();
  const english: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));
  const files = readdirSync(root).filter((name) => /^package\.nls(\.[\w-]+)?\.json$/.test(name));

  test('has its words in files', () => {
    expect(files).toEqual(['package.nls.de.json', 'package.nls.json']);
    const plain = [...shownIn(manifest).matchAll(/"(?:title|description|markdownDescription|name|label|contents)": "([^"%]*)"/g)].map(
      ([, text]) => text!,
    );
    // Names of the product, its package and of what the problem matcher is called in tasks.json.
    const names = [
      'agent-stack',
      'Agent Stack',
      'agentstack',
      'Language support and a runtime for LLM agents that live as JSON files in a repository.',
    ];
    expect(plain.filter((text) => !names.includes(text))).toEqual([]);
  });

  describe.each(files)('%s', (file) => {
    const words: Record<string, string> = JSON.parse(readFileSync(join(root, file), 'utf8'));

    test('has every word and no other', () => expect(Object.keys(words).sort()).toEqual(keys));

    test('is sorted', () => expect(Object.keys(words)).toEqual(Object.keys(words).sort()));

    test('has the links and settings of the English words', () => {
      const marks = (text: string) => [...(text.match(/\]\([^)]+\)|`[^`]+`|\{\w+\}/g) ?? [])].sort();
      const wrong = Object.entries(words).filter(([key, text]) => String(marks(text)) !== String(marks(english[key] ?? '')));
      expect(wrong).toEqual([]);
    });

    test('names walkthrough pages that are there', () => {
      const pages = Object.entries(words).filter(([key]) => key.endsWith('.media'));
      expect(pages.length).toBeGreaterThan(0);
      expect(pages.filter(([, path]) => !existsSync(join(root, path)))).toEqual([]);
    });
  });

  test('is translated, not copied', () => {
    const german: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.nls.de.json'), 'utf8'));
    const same = Object.keys(german).filter((key) => german[key] === english[key]);
    expect(same).toEqual(['view.agents', 'view.container']);
  });
});
