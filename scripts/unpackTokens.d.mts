export type Tokens = readonly (string | readonly number[])[];

export interface PackedTokens {
  readonly texts: string;
  readonly places: string;
}

export const separator: string;
export function unpackTokens(packed: PackedTokens, known?: Tokens): Tokens;
