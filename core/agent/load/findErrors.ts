import { checkFile } from '../../check/checkFile.js';
import { createRuleContext } from '../../check/ruleContext.js';
import type { ConfigFile } from '../../config/configFile.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import type { Finding, PlacedFinding } from '../../finding.js';
import { rules } from '../../generated/rules.js';
import { placeFindings } from '../../jsonText/placeFindings.js';
import { createModelTable } from '../../llm/modelTable.js';
import type { Ports } from '../../ports.js';
import type { RuleCode } from '../../ruleCodes.js';
import { foreignFinding } from '../../rules/foreignFile.js';
import type { Rule } from '../../rules/rule.js';
import type { SchemaCompiler } from '../../schema/schemaCompiler.js';
import type { LayerProblem } from '../../snapshot/effective.js';
import type { ResolvedAgent } from '../../snapshot/types.js';

/** A file that the rules check, since it determines what runs. */
export interface JudgedFile {
  readonly file: ConfigFile;
  /** The effective agent, with this call's overrides and environment. Default: that of the file alone. */
  readonly effective?: ResolvedAgent | undefined;
}

export interface FindErrorsRequest {
  readonly project: ProjectIndex;
  readonly schemas: SchemaCompiler;
  readonly ports: Pick<Ports, 'files' | 'environment'>;
  /** The first is the requested one: faults without a file are reported at its start. */
  readonly judged: readonly [JudgedFile, ...JudgedFile[]];
  /** Findings of the layering, in these files and those below them. */
  readonly problems: readonly LayerProblem[];
  /** Agent files that were read, by `name@version`. */
  readonly agents: ReadonlyMap<string, ConfigFile>;
}

/**
 * A run refuses a budget that it cannot enforce itself, since its caller may allow it; a policy it enforces, call by call. What a called agent may do
 * beyond its caller contradicts what the caller's author meant, but every run of it is as written.
 */
const decidedByRun: readonly RuleCode[] = ['cost-above-budget', 'flow-forbidden', 'privilege-widened'];

/** The rules that can find an error. Others would only take time: to warn of a long prompt, its tokenizer would be loaded. */
function errorRules({ settings }: ProjectIndex): readonly Rule[] {
  return rules.filter(({ code, severity, gravest = severity }) => {
    const own = Object.hasOwn(settings.rules, code) ? settings.rules[code] : undefined;
    return !decidedByRun.includes(code) && (gravest === 'error' || own === 'error');
  });
}

const syntaxCodes: readonly RuleCode[] = ['json-syntax', 'json-comment', 'trailing-comma', 'duplicate-key'];
/** Errors of the settings after which a default would replace the intended value. Others are reported where they affect a run. */
export const notUnderstood: readonly RuleCode[] = [...syntaxCodes, 'schema'];

/**
 * Every error that stops a run, with its place: findings of the rules in the judged files, of the layering in any file, and of agentstack.json where
 * it cannot be understood. If the text of one of them is broken, only that is reported, since nothing else is certain.
 */
export async function findErrors({ project, schemas, ports, judged, problems, agents }: FindErrorsRequest): Promise<PlacedFinding[]> {
  const models = createModelTable(project.settings.models);
  const agent = (name: string, version: string) => agents.get(`${name}@${version}`);
  const context = createRuleContext({ project, models, variables: ports.environment, schemas, agent });
  const graveRules = errorRules(project);
  const settings = project.settingsFile === undefined ? [] : [project.settingsFile];
  const isBroken = [...judged.map(({ file }) => file), ...settings].some(({ syntax }) => syntax.length > 0);
  const errors: Finding[] = [];
  for (const { file, effective } of judged) {
    if (file.foreign !== undefined && file.syntax.length === 0) {
      errors.push({ ...foreignFinding(file, file.foreign), code: 'foreign-file', severity: 'error', file: file.path });
      continue;
    }
    const findings = await checkFile(
      { ...file, foreign: undefined },
      effective ? { ...context, effective: () => effective } : context,
      graveRules,
    );
    // One by one: a file may have more findings than a call may have arguments.
    for (const finding of findings) if (finding.severity === 'error') errors.push(finding);
  }
  for (const file of settings) {
    const findings = await checkFile(file, context);
    for (const finding of findings) if (finding.severity === 'error' && notUnderstood.includes(finding.code)) errors.push(finding);
  }
  const [{ file: home }] = judged;
  // Nothing more is known about another tool's file.
  for (const { code, message, file, pointer, data } of isBroken || home.foreign !== undefined ? [] : problems) {
    const place = { file: file ?? home.path, pointer: file === null ? '' : pointer };
    if (errors.some((finding) => finding.code === code && isReported(finding, place, file === null))) continue;
    if (errors.some((finding) => finding.code === 'foreign-name' && finding.file === data?.foreign)) continue;
    errors.push({ code, severity: 'error', message, ...place, ...(data && { data }) });
  }
  const texts = new Map([...settings, ...judged.map(({ file }) => file)].map(({ path, fileText }) => [path, fileText]));
  const placed: PlacedFinding[] = [];
  for (const path of new Set(errors.map(({ file }) => file))) {
    const text = texts.get(path) ?? (await ports.files.readText(path));
    const findings = errors.filter(({ file }) => file === path);
    for (const finding of placeFindings(text, findings)) placed.push(finding);
  }
  return isBroken ? placed.filter(({ code }) => syntaxCodes.includes(code)) : placed;
}

interface ProblemPlace {
  readonly file: string;
  readonly pointer: string;
}

/** Whether a rule has reported the same place, or has it among its related places. */
function isReported({ file, pointer, related = [] }: Finding, place: ProblemPlace, isOfCall: boolean): boolean {
  if (file === place.file && (isOfCall || pointer === place.pointer)) return true;
  return !isOfCall && related.some((other) => other.file === place.file && other.pointer === place.pointer);
}
