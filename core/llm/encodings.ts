/** The tokenizers, each loaded on first use. The CLI and the extension keep both in one file, so that their common tokens are stored once. */
export const encodings = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
};
