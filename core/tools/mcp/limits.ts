/** Longest message or answer of a server, in bytes: 64 MB. Beyond it the connection is given up. */
export const longestAnswer = 64 * 1024 * 1024;
/** Why a connection is given up beyond it; follows "The server". */
export const tooLongWords = `sent more than ${longestAnswer / 1024 / 1024} MB in one message, or more than 1 MB of them in an array`;
/** Longest array of messages, in bytes: each of its many small messages would cost far more than its length. */
export const longestBatch = 1024 * 1024;
/** How much is read of the body of a refusal (an HTTP status that is not success), in bytes. */
export const longestRefusal = 64 * 1024;
/** Why a connection is closed that we have closed; follows "The server". */
export const stoppedWords = 'was stopped';
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
