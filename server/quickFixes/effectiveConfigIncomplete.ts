import type { Fix, QuickFix } from './quickFix.js';
import { editFix, textIn } from './support.js';

/** Names the agent type that fits, or the mode that is missing. What a text or a schema says, and what a Chooser chooses from, only its author knows. */
export const effectiveConfigIncomplete: QuickFix = {
  code: 'effective-config-incomplete',
  fixes(finding, context) {
    const { pointer } = finding;
    const isTask = /^\/teams\/[^/]*\/tasks\/\d+\/name$/.test(pointer);
    if (pointer !== '' && !isTask) return [];
    const around = isTask ? pointer.slice(0, -'/name'.length) : '';
    const type = textIn(finding, 'agent_type');
    const fixes: Fix[] = [];
    if (type !== undefined)
      fixes.push(
        editFix(
          context,
          `Add "agent_type": ${JSON.stringify(type)}`,
          (edit) => edit.set(`${around}/agent_type`, type, { after: ['version', 'agent_name', 'name'] }),
          true,
        ),
      );
    if (textIn(finding, 'field') === 'mode')
      for (const mode of ['Writer', 'Extractor'])
        fixes.push(
          editFix(context, `Add "mode": ${JSON.stringify(mode)}`, (edit) =>
            edit.set(isTask ? `${around}/config/mode` : '/mode', mode, { after: ['agent_type', 'version', 'agent_name'] }),
          ),
        );
    return fixes;
  },
};
