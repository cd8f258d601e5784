import { type ClientCapabilities, type CodeAction, type CodeActionParams, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { hasCommand } from '../capabilities.js';
import { toWorkspaceEdit } from '../edits/fileChange.js';
import type { FeatureContext } from '../feature.js';
import type { Offer, OfferRequest } from '../offer.js';
import { requestFailed } from '../requestFailed.js';
import type { Project } from '../workspace.js';
import { collectOffers } from './collectOffers.js';

/** What a code action needs to be resolved: where it was requested, and which one it was. Offsets, not positions. */
export interface CodeActionData {
  readonly uri: string;
  readonly start: number;
  readonly end: number;
  readonly id: string;
}

/** Code actions at a place. If the client can request edits later, `resolveCodeAction` computes them. */
export async function provideCodeActions(
  { textDocument, range, context: requested }: CodeActionParams,
  context: FeatureContext,
): Promise<CodeAction[]> {
  const { workspace, client, diagnosis } = context;
  const document = workspace.document(textDocument.uri);
  const project = workspace.projectOf(textDocument.uri);
  if (document === undefined || project === undefined) return [];
  const stretch = document.stretchOf(range);
  const offers = await collectOffers({ document, project, stretch, only: requested.only, context });
  const { items } = await diagnosis.reportOf(textDocument.uri);
  const actions: CodeAction[] = [];
  for (const offer of offers) {
    const { id, title, kind, isPreferred, finding, command, disabled } = offer;
    if (command !== undefined && !hasCommand(client, command.command)) continue;
    if (disabled !== undefined && client.textDocument?.codeAction?.disabledSupport !== true) continue;
    const diagnostic = finding === undefined ? undefined : items[finding];
    const data: CodeActionData = { uri: textDocument.uri, ...stretch, id };
    const action: CodeAction = {
      title,
      kind,
      ...(isPreferred === true && { isPreferred }),
      ...(diagnostic !== undefined && { diagnostics: [diagnostic] }),
      ...(disabled !== undefined && { disabled: { reason: disabled } }),
      ...(command === undefined ? { data } : { command: { title, command: command.command, arguments: [...command.arguments] } }),
    };
    if (disabled !== undefined || command !== undefined || resolvesEdits(client)) actions.push(action);
    else actions.push(...(await withEdit(action, offer, project, context)));
  }
  return actions;
}

/** A code action with its edit. @throws ResponseError when it is no longer offered, or cannot be done */
export async function resolveCodeAction(action: CodeAction, context: FeatureContext): Promise<CodeAction> {
  const data = action.data as CodeActionData | undefined;
  const document = data && context.workspace.document(data.uri);
  const project = data && context.workspace.projectOf(data.uri);
  if (data === undefined || document === undefined || project === undefined) throw outdated();
  const offer = await findOffer(
    { document, project, stretch: data, only: action.kind === undefined ? undefined : [action.kind], context },
    data.id,
  );
  if (offer === undefined) throw outdated();
  if (offer.disabled !== undefined) throw requestFailed(offer.disabled);
  const changes = await offer.changes();
  if (changes.length === 0) throw requestFailed(`There is nothing left to change for "${action.title}".`);
  return { ...action, edit: toWorkspaceEdit(changes, project, context.client) };
}

async function findOffer(request: OfferRequest, id: string): Promise<Offer | undefined> {
  return (await collectOffers(request)).find((offer) => offer.id === id);
}

function outdated(): ResponseError {
  return new ResponseError(LSPErrorCodes.ContentModified, 'The file has changed since this was offered. Ask again.');
}

function resolvesEdits({ textDocument }: ClientCapabilities): boolean {
  const { resolveSupport, dataSupport } = textDocument?.codeAction ?? {};
  return dataSupport === true && resolveSupport?.properties.includes('edit') === true;
}

/** For a client that cannot resolve edits later: actions that cannot be done are left out. A bug in one fix does not suppress the others. */
async function withEdit(action: CodeAction, offer: Offer, project: Project, context: FeatureContext): Promise<readonly CodeAction[]> {
  try {
    const changes = await offer.changes();
    context.signal.throwIfAborted();
    return changes.length === 0 ? [] : [{ ...action, edit: toWorkspaceEdit(changes, project, context.client) }];
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof ResponseError)) context.logger.log('error', `"${action.title}" failed`, { error });
    return [];
  }
}
