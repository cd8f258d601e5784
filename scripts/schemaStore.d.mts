export interface CatalogEntry {
  readonly name: string;
  readonly description: string;
  readonly fileMatch: readonly string[];
  readonly url: string;
}
export function catalogOf(base: string): readonly CatalogEntry[];
export function wholeSchema(file: string, read: (file: string) => object): object;
