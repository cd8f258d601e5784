import type { Client } from '../client.js';
import type { Command } from '../command.js';

/** Every command: one line here, its title in package.json, one module, loaded when used. */
export const commands: readonly Command<Client>[] = [
  { id: 'agentStack.restartServer', run: async (client) => (await import('./restartServer.js')).restartServer(client) },
  { id: 'agentStack.showOutput', run: ({ log }) => log.show() },
  { id: 'agentStack.showReferences', run: async (_client, ...args) => (await import('./showReferences.js')).showReferences(...args) },
  { id: 'agentStack.createAgent', run: async (client, ...args) => (await import('./createAgent.js')).createAgent(client, ...args) },
  { id: 'agentStack.createVersion', run: async (client, ...args) => (await import('./createVersion.js')).createVersion(client, ...args) },
  {
    id: 'agentStack.createPersona',
    run: async (client, ...args) => (await import('./create/createFile.js')).createFile(client, 'persona', ...args),
  },
  {
    id: 'agentStack.createPrompt',
    run: async (client, ...args) => (await import('./create/createFile.js')).createFile(client, 'prompt', ...args),
  },
  {
    id: 'agentStack.createEnvironment',
    run: async (client, ...args) => (await import('./create/createFile.js')).createFile(client, 'environment', ...args),
  },
  {
    id: 'agentStack.createPayload',
    run: async (client, ...args) => (await import('./create/createPayload.js')).createPayload(client, ...args),
  },
  { id: 'agentStack.createLlm', run: async (client, ...args) => (await import('./create/createLlm.js')).createLlm(client, ...args) },
  {
    id: 'agentStack.createMcpServer',
    run: async (client, ...args) => (await import('./create/createMcpServer.js')).createMcpServer(client, ...args),
  },
  {
    id: 'agentStack.createOrchestration',
    run: async (client, ...args) => (await import('./create/createOrchestration.js')).createOrchestration(client, ...args),
  },
  { id: 'agentStack.importAgent', run: async (client, ...args) => (await import('./importAgent.js')).importAgent(client, ...args) },
  { id: 'agentStack.openSample', run: async (client, ...args) => (await import('./openSample.js')).openSample(client, ...args) },
  { id: 'agentStack.removeApiKey', run: async (client, ...args) => (await import('./setApiKey.js')).removeApiKey(client, ...args) },
  {
    id: 'agentStack.selectEnvironment',
    run: async (client, ...args) => (await import('./selectEnvironment.js')).selectEnvironment(client, ...args),
  },
  {
    id: 'agentStack.selectLanguageModel',
    run: async (client, ...args) => (await import('./selectLanguageModel.js')).selectLanguageModel(client, ...args),
  },
  { id: 'agentStack.setApiKey', run: async (client, ...args) => (await import('./setApiKey.js')).setApiKey(client, ...args) },
  {
    id: 'agentStack.editAsMarkdown',
    run: async (client, ...args) => (await import('../views/textDocuments/editAsMarkdown.js')).editAsMarkdown(client, ...args),
  },
  {
    id: 'agentStack.editWholeAsMarkdown',
    run: async (client, ...args) => (await import('../views/textDocuments/editAsMarkdown.js')).editWholeAsMarkdown(client, ...args),
  },
  { id: 'agentStack.checkProject', run: async (client) => (await import('../views/tasks/checkProject.js')).checkProject(client) },
  {
    id: 'agentStack.runOrchestration',
    run: async (client, argument) => (await import('../views/run/runOrchestration.js')).runOrchestration(client, argument),
  },
  { id: 'agentStack.resumeRun', run: async (client, argument) => (await import('../views/runs/resumeRun.js')).resumeRun(client, argument) },
  {
    id: 'agentStack.showRunGraph',
    run: async (client, argument) => (await import('../views/runs/showRunGraph.js')).showRunGraph(client, argument),
  },
  { id: 'agentStack.runAgent', run: async (client, ...args) => (await import('../views/run/runAgent.js')).runAgent(client, ...args) },
  {
    id: 'agentStack.runAndRecord',
    run: async (client, argument) => (await import('../views/run/runAndRecord.js')).runAndRecord(client, argument),
  },
  {
    id: 'agentStack.replayRecording',
    run: async (client, argument) => (await import('../views/run/replayRecording.js')).replayRecording(client, argument),
  },
  { id: 'agentStack.openChat', run: async (client, argument) => (await import('../views/chat/openChat.js')).openChat(client, argument) },
  {
    id: 'agentStack.previewPrompt',
    run: async (client, argument) => (await import('../panels/preview/previewPrompt.js')).previewPrompt(client, argument),
  },
  {
    id: 'agentStack.previewAsText',
    run: async (client, argument) => (await import('../panels/preview/previewPrompt.js')).previewAsText(client, argument),
  },
  {
    id: 'agentStack.showGraph',
    run: async (client, argument) => (await import('../panels/graph/showGraph.js')).showGraph(client, argument),
  },
  {
    id: 'agentStack.comparePrompts',
    run: async (client, ...args) => (await import('../panels/preview/comparePrompts.js')).comparePrompts(client, ...args),
  },
  {
    id: 'agentStack.showEffectiveConfig',
    run: async (client, argument) => (await import('../views/effective/showEffective.js')).showEffective(client, argument),
  },
  {
    id: 'agentStack.switchEffectiveEnvironment',
    run: async (client, argument) => (await import('../views/effective/showEffective.js')).switchEnvironment(client, argument),
  },
  {
    id: 'agentStack.compareEffectiveConfigs',
    run: async (client, ...args) => (await import('../views/effective/compareEffective.js')).compareEffective(client, ...args),
  },
  {
    id: 'agentStack.listTools',
    run: async (client, argument) => (await import('../views/tools/listTools.js')).listTools(client, argument),
  },
  {
    id: 'agentStack.compareMovedPrompt',
    run: async (_, argument) => (await import('../views/prompts/compareMovedPrompt.js')).compareMovedPrompt(argument),
  },
  {
    id: 'agentStack.showToolDifference',
    run: async (client, argument) => (await import('../views/tools/toolDifference.js')).showToolDifference(client, argument),
  },
  {
    id: 'agentStack.acceptTool',
    run: async (client, argument) => (await import('../views/tools/toolDifference.js')).acceptTool(client, argument),
  },
  {
    id: 'agentStack.manageToolPermissions',
    run: async (client, target) => (await import('../views/tools/managePermissions.js')).managePermissions(client, target),
  },
  { id: 'agentStack.openRun', run: async (client, ...args) => (await import('../views/runs/openRun.js')).openRun(client, ...args) },
  { id: 'agentStack.runAgain', run: async (client, ...args) => (await import('../views/runs/runAgain.js')).runAgain(client, ...args) },
  { id: 'agentStack.saveCase', run: async (client, argument) => (await import('../views/runs/saveCase.js')).saveCase(client, argument) },
  { id: 'agentStack.cancelRun', run: async (client, ...args) => (await import('../views/runs/cancelRun.js')).cancelRun(client, ...args) },
  { id: 'agentStack.deleteRun', run: async (client, ...args) => (await import('../views/runs/deleteRun.js')).deleteRun(client, ...args) },
  { id: 'agentStack.pinRun', run: async (client, ...args) => (await import('../views/runs/pinRun.js')).pinRun(client, 'pin', ...args) },
  { id: 'agentStack.unpinRun', run: async (client, ...args) => (await import('../views/runs/pinRun.js')).pinRun(client, 'unpin', ...args) },
  {
    id: 'agentStack.compareRuns',
    run: async (client, ...args) => (await import('../views/runs/compareRuns.js')).compareRuns(client, ...args),
  },
  {
    id: 'agentStack.compareRunTexts',
    run: async (client, ...args) => (await import('../views/runs/compareTexts.js')).compareTexts(client, ...args),
  },
  { id: 'agentStack.filterRuns', run: async (client) => (await import('../views/runs/filterRuns.js')).filterRuns(client) },
  { id: 'agentStack.searchRuns', run: async (client) => (await import('../views/runs/filterRuns.js')).searchRuns(client) },
  {
    id: 'agentStack.clearRunsFilter',
    run: async ({ runs }) => runs.view?.setFilter((await import('../views/runs/treeFilter.js')).noFilter),
  },
  { id: 'agentStack.openRawRun', run: async (client, ...args) => (await import('../views/runs/runFiles.js')).openRawRun(client, ...args) },
  {
    id: 'agentStack.showRunSnapshot',
    run: async (client, ...args) => (await import('../views/runs/runFiles.js')).showRunSnapshot(client, ...args),
  },
  {
    id: 'agentStack.showRunIssue',
    run: async (client, reference, issue) => (await import('../views/runs/runFiles.js')).showRunIssue(client, reference, issue),
  },
  {
    id: 'agentStack.showRunSource',
    run: async (client, reference, id) => (await import('../views/runs/runFiles.js')).showRunSource(client, reference, id),
  },
  {
    id: 'agentStack.continueConversation',
    run: async (client, ...args) => (await import('../views/chat/continueConversation.js')).continueConversation(client, ...args),
  },
  {
    id: 'agentStack.showRunInHistory',
    run: async (client, ...args) => (await import('../views/runs/showInHistory.js')).showInHistory(client, ...args),
  },
  {
    id: 'agentStack.showEvals',
    run: async (client, argument) => (await import('../panels/evals/showEvals.js')).showEvals(client, argument),
  },
  {
    id: 'agentStack.compareBaseline',
    run: async (client, argument) => (await import('../views/tests/testCommands.js')).compareBaseline(client, argument),
  },
  { id: 'agentStack.runCase', run: async (client, ...args) => (await import('../views/tests/testCommands.js')).runCase(client, ...args) },
  {
    id: 'agentStack.acceptExpected',
    run: async (client, ...args) => (await import('../views/tests/acceptExpected.js')).acceptExpected(client, ...args),
  },
  { id: 'agentStack.refreshRuns', run: ({ runs }) => runs.view?.refresh() },
  { id: 'agentStack.groupRunsByDay', run: ({ runs }) => runs.view?.group('day') },
  { id: 'agentStack.groupRunsByAgent', run: ({ runs }) => runs.view?.group('agent') },
  { id: 'agentStack.showMoreRuns', run: ({ runs }) => runs.view?.showMore() },
];
