import type { Memento } from 'vscode';
import { isObject, type JsonObject } from '../../../core/json.js';
import type { ProjectFolder } from '../../projects.js';

/** What an agent was last run with. */
export interface LastChoice {
  readonly agent_name: string;
  readonly version: string;
  /** Name of a payload file, or null for an input that was typed. */
  readonly case: string | null;
  /** The last input that was typed, if there is one. */
  readonly typed: JsonObject | null;
  readonly llm: string | null;
}

/** Inputs larger than this, in UTF-16 units of JSON, are not remembered. */
const largest = 100_000;

/** Remembers the choices of this workspace. */
export class LastChoices {
  private readonly memory: Memento;
  private readonly root: string;

  constructor(memory: Memento, folder: ProjectFolder) {
    this.memory = memory;
    this.root = folder.root;
  }

  /** Of one agent; without a name, of the agent that ran last. */
  find(agentName = this.lastAgent()): LastChoice | undefined {
    const kept: unknown = agentName === undefined ? undefined : this.memory.get(this.key(agentName));
    if (typeof kept !== 'object' || kept === null) return undefined;
    const { agent_name, version, case: name, typed, llm } = kept as { readonly [key: string]: unknown };
    if (typeof agent_name !== 'string' || typeof version !== 'string') return undefined;
    return {
      agent_name,
      version,
      case: typeof name === 'string' ? name : null,
      typed: isObject(typed) ? typed : null,
      llm: typeof llm === 'string' ? llm : null,
    };
  }

  async keep(choice: Omit<LastChoice, 'typed'> & { readonly payload: JsonObject }): Promise<void> {
    const { payload, ...rest } = choice;
    const isKept = choice.case === null && JSON.stringify(payload).length <= largest;
    const typed = isKept ? payload : (this.find(choice.agent_name)?.typed ?? null);
    await this.memory.update(this.key(choice.agent_name), { ...rest, typed } satisfies LastChoice);
    await this.memory.update(this.key(''), choice.agent_name);
  }

  private lastAgent(): string | undefined {
    const name: unknown = this.memory.get(this.key(''));
    return typeof name === 'string' ? name : undefined;
  }

  private key(agentName: string): string {
    return `agentStack.lastRun:${this.root}:${agentName}`;
  }
}
