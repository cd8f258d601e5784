import type { EvalReport } from '../../../core/generated/types.js';
import { toSafeJson } from '../../../core/visibleText.js';
import { visibleOutput } from '../../terminal/styles.js';
import { githubReport } from './github.js';
import { htmlReport } from './html.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import { textReport } from './text.js';
import type { ReportContext } from './types.js';

export const evalFormats = ['text', 'json', 'junit', 'github', 'markdown', 'html'] as const;

export type EvalFormat = (typeof evalFormats)[number];

export async function formatReport(report: EvalReport, format: EvalFormat, context: ReportContext): Promise<string> {
  return visibleOutput(await formats[format](report, context));
}

const formats: { readonly [format in EvalFormat]: (report: EvalReport, context: ReportContext) => Promise<string> } = {
  text: textReport,
  json: async (report) => toSafeJson(report),
  junit: junitReport,
  github: githubReport,
  markdown: markdownReport,
  html: htmlReport,
};
