import { test } from 'vitest';

const nobody = 65534;

/**
 * Runs synchronous code as a user who owns nothing: file permissions mean nothing to root, who runs many a container. For others it
 * runs as they are.
 */
export function unprivileged<T>(body: () => T): T {
  if (process.geteuid?.() !== 0) return body();
  process.setegid?.(nobody);
  process.seteuid?.(nobody);
  try {
    return body();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

/** A test about permissions; reported as not run where the system has none. */
export const testOfPermissions = process.platform === 'win32' ? test.skip : test;
