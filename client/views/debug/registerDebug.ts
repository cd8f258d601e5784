import * as vscode from 'vscode';
import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';

/** F5: completes and checks what is to be debugged, and starts the debugger. All of it is loaded when first used. */
export function registerDebug(services: Services & WithRuns): vscode.Disposable {
  const load = () => import('./launches.js');
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider('agent-stack', {
      resolveDebugConfiguration: async (_, config) => (await load()).completeLaunch(services, config),
      resolveDebugConfigurationWithSubstitutedVariables: async (folder, config) => (await load()).checkLaunch(services, folder, config),
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory('agent-stack', {
      createDebugAdapterDescriptor: async () => (await import('./editorDebugger.js')).editorDebugger(services),
    }),
    vscode.languages.registerCompletionItemProvider(
      { pattern: '**/.vscode/launch.json' },
      {
        provideCompletionItems: async (document, position) =>
          (await import('./launchCompletion.js')).completeLaunchValue(services, document, position),
      },
      '"',
    ),
    vscode.languages.registerEvaluatableExpressionProvider(
      [{ language: 'agent-config' }, { language: 'markdown', pattern: '**/prompts/*/*.md' }],
      {
        provideEvaluatableExpression: async (document, position) =>
          (await import('./hoverExpression.js')).hoverExpression(document, position),
      },
    ),
  );
}
