/** The used part of the PostgreSQL client, which comes without types. */
declare module 'pg' {
  export interface QueryResult<Row> {
    readonly rows: Row[];
    readonly rowCount: number | null;
  }
  export interface ClientBase {
    query<Row = unknown>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  }
  export interface PoolClient extends ClientBase {
    on(event: 'error', listener: (error: Error) => void): this;
    /** @param error ends the connection instead of keeping it */
    release(error?: boolean): void;
  }
  export interface PoolConfig {
    readonly connectionString: string;
    readonly max?: number;
    readonly connectionTimeoutMillis?: number;
    readonly application_name?: string;
    /** Sent when the connection is opened. */
    readonly idle_in_transaction_session_timeout?: number;
    readonly keepAlive?: boolean;
  }
  export class Pool {
    constructor(config: PoolConfig);
    connect(): Promise<PoolClient>;
    query<Row = unknown>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
    end(): Promise<void>;
    on(event: 'error', listener: (error: Error) => void): this;
    /** Called with each new connection before it is handed out. */
    on(event: 'connect', listener: (client: PoolClient) => void): this;
  }
}
