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
