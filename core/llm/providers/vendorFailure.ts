import { LlmError, type LlmFailureReason } from '../../errors.js';
import { isObject } from '../../json.js';
import { coverSecrets } from '../../secrets/secretPatterns.js';
import { shorten } from '../../words.js';
import { retryAfter } from '../retry.js';
import { type ApiKey, withoutKey } from './apiKey.js';
import type { FailureContext } from './types.js';
import type { VendorRefusal } from './vendorRefusal.js';

/** The fields of an error object that servers agree on; all of them may be missing. */
export interface ErrorWords {
  readonly message: string;
  readonly code: string;
  readonly param: string | undefined;
}

/** Reads `{message, code, type, param}`, a bare text, FastAPI's `detail` and similar; the key is removed from every text. */
export function errorWords(body: unknown, key: ApiKey | undefined): ErrorWords {
  if (!isObject(body)) return { message: typeof body === 'string' ? plain(body, key) : '', code: '', param: undefined };
  const { message, detail, error, code, type, param } = body;
  const reportedError = [message, detail, error].find((each) => each !== undefined && each !== null);
  const text = typeof reportedError === 'string' ? reportedError : reportedError === undefined ? '' : JSON.stringify(reportedError);
  const codes = [code, type].filter((each) => typeof each === 'string' || typeof each === 'number');
  return { message: plain(text, key), code: codes.join(' '), param: typeof param === 'string' ? param : undefined };
}

/** The failure that an error answer means, with the server's own words and advice. */
export function toLlmError(refusal: VendorRefusal, context: FailureContext): LlmError {
  const { status, header, body } = refusal;
  const words = errorWords(body, context.key);
  const reason = reasonOf(status, words);
  const reportedWords = words.message === '' ? '' : `: ${words.message}`;
  const text = `${context.server} answered with status ${status}${reportedWords}${/[.!?]$/.test(reportedWords) ? '' : '.'} ${adviceOf(reason, status, context)}`;
  return new LlmError(reason, withoutKey(text.trim(), context.key), {
    status,
    retryAfter: retryAfter(header, context.now()),
    recoverable: reason === 'rate-limit' || reason === 'server',
  });
}

/** An `error` inside an answer of status 200, whole or streamed. */
export function toAnswerError(body: unknown, context: FailureContext): LlmError {
  const words = errorWords(body, context.key);
  const statusInCode = /\b([45]\d\d)\b/.exec(words.code)?.[1];
  const reason = reasonOf(statusInCode === undefined ? 500 : Number(statusInCode), words);
  const reportedWords = words.message === '' && words.code === '' ? '' : `: ${words.message === '' ? words.code : words.message}`;
  const text = `${context.server} broke off with an error${reportedWords}${/[.!?]$/.test(reportedWords) ? '' : '.'} ${adviceOf(reason, 500, context)}`;
  return new LlmError(reason, withoutKey(text.trim(), context.key), { recoverable: reason === 'rate-limit' || reason === 'server' });
}

/** The failure of `fetch`, or of reading a body: the connection is at fault, not the server. */
export function toNetworkError(error: unknown, context: FailureContext): LlmError {
  const { message, code } = connectionWords(error);
  const text = message === '' ? `The connection to ${context.server} failed.` : message;
  const cause = new Error(withoutKey(message, context.key));
  const isForGood = code !== undefined && lasting.test(code);
  return new LlmError('network', withoutKey(text, context.key), { recoverable: !isForGood, cause: Object.assign(cause, { code }) });
}

/** Codes of failures that a retry would meet again: certificates, redirects, sizes, addresses, proxies. */
const lasting =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_REDIRECT_|ERR_BODY_|ERR_CONTENT_|ERR_INVALID_|ERR_PROXY|HPE_|EPROTO)/;

/** The first message and the first code along an error's causes; undici's own say only `fetch failed`. */
function connectionWords(error: unknown): { message: string; code: string | undefined } {
  let message = '';
  let code: string | undefined;
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (message === '' || message === 'fetch failed') message = cause.message;
    if (code === undefined && 'code' in cause && typeof cause.code === 'string') code = cause.code;
  }
  return { message, code };
}

function reasonOf(status: number, { code, message }: ErrorWords): LlmFailureReason {
  if (/insufficient_quota|billing|insufficient_(credit|balance)/.test(code) || status === 402) return 'quota';
  if (/context_length|context_window/.test(code) || (isRequestFault(status) && contextWords.test(message))) return 'context-length';
  if (/content_filter|content_policy|responsible_?ai/i.test(code)) return 'content-filter';
  if (/rate_limit/.test(code) || status === 429) return 'rate-limit';
  if (/invalid_api_key|authentication/.test(code) || status === 401 || status === 403) return 'auth';
  if (status === 404 || /model_not_found/.test(code)) return 'not-found';
  return status === 408 || status === 409 || status >= 500 ? 'server' : 'bad-request';
}

function isRequestFault(status: number): boolean {
  return status === 400 || status === 413 || status === 422;
}

const contextWords = /context (length|window|size)|maximum context|too many tokens|prompt is too long|exceeds? the (available )?context/i;

function adviceOf(reason: LlmFailureReason, status: number, { model, key }: FailureContext): string {
  switch (reason) {
    case 'auth':
      return status === 403
        ? `Check what the key (${key?.source ?? 'no key'}) may use: the model, the project, the region.`
        : `Check the key (${key?.source ?? 'no key'}).`;
    case 'not-found':
      return `Check model_name (${JSON.stringify(model)}) and base_url; a local server must have the model installed.`;
    case 'rate-limit':
      return 'Send fewer requests at a time, or raise retry_attempts.';
    case 'quota':
      return 'Add credit or raise the spending limit of the account.';
    case 'context-length':
      return 'Shorten the input or max_output_tokens, or choose a model with a larger context window.';
    case 'content-filter':
      return 'Change the prompt or the input.';
    case 'server':
      return 'Such errors are usually temporary.';
    default:
      return '';
  }
}

/** A model's words, made fit for a message: without keys, ours or quoted ones; at most 400 characters. */
export function spoken(text: string, key: ApiKey | undefined): string {
  // Keys are removed before the text is shortened, since a part of a key is not recognized.
  return shorten(coverSecrets(withoutKey(text, key).slice(0, 20_000)), 400, '...');
}

/** One line without markup and keys, at most 400 characters: error pages of proxies are whole documents. */
function plain(text: string, key: ApiKey | undefined): string {
  const line = withoutTags(withoutKey(text, key).slice(0, 20_000)).replaceAll(/\s+/g, ' ').trim();
  return spoken(line, key);
}

/**
 * A text with a space in place of each tag, and without scripts and styles. Takes linear time for any text; a pattern would search for the end
 * of a tag again from each `<`.
 */
export function withoutTags(text: string): string {
  // Not `toLowerCase`, which changes the length of some characters.
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const endless = new Set<string>();
  let plain = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open < 0) break;
    const name = ['script', 'style'].find((tag) => !endless.has(tag) && lower.startsWith(tag, open + 1));
    const end = name === undefined ? '>' : `</${name}>`;
    const close = lower.indexOf(end, open + 1);
    if (close < 0) {
      // If there is no end here, there is none later either.
      if (name === undefined) break;
      endless.add(name);
      continue;
    }
    plain += `${text.slice(at, open)} `;
    at = close + end.length;
  }
  return plain + text.slice(at);
}
