// Records the cases of the sample project: answers.json, written by hand, stands in for a model, so that its tests can be replayed without one.
// Bundled and started by scripts/recordSample.mjs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { offline } from '../../core/llm/providers/offline/offline.ts';
import { openProject } from '../../core/node/openProject.ts';
import { createEvalAdapters } from '../../core/node/projectAdapters.ts';
import { startEval } from '../../core/project/evals.ts';

/** By case, a list of runs; repeats take turns with them. A run is a list of answers: of each model call in order, its judges' last. */
const answersOf = (root) => JSON.parse(readFileSync(join(root, 'scripts/sample/answers.json'), 'utf8'));

/** @returns the report of the eval that was recorded into `record`, an absolute path */
export async function recordSample(root, record) {
  const answers = answersOf(root);
  const waiting = [];
  const provider = {
    name: 'offline',
    connect: (settings, ports, unsupported) => {
      const { call } = offline.connect(settings, ports, unsupported);
      return { call: async (request) => ({ ...(await call(request)), ...completionOf(waiting.shift(), request), simulated: false }) };
    },
  };
  const place = { project: openProject(root, { providers: [provider] }), adapters: createEvalAdapters(root, root), environment: undefined };
  return startEval(
    place,
    { names: [], tags: [], llms: [], record },
    {
      // One call after the other: the answers have an order.
      concurrency: 1,
      signal: new AbortController().signal,
      onStart({ subject, name, repeats }) {
        const runs = answers[`${subject}/${name}`];
        if (runs === undefined) throw new Error(`scripts/sample/answers.json has no answer for ${subject}/${name}.`);
        waiting.splice(0, waiting.length, ...Array.from({ length: repeats }, (_, repeat) => runs[repeat % runs.length]).flat());
      },
    },
  );
}

function completionOf(answer, { messages }) {
  if (answer === undefined) throw new Error('There are more model calls than answers.');
  if (typeof answer === 'object' && 'tool' in answer) {
    const use = { type: 'tool_use', id: `call_${messages.length}`, name: answer.tool, input: answer.input };
    return { text: '', blocks: [use], finish_reason: 'tool_use' };
  }
  return { text: typeof answer === 'string' ? answer : JSON.stringify(answer), blocks: undefined, finish_reason: 'stop' };
}

/** Times are those of this machine, and would change with every recording. */
export function withoutTimes(path) {
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/"latency_ms":[\d.]+/g, '"latency_ms":0'));
}
