import * as fs from 'node:fs';
import { hostname } from 'node:os';
import type { JsonObject } from '../json.js';
import type { HeldLock } from '../run/runLocks.js';
import { numberAt, textAt } from '../run/untrusted.js';
import { errorCode } from './fileErrors.js';

/** A process, as recorded in a lock's file or a journal. Null for what the system does not tell. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Changes when the machine is restarted. */
  readonly boot: string | null;
  /** Processes of different namespaces (containers) do not see each other, even if their ids are equal. */
  readonly namespace: string | null;
  /** When the process was started, as the system counts it: distinguishes it from a later one with the same id. */
  readonly started: string | null;
}

/** A string: a holder known to be gone. Undefined: a process that did not identify itself. */
export type KnownHolder = Holder | 'released' | 'left by a power cut' | undefined;

/** Undefined for a value that names no process. */
export function holderOf(value: JsonObject): Holder | undefined {
  const pid = numberAt(value, 'pid');
  const host = textAt(value, 'host');
  if (pid === null || host === null) return undefined;
  return { pid, host, boot: textAt(value, 'boot'), namespace: textAt(value, 'namespace'), started: textAt(value, 'started') };
}

/** Whether a holding process still exists, as far as that can be seen from `here`. */
export function lookAt(holder: KnownHolder, here: Holder): 'gone' | HeldLock {
  if (typeof holder === 'string') return 'gone';
  if (holder === undefined) return { held_by: 'a process that cannot be read from it', is_seen: false };
  const { pid, host, boot, namespace } = holder;
  const unseen = { held_by: `process ${pid} on the machine ${host}`, is_seen: false };
  if (host !== here.host) return unseen;
  if (boot !== here.boot) return 'gone';
  if (namespace !== here.namespace) return { ...unseen, held_by: `process ${pid} in another container on the machine ${host}` };
  if (!isThere(pid)) return 'gone';
  // If the system does not say when a process was started, a later one with its id counts as the same.
  return startOf(pid) === holder.started ? { held_by: `process ${pid}`, is_seen: true } : 'gone';
}

export function thisProcess(): Holder {
  return {
    pid: process.pid,
    host: hostname(),
    boot: fromSystem(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: fromSystem(() => fs.readlinkSync('/proc/self/ns/pid')),
    started: startOf(process.pid),
  };
}

/**
 * When a process was started, in ticks since the machine was: field 22 of its status line. The second field, a name, may contain anything, so it is
 * skipped. Null for one that has ended but was not reaped yet.
 */
function startOf(pid: number): string | null {
  return fromSystem(() => {
    const status = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? null : (fields[18] ?? null);
  });
}

/** Null if the system does not tell: only Linux has such files. */
function fromSystem(read: () => string | null): string | null {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
