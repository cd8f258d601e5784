import type { LogOutputChannel, Memento } from 'vscode';
import type { WindowCover } from './windowCover.js';

/** The same channel, with secrets covered in every line. */
export function coverChannel(channel: LogOutputChannel, cover: WindowCover): LogOutputChannel {
  return new Proxy({} as LogOutputChannel, {
    get(_, name) {
      const member: unknown = Reflect.get(channel, name);
      if (typeof member !== 'function') return member;
      return (...callArguments: readonly unknown[]) =>
        member.apply(channel, writing.has(name) ? callArguments.map((argument) => cover.apply(argument)) : callArguments);
    },
  });
}

const writing: ReadonlySet<string | symbol> = new Set(['trace', 'debug', 'info', 'warn', 'error', 'append', 'appendLine', 'replace']);

/** The same memory, with its values covered once the keys of the workspace are known. */
export function coverMemory(memory: Memento, cover: WindowCover, learn: () => Promise<void>): Memento {
  return {
    keys: () => memory.keys(),
    get: <Value>(key: string, otherwise?: Value) => memory.get(key, otherwise),
    async update(key, value: unknown) {
      await learn();
      await memory.update(key, cover.apply(value));
    },
  };
}
