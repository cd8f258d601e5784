// `node scripts/l10n.mjs`: brings l10n/ up to date with the texts in client/. The English bundle is written anew; of the translations it tells
// what is missing and what is left over. test/l10n.test.ts fails until nothing is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'l10n');

/**
 * Every text that is shown to a user, and where: in the editor, its server, and what of core they hand a translation.
 * @throws when one cannot be found by reading the code
 */
export function findTexts() {
  const files = ['client', 'core', 'server'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'translate.ts')
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return files.sort().flatMap((file) => textsIn(readFileSync(file, 'utf8'), relative(root, file).replaceAll('\\', '/')));
}

const short = /const \{ t \} = vscode\.l10n;|import \{ t \} from '[^']*\/l10n\.js';|(?<![\w$.])t: Translate\b/g;

/**
 * The calls of `vscode.l10n.t`, or of `t` after `const { t } = vscode.l10n` or the import of a page's, in one file: `{ text, values, place }`, where `values` is how
 * many follow the text.
 */
export function textsIn(code, file) {
  const named = code.replaceAll(short, (line) => ' '.repeat(line.length));
  const calls = named === code ? /\bl10n\b/g : /\bl10n\b|(?<![\w$.])t(?=\()/g;
  const found = [];
  for (const match of named.matchAll(calls)) {
    const before = named.slice(named.lastIndexOf('\n', match.index) + 1, match.index);
    if (/^\s*(?:\/\/|\/?\*)/.test(before)) continue;
    const place = `${file}:${named.slice(0, match.index).split('\n').length}`;
    // Handed to a function that has the texts, or no text at all.
    if (/^l10n(?:\.t\s*[,;)\]]|\.uri\b|\.bundle\b|\.config\(|';| from\b|\/)/.test(named.slice(match.index))) continue;
    const call = /^(?:l10n\.)?t\(\s*/.exec(named.slice(match.index));
    if (call === null) throw new Error(`${place}: write vscode.l10n.t('text'), so that the text can be found.`);
    const start = match.index + call[0].length;
    const end = endOfString(named, start);
    if (end === undefined) throw new Error(`${place}: the text must be one string literal, without parts that are put in by code.`);
    const { values, next } = countValues(named, end);
    if (next === '+') throw new Error(`${place}: the text must be one string literal.`);
    found.push({ text: literalText(named.slice(start, end)), values, place });
  }
  return found;
}

/** `{0}`, `{1}`: each once, in order. */
export function placeholdersOf(text) {
  return [...new Set(text.match(/\{\d+\}/g))].sort();
}

export function readBundle(name) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

/** The translations: `{ language, name }`. */
export function translations() {
  return readdirSync(folder).flatMap((name) => {
    const language = /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1];
    return language === undefined ? [] : [{ language, name }];
  });
}

function endOfString(code, start) {
  const quote = code[start];
  if (quote !== "'" && quote !== '"' && quote !== '`') return undefined;
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\\') at += 1;
    else if (quote === '`' && code.startsWith('${', at)) return undefined;
    else if (code[at] === quote) return at + 1;
  }
  return undefined;
}

/** A literal of TypeScript as the text it stands for: the quotes differ from JSON's, the escapes in use do not. */
function literalText(literal) {
  const inner = literal.slice(1, -1).replaceAll(/\\(['`])/g, '$1');
  return JSON.parse(`"${inner.replaceAll(/(?<!\\)((?:\\\\)*)"/g, '$1\\"').replaceAll('\n', '\\n')}"`);
}

/** Arguments up to the bracket that ends the call. */
function countValues(code, from) {
  let depth = 0;
  let values = 0;
  let next;
  let isEmpty = true;
  for (let at = from; at < code.length; at++) {
    const unit = code[at];
    if (/\s/.test(unit)) continue;
    next ??= unit;
    if (unit === ')' && depth === 0) return { values: values - (isEmpty && values > 0 ? 1 : 0), next };
    if (unit === ',' && depth === 0) {
      values += 1;
      isEmpty = true;
      continue;
    }
    isEmpty = false;
    if ('([{'.includes(unit)) depth += 1;
    else if (')]}'.includes(unit)) depth -= 1;
    else if (unit === "'" || unit === '"' || unit === '`') at = (endOfString(code, at) ?? code.indexOf(unit, at + 1) + 1) - 1;
  }
  return { values, next };
}

function update() {
  const texts = new Set(findTexts().map(({ text }) => text));
  writeBundle('bundle.l10n.json', Object.fromEntries([...texts].map((text) => [text, text])));
  for (const { name } of translations()) {
    const bundle = readBundle(name);
    writeBundle(name, bundle);
    for (const text of texts) if (!Object.hasOwn(bundle, text)) console.log(`l10n/${name} lacks ${JSON.stringify(text)}`);
    for (const text of Object.keys(bundle)) if (!texts.has(text)) console.log(`l10n/${name} has for nothing ${JSON.stringify(text)}`);
  }
}

function writeBundle(name, texts) {
  const sorted = Object.entries(texts).sort(([left], [right]) => (left < right ? -1 : 1));
  writeFileSync(join(folder, name), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) update();
