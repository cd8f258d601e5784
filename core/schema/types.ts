/** One error of the kind's compiled schema, as ajv reports it. */
export interface SchemaError {
  readonly pointer: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}
