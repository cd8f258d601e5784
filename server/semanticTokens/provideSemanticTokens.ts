import type {
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensParams,
  SemanticTokensRangeParams,
  TextDocumentIdentifier,
} from 'vscode-languageserver';
import type { TextRange } from '../../core/finding.js';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { treeOf } from '../jsonTree.js';
import { occurrencesIn } from '../occurrences.js';
import { type OurDocument, ourDocument } from '../ours.js';
import type { Workspace } from '../workspace.js';
import { tokenModifiers, tokenTypes, typeOfEntity } from './legend.js';
import { type Token, textTokens } from './textTokens.js';

export function fullTokens({ textDocument }: SemanticTokensParams, context: FeatureContext): SemanticTokens | null {
  const data = dataOf(textDocument, context);
  return data === undefined ? null : { resultId: remember(context.workspace, textDocument.uri, data), data };
}

/** The changes since an earlier answer; all tokens when that answer is no longer known. */
export function tokensSince(params: SemanticTokensDeltaParams, context: FeatureContext): SemanticTokens | SemanticTokensDelta | null {
  const { textDocument, previousResultId } = params;
  const known = answers.get(context.workspace)?.get(textDocument.uri);
  const data = dataOf(textDocument, context);
  if (data === undefined) return null;
  const resultId = remember(context.workspace, textDocument.uri, data);
  if (known?.resultId !== previousResultId) return { resultId, data };
  const { start, end, added } = difference(known.data, data);
  return { resultId, edits: start === end && added.length === 0 ? [] : [{ start, deleteCount: end - start, data: added }] };
}

export function tokensInRange({ textDocument, range }: SemanticTokensRangeParams, context: FeatureContext): SemanticTokens | null {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const { start, end } = ours.document.stretchOf(range);
  const inside = tokensOf(ours).filter((token) => token.start < end && start < token.end);
  return { data: encode(ours.document, inside) };
}

interface Answer {
  readonly resultId: string;
  readonly data: number[];
}

/** The last answer for each recent document, which a delta refers to. */
const answers = new WeakMap<Workspace, Map<string, Answer>>();
const mostAnswers = 50;

function remember(workspace: Workspace, uri: string, data: number[]): string {
  const known = answers.get(workspace) ?? new Map<string, Answer>();
  answers.set(workspace, known);
  const resultId = String(Number(known.get(uri)?.resultId ?? 0) + 1);
  known.delete(uri);
  known.set(uri, { resultId, data });
  const [oldest] = known.keys();
  if (known.size > mostAnswers && oldest !== undefined) known.delete(oldest);
  return resultId;
}

function dataOf(textDocument: TextDocumentIdentifier, context: FeatureContext): number[] | undefined {
  const ours = ourDocument(textDocument, context);
  return ours && encode(ours.document, tokensOf(ours));
}

/** Names take precedence over the texts around them, which are split there: tokens never overlap. */
function tokensOf({ document, project }: OurDocument): readonly Token[] {
  const { config } = document;
  if (config === undefined) return [];
  const names = distinct(
    occurrencesIn(document, project).flatMap(({ entity, range, isDeclaration, isImplied }): Token[] =>
      isImplied || range.start >= range.end
        ? []
        : [{ ...range, type: typeOfEntity[entity.kind], modifiers: isDeclaration ? ['declaration'] : [] }],
    ),
  );
  return cut(textTokens(treeOf(document), config.identity.kind), names);
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
  const found: Token[] = [...names];
  let at = 0;
  for (const text of texts) {
    while (at < names.length && (names[at] as Token).end <= text.start) at += 1;
    let { start } = text;
    for (let next = at; next < names.length && (names[next] as Token).start < text.end; next++) {
      const name = names[next] as Token;
      if (start < name.start) found.push({ ...text, start, end: name.start });
      start = name.end;
    }
    if (start < text.end) found.push({ ...text, start });
  }
  return found.sort((left, right) => left.start - right.start);
}

/** Five numbers per token (LSP 3.17, Semantic Tokens): line and character relative to the previous token, length, type, modifiers. */
function encode(document: Document, tokens: readonly Token[]): number[] {
  const data: number[] = [];
  let [line, character] = [0, 0];
  for (const { start, end, type, modifiers } of tokens) {
    const position = document.positionAt(start);
    const isSameLine = position.line === line;
    const bits = modifiers.reduce((sum, modifier) => sum | (1 << tokenModifiers.indexOf(modifier)), 0);
    data.push(
      position.line - line,
      isSameLine ? position.character - character : position.character,
      end - start,
      tokenTypes.indexOf(type),
      bits,
    );
    ({ line, character } = position);
  }
  return data;
}

/** The range in which two answers differ, in whole tokens. */
function difference(before: readonly number[], after: readonly number[]): TextRange & { readonly added: number[] } {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[same] === after[same]) same += 1;
  same -= same % 5;
  let tail = 0;
  while (tail < most - same && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  tail -= tail % 5;
  return { start: same, end: before.length - tail, added: after.slice(same, after.length - tail) };
}
