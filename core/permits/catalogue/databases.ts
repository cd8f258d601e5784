import { fileServer, server } from './entry.js';

/** The day on which these sources were read. Each path names the commit. */
const github = '2026-11-27 https://github.com';

/** Databases. Their rows are what the users of applications wrote, so they are untrusted. */
export const databaseServers = [
  fileServer('MongoDB', 'mongodb-mcp-server mongodb/mongodb-mcp-server', `${github}/mongodb-js/mongodb-mcp-server/tree/36a405e3/packages`, {
    '': 'disconnect',
    private: `list-connections list-databases list-collections collection-schema collection-indexes collection-storage-size db-stats
      explain atlas-list-orgs atlas-list-projects atlas-list-clusters atlas-inspect-cluster atlas-inspect-access-list atlas-list-db-users
      atlas-list-alerts atlas-get-performance-advisor atlas-local-list-deployments`,
    'public sends': 'search-knowledge',
    public: 'list-knowledge-sources atlas-get-regions',
    'private untrusted': 'find count mongodb-logs',
    'private untrusted changes': 'export',
    // A pipeline can end in $out or $merge.
    'private untrusted destroys': 'aggregate aggregate-db',
    sends: 'connect',
    changes: `insert-many create-collection create-index atlas-connect-cluster atlas-create-access-list atlas-create-cluster
      atlas-create-db-user atlas-create-free-cluster atlas-create-project atlas-load-sample-dataset atlas-pause-resume-cluster
      atlas-upgrade-cluster atlas-local-connect-deployment atlas-local-create-deployment`,
    destroys: 'update-many delete-many drop-collection drop-database drop-index rename-collection atlas-local-delete-deployment',
  }),
  server(
    'Redis',
    'pypi:redis-mcp-server git+https://github.com/redis/mcp-redis @modelcontextprotocol/server-redis mcp/redis',
    `${github}/redis/mcp-redis/tree/5945b0b/src/tools`,
    {
      '': 'subscribe psubscribe unsubscribe',
      'public sends': 'search_redis_documents',
      private: `type scan_keys scan_all_keys list hexists llen dbsize info client_list get_indexes get_index_info get_indexed_keys_number
        get_vector_from_hash`,
      'private untrusted':
        'get hget hgetall json_get lrange smembers zrange xrange xreadgroup read_messages vector_search_hash hybrid_search',
      'private untrusted destroys': 'lpop rpop',
      changes: 'lpush rpush sadd zadd xadd xack xgroup_create publish create_vector_index_hash',
      destroys: 'set hset json_set set_vector_in_hash rename expire delete hdel json_del lrem srem zrem xdel xgroup_destroy',
    },
  ),
  server(
    'Elasticsearch',
    'docker.elastic.co/mcp/elasticsearch @elastic/mcp-server-elasticsearch mcp/elasticsearch',
    `${github}/elastic/mcp-server-elasticsearch/tree/a2b050d`,
    {
      private: 'list_indices get_mappings get_shards',
      'private untrusted': 'search esql',
    },
  ),
  server(
    'Postgres MCP Pro',
    'pypi:postgres-mcp crystaldba/postgres-mcp',
    `${github}/crystaldba/postgres-mcp/blob/07eb329/src/postgres_mcp/server.py`,
    {
      private: `list_schemas list_objects get_object_details analyze_workload_indexes analyze_query_indexes analyze_db_health
        get_top_queries`,
      // To measure a statement it runs it.
      'private destroys': 'explain_query',
      'private untrusted destroys': 'execute_sql',
    },
  ),
  server('MySQL of benborla', '@benborla29/mcp-server-mysql', `${github}/benborla/mcp-server-mysql/blob/27d5b27/index.ts`, {
    'private untrusted destroys': 'mysql_query',
  }),
  server('DBHub', '@bytebase/dbhub bytebase/dbhub', `${github}/bytebase/dbhub/tree/d91080f/src/tools`, {
    private: 'search_objects',
    'private untrusted destroys': 'execute_sql',
  }),
  server('Qdrant', 'pypi:mcp-server-qdrant', `${github}/qdrant/mcp-server-qdrant/blob/e4ec69b/src/mcp_server_qdrant/mcp_server.py`, {
    'private untrusted': 'qdrant-find',
    changes: 'qdrant-store',
  }),
  server('Supabase', '@supabase/mcp-server-supabase https://mcp.supabase.com', `${github}/supabase-community/supabase-mcp/tree/17fb90f`, {
    '': 'confirm_cost',
    'public sends': 'search_docs',
    private: `list_projects get_project list_organizations get_organization get_cost list_tables list_extensions list_migrations
      get_advisors get_project_url get_publishable_keys get_anon_key get_anon_or_publishable_keys generate_typescript_types
      list_edge_functions get_edge_function list_branches list_storage_buckets get_storage_config`,
    'private untrusted': 'get_logs',
    'private untrusted destroys': 'execute_sql',
    changes: 'create_project pause_project restore_project create_branch update_storage_config enable_branching',
    destroys: 'apply_migration delete_branch merge_branch reset_branch rebase_branch',
    'private sends destroys runs_code': 'deploy_edge_function',
  }),
  server(
    'Neon',
    '@neondatabase/mcp-server-neon https://mcp.neon.tech',
    `${github}/neondatabase/mcp-server-neon/blob/9492812/mcp/tools/definitions.ts`,
    {
      'public sends': 'list_docs_resources get_doc_resource',
      private: `list_projects list_organizations list_shared_projects describe_project describe_branch describe_table_schema
        get_database_tables get_connection_string get_neon_auth_config list_slow_queries list_branch_computes compare_database_schema
        search fetch list_log_fields`,
      'private untrusted': 'query_logs list_log_field_values',
      'private untrusted destroys': 'run_sql run_sql_transaction explain_sql_statement',
      changes: 'create_project create_branch provision_neon_auth configure_neon_auth provision_neon_data_api',
      destroys: `delete_project delete_branch reset_from_parent prepare_database_migration complete_database_migration
        prepare_query_tuning complete_query_tuning`,
    },
  ),
  server('ClickHouse', 'pypi:mcp-clickhouse', `${github}/ClickHouse/mcp-clickhouse/tree/cb75c27`, {
    private: 'list_databases list_tables',
    // What a query names as a table can be an address.
    'private untrusted sends destroys': 'run_query',
    'private untrusted sends': 'run_chdb_select_query',
  }),
];
