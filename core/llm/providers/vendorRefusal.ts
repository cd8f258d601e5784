/** A vendor's server answered with a status of 300 or above. */
export class VendorRefusal extends Error {
  override readonly name = 'VendorRefusal';
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** The error object of the answer in the form `errorWords` reads, or the answer's text. */
  readonly body: unknown;

  constructor(status: number, header: (name: string) => string | null, body: unknown) {
    super(`status ${status}`);
    this.status = status;
    this.header = header;
    this.body = body;
  }
}

/** An error answer, its body read from JSON by `read`, or else its text. */
export async function toRefusal(
  response: Response,
  read: (answer: unknown) => { readonly body: unknown; readonly retryAfter?: number | undefined },
): Promise<VendorRefusal> {
  const text = await response.text();
  const { body, retryAfter } = read(parsed(text));
  const header = (name: string): string | null => {
    const value = response.headers.get(name);
    return value === null && name === 'retry-after' && retryAfter !== undefined ? String(retryAfter) : value;
  };
  return new VendorRefusal(response.status, header, body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
