import { runAgent } from '../../../core/agent/runAgent.js';
import type { RunRequest } from '../../../core/agent/types.js';
import type { JsonObject } from '../../../core/json.js';
import { type ScriptedAnswer, scriptedModel } from '../../support/scriptedModel.js';
import { type ScriptedTool, scriptedTools } from '../../support/scriptedTools.js';
import { collectRun } from '../collectRun.js';
import { sampleProject } from '../sampleProject.js';

export interface ReactCase {
  readonly answers: readonly ScriptedAnswer[];
  readonly tools?: readonly ScriptedTool[];
  /** Fields of the agent, over a react agent that answers `{label, reason}`. `output_schema: null` takes the schema away. */
  readonly agent?: JsonObject;
  readonly options?: Partial<RunRequest>;
  /** More files of the project. */
  readonly files?: Readonly<Record<string, string>>;
}

const withoutSchema = { output_schema: null, enums: null, defaults: null, mode: null } as const;

/** A run that has not begun, with all it works with. */
export async function prepareReact({ answers, tools = [], agent = {}, options = {}, files = {} }: ReactCase) {
  const { mode: _mode, ...fields } = {
    agent_type: 'react',
    mode: null,
    ...(agent.output_schema === null ? { ...agent, ...withoutSchema } : agent),
  };
  const { factory, ports } = sampleProject(fields, files);
  const loaded = await factory.load('Labels', 'v1');
  const model = scriptedModel(...answers);
  const { seen, openTools } = scriptedTools(...tools);
  const run = runAgent({ agent: loaded, payload: { title: 'It crashes' }, llm: model, ports, openTools, ...options });
  return { run, model, seen, ports, agent: loaded };
}

export async function reactRun(given: ReactCase) {
  const { run, ...rest } = await prepareReact(given);
  return { ...rest, ...(await collectRun(run)) };
}

export const good = '{"label": "bug", "reason": "it crashes"}';
export const says = (text: string, rest: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
  chunks: [text.slice(0, 7), text.slice(7)].filter((piece) => piece !== ''),
  ...rest,
});
export const asks = (name: string, input: JsonObject = { q: 'x' }, rest: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
  chunks: [],
  calls: [{ name, input }],
  ...rest,
});
