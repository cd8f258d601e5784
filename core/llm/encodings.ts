/** The tokenizers, each loaded when it is first used. The commands and the extension have both in one file, which holds their common tokens once. */
export const encodings = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
};
