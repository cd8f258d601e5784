/** The part of markdown-it in use, which has no types: its parser, not its HTML. */
declare module 'markdown-it' {
  export interface Token {
    readonly type: string;
    /** Of the HTML it would become. */
    readonly tag: string;
    /** 1 opens, -1 closes, 0 is whole. */
    readonly nesting: 1 | 0 | -1;
    readonly content: string;
    /** What follows the fence of code. */
    readonly info: string;
    readonly children: readonly Token[] | null;
    attrGet(name: string): string | null;
  }
  export default class MarkdownIt {
    constructor(options: { readonly html: boolean; readonly linkify: boolean });
    /** Finds addresses in text. */
    readonly linkify: { set(options: { readonly fuzzyLink: boolean }): void };
    parse(text: string, environment: object): readonly Token[];
  }
}
