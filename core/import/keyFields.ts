/** Where the key of a profile is: a text that names an environment variable in any way stands for it, any other is a reference, or the key itself. */
export function keyFields(text: string): { readonly api_key_env: string } | { readonly api_key: string } {
  const [, first, second, third] = /^(?:\$\{(?:env:)?([A-Za-z_]\w*)\}|\{env:([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*))$/.exec(text.trim()) ?? [];
  const variable = first ?? second ?? third;
  return variable === undefined ? { api_key: text } : { api_key_env: variable };
}
