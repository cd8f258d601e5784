import {
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensDelta,
  type SemanticTokensDeltaParams,
  type SemanticTokensParams,
  type SemanticTokensRangeParams,
} from 'vscode-languageserver';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { treeOf } from '../jsonTree.js';
import { occurrencesIn } from '../occurrences.js';
import { type OurDocument, ourDocument } from '../ours.js';
import type { Workspace } from '../workspace.js';
import { tokenModifiers, tokenTypes, typeOfEntity } from './legend.js';
import { type Token, textTokens } from './textTokens.js';

export function fullTokens({ textDocument }: SemanticTokensParams, context: FeatureContext): SemanticTokens | null {
  const ours = ourDocument(textDocument, context);
  return ours === undefined ? null : filled(startAnswer(context.workspace, textDocument.uri), ours.document, tokensOf(ours)).build();
}

/** The changes since an earlier answer; all tokens when that answer is no longer known. */
export function tokensSince(params: SemanticTokensDeltaParams, context: FeatureContext): SemanticTokens | SemanticTokensDelta | null {
  const { textDocument, previousResultId } = params;
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const isKnown = answers.get(context.workspace)?.get(textDocument.uri)?.id === previousResultId;
  const builder = filled(startAnswer(context.workspace, textDocument.uri), ours.document, tokensOf(ours));
  return isKnown ? builder.buildEdits() : builder.build();
}

export function tokensInRange({ textDocument, range }: SemanticTokensRangeParams, context: FeatureContext): SemanticTokens | null {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const { start, end } = ours.document.stretchOf(range);
  const inside = tokensOf(ours).filter((token) => token.start < end && start < token.end);
  return { data: filled(new SemanticTokensBuilder(), ours.document, inside).build().data };
}

/** The builders of recent documents, each with the last answer, which a delta refers to. */
const answers = new WeakMap<Workspace, Map<string, SemanticTokensBuilder>>();
const mostAnswers = 50;

/** An empty builder that knows the last answer. */
function startAnswer(workspace: Workspace, uri: string): SemanticTokensBuilder {
  const known = answers.get(workspace) ?? new Map<string, SemanticTokensBuilder>();
  answers.set(workspace, known);
  const builder = known.get(uri) ?? new SemanticTokensBuilder();
  known.delete(uri);
  known.set(uri, builder);
  const [oldest] = known.keys();
  if (known.size > mostAnswers && oldest !== undefined) known.delete(oldest);
  builder.previousResult(builder.id);
  return builder;
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

function filled(builder: SemanticTokensBuilder, document: Document, tokens: readonly Token[]): SemanticTokensBuilder {
  for (const { start, end, type, modifiers } of tokens) {
    const { line, character } = document.positionAt(start);
    const bits = modifiers.reduce((sum, modifier) => sum | (1 << tokenModifiers.indexOf(modifier)), 0);
    builder.push(line, character, end - start, tokenTypes.indexOf(type), bits);
  }
  return builder;
}
