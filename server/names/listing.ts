import type { TextRange } from '../../core/finding.js';
import type { Contracts } from './contracts.js';
import type { Entity, EntityKind } from './entity.js';
import type { FileView } from './fileView.js';

/** A place in a file where an entity is named. */
export interface Name {
  readonly entity: Entity;
  /** Pointer of the value, or of the member with the key. */
  readonly pointer: string;
  readonly target: 'key' | 'value';
  /** The range of the name in the decoded text; all of the text when absent. */
  readonly within?: TextRange;
  /** Whether the field or key declares the entity. */
  readonly isDeclaration: boolean;
  /** Whether the place creates the entity or sets its value, rather than reads it. */
  readonly isWrite: boolean;
  /** Whether the name can only mean this entity; false if layers decide, or several agents share the place. */
  readonly isCertain: boolean;
  /** Project path of the file that the reference leads to, whether or not it exists. */
  readonly leadsTo?: string;
  /** The text does not contain the name: `system_prompt_version` refers to the prompt with the agent's name. */
  readonly isImplied?: true;
}

/** A filter for names; all when empty. */
export interface Wanted {
  /** Pointer: names at this place only. */
  readonly at?: string;
  readonly kinds?: ReadonlySet<EntityKind>;
  /** Names of entities with this `name`. */
  readonly name?: string;
  /** Names at the pointers for which it holds. It holds for everything around such a place. */
  readonly overlaps?: (pointer: string) => boolean;
}

type Details = Partial<Omit<Name, 'entity' | 'pointer'>>;

/** Collects the names of one file that pass a filter. */
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

  /** Whether names of any of these kinds pass. */
  wants(...kinds: readonly EntityKind[]): boolean {
    const { kinds: wantedKinds } = this.wanted;
    return wantedKinds === undefined || kinds.some((kind) => wantedKinds.has(kind));
  }

  /** Whether an entity with this name may pass. */
  mayBe(name: string): boolean {
    return this.wanted.name === undefined || this.wanted.name === name;
  }

  /** Whether only names at some places pass. */
  get isLimited(): boolean {
    return this.wanted.at !== undefined || this.wanted.overlaps !== undefined;
  }

  /** Whether names at or below a place may pass. */
  reaches(pointer: string): boolean {
    const { at, overlaps } = this.wanted;
    if (overlaps !== undefined && !overlaps(pointer)) return false;
    return at === undefined || at === pointer || at.startsWith(`${pointer}/`);
  }

  add(entity: Entity, pointer: string, details: Details = {}): void {
    const { at, kinds, name, overlaps } = this.wanted;
    if (at !== undefined && at !== pointer) return;
    if (kinds !== undefined && !kinds.has(entity.kind)) return;
    if (name !== undefined && name !== entity.name) return;
    if (overlaps !== undefined && !overlaps(pointer)) return;
    const { isDeclaration = false, isWrite = isDeclaration } = details;
    this.names.push({ target: 'value', isCertain: true, ...details, entity, pointer, isDeclaration, isWrite });
  }
}
