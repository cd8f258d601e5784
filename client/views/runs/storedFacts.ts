import { builtInTools } from '../../../core/config/builtInTools.js';
import { chooseTools, type OfferedTool } from '../../../core/config/toolChoice.js';
import { createModelTable, type ModelPrice } from '../../../core/llm/modelTable.js';
import { estimateCost, priceOf } from '../../../core/llm/price.js';
import type { StoredSnapshot } from '../../../core/run/readSnapshot.js';
import type { StoryEnd } from '../../../core/run/story/types.js';
import { objectAt, ownAt } from '../../../core/run/untrusted.js';

/** The price of a run, to compute each of its steps; undefined where today's price does not give the cost that the run reports. */
export function priceOfRun({ cost, model_name, provider, usage }: StoryEnd): ModelPrice | undefined {
  const model = model_name ?? '';
  const price = priceOf({ provider: provider ?? '' }, createModelTable().find(model, provider || undefined), model);
  if (cost === null || cost === 0 || price === undefined) return undefined;
  const { prompt_tokens, completion_tokens } = usage;
  const today = estimateCost({ ...usage, prompt_tokens: prompt_tokens ?? 0, completion_tokens: completion_tokens ?? 0 }, price);
  return Math.abs(today - cost) < cost * 1e-6 ? price : undefined;
}

/** Who offered the tools of a run that was read back, by what the model called them; empty for a name that its snapshot does not explain. */
export function storedOrigins(snapshot: StoredSnapshot | undefined): (tool: string) => string {
  if (snapshot === undefined) return () => '';
  const offered: OfferedTool[] = Object.keys(snapshot.servers).flatMap((client_id) =>
    Object.keys(objectAt(objectAt(snapshot.servers, client_id), 'tools')).map((name) => ({
      name,
      origin: { type: 'mcp', client_id, name } as const,
    })),
  );
  const skills = snapshot.skills;
  for (const name of Object.keys(skills)) {
    const type = builtInTools.some((tool) => tool.name === name) ? 'built-in' : 'skill';
    offered.push({ name, origin: { type } });
  }
  const enabled = ownAt(snapshot.config, 'enabled_tools');
  const enabled_tools = Array.isArray(enabled) ? enabled.filter((name) => typeof name === 'string') : undefined;
  const names = new Map(
    chooseTools(offered, { enabled_tools }).chosen.map(({ name, tool: { origin } }) => [
      name,
      origin.type === 'mcp' ? origin.client_id : origin.type,
    ]),
  );
  return (tool) => names.get(tool) ?? '';
}
