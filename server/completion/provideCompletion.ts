import { type CompletionItem, CompletionItemKind, type CompletionList, type CompletionParams } from 'vscode-languageserver';
import { isPromptText } from '../../core/jsonText/promptText.js';
import { maxTextBytes } from '../configDocument.js';
import { cursorAt } from '../cursor.js';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { treeOf } from '../jsonTree.js';
import type { ObjectDraft } from './draft.js';
import { provideKeys } from './keys.js';
import { referredKeys } from './outputs.js';
import { documentationOf } from './resolveCompletion.js';
import { createSpot, type Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';
import { abilitiesOf, createItemMaker, eolOf, indentUnitOf } from './toItem.js';
import { provideValues } from './values.js';
import { wholeFilesOf } from './wholeFiles.js';

/** What fits at the cursor, ready to be inserted. */
export async function provideCompletion(
  { textDocument, position }: CompletionParams,
  context: FeatureContext,
): Promise<CompletionList | null> {
  const document = context.workspace.document(textDocument.uri);
  return (document && (await completionAt(document, document.offsetAt(position), context))) ?? null;
}

/** Everything that fits at an offset; undefined where nothing can begin, and in files that are not configs. */
export async function completionAt(document: Document, offset: number, context: FeatureContext): Promise<CompletionList | undefined> {
  const project = context.workspace.projectOf(document.uri);
  const identity = document.path === undefined ? undefined : project?.identityOf(document.path);
  if (project === undefined || identity === undefined) return undefined;
  // Larger files are not checked either.
  if (document.text.length > maxTextBytes) return undefined;
  const cursor = cursorAt(treeOf(document), offset);
  if (cursor.place === 'none') return undefined;
  const spot = createSpot({ document, project, identity, kind: identity.kind, cursor, offset, context });
  const suggestions = await suggestionsAt(spot);
  if (suggestions.length === 0) return undefined;
  context.signal.throwIfAborted();

  const { text } = document;
  const abilities = abilitiesOf(context.client);
  const toItem = createItemMaker({ document, cursor, offset, abilities, indent: indentUnitOf(text), eol: eolOf(text) });
  const shortened = narrowed(suggestions, spot);
  const items: CompletionItem[] = shortened.map(toItem);
  if (!abilities.docsLater) {
    for (const [at, { docs }] of shortened.entries()) {
      const documentation = docs && documentationOf(docs, project);
      const item = items[at];
      if (documentation !== undefined && item !== undefined) item.documentation = documentation;
    }
  }
  return { isIncomplete: shortened.length < suggestions.length, items };
}

async function suggestionsAt(spot: Spot): Promise<readonly Suggestion[]> {
  const { cursor, path } = spot;
  if (cursor.place === 'key') {
    const forms = path.length === 1 && !cursor.hasColon && isNearlyEmpty(spot) ? wholeFiles(spot, 'members') : [];
    return [...forms, ...provideKeys(spot)];
  }
  if (cursor.hasValue) return [];
  if (path.length === 0) return cursor.quotes === 'none' ? wholeFiles(spot, 'value') : [];
  const values = await provideValues(spot);
  // In the text of a prompt in Markdown, only what stands between braces is completed.
  return isPromptText(spot.document.path ?? '') && path[0] === 'template' ? values.filter(({ type }) => type === 'part') : values;
}

/** Whether the object has only members that identify the file. */
function isNearlyEmpty({ cursor }: Spot): boolean {
  return cursor.siblings.every((key) => ['$schema', 'agent_name', 'version', 'llm_id', 'name'].includes(key));
}

/** Forms for the whole file, or for its missing members. */
function wholeFiles(spot: Spot, as: 'value' | 'members'): readonly Suggestion[] {
  const { kind, identity, project, cursor } = spot;
  const { index } = project;
  const ofAgent = kind === 'payload' ? identity.agent : undefined;
  const names = {
    llms: [...index.ids('llm').keys()],
    agents: [...index.ids('agent').keys()],
    personas: [...index.ids('persona').keys()],
    inputKeys: referredKeys(spot, ofAgent).map(({ name }) => name),
  };
  return wholeFilesOf(kind, identity, names).map(({ label, detail, draft }): Suggestion => {
    const common = { label, detail, kind: CompletionItemKind.Snippet, rank: cursor.siblings.length === 0 ? 0 : 3 };
    return as === 'value'
      ? { ...common, type: 'value', value: draft }
      : { ...common, type: 'members', draft: without(draft, cursor.siblings) };
  });
}

function without({ members }: ObjectDraft, keys: readonly string[]): ObjectDraft {
  return { members: members.filter(([key]) => typeof key !== 'string' || !keys.includes(key)) };
}

/** A long list is cut down to what matches the typed word, so the client has to send a new request when the word changes. */
function narrowed(suggestions: readonly Suggestion[], { cursor, text, offset }: Spot): readonly Suggestion[] {
  if (suggestions.length <= mostItems) return suggestions;
  const alike = suggestions.filter((suggestion) => {
    const typed = suggestion.type === 'part' ? text.slice(suggestion.start, offset) : cursor.typed;
    return holdsInOrder(suggestion.label.toLowerCase(), typed.toLowerCase());
  });
  return alike.slice(0, mostItems);
}

const mostItems = 500;

function holdsInOrder(label: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = label.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
