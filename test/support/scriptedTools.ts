import type { JsonObject } from '../../core/json.js';
import type { OpenTools, Tool, ToolContext, ToolOutcome } from '../../core/tools/types.js';

export interface ScriptedTool extends Partial<Omit<Tool, 'call'>> {
  readonly name: string;
  /** A text is an outcome with that content. */
  call?(input: JsonObject, context: ToolContext): Promise<ToolOutcome | string> | ToolOutcome | string;
}

/** A tool that takes `{q: string}` and says what it was given, unless it is told otherwise. */
export function scriptedTool({ call, ...rest }: ScriptedTool): Tool {
  return {
    description: `The tool ${rest.name}.`,
    parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'], additionalProperties: false },
    idempotent: true,
    side_effects: false,
    origin: { type: 'skill' },
    needs_approval: false,
    ...rest,
    async call(input, context) {
      const outcome = call ? await call(input, context) : `${rest.name} of ${JSON.stringify(input)}`;
      return typeof outcome === 'string' ? { content: outcome } : outcome;
    },
  };
}

/** The tools of a run, and how often they were opened and closed. */
export function scriptedTools(...tools: readonly ScriptedTool[]) {
  const seen = { opened: 0, closed: 0, calls: [] as { name: string; input: JsonObject }[] };
  const openTools: OpenTools = async () => {
    seen.opened += 1;
    return {
      tools: tools.map(scriptedTool).map((tool) => ({
        ...tool,
        call: (input, context) => {
          seen.calls.push({ name: tool.name, input });
          return tool.call(input, context);
        },
      })),
      async close() {
        seen.closed += 1;
      },
    };
  };
  return { seen, openTools };
}
