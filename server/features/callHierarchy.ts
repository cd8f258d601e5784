import type {
  CallHierarchyIncomingCall,
  CallHierarchyIncomingCallsParams,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CallHierarchyOutgoingCallsParams,
  CallHierarchyPrepareParams,
} from 'vscode-languageserver';
import type { AnyFeature, Feature } from '../feature.js';

const prepare: Feature<CallHierarchyPrepareParams, readonly CallHierarchyItem[] | null> = {
  method: 'textDocument/prepareCallHierarchy',
  needs: ['textDocument', 'position'],
  capability: () => ({ callHierarchyProvider: true }),
  async handle(params, context) {
    const { prepareCallHierarchy } = await import('../navigation/callHierarchy.js');
    return prepareCallHierarchy(params, context);
  },
};

const incoming: Feature<CallHierarchyIncomingCallsParams, readonly CallHierarchyIncomingCall[] | null> = {
  method: 'callHierarchy/incomingCalls',
  needs: ['item'],
  capability: () => ({}),
  async handle({ item }, context) {
    const { provideIncomingCalls } = await import('../navigation/callHierarchy.js');
    return provideIncomingCalls(item, context);
  },
};

const outgoing: Feature<CallHierarchyOutgoingCallsParams, readonly CallHierarchyOutgoingCall[] | null> = {
  method: 'callHierarchy/outgoingCalls',
  needs: ['item'],
  capability: () => ({}),
  async handle({ item }, context) {
    const { provideOutgoingCalls } = await import('../navigation/callHierarchy.js');
    return provideOutgoingCalls(item, context);
  },
};

/** Which orchestrations, teams, tasks and agents use each other. */
export const callHierarchy: readonly AnyFeature[] = [prepare, incoming, outgoing];
