import { test } from 'vitest';

const unprivilegedUser = 65534;

/**
 * Runs synchronous code as a user who owns nothing: file permissions do not bind root, which many containers
 * run as. Other users run it as themselves.
 */
export function unprivileged<T>(body: () => T): T {
  if (process.geteuid?.() !== 0) return body();
  process.setegid?.(unprivilegedUser);
  process.seteuid?.(unprivilegedUser);
  try {
    return body();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

/** A test about permissions; reported as not run where the system has none. */
export const testOfPermissions = process.platform === 'win32' ? test.skip : test;
