/** Longest message or answer of a server, in bytes: 64 MB. Beyond it the connection is given up. */
export const longestAnswer = 64 * 1024 * 1024;
/** Time of one request to a server, in ms, where mcp.json gives none. */
export const defaultTimeout = 60_000;
/** Most tools, prompts or resources that are taken from one server. */
export const mostListed = 1000;
/** Most pages of a list that are asked for. */
export const mostPages = 100;
/** Deepest nesting of an answer. */
export const deepest = 200;
/** How often a server that keeps ending is started again in a run. */
export const mostRestarts = 5;
