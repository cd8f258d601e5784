import type { TextRange } from '../../core/finding.js';
import type { Contracts } from './contracts.js';
import type { Entity, EntityKind } from './entity.js';
import type { FileView } from './fileView.js';

/** One place of a file where something is named. */
export interface Name {
  readonly entity: Entity;
  /** Of the value, or of the member whose key it is. */
  readonly pointer: string;
  readonly target: 'key' | 'value';
  /** The stretch of the decoded text that is the name; all of it when absent. */
  readonly within?: TextRange;
  /** Where the thing itself is written: the field or key that defines it. What a file's path says is not in the file. */
  readonly isDeclaration: boolean;
  /** Whether the place gives it a value or makes it, rather than looks at it. */
  readonly isWrite: boolean;
  /** Whether it means this entity and no other, whatever the layers say: false too where several agents share the place. */
  readonly isCertain: boolean;
  /** Project path of the one file the reference leads to, there or not. */
  readonly leadsTo?: string;
  /** The name is not written there but follows from what is: `system_prompt_version` names the prompt of the agent's own name. */
  readonly isImplied?: true;
}

/** Which names are asked for; all when empty. */
export interface Wanted {
  /** Pointer: names at this place only. */
  readonly at?: string;
  readonly kinds?: ReadonlySet<EntityKind>;
  /** Names of entities with this `name`. */
  readonly name?: string;
}

type Details = Partial<Omit<Name, 'entity' | 'pointer'>>;

/** One listing of the names in one file: what is asked for, and what has been found. */
export class Listing {
  readonly view: FileView;
  readonly contracts: Contracts;
  readonly names: Name[] = [];
  private readonly wanted: Wanted;

  constructor(view: FileView, contracts: Contracts, wanted: Wanted) {
    this.view = view;
    this.contracts = contracts;
    this.wanted = wanted;
  }

  get path(): string {
    return this.view.file.path;
  }

  /** Whether any of these kinds is asked for. */
  wants(...kinds: readonly EntityKind[]): boolean {
    const { kinds: asked } = this.wanted;
    return asked === undefined || kinds.some((kind) => asked.has(kind));
  }

  /** Whether something with this name may be asked for: to be asked before an entity is made. */
  mayBe(name: string): boolean {
    return this.wanted.name === undefined || this.wanted.name === name;
  }

  /** Whether names at or below a place may be asked for. */
  reaches(pointer: string): boolean {
    const { at } = this.wanted;
    return at === undefined || at === pointer || at.startsWith(`${pointer}/`);
  }

  add(entity: Entity, pointer: string, details: Details = {}): void {
    const { at, kinds, name } = this.wanted;
    if (at !== undefined && at !== pointer) return;
    if (kinds !== undefined && !kinds.has(entity.kind)) return;
    if (name !== undefined && name !== entity.name) return;
    const { isDeclaration = false, isWrite = isDeclaration } = details;
    this.names.push({ target: 'value', isCertain: true, ...details, entity, pointer, isDeclaration, isWrite });
  }
}
