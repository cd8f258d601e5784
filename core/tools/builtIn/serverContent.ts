import type { Json, JsonObject } from '../../json.js';
import type { McpPrompt, McpResource, McpResources, ToolContext, ToolOutcome } from '../types.js';
import { failed } from './projectFiles.js';

type Context = Pick<ToolContext, 'signal'>;

/** Resources and prompts in one answer; it says how many more there are. */
const mostListed = 200;

/** `list_resources`: the resources and prompts of the agent's servers. */
export async function listResources(
  offer: McpResources | undefined,
  { query = '' }: JsonObject,
  { signal }: Context,
): Promise<ToolOutcome> {
  if (offer === undefined) return failed(noServers);
  const [resources, prompts] = await Promise.all([offer.resources(signal), offer.prompts(signal)]);
  const all = [...resources.map(toResource), ...prompts.map(toPrompt)];
  const searched = String(query).toLowerCase();
  const matches = all.filter(({ text }) => text.toLowerCase().includes(searched));
  const listed = matches.slice(0, mostListed);
  const more = matches.length - listed.length;
  const lines = [...listed.map(({ text }) => text), ...(more > 0 ? [`${more} more: give a query.`] : [])];
  return {
    content:
      lines.length > 0
        ? lines.join('\n')
        : all.length === 0
          ? 'The servers offer no resources and no prompts.'
          : `None of ${all.length} matches.`,
    value: listed.map(({ value }) => value),
  };
}

/** `read_resource`. */
export async function readResource(offer: McpResources | undefined, input: JsonObject, { signal }: Context): Promise<ToolOutcome> {
  if (offer === undefined) return failed(noServers);
  return offer.read({ client_id: String(input.client_id), uri: String(input.uri) }, signal);
}

/** `get_prompt`. */
export async function getPrompt(offer: McpResources | undefined, input: JsonObject, { signal }: Context): Promise<ToolOutcome> {
  if (offer === undefined) return failed(noServers);
  const texts = Object.entries(input.arguments ?? {}).map(([name, value]) => [name, String(value)] as const);
  return offer.prompt({ client_id: String(input.client_id), name: String(input.name), arguments: Object.fromEntries(texts) }, signal);
}

const noServers = 'This agent has no MCP servers, so there are no resources and no prompts.';

interface Listed {
  readonly text: string;
  readonly value: Json;
}

function toResource(resource: McpResource): Listed {
  const { client_id, uri, name, title, description, mime_type } = resource;
  const about = [title ?? name, mime_type, description].filter((part) => part !== undefined && part !== '').join('; ');
  return { text: `resource, server ${client_id}: ${uri} (${about})`, value: { type: 'resource', ...resource } };
}

function toPrompt({ client_id, name, title, description, arguments: parameters = [] }: McpPrompt): Listed {
  const fields = parameters.map((parameter) => `${parameter.name}${parameter.required ? '' : '?'}`).join(', ');
  const about = [title, description].filter((part) => part !== undefined && part !== '').join('; ');
  return {
    text: `prompt, server ${client_id}: ${name}(${fields})${about === '' ? '' : ` (${about})`}`,
    value: {
      type: 'prompt',
      client_id,
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      arguments: parameters.map((parameter) => ({ ...parameter })),
    },
  };
}
