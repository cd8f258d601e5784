/**
 * Why a request could not be made or its answer not be read: the message says so in words and what to check, `code` is
 * Node's (`ECONNREFUSED`, `CERT_HAS_EXPIRED`) or one of `ERR_REDIRECT_REFUSED`, `ERR_BODY_TOO_LARGE`,
 * `ERR_CONTENT_ENCODING`, `ERR_PROXY`; `cause` is the original error. Neither holds a header or a body.
 */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The failure for an error of Node's HTTP, TLS, DNS or zlib. `origin` is `https://host:port`. */
export function toHttpFailure(error: Error | undefined, origin: string): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const code = error !== undefined && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return new HttpFailure(describe(code, error, origin), code, error);
}

function describe(code: string | undefined, error: Error | undefined, origin: string): string {
  if (error === undefined) return `The connection to ${origin} was closed before the answer was complete.`;
  const tag = code === undefined ? '' : ` (${code})`;
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing answers at ${origin}${tag}. Is the server running, and is the address right?`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name in ${origin} could not be looked up${tag}. Check the address and the network.`;
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return `The connection to ${origin} was cut${tag}.`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${origin} cannot be reached${tag}. Check the network, and a proxy if there is one.`;
    case 'EPROTO':
      return `${origin} does not speak TLS as expected${tag}. Is it http instead of https?`;
  }
  if (code?.startsWith('HPE_')) return `${origin} answered with something that is not HTTP${tag}. Is it https instead of http?`;
  if (code?.startsWith('Z_') || code?.startsWith('ERR_BROTLI') || code?.startsWith('ERR__ERROR_FORMAT')) {
    return `The compressed answer of ${origin} is damaged or cut off${tag}.`;
  }
  if (isCertificateProblem(code)) {
    return `The TLS certificate of ${origin} is not trusted${tag}. If it is your own, name its CA file in NODE_EXTRA_CA_CERTS.`;
  }
  return `The request to ${origin} failed${tag}: ${error.message}`;
}

function isCertificateProblem(code: string | undefined): boolean {
  return code !== undefined && /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY))/.test(code);
}
