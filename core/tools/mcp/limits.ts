/** Longest message or answer of a server, in bytes: 64 MB. A longer one ends the connection. */
export const longestAnswer = 64 * 1024 * 1024;
/** Why such a connection is closed; follows "The server". */
export const tooLongWords = `sent more than ${longestAnswer / 1024 / 1024} MB in one message, or more than 1 MB of them in an array`;
/** Longest array of messages, in bytes: each of its many small messages would cost far more than its length. */
export const longestBatch = 1024 * 1024;
/** How much of the body of an HTTP error is read, in bytes. */
export const longestRefusal = 64 * 1024;
/** Why a connection is closed that was closed here; follows "The server". */
export const stoppedWords = 'was stopped';
/** Time limit of one request to a server, in ms, unless mcp.json sets one. */
export const defaultTimeout = 60_000;
/** Most tools, prompts or resources of one server. */
export const mostListed = 1000;
/** Most pages of a list that are requested. */
export const mostPages = 100;
/** Deepest nesting of an answer. */
export const deepest = 200;
/** How often a server that keeps ending is restarted in a run. */
export const mostRestarts = 5;
