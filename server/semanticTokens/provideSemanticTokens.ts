import type { ASTNode } from 'vscode-json-languageservice';
import {
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensDelta,
  type SemanticTokensDeltaParams,
  type SemanticTokensParams,
  type SemanticTokensRangeParams,
} from 'vscode-languageserver';
import type { TextRange } from '../../core/finding.js';
import { escapeSegment } from '../../core/json.js';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { endOf, type JsonTree, treeOf } from '../jsonTree.js';
import { viewOf } from '../names/fileView.js';
import { namesIn } from '../names/namesIn.js';
import { placed } from '../occurrences.js';
import { type OurDocument, ourDocument } from '../ours.js';
import type { Project, Workspace } from '../workspace.js';
import { tokenModifiers, tokenTypes, typeOfEntity } from './legend.js';
import { type Token, textTokens } from './textTokens.js';

export async function fullTokens({ textDocument }: SemanticTokensParams, context: FeatureContext): Promise<SemanticTokens | null> {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const tokens = await tokensOf(ours, wholeOf(ours), context);
  return filled(startAnswer(context.workspace, textDocument.uri), ours.document, tokens).build();
}

/** The changes since an earlier result; all tokens if that result is no longer known. */
export async function tokensSince(
  params: SemanticTokensDeltaParams,
  context: FeatureContext,
): Promise<SemanticTokens | SemanticTokensDelta | null> {
  const { textDocument, previousResultId } = params;
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const tokens = await tokensOf(ours, wholeOf(ours), context);
  const isKnown = answers.get(context.workspace)?.get(textDocument.uri)?.id === previousResultId;
  const builder = filled(startAnswer(context.workspace, textDocument.uri), ours.document, tokens);
  return isKnown ? builder.buildEdits() : builder.build();
}

/** Only the range is visited. */
export async function tokensInRange(
  { textDocument, range }: SemanticTokensRangeParams,
  context: FeatureContext,
): Promise<SemanticTokens | null> {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const stretch = ours.document.stretchOf(range);
  const tokens = await tokensOf(ours, stretch, context);
  const inside = tokens.filter((token) => token.start < stretch.end && stretch.start < token.end);
  return { data: filled(new SemanticTokensBuilder(), ours.document, inside).build().data };
}

function wholeOf({ document }: OurDocument): TextRange {
  return { start: 0, end: document.text.length };
}

/** The builders of recent documents, each with the last result, which a delta refers to. */
const answers = new WeakMap<Workspace, Map<string, SemanticTokensBuilder>>();
const mostAnswers = 50;

/** An empty builder that knows the last result. */
function startAnswer(workspace: Workspace, uri: string): SemanticTokensBuilder {
  const builders = answers.get(workspace) ?? new Map<string, SemanticTokensBuilder>();
  answers.set(workspace, builders);
  const builder = builders.get(uri) ?? new SemanticTokensBuilder();
  builders.delete(uri);
  builders.set(uri, builder);
  const [oldest] = builders.keys();
  if (builders.size > mostAnswers && oldest !== undefined) builders.delete(oldest);
  builder.previousResult(builder.id);
  return builder;
}

/**
 * The tokens of the values that a range overlaps. Names take precedence over the texts around them, which are split there: tokens never overlap.
 * Other requests are let in between, and a change of the text ends the work.
 */
async function tokensOf({ document, project }: OurDocument, range: TextRange, { pause }: FeatureContext): Promise<readonly Token[]> {
  const { config } = document;
  if (config === undefined) return [];
  const tree = treeOf(document);
  await pause();
  const names = distinct(await nameTokens(document, project, tree, range, pause));
  const texts: Token[] = [];
  for (const some of textTokens(tree, config.identity.kind, range)) {
    for (const token of some) texts.push(token);
    await pause();
  }
  return cut(texts, names);
}

/** Names placed before other requests get their turn. */
const namesPerTurn = 2_000;

async function nameTokens(
  document: Document,
  project: Project,
  tree: JsonTree,
  range: TextRange,
  pause: FeatureContext['pause'],
): Promise<Token[]> {
  const view = viewOf(document, project);
  if (view === undefined) return [];
  const isWhole = range.start === 0 && range.end === document.text.length;
  const names = namesIn(view, isWhole ? {} : { overlaps: writtenIn(tree, range) });
  const tokens: Token[] = [];
  for (let at = 0; at < names.length; at += namesPerTurn) {
    await pause();
    for (const { entity, range: place, isDeclaration, isImplied } of placed(view, names.slice(at, at + namesPerTurn))) {
      if (isImplied || place.start >= place.end) continue;
      tokens.push({ ...place, type: typeOfEntity[entity.kind], modifiers: isDeclaration ? ['declaration'] : [] });
    }
  }
  return tokens.sort((left, right) => left.start - right.start);
}

/** Returns whether the member or item of a pointer is at least partly in a range. */
function writtenIn({ root }: JsonTree, { start, end }: TextRange): (pointer: string) => boolean {
  const pointers = new Set<string>();
  const visit = (node: ASTNode | undefined, pointer: string, from = node?.offset ?? 0) => {
    if (node === undefined || from >= end || endOf(node) <= start) return;
    pointers.add(pointer);
    if (node.type === 'array') for (const [index, item] of node.items.entries()) visit(item, `${pointer}/${index}`);
    else if (node.type === 'object')
      for (const { offset, keyNode, valueNode } of node.properties) visit(valueNode, `${pointer}/${escapeSegment(keyNode.value)}`, offset);
  };
  visit(root, '');
  return (pointer) => pointers.has(pointer);
}

/** A place that names several entities is coloured as the first. The names are in file order. */
function distinct(names: readonly Token[]): readonly Token[] {
  let end = 0;
  return names.filter((name) => {
    if (name.start < end) return false;
    end = name.end;
    return true;
  });
}

function cut(texts: readonly Token[], names: readonly Token[]): readonly Token[] {
  const tokens: Token[] = [...names];
  let at = 0;
  for (const text of texts) {
    while (at < names.length && (names[at] as Token).end <= text.start) at += 1;
    let { start } = text;
    for (let next = at; next < names.length && (names[next] as Token).start < text.end; next++) {
      const name = names[next] as Token;
      if (start < name.start) tokens.push({ ...text, start, end: name.start });
      start = name.end;
    }
    if (start < text.end) tokens.push({ ...text, start });
  }
  return tokens.sort((left, right) => left.start - right.start);
}

function filled(builder: SemanticTokensBuilder, document: Document, tokens: readonly Token[]): SemanticTokensBuilder {
  for (const { start, end, type, modifiers } of tokens) {
    const { line, character } = document.positionAt(start);
    const bits = modifiers.reduce((sum, modifier) => sum | (1 << tokenModifiers.indexOf(modifier)), 0);
    builder.push(line, character, end - start, tokenTypes.indexOf(type), bits);
  }
  return builder;
}
