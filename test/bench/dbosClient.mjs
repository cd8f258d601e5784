// A worker of the distributed engine for dbos.mjs: `worker` takes runs of plain steps; `steps` measures a step against the bare library's.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [task, sources, database_url, url] = process.argv.slice(2);
const { createNodeClock, createNodeRandom, DBOS, startWorker, taskFlowId } = await import(pathToFileURL(join(sources)).href);
/** As much as a short answer of a model. */
const value = { text: 'x'.repeat(200), usage: { prompt_tokens: 100, completion_tokens: 50 } };

const program = {
  async run(run, work) {
    const { tasks } = run.request;
    for (let index = 1; index <= tasks; index++)
      await work.startTask(taskFlowId(run.run_id, { execution: index, team: 'team', task: 'task' }), { index }, work.signal);
    work.emit({ run_id: run.run_id, seq: 0, time: '', type: 'final', final: true, result: { status: 'completed', error: null } });
  },
  async task(run, _call, work) {
    const { steps, asks, measure } = run.request;
    const begun = process.hrtime.bigint();
    for (let index = 1; index <= steps; index++)
      await work.steps.step(`llm/${index}`, async () => (asks ? (await fetch(`${url}/${index}`)).text() : value));
    const spent = Number(process.hrtime.bigint() - begun) / 1000 / steps;
    if (measure) process.send({ ours: spent });
    return { result: {}, isKept: true };
  },
};

const bare =
  task === 'steps' &&
  DBOS.registerWorkflow(
    async (steps) => {
      const begun = process.hrtime.bigint();
      for (let index = 1; index <= steps; index++) await DBOS.runStep(async () => value, { name: `llm/${index}` });
      return Number(process.hrtime.bigint() - begun) / 1000 / steps;
    },
    { name: 'bare' },
  );

const worker = await startWorker({
  database_url,
  concurrency: 50,
  program: () => program,
  ports: { clock: createNodeClock(), random: createNodeRandom(), logger: { log: () => undefined } },
});
process.send({ ready: worker.id });
process.on('message', async ({ bare: steps, stop }) => {
  if (stop) {
    await worker.stop(5000);
    process.disconnect();
  } else process.send({ bare: await (await DBOS.startWorkflow(bare)(steps)).getResult() });
});
