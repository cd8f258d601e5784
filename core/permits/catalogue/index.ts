import { browserServers } from './browsers.js';
import { codeHostServers } from './codeHosts.js';
import { databaseServers } from './databases.js';
import type { CatalogueEntry } from './entry.js';
import { machineServers } from './machine.js';
import { operationsServers } from './operations.js';
import { referenceServers } from './referenceServers.js';
import { webServers } from './web.js';
import { workServers } from './work.js';

/**
 * What the tools of well-known MCP servers do. A tool that is not listed is not labelled. All entries are judged by the same rules:
 *
 * - A tool has every label that some input could give it, with the rights that its account usually has: a tool that runs any SQL destroys.
 * - `private`: an account, key, session, database or the machine opens it. An address that is given counts as public, even though a server that
 *   runs on the machine may reach the network around it; what a browser shows is private, because its profile may be logged in.
 * - `untrusted`: people outside of the organisation may have written it: web pages, mail, chats, tickets, shared documents, what the users of
 *   applications left in rows, logs and errors, and documentation that anybody may add to. Not: files of the machine, settings, names, schemas,
 *   figures, and a vendor's own documentation.
 * - `sends`: a query to a public service, an address that is opened, a message, and what is written where guests, customers or the public may
 *   read it (repositories, tickets, chats, shared documents). Not: what an organisation asks of, or writes to, its own databases, clusters and
 *   settings. What a tool that writes gives back of what it wrote is not counted as reading.
 * - `destroys`: it deletes, even where a bin or a history exists, or overwrites what has no history: files, rows, keys and variables. Not: an
 *   edited ticket, page, document or setting. A click in a browser may do all of this.
 * - `runs_code`: commands, scripts, images, charts and manifests that the call holds or names. Outside of a sandbox such code can read what is
 *   private, send, change and destroy; what strangers wrote comes back where its output does. A query language is not code.
 */
export const knownServers: readonly CatalogueEntry[] = [
  ...referenceServers,
  ...webServers,
  ...browserServers,
  ...codeHostServers,
  ...machineServers,
  ...workServers,
  ...databaseServers,
  ...operationsServers,
];
