import { evalsFolder, findEval } from '../../core/eval/runner/evalStore.js';
import type { VerbSetup } from '../cli.js';
import { addUnlock } from '../kept.js';

export const evalUnlock: VerbSetup = (command, cli) =>
  addUnlock(command, cli, { command: 'eval', noun: 'eval', keptIn: evalsFolder, find: findEval });
