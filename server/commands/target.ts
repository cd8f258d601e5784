import { ErrorCodes, ResponseError } from 'vscode-languageserver';
import { projectMark } from '../../core/config/projectFolders.js';
import { isObject, type JsonObject } from '../../core/json.js';
import type { Kind } from '../../core/kinds.js';
import { didYouMean, nearestNames } from '../../core/names.js';
import type { FeatureContext } from '../feature.js';
import { requestFailed } from '../requestFailed.js';
import type { Project } from '../workspace.js';

/** The one object that every command takes; each member is read as the type that is requested. */
export class Argument {
  private readonly command: string;
  private readonly value: JsonObject;

  /** @throws ResponseError for anything but an object */
  constructor(command: string, value: unknown) {
    if (!isObject(value)) throw invalid(command, 'takes one object');
    this.command = command;
    this.value = value;
  }

  /** @throws ResponseError when it is present but not a text */
  text(name: string): string | undefined {
    const value = this.member(name);
    if (value === undefined || typeof value === 'string') return value;
    throw invalid(this.command, `takes a text as ${name}`);
  }

  /** @throws ResponseError when it is present but not a number from 0 */
  number(name: string): number | undefined {
    const value = this.member(name);
    if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0)) return value;
    throw invalid(this.command, `takes a number from 0 as ${name}`);
  }

  /** @throws ResponseError when it is present but not an object */
  object(name: string): JsonObject | undefined {
    const value = this.member(name);
    if (value === undefined || isObject(value)) return value;
    throw invalid(this.command, `takes an object as ${name}`);
  }

  /** @throws ResponseError */
  refuse(problem: string): never {
    throw invalid(this.command, problem);
  }

  private member(name: string) {
    const value = Object.hasOwn(this.value, name) ? this.value[name] : undefined;
    return value === null ? undefined : value;
  }
}

function invalid(command: string, problem: string): ResponseError {
  return new ResponseError(ErrorCodes.InvalidParams, `${command} ${problem}. See docs/language-server.md, "Commands".`);
}

/** A file of a kind that a command is about. */
export interface Target {
  readonly project: Project;
  readonly path: string;
  /** `name@version` of an agent. */
  readonly id: string;
}

/**
 * The target of a command: the file at `uri`, or the one with a name, in the project of `uri` if that is given, otherwise in the only project that
 * has it. An agent name without a version means the newest one. Waits until the workspace is indexed.
 *
 * @throws ResponseError when there is no such file, with what to do
 */
export async function findTarget(argument: Argument, kind: Kind & ('agent' | 'orchestration'), context: FeatureContext): Promise<Target> {
  const { workspace } = context;
  const uri = argument.text('uri');
  const name = argument.text(kind);
  if (uri === undefined && name === undefined) argument.refuse(`takes the uri of a file, or the name of an ${kind} as ${kind}`);
  await workspace.ready(context.signal);
  const ofUri = uri === undefined ? undefined : workspace.projectOf(uri);
  if (uri !== undefined && ofUri === undefined) throw requestFailed(`${uri} is in no project: no folder above it holds ${projectMark}.`);
  if (name === undefined) return fileTarget(uri as string, kind, ofUri as Project, context);
  const projects = ofUri === undefined ? workspace.projects : [ofUri];
  const [target, another] = projects.flatMap((project): readonly Target[] => {
    const id = kind === 'agent' ? withVersion(name, project) : name;
    const path = project.index.ids(kind).get(id);
    return path === undefined ? [] : [{ project, path, id }];
  });
  if (target !== undefined && another !== undefined)
    throw requestFailed(
      `Several projects have the ${kind} ${JSON.stringify(name)}: ${target.project.root} and ${another.project.root}. Give the uri of a file of the one that is meant.`,
    );
  if (target !== undefined) return target;
  const ids = projects.flatMap((project) => [...project.index.ids(kind).keys()]);
  throw requestFailed(`There is no ${kind} ${JSON.stringify(name)}.${didYouMean(nearestNames(name, ids))}`);
}

function fileTarget(uri: string, kind: Kind, project: Project, { workspace }: FeatureContext): Target {
  const document = workspace.document(uri);
  const path = document?.path;
  const identity = path === undefined ? undefined : project.identityOf(path);
  if (path === undefined || identity?.kind !== kind)
    throw requestFailed(`${uri} is not an ${kind}: those are in ${project.settings.config_dir}/${kind}s/.`);
  return { project, path, id: identity.id };
}

function withVersion(name: string, { index }: Project): string {
  return name.includes('@') ? name : `${name}@${index.versions(name).at(-1) ?? ''}`;
}
