/** What the programs on the pages have around them: values of the reader's own, and the project that a page opened further up. */
import type * as core from '../../core/index.js';
import type * as node from '../../core/nodeIndex.js';

declare global {
  const project: node.Project;
  const payload: core.JsonObject;
  const payloads: readonly core.JsonObject[];
  const run_id: string;
  const agent_name: string;
  const [task, purpose, context]: [string, string, string];
  const [user_id, session_id, correlation_id]: [string, string, string];
  const request: { readonly headers: { readonly traceparent?: string } };
  const ports: core.Ports;
  const schemas: Parameters<typeof core.agentsOfSnapshot>[1]['schemas'];
  const llm: core.LlmClient;
  const stock: core.Tool;
  const warehouse: { count(item: string, options: { signal: AbortSignal; user: string | undefined }): Promise<number> };
  function count(item: string): Promise<number>;
  function countOrders(customer: string, signal: AbortSignal): Promise<number>;
  function ask(tool: string, input: core.JsonObject): Promise<boolean>;
  function show(event: node.ProjectEvent | core.AgentEvent): void;
}

// What `agent-stack types` writes for the agent IssueTriage of docs/library.md.
declare module 'agent-stack/node' {
  interface ProjectAgents {
    IssueTriage: { readonly payload: { readonly title: string }; readonly output: { readonly label: 'bug' | 'question' } };
  }
}
