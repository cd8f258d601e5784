import type { Rule } from './rule.js';

/** An agent or task that needs a model, where no layer names one and there are several llm profiles: none of them is chosen by its name. */
export const modelNotChosen: Rule = {
  code: 'model-not-chosen',
  severity: 'error',
  kinds: ['agent', 'orchestration'],
  on: 'value',
  check(file, context, report) {
    const { problems } = file.identity.kind === 'agent' ? context.effective(file) : context.orchestration(file);
    for (const { code, file: place, pointer, message, data } of problems)
      if (code === 'model-not-chosen' && place === file.path) report({ pointer, message, ...(data && { data }) });
  },
};
