import { expect, test, vi } from 'vitest';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';

const warned: string[] = [];
vi.mock('vscode', () => ({ window: { showWarningMessage: (text: string) => void warned.push(text) } }));
const { tellRefusal } = await import('../../client/language/refusals.js');

test('what the server refuses is told in its words, without a number; anything else stays a failure', async () => {
  expect(await tellRefusal(Promise.reject(new ResponseError(LSPErrorCodes.RequestFailed, 'Choose another name.')))).toBeUndefined();
  expect(warned).toEqual(['Choose another name.']);
  await expect(tellRefusal(Promise.reject(new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.')))).rejects.toThrow('Cancelled.');
  expect(await tellRefusal(Promise.resolve(3))).toBe(3);
  expect(warned.length).toBe(1);
});
