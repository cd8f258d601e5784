import { chooseTools, type ToolFilter } from '../../config/toolChoice.js';
import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import type { McpPrompt, McpResource, McpResources, ToolOutcome } from '../types.js';
import { listAll } from './listing.js';
import { failureOutcome, toToolError } from './mcpFailure.js';
import type { ServerSession } from './serverSession.js';
import { toPromptOutcome, toResourceOutcome } from './toolOutcome.js';

/**
 * Resources and prompts of a run's servers, each started on first use. `exclude_components` removes them by name (resources also by URI);
 * `enabled_tools` filters them only if it names one of them, since it has to name the tools that reach them anyway.
 */
export function createServerContent(sessions: readonly ServerSession[], filter: ToolFilter): McpResources {
  const sessionOf = (client_id: string) => sessions.find((session) => session.client_id === client_id);
  const unknown = (client_id: string): ToolOutcome => {
    const names = sessions.map((session) => session.client_id).join(', ');
    return { content: `There is no server ${JSON.stringify(client_id)}. There are: ${names || 'none'}.`, is_error: true };
  };

  const listed = (signal: AbortSignal) => ofAll(sessions, 'resources', signal, toResource);
  const resources = async (signal: AbortSignal) => filtered(await listed(signal), filter, namesOfResource);

  async function prompts(signal: AbortSignal): Promise<readonly McpPrompt[]> {
    return filtered(await ofAll(sessions, 'prompts', signal, toPrompt), filter, ({ name }) => [name]);
  }

  return {
    resources,
    prompts,
    async read({ client_id, uri }, signal) {
      const session = sessionOf(client_id);
      if (session === undefined) return unknown(client_id);
      return answered(session, signal, async () => {
        const isFree = filter.enabled_tools === undefined && filter.exclude_components === undefined;
        if (!isFree && isRemoved({ client_id, name: uri, uri }, await listed(signal), filter))
          return { content: `This agent may not read ${uri} of ${client_id}.`, is_error: true };
        return toResourceOutcome(uri, await session.request('resources/read', { uri }, signal));
      });
    },
    async prompt({ client_id, name, arguments: values }, signal) {
      const session = sessionOf(client_id);
      if (session === undefined) return unknown(client_id);
      return answered(session, signal, async () => {
        const offered = await prompts(signal);
        if (!offered.some((prompt) => prompt.client_id === client_id && prompt.name === name)) {
          const names = offered.filter((prompt) => prompt.client_id === client_id).map((prompt) => prompt.name);
          return { content: `${client_id} has no prompt ${JSON.stringify(name)}. It has: ${names.join(', ') || 'none'}.`, is_error: true };
        }
        return toPromptOutcome(await session.request('prompts/get', { name, arguments: { ...values } }, signal));
      });
    },
  };
}

async function ofAll<T>(
  sessions: readonly ServerSession[],
  kind: 'resources' | 'prompts',
  signal: AbortSignal,
  read: (item: JsonObject, client_id: string) => T | undefined,
): Promise<readonly T[]> {
  const lists = await Promise.all(
    sessions.map(async (session) => {
      const { client_id } = session;
      try {
        const connection = await session.connection(signal);
        if (!connection.offers[kind]) return [];
        const options = { signal, timeout_ms: session.timeout_ms };
        const items = await listAll(connection, kind, options, (message) => session.log('warn', message));
        return items.flatMap((item) => read(item, client_id) ?? []);
      } catch (error) {
        // Names the server that failed.
        throw toToolError(client_id, error);
      }
    }),
  );
  return lists.flat();
}

/** A listed resource is also filtered by its name. An unlisted URI may match a template: it is removed only if excluded, or if `enabled_tools` names resources. */
function isRemoved(resource: McpResource, listed: readonly McpResource[], filter: ToolFilter): boolean {
  const isRequested = ({ client_id, uri }: McpResource) => client_id === resource.client_id && uri === resource.uri;
  const allowed = filtered(listed, filter, namesOfResource);
  if (listed.some(isRequested)) return !allowed.some(isRequested);
  return filtered([resource], filter, ({ uri }) => [uri]).length === 0 || isNarrowing(filter, allowed);
}

function namesOfResource({ name, uri }: McpResource): readonly string[] {
  return [name, uri];
}

/** Whether `enabled_tools` names one of the allowed resources. */
function isNarrowing({ enabled_tools = [] }: ToolFilter, allowed: readonly McpResource[]): boolean {
  return allowed.some(({ name, uri, client_id }) => [name, uri, `${client_id}_${name}`].some((word) => enabled_tools.includes(word)));
}

function filtered<T extends { readonly client_id: string }>(
  items: readonly T[],
  { enabled_tools, exclude_components }: ToolFilter,
  namesOf: (item: T) => readonly string[],
): readonly T[] {
  const offers = items.flatMap((item) =>
    namesOf(item).map((name) => ({ item, name, origin: { type: 'mcp', client_id: item.client_id, name } as const })),
  );
  const itemsOf = (filter: ToolFilter) => new Set(chooseTools(offers, filter).chosen.map(({ tool }) => tool.item));
  const named = enabled_tools === undefined ? new Set<T>() : itemsOf({ enabled_tools });
  const excluded = exclude_components === undefined ? new Set<T>() : itemsOf({ enabled_tools: exclude_components });
  return items.filter((item) => (named.size === 0 || named.has(item)) && !excluded.has(item));
}

async function answered(session: ServerSession, signal: AbortSignal, ask: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await ask();
  } catch (error) {
    return failureOutcome(session.client_id, error, signal);
  }
}

function toResource({ uri, name, title, description, mimeType }: JsonObject, client_id: string): McpResource | undefined {
  if (typeof uri !== 'string') return undefined;
  return { client_id, uri, name: typeof name === 'string' ? name : uri, ...texts({ title, description, mime_type: mimeType }) };
}

function toPrompt({ name, title, description, arguments: parameters }: JsonObject, client_id: string): McpPrompt | undefined {
  if (typeof name !== 'string') return undefined;
  const args = listOf(parameters)
    .filter(isObject)
    .flatMap((argument) => {
      if (typeof argument.name !== 'string') return [];
      return [
        { name: argument.name, ...texts({ description: argument.description }), ...(argument.required === true && { required: true }) },
      ];
    });
  return { client_id, name, ...texts({ title, description }), ...(args.length > 0 && { arguments: args }) };
}

function texts<Name extends string>(members: { readonly [name in Name]: Json | undefined }): { readonly [name in Name]?: string } {
  const entries = Object.entries(members).filter(([, value]) => typeof value === 'string');
  // Every remaining member is a text.
  return Object.fromEntries(entries) as { readonly [name in Name]?: string };
}
