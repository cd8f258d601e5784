/** A text of the interface as the code has it. */
export interface InterfaceText {
  readonly text: string;
  /** How many values follow it in the call. */
  readonly values: number;
  /** `file:line` */
  readonly place: string;
}

export function findTexts(): readonly InterfaceText[];
export function textsIn(code: string, file: string): readonly InterfaceText[];
export function placeholdersOf(text: string): readonly string[];
export function readBundle(name: string): Readonly<Record<string, string>>;
export function translations(): readonly { readonly language: string; readonly name: string }[];
