import type { Json } from '../json.js';
import type { SourceDocument, ToolHints } from '../tools/types.js';
import type { CalledTool, ReasoningStep, RunResult } from './events.js';
import type { ToolCount } from './reasoning.js';

type Quality = NonNullable<ToolHints['source_quality']>;

/** The call of a tool, or of an agent or a model by a plan's step, which has no id. */
export interface AskedCall {
  readonly id?: string | undefined;
  readonly tool: string;
  readonly input: Json;
}

/** A call with its result. */
export interface TracedCall extends AskedCall {
  readonly output: Json;
  /** The feedback to the model. */
  readonly observation: string;
  readonly is_error: boolean;
  readonly source_quality?: Quality | undefined;
  readonly documents?: readonly SourceDocument[] | undefined;
}

/** From worst to best; `unknown` counts only on its own. */
const qualities: readonly Quality[] = ['low', 'medium', 'high', 'unknown'];
/** Most documents of a result, and most characters of the text of each. */
const mostDocuments = 200;
const longestDocument = 100_000;

/** How a run reached its answer, step by step, up to its end. */
export class RunTrace {
  readonly steps: ReasoningStep[] = [];
  /** In the order of first use. */
  readonly toolsUsed = new Set<string>();
  readonly toolCalls: CalledTool[] = [];
  readonly documents = new Map<string, SourceDocument>();
  calls = 0;
  failed = 0;
  /** For each tool that was called, in the order of first use. */
  readonly byTool = new Map<string, ToolCount>();
  contradictions = 0;
  /** Steps of a plan whose condition did not hold. */
  skipped = 0;
  rejected = 0;
  readonly #time: () => string;
  #qualities = new Set<Quality>();
  /** The current step. */
  #open: { readonly step: number; thought: string; asked: readonly AskedCall[] } | undefined;

  readonly #onStep: (step: ReasoningStep) => void;

  /** @param onStep called with each entry of `steps` */
  constructor(time: () => string, onStep: (step: ReasoningStep) => void) {
    this.#time = time;
    this.#onStep = onStep;
  }

  /** Number of the current step; 0 between steps. */
  get step(): number {
    return this.#open?.step ?? 0;
  }

  begin(step: number): void {
    this.#open = { step, thought: '', asked: [] };
  }

  /** Adds a piece of the model's thought as it arrives. */
  thinking(text: string): void {
    if (this.#open) this.#open.thought += text;
  }

  /** Sets the whole thought, when it is known. */
  thought(text: string): void {
    if (this.#open) this.#open.thought = text;
  }

  asked(calls: readonly AskedCall[]): void {
    if (this.#open) this.#open.asked = calls;
  }

  /** Ends a step whose tools have answered: one entry for each call, the thought with the first. */
  answered(calls: readonly TracedCall[]): void {
    const open = this.#open;
    if (!open) return;
    const timestamp = this.#time();
    calls.forEach(({ id, tool, input, output, observation, is_error, source_quality, documents = [] }, index) => {
      if (id !== undefined) this.toolCalls.push({ id, name: tool, input, output, is_error });
      this.#add({
        step: open.step,
        thought: index === 0 ? open.thought : '',
        action: { tool, input, output },
        observation,
        timestamp,
      });
      this.calls += 1;
      if (is_error) this.failed += 1;
      const count = this.byTool.get(tool) ?? { calls: 0, failed: 0 };
      this.byTool.set(tool, { calls: count.calls + 1, failed: count.failed + (is_error ? 1 : 0) });
      if (source_quality) this.#qualities.add(source_quality);
      for (const document of documents) this.#keep(document);
    });
    this.#open = undefined;
  }

  /** Adds the documents and tool calls of a run inside this one. */
  include({ source_documents, tool_calls, reasoning, metadata }: RunResult): void {
    this.toolCalls.push(...tool_calls);
    for (const name of metadata.tools_used) this.toolsUsed.add(name);
    // As the other run stored them.
    for (const document of source_documents) this.#keep(document as unknown as SourceDocument);
    if (reasoning.source_quality) this.#qualities.add(reasoning.source_quality);
  }

  /** Ends a step without tools. @param observation the feedback on the model's answer */
  end(observation?: string): void {
    const open = this.#open;
    if (!open) return;
    const { step, thought } = open;
    this.#add({ step, thought, ...(observation !== undefined && { observation }), timestamp: this.#time() });
    this.#open = undefined;
  }

  /** Ends a step that was interrupted: its calls have no result. */
  breakOff(): void {
    const open = this.#open;
    if (!open) return;
    if (open.asked.length === 0) {
      this.end();
      return;
    }
    const timestamp = this.#time();
    open.asked.forEach(({ id, tool, input }, index) => {
      if (id !== undefined) this.toolCalls.push({ id, name: tool, input, output: null, is_error: true });
      this.#add({ step: open.step, thought: index === 0 ? open.thought : '', action: { tool, input, output: null }, timestamp });
    });
    this.#open = undefined;
  }

  /** The lowest of all tools. */
  get sourceQuality(): Quality | undefined {
    return qualities.find((quality) => this.#qualities.has(quality));
  }

  #add(step: ReasoningStep): void {
    this.steps.push(step);
    this.#onStep(step);
  }

  #keep(document: SourceDocument): void {
    if (this.documents.has(document.id) || this.documents.size >= mostDocuments) return;
    const { text } = document;
    const isLong = text !== undefined && text.length > longestDocument;
    this.documents.set(document.id, isLong ? { ...document, text: `${text.slice(0, longestDocument)} [cut]` } : document);
  }
}
