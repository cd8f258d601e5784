import type { AgentPreview, PreviewState } from './agentPreview.js';
import { type FieldValue, type InputValues, toFieldViews } from './inputFields.js';
import { type InputStore, payloadPath } from './inputStore.js';
import type { ToPage } from './messages.js';

type InputMessage = Extract<ToPage, { type: 'input' }>;

/** The input as the page edits it. The page's own state is remembered, so that typed text is not sent back to it. */
export class PanelInput {
  readonly #inputs: InputStore;
  #preview: AgentPreview | undefined;
  #state: PreviewState | undefined;
  #sent: InputMessage | undefined;

  constructor(inputs: InputStore) {
    this.#inputs = inputs;
  }

  /** The page is new and has nothing. */
  forget(): void {
    this.#sent = undefined;
  }

  /** @returns what to send to the page; undefined when it already has it */
  update(preview: AgentPreview, state: PreviewState): InputMessage | undefined {
    this.#preview = preview;
    this.#state = state;
    const message: InputMessage = {
      type: 'input',
      fields: toFieldViews(state.input.values, state.fields),
      cases: state.cases,
      current: state.input.case,
    };
    if (JSON.stringify(message) === JSON.stringify(this.#sent)) return undefined;
    this.#sent = message;
    return message;
  }

  setField(key: string, value: FieldValue): void {
    if (this.#sent !== undefined) {
      const fields = this.#sent.fields.map((field) => (field.key === key ? { ...field, ...value } : field));
      this.#sent = { ...this.#sent, current: '', fields };
    }
    const values = new Map(this.#values);
    // Empty fields keep their places, which a new field would otherwise take.
    for (const { key: wanted, isRequired, initial } of this.#state?.fields ?? []) {
      if (!values.has(wanted) && isRequired) values.set(wanted, initial);
    }
    this.#set(values.set(key, value), '');
  }

  removeField(key: string): void {
    this.#set(new Map([...this.#values].filter(([name]) => name !== key)), '');
  }

  /** Uses a case; an unknown name means no input. */
  async choose(name: string): Promise<void> {
    if (this.#state === undefined || this.#preview === undefined) return;
    const { index, identity, cases } = this.#state;
    const isSaved = cases.includes(name);
    const values = isSaved ? await this.#preview.project.payload(payloadPath(index, identity.name, name)) : undefined;
    this.#set(values ?? new Map(), isSaved ? name : '');
  }

  /** The input is now the case of that name. */
  saved(name: string): void {
    this.#set(this.#values, name);
  }

  #set(values: InputValues, name: string): void {
    const key = this.#key;
    if (key !== undefined) this.#inputs.set(key, { values, case: name });
  }

  get #key(): string | undefined {
    return this.#state && this.#preview?.inputKey(this.#state.identity);
  }

  /** What was typed last counts, composed or not. */
  get #values(): InputValues {
    const typed = this.#key === undefined ? undefined : this.#inputs.get(this.#key);
    return typed?.case === '' ? typed.values : (this.#state?.input.values ?? new Map());
  }
}
