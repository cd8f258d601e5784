import { isObject, type Json, listOf, pointerOf } from '../json.js';
import type { Rule, RuleContext } from './rule.js';

/** Verdicts on something deleted or renamed. Whether a verdict still holds depends on the day and on hashes, which `eval --against` computes. */
export const baselineStale: Rule = {
  code: 'baseline-stale',
  severity: 'info',
  kinds: ['baseline'],
  on: 'value',
  check({ value, identity: { name } }, { project }, report) {
    if (!isObject(value)) return;
    const isOrchestration = project.ids('orchestration').has(name);
    if (!isOrchestration && project.versions(name).length === 0) {
      report({
        pointer: '',
        message: `There is no agent or orchestration ${JSON.stringify(name)}, so nothing compares with these verdicts. Rename the file, or delete it.`,
      });
      return;
    }
    for (const [index, verdict] of listOf(value.verdicts).entries()) {
      if (!isObject(verdict)) continue;
      const missing =
        findCase(verdict.case, name, project) ?? findVersion(verdict.version, name, project) ?? findProfile(verdict.llm, project);
      if (missing === undefined) continue;
      report({
        pointer: pointerOf('verdicts', index, missing.field),
        message: `${missing.what}, so nothing compares with this verdict. Remove it; --save-baseline does so too.`,
        data: { verdict: index },
      });
    }
  },
};

interface Missing {
  readonly field: 'case' | 'version' | 'llm';
  /** A sentence without its full stop. */
  readonly what: string;
}

type Project = RuleContext['project'];

function findCase(written: Json | undefined, subject: string, project: Project): Missing | undefined {
  if (typeof written !== 'string' || written === '') return undefined;
  const [file = ''] = written.split('/', 1);
  const missing = (name: string): Missing => ({ field: 'case', what: `${subject} has no case ${JSON.stringify(name)}` });
  if (!project.ids('payload').has(`${subject}/${file}`)) return missing(file);
  // A file that was not read, or is broken, may have the case.
  return project.cases(`${subject}/${file}`)?.has(written) === false ? missing(written) : undefined;
}

function findVersion(version: Json | undefined, subject: string, project: Project): Missing | undefined {
  const versions = project.versions(subject);
  // An orchestration and an agent may share a name.
  if (typeof version !== 'string' || versions.includes(version)) return undefined;
  return { field: 'version', what: `${subject} has no version ${JSON.stringify(version)}` };
}

function findProfile(llm: Json | undefined, project: Project): Missing | undefined {
  if (typeof llm !== 'string' || project.ids('llm').has(llm)) return undefined;
  return { field: 'llm', what: `There is no llm profile ${JSON.stringify(llm)}` };
}
