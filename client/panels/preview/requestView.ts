import * as vscode from 'vscode';
import { catchRequest, curlCommand, keyStand } from '../../../core/agent/catchRequest.js';
import type { Ports } from '../../../core/ports.js';
import { toVisibleJson } from '../../../core/visibleText.js';
import type { Composition } from './agentPreview.js';
import type { RequestView } from './messages.js';

/** A request as copied. */
export interface WholeRequest {
  readonly request: string;
  readonly curl: string;
}

/** Most of a request that is shown, in UTF-16 units. */
const longestShown = 200_000;

/** The request a run would send, key masked, or why a run could not send it. Nothing is sent. */
export async function requestOf(
  { draft, payload }: Pick<Composition, 'draft' | 'payload'>,
  ports: Ports,
): Promise<{ readonly view: RequestView; readonly whole: WholeRequest | undefined }> {
  const { prompt, resolved, snapshot, model, price } = draft;
  const none = (refusal: string) => ({ view: { refusal }, whole: undefined });
  if (snapshot === undefined) return none(vscode.l10n.t('The config contains what looks like a secret, so nothing is sent.'));
  if (resolved.llm.provider === 'vscode') {
    return none(
      vscode.l10n.t('The model is called through VS Code: there is no HTTP request. It gets the messages as the preview shows them.'),
    );
  }
  const caught = await catchRequest({ prompt, resolved, snapshot, model, price }, payload, ports);
  const { request } = caught;
  if (request === undefined) {
    return none(caught.refusal ?? vscode.l10n.t('The provider "{0}" sends no HTTP request.', resolved.llm.provider));
  }
  const body = toVisibleJson(JSON.parse(request.body));
  const curl = curlCommand(request);
  const view = {
    url: `POST ${request.url}`,
    headers: request.headers.map(([name, value]) => `${name}: ${value.replace(keyStand, `$${request.keyVariable}`)}`).join('\n'),
    body: body.slice(0, longestShown),
    curl: curl?.slice(0, longestShown) ?? null,
    more: Math.max(0, body.length - longestShown),
  };
  return { view, whole: { request: body, curl: curl ?? '' } };
}
