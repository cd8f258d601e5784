/** Something a user can put right: the message says how, and `actions` are buttons that do it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly actions: readonly RefusalAction[];

  constructor(message: string, actions: readonly RefusalAction[] = []) {
    super(message);
    this.actions = actions;
  }
}

export interface RefusalAction {
  readonly title: string;
  readonly run: () => unknown;
}
