import type {
  CallHierarchyIncomingCall,
  CallHierarchyIncomingCallsParams,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CallHierarchyOutgoingCallsParams,
  CallHierarchyPrepareParams,
} from 'vscode-languageserver';
import { pointerOf } from '../../core/json.js';
import { cursorAt } from '../cursor.js';
import type { FeatureContext } from '../feature.js';
import { treeOf } from '../jsonTree.js';
import { viewOf } from '../names/fileView.js';
import { findOccurrences, type Occurrence, occurrencesAt, occurrencesIn } from '../occurrences.js';
import { ourDocument } from '../ours.js';
import { type Caller, calledBy, callerAround, callerKey, entityOf, itemOf, readCaller } from './callers.js';

/** The entity that the cursor names, or the one around the cursor. */
export function prepareCallHierarchy(
  { textDocument, position }: CallHierarchyPrepareParams,
  context: FeatureContext,
): readonly CallHierarchyItem[] | null {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const { document, project } = ours;
  const offset = document.offsetAt(position);
  const [callee] = occurrencesAt(document, offset, project).flatMap((occurrence) => calledBy(occurrence) ?? []);
  const view = viewOf(document, project);
  const caller = callee ?? (view && callerAround(view, pointerOf(...cursorAt(treeOf(document), offset).path)));
  const item = caller && itemOf(caller, project);
  return item === undefined ? null : [item];
}

/** The users of an item. */
export async function provideIncomingCalls(
  { item: { uri, data } }: CallHierarchyIncomingCallsParams,
  context: FeatureContext,
): Promise<readonly CallHierarchyIncomingCall[] | null> {
  await context.workspace.ready(context.signal);
  const project = context.workspace.projectOf(uri);
  const called = readCaller(data);
  if (project === undefined || called === undefined) return null;
  const entity = entityOf(called, project);
  if (entity === undefined) return [];
  const calls = new Calls();
  const { places, implied } = await findOccurrences(entity, project, context);
  for (const place of [...places, ...implied]) {
    const caller = called.type === 'task' ? teamOf(place, called) : userOf(place, called);
    if (caller !== undefined) calls.add(caller, place);
  }
  return calls.byCaller().flatMap(({ caller, places: calling }) => {
    const from = itemOf(caller, project);
    return from === undefined ? [] : [{ from, fromRanges: calling.map(({ document, range }) => document.rangeOf(range)) }];
  });

  function userOf(place: Occurrence, target: Caller): Caller | undefined {
    const callee = place.isDeclaration ? undefined : calledBy(place);
    if (callee === undefined || callerKey(callee) !== callerKey(target)) return undefined;
    const view = project && viewOf(place.document, project);
    return view && callerAround(view, place.pointer);
  }
}

/** The team of a task uses it. */
function teamOf({ isDeclaration }: Occurrence, { path, team }: Extract<Caller, { type: 'task' }>): Caller | undefined {
  return isDeclaration ? { type: 'team', path, team } : undefined;
}

/** What an item uses. */
export async function provideOutgoingCalls(
  { item: { uri, data } }: CallHierarchyOutgoingCallsParams,
  context: FeatureContext,
): Promise<readonly CallHierarchyOutgoingCall[] | null> {
  await context.workspace.ready(context.signal);
  const project = context.workspace.projectOf(uri);
  const caller = readCaller(data);
  const document = caller && project?.documentAt(caller.path);
  const view = document && project && viewOf(document, project);
  if (project === undefined || caller === undefined || view === undefined) return null;
  const calls = new Calls();
  for (const place of occurrencesIn(view.document, project, { kinds: calledKinds })) {
    const called = calledBy(place);
    if (called === undefined) continue;
    const user = called.type !== 'task' ? (place.isDeclaration ? undefined : callerAround(view, place.pointer)) : teamOf(place, called);
    if (user !== undefined && callerKey(user) === callerKey(caller)) calls.add(called, place);
  }
  return calls.byCaller().flatMap(({ caller: called, places }) => {
    const to = itemOf(called, project);
    return to === undefined ? [] : [{ to, fromRanges: places.map(({ range }) => view.document.rangeOf(range)) }];
  });
}

const calledKinds = new Set(['agent', 'llm', 'persona', 'prompt', 'mcp', 'team', 'task'] as const);

/** Places grouped by caller or callee. */
class Calls {
  private readonly byKey = new Map<string, { readonly caller: Caller; readonly places: Occurrence[] }>();

  add(caller: Caller, place: Occurrence): void {
    const key = callerKey(caller);
    const call = this.byKey.get(key);
    if (call === undefined) this.byKey.set(key, { caller, places: [place] });
    else call.places.push(place);
  }

  byCaller() {
    return [...this.byKey.values()];
  }
}
