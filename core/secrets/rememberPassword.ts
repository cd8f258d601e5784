import type { KnownSecrets } from '../ports.js';

/** The password in an address, of a database or a proxy: known as it is written and as it is meant. */
export function rememberPassword(address: string | undefined, known: KnownSecrets | undefined): void {
  if (address === undefined || !URL.canParse(address)) return;
  const { password } = new URL(address);
  known?.add(password);
  try {
    known?.add(decodeURIComponent(password));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
}
