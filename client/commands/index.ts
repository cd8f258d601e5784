import type { Client } from '../client.js';
import type { Command } from '../command.js';

type Run = Command<Client>['run'];

/** The commands `agentStack.NAME` that are functions of those names in one module, which is loaded when one of them is used. */
function from<Name extends string>(
  load: () => Promise<Readonly<Record<NoInfer<Name>, Run>>>,
  ...names: readonly Name[]
): readonly Command<Client>[] {
  return names.map((name) => ({ id: `agentStack.${name}`, run: async (client, ...args) => (await load())[name](client, ...args) }));
}

const createFile = (kind: 'persona' | 'prompt' | 'environment'): Run => {
  return async (client, ...args) => (await import('./create/createFile.js')).createFile(client, kind, ...args);
};

/** Every command: its module here, its title in package.json. */
export const commands: readonly Command<Client>[] = [
  ...from(() => import('./createAgent.js'), 'createAgent'),
  ...from(() => import('./createVersion.js'), 'createVersion'),
  { id: 'agentStack.createPersona', run: createFile('persona') },
  { id: 'agentStack.createPrompt', run: createFile('prompt') },
  { id: 'agentStack.createEnvironment', run: createFile('environment') },
  ...from(() => import('./create/createPayload.js'), 'createPayload'),
  ...from(() => import('./create/createLlm.js'), 'createLlm'),
  ...from(() => import('./create/createMcpServer.js'), 'createMcpServer'),
  ...from(() => import('./create/createOrchestration.js'), 'createOrchestration'),
  ...from(() => import('./importAgent.js'), 'importAgent'),
  ...from(() => import('./confirmImport.js'), 'applyImport'),
  ...from(() => import('./openSample.js'), 'openSample'),
  ...from(() => import('./restartServer.js'), 'restartServer'),
  ...from(() => import('./selectEnvironment.js'), 'selectEnvironment'),
  ...from(() => import('./selectLanguageModel.js'), 'selectLanguageModel'),
  ...from(() => import('./setApiKey.js'), 'setApiKey', 'removeApiKey'),
  ...from(() => import('../panels/evals/showEvals.js'), 'showEvals'),
  ...from(() => import('../panels/graph/showGraph.js'), 'showGraph'),
  ...from(() => import('../panels/preview/comparePrompts.js'), 'comparePrompts'),
  ...from(() => import('../panels/preview/previewPrompt.js'), 'previewPrompt', 'previewAsText'),
  ...from(() => import('../views/behaviour/compareBehaviour.js'), 'compareBehaviour'),
  ...from(() => import('../views/chat/continueConversation.js'), 'continueConversation'),
  ...from(() => import('../views/chat/openChat.js'), 'openChat'),
  ...from(() => import('../views/debug/launches.js'), 'debugRun', 'debugRecording'),
  ...from(() => import('../views/effective/compareEffective.js'), 'compareEffectiveConfigs'),
  ...from(() => import('../views/effective/showEffective.js'), 'showEffectiveConfig', 'switchEffectiveEnvironment'),
  ...from(() => import('../views/migration/migrateModel.js'), 'migrateModel'),
  ...from(() => import('../views/run/replayRecording.js'), 'replayRecording'),
  ...from(() => import('../views/run/runAgent.js'), 'runAgent', 'runAndRecord'),
  ...from(() => import('../views/run/runOrchestration.js'), 'runOrchestration'),
  ...from(() => import('../views/runs/compareRuns.js'), 'compareRuns', 'compareRunTexts'),
  ...from(() => import('../views/runs/forkRun.js'), 'forkRun'),
  ...from(() => import('../views/runs/filterRuns.js'), 'filterRuns', 'searchRuns'),
  ...from(() => import('../views/runs/openRun.js'), 'openRun'),
  ...from(() => import('../views/runs/resumeRun.js'), 'resumeRun'),
  ...from(() => import('../views/runs/runAgain.js'), 'runAgain'),
  ...from(() => import('../views/runs/runCommands.js'), 'cancelRun', 'deleteRun', 'pinRun', 'unpinRun', 'showRunInHistory'),
  ...from(() => import('../views/runs/runFiles.js'), 'openRawRun', 'showRunSnapshot', 'showRunIssue', 'showRunSource'),
  ...from(() => import('../views/runs/saveCase.js'), 'saveCase'),
  ...from(() => import('../views/runs/showRunGraph.js'), 'showRunGraph'),
  ...from(() => import('../views/tasks/checkProject.js'), 'checkProject'),
  ...from(() => import('../views/tests/acceptExpected.js'), 'acceptExpected'),
  ...from(() => import('../views/tests/testCommands.js'), 'compareBaseline', 'runCase'),
  ...from(() => import('../views/textDocuments/editAsMarkdown.js'), 'editAsMarkdown', 'editWholeAsMarkdown'),
  ...from(() => import('../views/tools/labelTool.js'), 'labelTool'),
  ...from(() => import('../views/tools/listTools.js'), 'listTools'),
  ...from(() => import('../views/tools/toolDifference.js'), 'showToolDifference', 'acceptTool'),
  {
    id: 'agentStack.manageToolPermissions',
    run: async (client, target) => (await import('../views/tools/managePermissions.js')).managePermissions(client, target),
  },
  {
    id: 'agentStack.compareMovedPrompt',
    run: async (_client, file) => (await import('../views/prompts/compareMovedPrompt.js')).compareMovedPrompt(file),
  },
  {
    id: 'agentStack.clearRunsFilter',
    run: async ({ runs }) => runs.view?.setFilter((await import('../views/runs/treeFilter.js')).noFilter),
  },
  { id: 'agentStack.showReferences', run: async (_client, ...args) => (await import('./showReferences.js')).showReferences(...args) },
  { id: 'agentStack.showOutput', run: ({ log }) => log.show() },
  { id: 'agentStack.refreshRuns', run: ({ runs }) => runs.view?.refresh() },
  { id: 'agentStack.groupRunsByDay', run: ({ runs }) => runs.view?.group('day') },
  { id: 'agentStack.groupRunsByAgent', run: ({ runs }) => runs.view?.group('agent') },
  { id: 'agentStack.showMoreRuns', run: ({ runs }) => runs.view?.showMore() },
];
