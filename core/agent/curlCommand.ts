import { toVisibleJson } from '../visibleText.js';
import { shellQuote } from '../words.js';
import { type CaughtRequest, keyStand } from './catchRequest.js';

/**
 * A request as a command for a POSIX shell. In place of the key it names the environment variable a run takes it from; undefined when no
 * shell can name that one.
 */
export function curlCommand({ url, headers, body, keyVariable }: CaughtRequest): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(keyVariable)) return undefined;
  const words = [shellQuote(url)];
  for (const [name, value] of headers) {
    if (name === 'user-agent' || name === 'accept') continue;
    const header = `${name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())}: ${value}`;
    words.push(`--header ${value.includes(keyStand) ? `"${header.replace(keyStand, `$${keyVariable}`)}"` : shellQuote(header)}`);
  }
  // A quoted here-document needs no escapes and has no limit of length; no line of JSON is equal to its last.
  return `curl ${[...words, "--data-binary @- <<'END_OF_REQUEST'"].join(' \\\n  ')}\n${toVisibleJson(JSON.parse(body))}\nEND_OF_REQUEST`;
}
