import type { Hover, HoverParams, Position } from 'vscode-languageserver';
import type { TextRange } from '../../core/finding.js';
import { promptTexts } from '../../core/generated/fields.js';
import { isObject, type Json, pointerOf, valueAt } from '../../core/json.js';
import { isPromptText } from '../../core/jsonText/promptText.js';
import { countText, tokensText } from '../../core/llm/tokenText.js';
import { findTemplatePaths } from '../../core/prompt/template.js';
import { type Cursor, cursorAt } from '../cursor.js';
import type { FeatureContext } from '../feature.js';
import { treeOf } from '../jsonTree.js';
import { type FileView, rawStretches, viewOf } from '../names/fileView.js';
import { isToolName, toolsNamed } from '../names/toolAt.js';
import { type Occurrence, occurrencesAtCursor, occurrencesIn } from '../occurrences.js';
import { type OurDocument, ourDocument } from '../ours.js';
import { orchestrationCostWords } from './costWords.js';
import { effectiveWords, runsWith } from './effectiveWords.js';
import { entityWords } from './entityWords.js';
import { fieldWords } from './fieldWords.js';
import { type Block, line, toMarkup } from './hoverText.js';
import { modelWords, providerBeside } from './modelWords.js';
import { permitBlocks } from './permitBlocks.js';
import { placeholderWords } from './placeholderWords.js';
import { toolWords } from './toolWords.js';

export async function provideHover({ textDocument, position }: HoverParams, context: FeatureContext): Promise<Hover | null> {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  return hoverIn(ours, position, context);
}

/** The same in a document that need not be open. */
export async function hoverIn({ document, project }: OurDocument, position: Position, context: FeatureContext): Promise<Hover | null> {
  const cursor = cursorAt(treeOf(document), document.offsetAt(position));
  if (cursor.place === 'none' || cursor.token.start === cursor.token.end) return null;
  const view = viewOf(document, project);
  if (view === undefined) return null;
  const { range, blocks } = await blocksAt(view, cursor, context);
  if (blocks.length === 0) return null;
  const [format = 'plaintext'] = context.client.textDocument?.hover?.contentFormat ?? [];
  return { contents: toMarkup(blocks, format), range: document.rangeOf(range) };
}

interface Found {
  readonly range: TextRange;
  readonly blocks: readonly Block[];
}

async function blocksAt(view: FileView, cursor: Cursor, context: FeatureContext): Promise<Found> {
  const { token, path, place, typed } = cursor;
  const value = place === 'value' ? valueAt(view.value, pointerOf(...path)) : undefined;
  if (typeof value === 'string') {
    const stretch = placeholderWords(view, value, typed.length, path);
    if (stretch !== undefined) {
      const [range = token] = rawStretches(view.document.text, token, [stretch.within]);
      return { range, blocks: stretch.blocks };
    }
  }
  const occurrences = cursor.quotes === 'none' ? [] : namedAt(view, cursor, value);
  const [first] = occurrences;
  const words = (await Promise.all(occurrences.slice(0, mostMeanings).map((occurrence) => entityWords(occurrence, view, context)))).flat();
  if (first !== undefined && words.length > 0) return { range: first.range, blocks: words };
  if (typeof value === 'string' && isToolName(path)) {
    const tools = toolsNamed(view.file, view.value, path, value, view.project).slice(0, mostMeanings);
    if (tools.length > 0) return { range: token, blocks: tools.flatMap(toolWords) };
  }
  const tokens = await valueWords(view, path, value);
  // Of the text of a prompt in Markdown, the field is plain to see.
  if (isPromptText(view.file.path) && path[0] === 'template') return { range: token, blocks: tokens };
  const cost = path.length === 1 && costly.has(String(path[0])) ? await orchestrationCostWords(view) : [];
  const isName = path.length === 1 && path[0] === (view.file.identity.kind === 'orchestration' ? 'name' : 'agent_name');
  const permits = isName ? await permitBlocks(view) : [];
  return { range: token, blocks: [...tokens, ...cost, ...permits, ...plainWords(view, cursor, context)] };
}

/** The entities at the cursor; otherwise, inside a `{{path}}`, the last entity that it names. */
function namedAt(view: FileView, cursor: Cursor, value: Json | undefined): readonly Occurrence[] {
  const occurrences = occurrencesAtCursor(view, cursor);
  if (occurrences.length > 0 || typeof value !== 'string' || !value.includes('{{')) return occurrences;
  const offset = cursor.typed.length;
  const path = findTemplatePaths(value).find(({ start, end }) => start <= offset && offset <= end);
  if (path === undefined) return [];
  const inside = occurrencesIn(view.document, view.project, { at: pointerOf(...cursor.path) }).filter(
    ({ target, within }) => target === 'value' && within !== undefined && path.start <= within.start && within.end <= path.end,
  );
  const last = inside.at(-1)?.range.start;
  return inside.filter(({ range }) => range.start === last);
}

/** Fields of an orchestration that determine its cost, and its name. */
const costly = new Set(['name', 'max_total_teams', 'max_recursion_depth']);

/** One place may name many entities, for example in a prompt that many agents use. */
const mostMeanings = 3;

/** The effective value of a field and its documentation. */
function plainWords(view: FileView, { path }: Cursor, { fieldsPage }: FeatureContext): readonly Block[] {
  const field = path.length === 1 ? String(path[0]) : undefined;
  const effective = field === undefined ? [] : [...effectiveWords(view, field), ...(field === 'agent_name' ? runsWith(view) : [])];
  return [...effective, ...fieldWords(view, path, fieldsPage(view.file.identity.kind))];
}

/** Facts about a model, tokens of a text. */
async function valueWords(view: FileView, path: readonly (string | number)[], value: Json | undefined): Promise<readonly Block[]> {
  const field = path.at(-1);
  if (typeof value !== 'string') return [];
  if (field === 'model_name') return value.includes('${') ? [] : modelWords(view, value, providerFor(view, path));
  const isText = typeof field === 'string' && textFields.has(field);
  return isText ? tokenWords(value, modelFor(view, path)) : [];
}

const textFields = new Set<string>([...promptTexts, 'llm']);

function providerFor(view: FileView, path: readonly (string | number)[]): string | undefined {
  const beside = providerBeside(valueAt(view.value, pointerOf(...path.slice(0, -1))));
  if (beside !== undefined || path.length > 1) return beside;
  return effectiveIn(view)?.provider;
}

/** The model that a text is for: the one named beside it, or that of the agent it is in. */
function modelFor(view: FileView, path: readonly (string | number)[]): Counted | undefined {
  const around = valueAt(view.value, pointerOf(...path.slice(0, -1)));
  const beside = isObject(around) && typeof around.model_name === 'string' ? around.model_name : undefined;
  if (beside !== undefined && !beside.includes('${')) return { model: beside, isPlain: true };
  const model = effectiveIn(view)?.model_name;
  return model === undefined ? undefined : { model, isPlain: false };
}

/** The effective config of an agent file; undefined for invalid JSON. */
function effectiveIn({ file, document, project }: FileView) {
  return file.identity.kind === 'agent' && isObject(document.config?.value)
    ? project.ruleContext.effective(document.config).config
    : undefined;
}

/** In UTF-16 units. For longer texts, only the beginning is counted, and the rest is estimated from it. */
const countedUnits = 100_000;

/** A model, and whether its name may be shown. A name from a variable may not. */
interface Counted {
  readonly model: string;
  readonly isPlain: boolean;
}

/** The number of tokens of a text for a model. Loads the tokenizer on first use. */
async function tokenWords(text: string, counted: Counted | undefined): Promise<readonly Block[]> {
  if (text.trim() === '') return [];
  const { hasKnownTokenizer, loadTokenCounter } = await import('../../core/llm/countTokens.js');
  const name = counted?.model ?? anyModel;
  const counter = await loadTokenCounter([name]);
  const isWhole = text.length <= countedUnits;
  const { tokens, exact } = counter.count(name, isWhole ? text : text.slice(0, countedUnits));
  const total = isWhole ? tokens : Math.round((tokens * text.length) / countedUnits);
  const about = isWhole && exact && counted !== undefined ? '' : 'About ';
  const isKnown = counted !== undefined && hasKnownTokenizer(counted.model);
  const of = isKnown ? (counted.isPlain ? ` for ${counted.model}` : ' for the model of this agent') : '';
  const how = isWhole ? '' : `, estimated from the first ${countText(countedUnits)} characters`;
  return [line(`${about}${tokensText(total)}${of}${how}.`)];
}

/** The model that provides the tokenizer when none is known. */
const anyModel = 'gpt-4o';
