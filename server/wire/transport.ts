/** Carries JSON-RPC messages, whatever lies between. */
export interface Transport {
  /** To be called once. Messages are given as they were parsed, unchecked and in the order in which they were sent. */
  listen(listener: TransportListener): void;
  /** @param onSent called when the message is on its way, or when nobody is left to read it */
  send(message: object, onSent?: () => void): void;
}

export interface TransportListener {
  message(message: unknown): void;
  /** What arrived is no message. The ones after it are taken in as ever. */
  fault(error: unknown): void;
  /** The other side is gone. */
  closed(): void;
}
