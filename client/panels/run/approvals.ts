import type { ToolOrigin } from '../../../core/config/toolChoice.js';
import { hashTool } from '../../../core/tools/mcp/lock.js';
import { reasonWords } from '../../../core/tools/policyReason.js';
import type { ApproveTool, ToolRequest } from '../../../core/tools/types.js';
import { isTrustedTool, type ToolGrants } from '../../ports/toolGrants.js';
import type { Decision, ViewApproval } from './messages.js';

export interface ApprovalOptions {
  readonly grants: ToolGrants;
  readonly sha256: (text: string) => string;
  /** The current `agentStack.mcp.trustedTools` of the user. */
  readonly trustedTools: () => unknown;
  /** Nothing is allowed in an untrusted workspace, even if it was allowed before. */
  readonly isTrusted: () => boolean;
  /** What runs: `A2@v1`, or the name of an orchestration. */
  readonly runs: string;
  /** A number for a question, unique in the window: a page may still show one of the run before. */
  readonly nextId: () => number;
  /** What waits has changed. */
  readonly onChange: (waiting: readonly ViewApproval[]) => void;
}

interface Question extends ViewApproval {
  readonly request: ToolRequest;
  /** Agents of one run may have different tools of one name. */
  readonly key: string;
  readonly answer: (decision: Decision) => void;
}

/** Asks the user before a tool is called, and keeps the answer for the rest of the run or for good. */
export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #allowed = new Set<string>();
  #waiting: readonly Question[] = [];

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  readonly approve: ApproveTool = async (request) => {
    const { tool, input, deeds = null, policy, signal, agent_name, agent_version, team, task } = request;
    signal.throwIfAborted();
    const { grants, sha256, trustedTools, isTrusted, runs, nextId } = this.#options;
    if (!isTrusted()) return 'deny';
    const hash = hashTool(tool, sha256);
    const key = `${sourceOf(tool.origin)} ${tool.name} ${hash}`;
    const isAllowed = () => this.#allowed.has(key) || grants.has(tool, hash);
    if (policy === undefined && (isAllowed() || isTrustedTool(trustedTools(), tool))) return 'allow';
    const { origin, name, description } = tool;
    const agent = `${agent_name}@${agent_version}`;
    const decision = await this.#ask(request, key, {
      id: nextId(),
      tool: name,
      origin: sourceOf(origin),
      agent: agent === runs ? '' : agent,
      place: [team, task].filter((part) => part !== undefined).join(' / '),
      description,
      deeds,
      policy: policy ? reasonWords(policy) : '',
      input: JSON.stringify(input, null, 2),
    });
    if (decision === 'deny') return 'deny';
    // What a policy wants approved is approved call by call.
    if (policy) return 'allow';
    if (decision === 'run' || decision === 'always') this.#allowed.add(key);
    if (decision === 'always') await grants.add(tool, hash);
    // Calls of the same tool that were requested meanwhile get the same answer.
    const same = this.#waiting.filter((waiting) => waiting.key === key && waiting.policy === '');
    if (decision !== 'once') for (const other of same) other.answer('once');
    return 'allow';
  };

  decide(id: number, decision: Decision): void {
    this.#waiting.find((question) => question.id === id)?.answer(decision);
  }

  #ask(request: ToolRequest, key: string, shown: ViewApproval): Promise<Decision> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', withdraw);
        this.#show(this.#waiting.filter((other) => other !== question));
      };
      const withdraw = () => {
        end();
        reject(signal.reason);
      };
      const question: Question = {
        ...shown,
        request,
        key,
        answer: (decision) => {
          end();
          resolve(decision);
        },
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#show([...this.#waiting, question]);
    });
  }

  #show(waiting: readonly Question[]): void {
    this.#waiting = waiting;
    this.#options.onChange(waiting.map(({ request: _request, key: _key, answer: _answer, ...shown }) => shown));
  }
}

/** Who offers a tool, as a run panel names it: `built-in`, `skill` or the id of a server. */
export function sourceOf(origin: ToolOrigin): string {
  return origin.type === 'mcp' ? origin.client_id : origin.type;
}
