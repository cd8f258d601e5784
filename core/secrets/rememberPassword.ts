import type { KnownSecrets } from '../ports.js';

/** Remembers the password in the address of a database or a proxy, both as written and decoded. */
export function rememberPassword(address: string | undefined, knownSecrets: KnownSecrets | undefined): void {
  if (address === undefined || !URL.canParse(address)) return;
  const { password } = new URL(address);
  knownSecrets?.add(password);
  try {
    knownSecrets?.add(decodeURIComponent(password));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
}
