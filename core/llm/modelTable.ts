/** Facts about one model. A fact nobody knows is undefined, never guessed. */
export interface ModelFacts {
  /** The table's name for it; `ft:` ids and dated names resolve to their base. */
  readonly name: string;
  readonly provider: string;
  readonly context_window?: number;
  readonly max_output_tokens?: number;
  /** Config names of parameters the model refuses: `temperature`, `top_p`. */
  readonly unsupported: readonly string[];
  /** Why and, where known, since when; or undefined. */
  readonly deprecated?: string;
  readonly price?: ModelPrice;
  /** Where the facts come from and the date they were true, e.g. `gpt-tokenizer 4.0.0, 2026-10-01`. */
  readonly source: string;
}

/** USD per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cached_input?: number;
}

export interface ModelTable {
  find(modelName: string, provider?: string): ModelFacts | undefined;
  /** Known names that look alike, best first, at most three. */
  nearest(modelName: string, provider?: string): readonly string[];
}
