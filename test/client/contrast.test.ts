import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The default themes of VS Code, with what they leave to the defaults of its colours. */
const themes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Dark Modern': {
    'charts-blue': '#59a4f9',
    'charts-green': '#89d185',
    'charts-yellow': '#cca700',
    'debugTokenExpression-boolean': '#4e94ce',
    'debugTokenExpression-name': '#c586c0',
    'debugTokenExpression-number': '#b5cea8',
    'debugTokenExpression-string': '#ce9178',
    'debugTokenExpression-type': '#4a90e2',
    'editor-background': '#1f1f1f',
    'editorWarning-foreground': '#cca700',
    'editorWidget-background': '#202020',
    'panelTitle-activeForeground': '#cccccc',
    'panelTitle-inactiveForeground': '#9d9d9d',
    'symbolIcon-fieldForeground': '#75beff',
    'textCodeBlock-background': '#2b2b2b',
    'textLink-activeForeground': '#4daafc',
    'textLink-foreground': '#4daafc',
    descriptionForeground: '#9d9d9d',
    errorForeground: '#f85149',
    foreground: '#cccccc',
  },
  'Light Modern': {
    'charts-blue': '#0063d3',
    'charts-green': '#388a34',
    'charts-yellow': '#bf8803',
    'debugTokenExpression-boolean': '#0000ff',
    'debugTokenExpression-name': '#9b46b0',
    'debugTokenExpression-number': '#098658',
    'debugTokenExpression-string': '#a31515',
    'debugTokenExpression-type': '#4a90e2',
    'editor-background': '#ffffff',
    'editorWarning-foreground': '#bf8803',
    'editorWidget-background': '#f8f8f8',
    'panelTitle-activeForeground': '#3b3b3b',
    'panelTitle-inactiveForeground': '#3b3b3b',
    'symbolIcon-fieldForeground': '#007acc',
    'textCodeBlock-background': '#f8f8f8',
    'textLink-activeForeground': '#005fb8',
    'textLink-foreground': '#005fb8',
    descriptionForeground: '#3b3b3b',
    errorForeground: '#f85149',
    foreground: '#3b3b3b',
  },
  'Dark High Contrast': {
    'charts-blue': '#59a4f9',
    'charts-green': '#89d185',
    'charts-yellow': '#ffd370',
    'debugTokenExpression-boolean': '#75bdfe',
    'debugTokenExpression-name': '#ffffff',
    'debugTokenExpression-number': '#89d185',
    'debugTokenExpression-string': '#f48771',
    'debugTokenExpression-type': '#ffffff',
    'editor-background': '#000000',
    'editorWarning-foreground': '#ffd370',
    'editorWidget-background': '#0c141f',
    'panelTitle-activeForeground': '#ffffff',
    'panelTitle-inactiveForeground': '#ffffff',
    'symbolIcon-fieldForeground': '#75beff',
    'textCodeBlock-background': '#000000',
    'textLink-activeForeground': '#21a6ff',
    'textLink-foreground': '#21a6ff',
    descriptionForeground: '#b3b3b3',
    errorForeground: '#f48771',
    foreground: '#ffffff',
  },
  'Light High Contrast': {
    'charts-blue': '#0063d3',
    'charts-green': '#374e06',
    'charts-yellow': '#895503',
    'debugTokenExpression-boolean': '#0000ff',
    'debugTokenExpression-name': '#292929',
    'debugTokenExpression-number': '#098658',
    'debugTokenExpression-string': '#a31515',
    'debugTokenExpression-type': '#292929',
    'editor-background': '#ffffff',
    'editorWarning-foreground': '#895503',
    'editorWidget-background': '#ffffff',
    'panelTitle-activeForeground': '#292929',
    'panelTitle-inactiveForeground': '#292929',
    'symbolIcon-fieldForeground': '#007acc',
    'textCodeBlock-background': '#f2f2f2',
    'textLink-activeForeground': '#0f4a85',
    'textLink-foreground': '#0f4a85',
    descriptionForeground: '#292929b3',
    errorForeground: '#b5200d',
    foreground: '#292929',
  },
};

const sheets = [
  'page/base',
  'page/stateLine',
  'preview/page/style',
  'run/page/style',
  'report/page/style',
  'chat/page/style',
  'compare/page/style',
  'graph/page/style',
];

/** With each value on one line. */
function readSheet(name: string): string {
  const css = readFileSync(`client/panels/${name}.css`, 'utf8');
  return css.replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')');
}

interface Rule {
  readonly selector: string;
  readonly color: string;
}

/** The rules that give a text a colour and leave it the background of the page or of code; those with a background of their own are the theme's pair. */
function textRules(): readonly Rule[] {
  return sheets.flatMap((sheet) => {
    const css = readSheet(sheet).replaceAll(/\/\*.*?\*\//gs, '');
    return [...css.matchAll(/([^{};]+)\{([^{}]*)\}/g)].flatMap(([, selector = '', body = '']) => {
      const color = /(?:^|[;\s])color:\s*([^;]+);/.exec(body)?.[1];
      const background = /(?:^|[;\s])background:\s*([^;]+);/.exec(body)?.[1] ?? 'none';
      const isText = color?.includes('var(') === true && !color.includes('disabledForeground');
      return isText && background === 'none' ? [{ selector: `${sheet}: ${selector.trim()}`, color }] : [];
    });
  });
}

type Rgb = readonly [number, number, number];

function toRgb(hex: string, behind: Rgb): Rgb {
  const [r = 0, g = 0, b = 0, alpha = 255] = (hex.slice(1).match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return mix([r, g, b], behind, alpha / 255);
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2) => one[index] * share + other[index] * (1 - share);
  return [at(0), at(1), at(2)];
}

/** `var(--vscode-x, fallback)` and `color-mix(in srgb, A n%, B)`, one within the other. */
function colorOf(written: string, theme: Readonly<Record<string, string>>, behind: Rgb): Rgb {
  const mixed = /^color-mix\(in srgb, (.+) (\d+)%, (.+)\)$/.exec(written);
  if (mixed) return mix(colorOf(mixed[1]!, theme, behind), colorOf(mixed[3]!, theme, behind), Number(mixed[2]) / 100);
  const [, name = '', fallback] = /^var\(--(?:vscode-)?([\w-]+)(?:, (.+))?\)$/.exec(written) ?? [];
  const color = theme[name] ?? shared[name];
  if (color?.startsWith('#')) return toRgb(color, behind);
  if (color === undefined && fallback === undefined) throw new Error(`No theme of the test has ${written}`);
  return colorOf(color ?? fallback ?? '', theme, behind);
}

/** The colours that the style sheets define. */
const shared = Object.fromEntries(
  ['page/base', 'graph/page/style'].flatMap((sheet) =>
    [...readSheet(sheet).matchAll(/--([\w-]+): ((?:color-mix|var)\([^;]+);/g)].map(([, name, value]) => [name, value]),
  ),
) as Readonly<Record<string, string>>;

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => (part <= 10.31475 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Rules of text that stands in blocks of code too. */
const inCode = /\.code-|\.from-fixed|\.muted/;

test.each(Object.entries(themes))('in %s every text of a page has a contrast of 4.5 or more', (_, theme) => {
  const white: Rgb = [255, 255, 255];
  const page = toRgb(theme['editor-background']!, white);
  const code = toRgb(theme['textCodeBlock-background']!, page);
  const low = textRules().flatMap(({ selector, color }) =>
    [page, ...(inCode.test(selector) ? [code] : [])].flatMap((behind) => {
      const value = contrast(colorOf(color, theme, behind), behind);
      return value >= 4.5 ? [] : [`${selector} ${value.toFixed(2)}`];
    }),
  );
  expect(low).toEqual([]);
});

test('the measure is that of WCAG', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
  expect(contrast([0x77, 0x77, 0x77], [255, 255, 255])).toBeCloseTo(4.48, 2);
  expect(textRules().length).toBeGreaterThan(20);
});
