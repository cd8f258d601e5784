import type { Plugin } from 'esbuild';
import type { PackedTokens, Tokens } from './unpackTokens.mjs';

export const packedTokens: Plugin;
export function packTokens(tokens: Tokens, known?: Tokens): Promise<PackedTokens>;
