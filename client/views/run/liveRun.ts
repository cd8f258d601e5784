import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Agent } from '../../../core/agent/agentFactory.js';
import type { RunResult } from '../../../core/agent/events.js';
import { AgentPromptValidationError } from '../../../core/errors.js';
import { type Json, type JsonObject, pointerOf } from '../../../core/json.js';
import type { Project } from '../../../core/node/openProject.js';
import type { Client } from '../../client.js';
import { ToolGrants } from '../../ports/toolGrants.js';
import { toSignal } from '../../ports/toSignal.js';
import type { ProjectFolder } from '../../projects.js';
import { Approvals, sourceOf } from './approvals.js';
import type { Decision, ViewEvent } from './messages.js';
import { newFacts } from './newFacts.js';
import type { ShownRun } from './shownRun.js';
import { type FieldCheck, Transcript, toFields } from './transcript.js';

/** What to run: an agent, its input, and the llm profile where it is not the agent's own. */
export interface RunChoice {
  readonly folder: ProjectFolder;
  readonly agent_name: string;
  readonly version: string;
  readonly payload: JsonObject;
  readonly llm: string | undefined;
  /** The conversation it belongs to; of an agent that remembers none, and where it begins a new one, absent. */
  readonly session?: string | undefined;
}

/** A run that is going on in this window. It lives on when its panel is closed. */
export class LiveRun implements ShownRun {
  readonly choice: RunChoice;
  readonly transcript: Transcript;
  /** @throws what is a bug; a run that fails or is cancelled has a result as any other */
  readonly result: Promise<RunResult>;
  private readonly source = new vscode.CancellationTokenSource();
  private readonly added = new vscode.EventEmitter<readonly ViewEvent[]>();
  private readonly approvals: Approvals;
  private isGoing = true;

  readonly onDidAdd = this.added.event;

  constructor(client: Client, project: Project, agent: Agent, choice: RunChoice) {
    const { config, llm } = agent.resolved;
    // An agent that remembers begins a conversation, which another run can go on with.
    const session = config.include_history ? (choice.session ?? randomUUID()) : undefined;
    this.choice = { ...choice, session };
    const facts = newFacts({
      agent: choice.agent_name,
      version: choice.version,
      project: choice.folder.name,
      root: choice.folder.root,
      status: 'running',
      started: Date.now(),
      provider: llm.provider,
      model: config.model_name ?? null,
      profile: llm.llm_id ?? null,
      simulated: llm.provider === 'offline',
      input: toFields(choice.payload, 'unchecked'),
      session: session ?? null,
      canContinue: session !== undefined,
    });
    const origins = new Map(agent.resolved.tools.map(({ name, origin }) => [name, sourceOf(origin)]));
    const originOf = (tool: string) => origins.get(tool) ?? '';
    this.transcript = new Transcript(facts, { check: fieldCheckOf(agent), price: agent.price, originOf });
    this.approvals = new Approvals({
      grants: new ToolGrants(client.extension.globalState, choice.folder.root),
      sha256: project.ports.sha256,
      // The user's own: what a workspace says of itself counts for nothing.
      trustedTools: () => vscode.workspace.getConfiguration('agentStack').inspect('mcp.trustedTools')?.globalValue,
      isTrusted: () => vscode.workspace.isTrusted,
      nextId: () => client.runs.nextQuestion(),
      onChange: (approvals) => {
        this.transcript.set({ approvals });
        if (this.isGoing) this.added.fire([]);
      },
    });
    client.runs.began(this);
    this.result = this.go(client, project);
  }

  get folder(): ProjectFolder {
    return this.choice.folder;
  }

  get run_id(): string | null {
    return this.transcript.facts.run_id;
  }

  get isLive(): boolean {
    return this.isGoing;
  }

  cancel(): void {
    this.source.cancel();
  }

  decide(id: number, decision: Decision): void {
    this.approvals.decide(id, decision);
  }

  private async go({ runs }: Client, project: Project): Promise<RunResult> {
    const { agent_name, version, payload, llm, session } = this.choice;
    const { approve } = this.approvals;
    const { signal, release } = toSignal(this.source.token);
    let result: RunResult | undefined;
    try {
      const overrides = llm === undefined ? {} : { llm };
      const context = session === undefined ? {} : { session_id: session };
      for await (const event of project.run({ agent_name, version, payload, overrides, context, approve, signal })) {
        // Events are plain JSON; their types say more than `JsonObject` can.
        const shown = this.transcript.add(event as unknown as JsonObject);
        if (event.final) result = event.result;
        else this.added.fire(shown);
        if (event.type === 'run_start') runs.tellChange();
      }
      if (result === undefined) throw new Error('The run ended without a final event');
      return result;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.transcript.set({ status: 'failed', error: { code: 'internal', message, reason: '', issues: [] } });
      throw error;
    } finally {
      release();
      this.isGoing = false;
      this.added.fire([]);
      runs.ended(this);
      this.added.dispose();
      this.source.dispose();
    }
  }
}

/** A field by itself is valid when nothing that the schema says of the whole answer concerns it. */
function fieldCheckOf({ prompt }: Agent): FieldCheck {
  return (name: string, value: Json) => {
    try {
      prompt.parseAndValidate(Object.fromEntries([[name, value]]));
      return true;
    } catch (error) {
      if (!(error instanceof AgentPromptValidationError)) throw error;
      const own = pointerOf(name);
      return !error.issues.some(({ path, keyword }) => path === own || path.startsWith(`${own}/`) || keyword === 'additionalProperties');
    }
  };
}
