import { type CompletionItem, CompletionItemKind, type CompletionList, type CompletionParams } from 'vscode-languageserver';
import { toolFileAt } from '../../core/inventory/findToolFiles.js';
import { isRead, namesFor, type OfferedName } from '../../core/inventory/toolNames.js';
import { modelDetail } from '../../core/llm/modelDetail.js';
import { newestFirst } from '../../core/llm/modelOrder.js';
import { isGoing } from '../../core/llm/modelTable.js';
import { namingOf } from '../../core/otherTools/index.js';
import type { ReadToolFile, ToolFile } from '../../core/otherTools/toolFiles.js';
import { isPlace, partsOf } from '../../core/otherTools/toolNames.js';
import { provideCompletion } from '../completion/provideCompletion.js';
import { cursorAt } from '../cursor.js';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { jsonOf, nodeAt, parseTree } from '../jsonTree.js';
import type { Project } from '../workspace.js';
import { frontMatterSpot, type ScalarSpot } from './frontMatter.js';
import { toolDocument } from './toolDocument.js';

const kinds = {
  server: CompletionItemKind.Module,
  tool: CompletionItemKind.Function,
  agent: CompletionItemKind.Class,
  model: CompletionItemKind.Constant,
} as const;

/** What fits at the cursor in a config, or the names that another tool takes there. */
export async function completeAnywhere(params: CompletionParams, context: FeatureContext): Promise<CompletionList | null> {
  return (await provideCompletion(params, context)) ?? completeNames(params, context);
}

async function completeNames({ textDocument, position }: CompletionParams, context: FeatureContext): Promise<CompletionList | null> {
  const document = context.workspace.document(textDocument.uri);
  const places = document?.path === undefined ? [] : (toolFileAt(document.path)?.kind.names ?? []);
  if (document === undefined || places.length === 0) return null;
  const offset = document.offsetAt(position);
  const spot = document.path?.endsWith('.md') ? frontMatterSpot(document.text, offset) : jsonSpot(document, offset);
  const place = spot && places.find((candidate) => candidate.defines !== true && isPlace(candidate, spot.path, spot.side));
  if (spot === undefined || place === undefined) return null;
  const at = offset - spot.start;
  const part = partsOf(place, spot.text).findLast(({ start, name }) => start <= at && at <= start + name.length);
  const tool = part && (await toolDocument(textDocument, context));
  if (part === undefined || tool === undefined) return null;
  const names = namesFor(place, part.kind, readAnyway(tool.file, document), tool.inventory);
  const offered = new Map<string, OfferedName>();
  for (const name of part.kind === 'model' ? [...names, ...knownModels(tool.file, tool.project)] : names)
    if (!offered.has(name.name)) offered.set(name.name, name);
  const range = document.rangeOf({ start: spot.start + part.start, end: spot.start + part.start + part.name.length });
  const isWhole = part.name === spot.text.trim();
  const items = [...offered.values()].map(({ kind, name, from }, index): CompletionItem => {
    const newText = isWhole ? spot.write(name) : name;
    const sortText = String(index).padStart(4, '0');
    return { label: name, kind: kinds[kind], detail: from, sortText, filterText: newText, textEdit: { range, newText } };
  });
  return items.length === 0 ? null : { isIncomplete: false, items };
}

/** While something is typed, a file is often not valid: what can be read of it counts. */
function readAnyway(file: ToolFile, { path = '', text }: Document): ReadToolFile {
  if (isRead(file)) return file;
  const value = path.endsWith('.md') ? {} : (jsonOf(parseTree(text).root) ?? null);
  const start = { start: 0, end: 0 };
  const source = { path, text, format: 'json', value, body: '', rangeOf: () => start, placeOf: () => ({ line: 1, column: 1 }) } as const;
  return { ...file, source, facts: file.kind.facts?.(source, file.folder) ?? {} };
}

/** Current models of the providers whose models the tool has. */
function knownModels({ tool }: ToolFile, { ruleContext: { models } }: Project): readonly OfferedName[] {
  return Object.entries(namingOf(tool)?.models ?? {}).flatMap(([provider, prefix]) =>
    newestFirst(models.names(provider)).flatMap((name) => {
      const facts = models.find(name, provider);
      const isCurrent = facts?.provider === provider && !isGoing(facts);
      return isCurrent ? [{ kind: 'model', name: prefix + name, from: modelDetail(facts) } as const] : [];
    }),
  );
}

function jsonSpot({ path: file = '', text }: Document, offset: number): ScalarSpot | undefined {
  if (!/\.jsonc?$/.test(file)) return undefined;
  const tree = parseTree(text);
  const { place: side, path, token, quotes, hasValue, needsComma } = cursorAt(tree, offset);
  if (side === 'none' || hasValue) return undefined;
  // Without its quotation marks, a name is not even a value.
  if (quotes === 'none')
    return needsComma.before === undefined
      ? { path, side, text: '', start: token.start, write: (name) => JSON.stringify(name) }
      : undefined;
  const written = side === 'key' ? path.at(-1) : jsonOf(nodeAt(tree.root, path));
  return { path, side, text: String(written), start: token.start + 1, write: (name) => name };
}
