import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Fewer characters can be guessed. */
export const shortestToken = 16;

/** 256 random bits, in characters that need no quoting anywhere. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether an `Authorization` header brings the token. How long it takes says nothing about the token, its length included. */
export function bringsToken(header: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +([^\s]+) *$/i.exec(header ?? '') ?? [];
  return timingSafeEqual(digest(given ?? ''), digest(token)) && given !== undefined;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
