import type { ProjectFolder } from '../../projects.js';

/** For what opens conversations. */
export interface WithChats {
  readonly chats: Chats;
}

/** A panel with a conversation in it. */
export interface OpenChat {
  readonly folder: ProjectFolder;
  readonly session: string;
  reveal(): void;
}

/** The conversations that are open in this window. */
export class Chats {
  private readonly open = new Set<OpenChat>();

  find(folder: ProjectFolder, session: string): OpenChat | undefined {
    return [...this.open].find((chat) => chat.folder === folder && chat.session === session);
  }

  opened(chat: OpenChat): void {
    this.open.add(chat);
  }

  closed(chat: OpenChat): void {
    this.open.delete(chat);
  }
}

/** Which conversation of which agent. */
export interface ChatTarget {
  readonly folder: ProjectFolder;
  readonly agent_name: string;
  readonly version: string;
  /** Overrides the profile of the agent. */
  readonly llm: string | undefined;
  readonly session: string;
}
