import { resolve } from 'node:path';
import type { RunResult } from '../core/agent/events.js';
import type { AgentRunOptions } from '../core/project/types.js';
import { readTraceparent } from '../core/runContext.js';
import { visibleText } from '../core/visibleText.js';
import { approveTools, readAllowedTools } from './allowTools.js';
import { askPolicy } from './askYes.js';
import { type Cli, UsageError } from './cli.js';
import { errorHeading } from './errorWords.js';
import type { MachineOptions } from './followRun.js';

/** The options of a run that agents and orchestrations share. */
export interface RequestOptions extends MachineOptions {
  /** USD. */
  readonly maxCost?: number;
  readonly allowUnpriced?: true;
  readonly allowTools?: string | true;
  /** False with `--no-keep`. */
  readonly keep?: boolean;
  readonly record?: string;
  readonly replay?: string;
}

export function checkMachineOptions({ events, json }: MachineOptions): void {
  if (events !== undefined && json) throw new UsageError('Give --events or --json, not both.');
}

export function checkRequest(options: RequestOptions): void {
  checkMachineOptions(options);
  if (options.record !== undefined && options.replay !== undefined) throw new UsageError('Give --record or --replay, not both.');
}

type Request = Required<Pick<AgentRunOptions, 'keep' | 'context' | 'approve'>> & Pick<AgentRunOptions, 'record' | 'replay'>;

/** @param max_time_ms of the whole run */
export function readRequest(cli: Cli, options: RequestOptions, max_time_ms?: number): Request {
  const { cwd, env } = cli;
  const { keep, maxCost, allowUnpriced, allowTools, record, replay } = options;
  const budget = {
    ...(maxCost !== undefined && { max_cost: maxCost }),
    ...(max_time_ms !== undefined && { max_time_ms }),
    ...(allowUnpriced && { allow_unpriced: true }),
  };
  return {
    keep: keep === false ? 'none' : 'folder',
    context: { ...readTraceparent(env.TRACEPARENT ?? ''), ...(Object.keys(budget).length > 0 && { budget }) },
    approve: approveTools(readAllowedTools(allowTools), askPolicy(cli)),
    ...(record !== undefined && { record: resolve(cwd, record) }),
    ...(replay !== undefined && { replay: resolve(cwd, replay) }),
  };
}

/**
 * Reports why a run was refused: a session, a record or a missing key.
 *
 * @param check throws the findings of the config, which are shown with their code
 */
export function reportRefusal({ terminal }: Cli, { status, metadata, error }: RunResult, check: () => void): void {
  if (status !== 'failed' || metadata.snapshot_hash !== null) return;
  check();
  if (error) terminal.note(`${errorHeading(error, terminal.err)} ${visibleText(error.message)}`);
}
