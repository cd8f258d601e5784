export interface HostFolders {
  readonly extensions: string;
  readonly user: string;
  readonly server: string;
}
export interface Host {
  readonly url: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
  readonly ended: Promise<void>;
}
export const hostNode: string;
export function installHost(report?: (step: string) => void): string;
export function startHost(
  folders: HostFolders,
  options?: {
    readonly token?: string;
    readonly isTrusting?: boolean;
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly log?: (text: string) => void;
  },
): Promise<Host>;
export function installExtension(folders: HostFolders, vsix: string): void;
export function newToken(): string;
