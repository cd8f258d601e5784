import type { AgentConnections } from '../agent/types.js';
import { DeniedError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { MaybePromise } from '../ports.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { ApproveTool, OpenTools, Tool, ToolContext, ToolOutcome, ToolRequest, ToolSet } from '../tools/types.js';
import type { RecordedTool } from './recordLines.js';

/** The first request of a place that its record does not answer. */
export interface Divergence {
  /** `tools`: the tools could not be opened when it was recorded. */
  readonly what: 'model' | 'tool' | 'approval' | 'tools';
  /** Name of the tool. */
  readonly tool?: string;
  /** Model calls of the place that the record had answered before. */
  readonly answered: number;
  /** As in `describeDifferences`; empty if the record ends here. */
  readonly differences: readonly string[];
  /** A sentence. */
  readonly message: string;
  /** The differing requests of a model; undefined where one is missing. */
  readonly requests?: { readonly recorded: JsonObject | undefined; readonly now: JsonObject };
}

/** Takes over from a record at the first request that differs from it. After that the record answers nothing more at this place. */
export interface TakeOver {
  /** Called once, before anything is asked outside. */
  diverged(divergence: Divergence): void;
  /**
   * Connects the agent to its models and tools. Absent: nothing is called; the record continues to answer in its order, as if its answers would have
   * been the same, to show what comes after.
   */
  readonly connect?: () => MaybePromise<AgentConnections>;
  /** The tools that the agent has now, by the recorded ones; `isChanged` if the model sees a difference. Default: the recorded ones. */
  readonly toolsNow?: (recorded: readonly RecordedTool[]) => { readonly tools: readonly RecordedTool[]; readonly isChanged: boolean };
}

interface LiveOptions {
  readonly agent_name: string;
  readonly version: string;
  readonly connect: () => MaybePromise<AgentConnections>;
}

/** The connections of one place that take over from its record. */
export class LivePart {
  readonly #options: LiveOptions;
  readonly #allowed = new Set<string>();
  #connecting: Promise<AgentConnections> | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  connections(): Promise<AgentConnections> {
    this.#connecting ??= Promise.resolve(this.#options.connect());
    return this.#connecting;
  }

  /** Opened with the first call, so that no server is started for what the record answers. */
  tools(run: Parameters<OpenTools>[0]): LiveTools {
    let opening: Promise<ToolSet> | undefined;
    const open = (): Promise<ToolSet> => {
      opening ??= this.connections().then(({ openTools }) => openTools?.(run) ?? { tools: [], close: async () => undefined });
      return opening;
    };
    return {
      open,
      close: async () => (await opening?.catch(() => undefined))?.close(),
      call: async (name, input, context) => {
        const tool = (await open()).tools.find((each) => each.name === name);
        if (tool === undefined) return { content: `There is no tool ${JSON.stringify(name)} any more.`, is_error: true };
        const isAllowed = !needsApproval(tool) || this.#allowed.has(keyOf(tool.name, context.call_id, input));
        if (!isAllowed && (await this.#askWithin(tool, input, context)) === 'deny')
          return { content: 'The user did not allow this call. Continue without it.', is_error: true };
        return tool.call(input, context);
      },
    };
  }

  readonly approve: ApproveTool = async (request) => {
    const { tool, call_id, input } = request;
    const { approve } = await this.connections();
    if (!approve)
      throw new DeniedError(
        `The tool "${tool.name}" would be called again, but there is no one to ask. Allow it, or change what leads to it.`,
      );
    const answer = await approve(request);
    if (answer === 'allow') this.#allowed.add(keyOf(tool.name, call_id, input));
    return answer;
  };

  /** The recorded run did not ask about this call, so the loop did not either. */
  #askWithin(tool: Tool, input: JsonObject, { run_id, call_id, signal }: ToolContext): Promise<'allow' | 'deny'> {
    const { agent_name, version: agent_version } = this.#options;
    const request: ToolRequest = { run_id, agent_name, agent_version, name: tool.name, input, tool, signal, ...(call_id && { call_id }) };
    return this.approve(request);
  }
}

export interface LiveTools {
  open(): Promise<ToolSet>;
  close(): Promise<void>;
  call(name: string, input: JsonObject, context: ToolContext): Promise<ToolOutcome>;
}

/** Whether a call that the record does not answer is asked about: the recorded run may have made it already. */
export function needsApproval({ needs_approval, idempotent }: Pick<Tool, 'needs_approval' | 'idempotent'>): boolean {
  return needs_approval || !idempotent;
}

function keyOf(name: string, call_id: string | undefined, input: JsonObject): string {
  return `${call_id ?? ''} ${name} ${canonicalJson(input)}`;
}
