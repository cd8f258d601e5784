import { isObject, type Json, type JsonObject, listOf } from '../../core/json.js';
import { fill, inhabitants } from './inhabitants.js';
import { answerWith, evaluate, Failure, holds, mapTexts, merge, type Outcome, outputsOf, parse, text, tokensIn } from './runValues.js';
import type { PermitFiles } from './support.js';

/**
 * Runs small projects as docs/ says that they run, with values in place of proofs: each answer of a tool holds a token of that tool, a model copies
 * all tokens that it has read to every tool and every text of its answer, and what comes to a tool is written down. It knows nothing of core/permits.
 */
export interface Labels {
  readonly reads?: 'public' | 'private';
  readonly untrusted?: boolean;
  readonly sends?: boolean;
  readonly changes?: boolean;
  readonly destroys?: boolean;
  readonly runs_code?: boolean;
}

export interface WorldTool {
  /** `server/tool`, or the name of a built-in tool. */
  readonly id: string;
  readonly server: string | null;
  readonly bare: string;
  /** Null: nobody has said. */
  readonly labels: Labels | null;
}

/** A token of `source` came to `sink` in an agent of a subject. */
export interface Crossing {
  readonly subject: string;
  readonly instance: string;
  readonly source: string;
  readonly sink: string;
}

export interface RunWatch {
  before(tool: WorldTool, sources: readonly string[]): void;
  after(tool: WorldTool): void;
}

export interface ExplorerOptions {
  /** Tools that nobody has labelled do everything, and servers that nobody has listed have tools; else they do nothing and have none. */
  readonly isWorst: boolean;
  readonly fits: (schema: JsonObject, value: Json) => boolean;
  readonly random: () => number;
  /** Runs of a subject a round. */
  readonly runs?: number;
  readonly watch?: (subject: string, instance: string, hasSession: boolean) => RunWatch;
}

const builtIn: readonly WorldTool[] = [
  { id: 'calculator', server: null, bare: 'calculator', labels: {} },
  { id: 'read_file', server: null, bare: 'read_file', labels: { reads: 'private' } },
  { id: 'read_resource', server: null, bare: 'read_resource', labels: { reads: 'private', untrusted: true, sends: true } },
];

/** What servers list that no file has listed: names of their own, and of others. */
const lateTools = ['extra', 'search', 'save'];

/** The servers whose tools read and write the files of the project. */
export const fileServers: ReadonlySet<string> = new Set(['fs']);

/** What callers give. */
const callers: readonly JsonObject[] = [{}, { k: { label: 'a', text: 'x', part: { label: 'a' } }, m: 'fixed' }, { k: 'fixed', m: ['x'] }];

export function toolsOfProject(files: PermitFiles): readonly WorldTool[] {
  const locked = Object.entries(
    (files['mcp.lock']?.servers ?? {}) as unknown as Record<string, { tools: Record<string, { labels?: Labels }> }>,
  );
  return locked.flatMap(([server, { tools }]) =>
    Object.entries(tools).map(([bare, { labels = null }]) => ({ id: `${server}/${bare}`, server, bare, labels })),
  );
}

export class Explorer {
  readonly crossings = new Map<string, Crossing>();
  readonly #files: PermitFiles;
  readonly #options: ExplorerOptions;
  readonly #stores = new Map<string, Set<string>>();
  #choices: number[] = [];
  #sizes: number[] = [];
  #at = 0;
  #subject = '';
  #news = true;

  constructor(files: PermitFiles, options: ExplorerOptions) {
    this.#files = files;
    this.#options = options;
  }

  /** Runs each of these again and again, until nothing new comes of it. */
  explore(subjects: readonly string[]): void {
    this.#news = true;
    for (let round = 0; this.#news && round < 5; round += 1) {
      this.#news = false;
      for (const subject of subjects) this.#exploreOne(subject);
    }
  }

  #exploreOne(subject: string): void {
    const { runs = 12, random } = this.#options;
    this.#subject = subject;
    this.#choices = [];
    for (let run = 0; run < runs; run += 1) {
      this.#at = 0;
      this.#sizes = [];
      this.runOnce(subject);
      // From the middle on any.
      if (run >= runs / 2) {
        this.#choices = Array.from({ length: 24 }, () => Math.floor(random() * 1000));
        continue;
      }
      let last = this.#sizes.length - 1;
      while (last >= 0 && (this.#choices[last] ?? 0) + 1 >= (this.#sizes[last] ?? 1)) last -= 1;
      if (last < 0) return;
      this.#choices = [...this.#choices.slice(0, last), (this.#choices[last] ?? 0) + 1];
    }
  }

  #choose<T>(from: readonly T[]): T {
    const size = from.length;
    const at = this.#at++;
    this.#sizes[at] = size;
    this.#choices[at] ??= 0;
    this.#choices[at] %= size;
    return from[this.#choices[at]] as T;
  }

  runOnce(subject: string): void {
    try {
      const orchestration = this.#files[`orchestrations/${subject}`];
      const input = this.#choose(callers);
      if (orchestration === undefined) this.#agent(subject.split('@')[0] as string, this.#config(subject), input, 0, true);
      else this.#orchestration(orchestration, merge(orchestration.context ?? {}, input));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  #config(reference: string): JsonObject {
    const [name, version = 'v1'] = reference.split('@');
    const config = this.#files[`agents/${name}/${version}`];
    if (config === undefined) throw new Failure(reference);
    return config;
  }

  #toolsFor(config: JsonObject): readonly { readonly tool: WorldTool; readonly name: string }[] {
    if (config.agent_type === 'single_shot') return [];
    const clients = listOf(config.client_ids) as string[];
    const late = (id: string) =>
      this.#options.isWorst &&
      Object.hasOwn((this.#files.mcp?.servers ?? {}) as object, id) &&
      !Object.hasOwn((this.#files['mcp.lock']?.servers ?? {}) as object, id)
        ? lateTools.map((bare) => ({ id: `${id}/${bare}`, server: id, bare, labels: null }))
        : [];
    const served = clients.flatMap((id) => [...toolsOfProject(this.#files).filter(({ server }) => server === id), ...late(id)]);
    const isPlan = config.agent_type === 'orchestrating';
    const offered = isPlan || config.enabled_tools !== undefined ? [...builtIn, ...served] : served;
    const isShared = (tool: WorldTool) => tool.server !== null && offered.filter(({ bare }) => bare === tool.bare).length > 1;
    const names = ({ server, bare }: WorldTool) => (server === null ? [bare] : [bare, `${server}_${bare}`]);
    const isIn = (list: Json | undefined, tool: WorldTool) => names(tool).some((name) => listOf(list).includes(name));
    return offered
      .filter((tool) => config.enabled_tools === undefined || isIn(config.enabled_tools, tool))
      .filter((tool) => !isIn(config.exclude_components, tool))
      .map((tool) => ({ tool, name: isShared(tool) ? `${tool.server}_${tool.bare}` : tool.bare }));
  }

  #store(name: string): Set<string> {
    const store = this.#stores.get(name) ?? new Set();
    this.#stores.set(name, store);
    return store;
  }

  #keep(name: string, tokens: Iterable<string>): void {
    const store = this.#store(name);
    for (const token of tokens) {
      if (store.has(token)) continue;
      store.add(token);
      this.#news = true;
    }
  }

  /** Its answer as a value. */
  #call(tool: WorldTool, input: Json, instance: string, clients: readonly string[], watch: RunWatch | undefined): JsonObject {
    const given = tokensIn(input);
    watch?.before(tool, given);
    for (const source of given) {
      const key = `${this.#subject} ${instance} ${source} ${tool.id}`;
      if (this.crossings.has(key)) continue;
      this.crossings.set(key, { subject: this.#subject, instance, source, sink: tool.id });
      this.#news = true;
    }
    watch?.after(tool);
    if (tool.id === 'calculator') return answerWith(text([tool.id]));
    const everything: Labels = { reads: 'private', untrusted: true, sends: true, changes: true, runs_code: true };
    const does = tool.labels ?? (this.#options.isWorst ? everything : {});
    const { server } = tool;
    const writes = does.changes === true || does.destroys === true || does.runs_code === true;
    const reads = does.reads !== undefined || does.untrusted === true || does.runs_code === true;
    const usesFiles = tool.id === 'read_file' || (server !== null && fileServers.has(server)) || does.runs_code === true;
    const seen = new Set([tool.id, ...given]);
    const read = (store: string) => {
      for (const token of this.#store(store)) seen.add(token);
    };
    if (usesFiles && writes) this.#keep('files', given);
    if (usesFiles && reads) read('files');
    if (server !== null && !fileServers.has(server)) {
      if (writes) this.#keep(`data ${server}`, given);
      if (does.sends === true) this.#keep(`sent ${server}`, given);
      if (reads) read(`data ${server}`);
      if (does.reads === 'private' || does.runs_code === true) read(`sent ${server}`);
    }
    if (tool.id === 'read_resource') for (const id of clients) read(`data ${id}`);
    return answerWith(text(seen));
  }

  #agent(instance: string, config: JsonObject, payload: Json, depth: number, isWhole = false): Json {
    if (depth > 3) throw new Failure('too deep');
    const hasSession = isWhole && config.include_history === true && config.agent_type !== 'orchestrating';
    const watch = this.#options.watch?.(this.#subject, instance, hasSession);
    const tools = this.#toolsFor(config);
    if (config.agent_type === 'orchestrating') return this.#plan(instance, config, payload as JsonObject, tools, depth, watch);
    const seen = new Set(tokensIn(typeof config.user_text === 'string' ? evaluate(config.user_text, { input: payload }) : payload));
    if (hasSession) for (const token of this.#store('sessions')) seen.add(token);
    const clients = listOf(config.client_ids) as string[];
    for (let pass = 0; pass < 2; pass += 1) {
      for (const { tool } of tools) {
        for (const token of tokensIn(this.#call(tool, { text: text(seen) }, instance, clients, watch))) seen.add(token);
      }
    }
    if (hasSession) this.#keep('sessions', seen);
    const schema = isObject(config.output_schema) ? config.output_schema : undefined;
    const answer = this.#choose([...inhabitants(schema, this.#options.fits), undefined]);
    if (answer === undefined) throw new Failure('the model failed');
    return fill(answer, text(seen));
  }

  #plan(
    instance: string,
    config: JsonObject,
    payload: JsonObject,
    tools: readonly { readonly tool: WorldTool; readonly name: string }[],
    depth: number,
    watch: RunWatch | undefined,
  ): Json {
    const plan = config.execution_plan as { readonly steps: readonly JsonObject[]; readonly output?: Json };
    const outcomes = new Map<string, Outcome>();
    const scope = (): JsonObject => ({ input: payload, steps: outputsOf(outcomes) });
    const render = (template: Json): Json =>
      mapTexts(template, (each) => {
        const name = /^\{\{steps\.(\w+)\.output\}\}$/.exec(each)?.[1];
        return name !== undefined && outcomes.has(name) && outcomes.get(name)?.output === undefined ? null : evaluate(each, scope());
      });
    const work = (step: JsonObject): Json => {
      if (typeof step.llm === 'string') {
        const prompt = tokensIn(evaluate(step.llm, scope()));
        const answer = this.#choose([...inhabitants(undefined, this.#options.fits), undefined]);
        if (answer === undefined) throw new Failure('the model failed');
        return fill(answer, text(prompt));
      }
      const input = step.input === undefined ? payload : render(step.input);
      if (!isObject(input)) throw new Failure('no object');
      if (typeof step.agent === 'string') return this.#agent(step.agent, this.#config(step.agent), input, depth + 1);
      const skill = step.skill as string;
      const found =
        tools.find(({ name }) => name === skill) ?? tools.find(({ tool }) => [tool.bare, `${tool.server}_${tool.bare}`].includes(skill));
      if (found === undefined) throw new Failure(skill);
      return this.#call(found.tool, input, instance, listOf(config.client_ids) as string[], watch);
    };
    for (const step of plan.steps) {
      const name = step.name as string;
      if (step.when !== undefined && !holds(step.when, outcomes, payload)) {
        outcomes.set(name, { status: 'skipped' });
        continue;
      }
      const { repeat } = step as { readonly repeat?: { readonly until: Json; readonly max: number } };
      for (let round = 0; round < (repeat?.max ?? 1); round += 1) {
        outcomes.delete(name);
        try {
          outcomes.set(name, { status: 'completed', output: work(step) });
        } catch (error) {
          if (!(error instanceof Failure) || step.on_error !== 'continue') throw error;
          outcomes.set(name, { status: 'failed' });
        }
        if (repeat === undefined || holds(repeat.until, outcomes, payload)) break;
      }
    }
    const last = [...outcomes.values()].flatMap(({ output }) => (output === undefined ? [] : [output])).at(-1) ?? null;
    const output = plan.output === undefined ? last : render(plan.output);
    if (!isObject(config.output_schema)) return output;
    const value = isObject(output) ? output : parse(output);
    if (value === undefined || !this.#options.fits(config.output_schema, value)) throw new Failure('does not fit');
    return value;
  }

  #orchestration({ entry_team, teams }: JsonObject, start: Json): void {
    let context: Json = start;
    const all = teams as Record<string, { tasks: readonly JsonObject[]; routing?: JsonObject }>;
    let team: Json | undefined = entry_team;
    for (let count = 0; typeof team === 'string' && count < 5; count += 1) {
      const { tasks, routing = {} } = all[team] ?? { tasks: [] };
      const outcomes = new Map<string, Outcome>();
      for (const task of tasks) {
        const name = task.name as string;
        try {
          const scope = { input: start, context, tasks: outputsOf(outcomes) };
          const payload = task.input === undefined ? context : mapTexts(task.input, (each) => evaluate(each, scope));
          if (!isObject(payload)) throw new Failure('no object');
          outcomes.set(name, {
            status: 'completed',
            output: this.#agent(`${team}/${name}`, this.#config(task.agent as string), payload, 0),
          });
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          outcomes.set(name, { status: 'failed' });
        }
      }
      const rule = listOf(routing.rules).find((each) => isObject(each) && holds(each.condition ?? [], outcomes, context as JsonObject));
      if (isObject(rule) && rule.context_updates !== undefined) {
        const scope = { input: start, context, tasks: outputsOf(outcomes) };
        context = merge(
          context,
          mapTexts(rule.context_updates, (each) => evaluate(each, scope)),
        );
      }
      team = isObject(rule) ? rule.next_team : routing.default;
    }
  }
}
