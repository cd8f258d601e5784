import * as vscode from 'vscode';
import type { AgentEvent, RunResult } from '../../../core/agent/events.js';
import { AgentStackError } from '../../../core/errors.js';
import type { JsonObject } from '../../../core/json.js';
import type { Project, ProjectRunRequest } from '../../../core/project/types.js';
import { ToolGrants } from '../../ports/toolGrants.js';
import { toSignal } from '../../ports/toSignal.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { Approvals } from './approvals.js';
import type { Decision, ViewEvent } from './messages.js';
import type { WithRuns } from './runs.js';
import { RunStops } from './stops.js';
import type { Transcript } from './transcript.js';
import type { RunChoice, RunInProgress, TeamChoice } from './types.js';

/** A run that can be started, and how it is changes. */
export interface RunPlan {
  readonly folder: ProjectFolder;
  readonly project: Project;
  /** What "Run Again" starts. */
  readonly choice: RunChoice | TeamChoice;
  readonly transcript: Transcript;
  start(hooks: Required<Pick<ProjectRunRequest, 'approve' | 'signal' | 'gate'>>): AsyncGenerator<AgentEvent, void, undefined>;
}

/** A run in progress in this window. It continues when its panel is closed. */
export class LiveRun implements RunInProgress {
  readonly choice: RunChoice | TeamChoice;
  readonly transcript: Transcript;
  /** @throws what is a bug; a run that fails or is cancelled has a result like every run */
  readonly result: Promise<RunResult>;
  private readonly source = new vscode.CancellationTokenSource();
  private readonly added = new vscode.EventEmitter<readonly ViewEvent[]>();
  private readonly approvals: Approvals;
  readonly stops: RunStops;
  private isGoing = true;

  readonly onDidAdd = this.added.event;

  constructor(services: Services & WithRuns, plan: RunPlan) {
    this.choice = plan.choice;
    this.transcript = plan.transcript;
    this.approvals = new Approvals({
      grants: new ToolGrants(services.extension.globalState, plan.folder.root),
      sha256: plan.project.ports.sha256,
      // User settings only: a workspace cannot trust itself.
      trustedTools: () => vscode.workspace.getConfiguration('agentStack').inspect('mcp.trustedTools')?.globalValue,
      isTrusted: () => vscode.workspace.isTrusted,
      runs: 'agent_name' in plan.choice ? `${plan.choice.agent_name}@${plan.choice.version}` : plan.choice.orchestration,
      nextId: () => services.runs.nextQuestion(),
      onChange: (approvals) => {
        this.transcript.set({ approvals });
        if (this.isGoing) this.added.fire([]);
      },
    });
    this.stops = new RunStops({
      cover: (text) => services.cover.apply(text),
      onChange: (stop) => {
        this.transcript.set({ stop });
        if (this.isGoing) this.added.fire([]);
      },
    });
    services.runs.began(this);
    this.result = this.go(services, plan);
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

  private async go({ runs }: WithRuns, plan: RunPlan): Promise<RunResult> {
    const { approve } = this.approvals;
    const { gate } = this.stops;
    const { signal, release } = toSignal(this.source.token);
    let result: RunResult | undefined;
    try {
      for await (const event of plan.start({ approve, signal, gate })) {
        // Events are plain JSON; their types say more than `JsonObject` can.
        const plain = event as unknown as JsonObject;
        const changes = this.transcript.add(plain);
        if (event.final) result = event.result;
        else this.added.fire(changes);
        if (event.type === 'run_start') runs.tellChange();
      }
      if (result === undefined) throw new Error('The run ended without a final event');
      return result;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof AgentStackError ? error.code : 'internal';
      this.transcript.set({ status: 'failed', error: { code, message, reason: '', issues: [] } });
      throw error;
    } finally {
      release();
      this.stops.end();
      this.isGoing = false;
      this.added.fire([]);
      runs.ended(this);
      this.added.dispose();
      this.source.dispose();
    }
  }
}
