/** A compiler for prompts whose payload and answer are not checked. */
export const uncompiled = { compile: () => ({ ok: true, check: () => [] }) as const };
