import { runsFolder } from '../../core/run/readRuns.js';
import type { VerbSetup } from '../cli.js';
import { findRun } from '../findRun.js';
import { addUnlock } from '../kept.js';

export const runsUnlock: VerbSetup = (command, cli) =>
  addUnlock(command, cli, { command: 'runs', noun: 'run', keptIn: runsFolder, find: findRun });
