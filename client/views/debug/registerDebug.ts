import * as vscode from 'vscode';
import type { Services } from '../../services.js';

/** F5: completes and checks what is to be debugged, and starts the debugger. Both are loaded when first used. */
export function registerDebug(services: Services): vscode.Disposable {
  const load = () => import('./launches.js');
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider('agent-stack', {
      resolveDebugConfiguration: async (_, config) => (await load()).completeLaunch(services, config),
      resolveDebugConfigurationWithSubstitutedVariables: async (folder, config) => (await load()).checkLaunch(services, folder, config),
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory('agent-stack', {
      createDebugAdapterDescriptor: async () => (await import('./editorDebugger.js')).editorDebugger(services),
    }),
  );
}
