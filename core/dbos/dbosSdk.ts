/// <reference path="./pg.d.ts" />
/**
 * The only file that imports the library and the database client: a separate bundle, loaded on first use of the engine. They belong together, since
 * the library keeps its state in its modules.
 */
export { DBOS, DBOSClient, DBOSWorkflowConflictError, type DLogger, Error as dbosErrors } from '@dbos-inc/dbos-sdk';
export { assertStillOwnsWorkflow } from '@dbos-inc/dbos-sdk/datasource';
export { ensureSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database';
export { type ClientBase, Pool, type PoolClient } from 'pg';
