/** The used parts of the ACP SDK, a separate bundle in the commands. */
export { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
