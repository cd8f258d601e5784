import type { OpenaiApi } from '../openai/chosenApi.js';
import type { ChatAddress } from '../openai/sdk.js';

/**
 * Where Azure accepts the calls of a deployment, according to its REST reference and the AzureOpenAI class of the SDK (Nov 2026):
 *
 * - v1: `{resource}/openai/v1/chat/completions`, the deployment in the body as `model`; a version is sent only when configured.
 * - dated: `{resource}/openai/deployments/{deployment}/chat/completions?api-version=...`.
 *
 * The Responses API is not part of a deployment: v1 `{resource}/openai/v1/responses`, dated `{resource}/openai/responses?api-version=...`.
 *
 * `baseUrl` may extend to `/openai`, `/openai/v1` or `/openai/deployments/{deployment}`, which then wins. Anything else in its path belongs to a
 * gateway in front of the resource and is kept.
 */
export function azureAddress(baseUrl: string, apiVersion: string | undefined, api: OpenaiApi = 'chat_completions'): ChatAddress {
  const url = new URL(baseUrl);
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (api === 'responses' && segments.at(-2) === 'deployments') segments.splice(-2);
  const isWhole = segments.at(-1) === 'v1' || segments.at(-2) === 'deployments';
  const isDated = !isWhole && apiVersion !== undefined;
  if (!isWhole && !segments.includes('openai')) segments.push('openai');
  if (!isWhole && !isDated) segments.push('v1');
  if (apiVersion !== undefined) url.searchParams.set('api-version', apiVersion);

  const baseUrlFor = (model: string): string => {
    const deployment = isDated && api === 'chat_completions' ? ['deployments', encodeURIComponent(model)] : [];
    const address = new URL(url);
    address.pathname = ['', ...segments, ...deployment].join('/');
    return address.href;
  };
  return { baseUrlFor, keyHeader };
}

/** Whether a key is a token of Microsoft Entra ID, which is a JSON Web Token, and not a key of the resource. */
function keyHeader(key: string): Readonly<Record<string, string>> {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(key) ? { authorization: `Bearer ${key}` } : { 'api-key': key };
}
