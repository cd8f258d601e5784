import { LlmError } from '../../errors.js';

/** The base address of a profile. @throws LlmError when it is not an http or https address, or contains credentials */
export function checkedBaseUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new LlmError(
      'bad-request',
      `base_url ${JSON.stringify(address)} is not an http or https address, such as "http://127.0.0.1:11434/v1".`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new LlmError('bad-request', 'base_url contains a user name or password. Use api_key ("secret://NAME") or api_key_env instead.');
  }
  return address;
}
