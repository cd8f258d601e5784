import type { Refactoring } from './refactoring.js';

/** Every refactoring there is. A new one is one new file and one line here. */
export const refactorings: readonly Refactoring[] = [];
