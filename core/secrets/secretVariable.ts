/** The environment variable that holds `secret://{name}` if there is no store: upper case, every other character than A-Z and 0-9 as `_`. */
export function secretVariable(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}
