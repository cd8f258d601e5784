/** Facts about a provider for all rooms. Everything else is in its folder, `core/llm/providers/<name>/`. */
export interface BuiltInProvider {
  /** The model of a new profile. */
  readonly model: string;
  /** An example of an address, if the provider has no fixed one. */
  readonly exampleAddress?: string;
  /** Its names in other tools. */
  readonly alsoCalled?: readonly string[];
  /** Whether it has a model without a configured name. Default false. */
  readonly needsNoModel?: true;
}

/** The providers that come with Agent Stack, one a line; `npm run generate` makes their lists from it. `vscode` exists only in the editor. */
export const builtInProviders: ReadonlyMap<string, BuiltInProvider> = new Map<string, BuiltInProvider>([
  ['openai', { model: 'gpt-5.4-mini' }],
  ['openai_compatible', { model: 'llama3.2', exampleAddress: 'http://127.0.0.1:11434/v1' }],
  [
    'azure_openai',
    { model: 'my-deployment', exampleAddress: 'https://YOUR-RESOURCE.openai.azure.com', alsoCalled: ['azure', 'azure-openai'] },
  ],
  ['anthropic', { model: 'claude-sonnet-5-5', alsoCalled: ['claude'] }],
  ['gemini', { model: 'gemini-3.8-flash', alsoCalled: ['google', 'google-vertex', 'vertex_ai'] }],
  ['vscode', { model: 'gpt-5-mini', needsNoModel: true }],
  ['offline', { model: 'offline', needsNoModel: true }],
]);

export const builtInProviderNames: readonly string[] = [...builtInProviders.keys()];

/** The built-in provider that other tools call by this name, in lower case. */
export const providersByOtherNames: ReadonlyMap<string, string> = new Map(
  [...builtInProviders].flatMap(([name, { alsoCalled = [] }]) => alsoCalled.map((other) => [other, name])),
);
