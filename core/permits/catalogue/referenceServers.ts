import { fileServer, server } from './entry.js';

const repository = 'https://github.com/modelcontextprotocol/servers/tree';
const current = `2026-11-27 ${repository}/76d64c82/src`;
/** The last state before most of them were archived. */
const archived = `2026-11-27 ${repository}/1f705677/src`;

/** The servers of the MCP project itself; most were archived in May 2025. */
export const referenceServers = [
  fileServer('Filesystem', '@modelcontextprotocol/server-filesystem mcp/filesystem', `${current}/filesystem`, {
    private: `read_file read_text_file read_media_file read_multiple_files list_directory list_directory_with_sizes directory_tree
      search_files get_file_info list_allowed_directories`,
    changes: 'create_directory move_file',
    destroys: 'write_file',
    'private destroys': 'edit_file',
  }),
  server('Fetch', 'pypi:mcp-server-fetch mcp/fetch', `${current}/fetch`, {
    'public untrusted sends': 'fetch',
  }),
  fileServer('Git', 'pypi:mcp-server-git mcp/git', `${current}/git`, {
    private: 'git_status git_diff_unstaged git_diff_staged git_diff git_log git_show git_branch',
    changes: 'git_init git_add git_commit git_reset git_create_branch git_checkout',
  }),
  server('Memory', '@modelcontextprotocol/server-memory mcp/memory', `${current}/memory`, {
    private: 'read_graph search_nodes open_nodes',
    changes: 'create_entities create_relations add_observations',
    destroys: 'delete_entities delete_observations delete_relations',
  }),
  server(
    'Sequential Thinking',
    '@modelcontextprotocol/server-sequential-thinking mcp/sequentialthinking',
    `${current}/sequentialthinking`,
    {
      '': 'sequentialthinking',
    },
  ),
  server('Time', 'pypi:mcp-server-time mcp/time', `${current}/time`, {
    '': 'get_current_time convert_time',
  }),
  server('Everything', '@modelcontextprotocol/server-everything mcp/everything', `${current}/everything`, {
    '': `echo get-annotated-message get-resource-links get-resource-reference get-structured-content get-sum get-tiny-image
      toggle-simulated-logging toggle-subscriber-updates trigger-long-running-operation add annotatedMessage getResourceLinks
      getResourceReference getTinyImage longRunningOperation structuredContent`,
    private: 'get-env printEnv get-roots-list listRoots',
    'public untrusted sends': 'gzip-file-as-resource zip',
  }),
  server('SQLite', 'pypi:mcp-server-sqlite mcp/sqlite', `${archived}/sqlite`, {
    private: 'list_tables describe_table',
    'private untrusted': 'read_query',
    changes: 'create_table append_insight',
    destroys: 'write_query',
  }),
  server('PostgreSQL', '@modelcontextprotocol/server-postgres mcp/postgres', `${archived}/postgres`, {
    'private untrusted': 'query',
  }),
  server('GitHub (archived)', '@modelcontextprotocol/server-github mcp/github', `${archived}/github`, {
    'private untrusted': `search_repositories search_code search_issues search_users get_file_contents list_commits list_issues get_issue
      get_pull_request list_pull_requests get_pull_request_files get_pull_request_status get_pull_request_comments
      get_pull_request_reviews`,
    'sends changes': `create_repository create_or_update_file push_files create_branch create_issue update_issue add_issue_comment
      create_pull_request create_pull_request_review merge_pull_request`,
    changes: 'fork_repository update_pull_request_branch',
  }),
  server('GitLab (archived)', '@modelcontextprotocol/server-gitlab mcp/gitlab', `${archived}/gitlab`, {
    'private untrusted': 'search_repositories get_file_contents',
    'sends changes': 'create_repository create_or_update_file push_files create_branch create_issue create_merge_request',
    changes: 'fork_repository',
  }),
  server('Slack (archived)', '@modelcontextprotocol/server-slack mcp/slack', `${archived}/slack`, {
    private: 'slack_list_channels slack_get_users slack_get_user_profile',
    'private untrusted': 'slack_get_channel_history slack_get_thread_replies',
    'sends changes': 'slack_post_message slack_reply_to_thread slack_add_reaction',
  }),
  server('Google Drive (archived)', '@modelcontextprotocol/server-gdrive mcp/gdrive', `${archived}/gdrive`, {
    'private untrusted': 'search',
  }),
  server('Google Maps (archived)', '@modelcontextprotocol/server-google-maps mcp/google-maps', `${archived}/google-maps`, {
    'public sends': 'maps_geocode maps_reverse_geocode maps_distance_matrix maps_elevation maps_directions',
    'public untrusted sends': 'maps_search_places maps_place_details',
  }),
  server('Sentry (archived)', 'pypi:mcp-server-sentry mcp/sentry', `${archived}/sentry`, {
    'private untrusted': 'get_sentry_issue',
  }),
  server('Puppeteer (archived)', '@modelcontextprotocol/server-puppeteer mcp/puppeteer', `${archived}/puppeteer`, {
    'private untrusted': 'puppeteer_screenshot',
    'private untrusted sends': 'puppeteer_navigate',
    'sends destroys': 'puppeteer_click puppeteer_fill puppeteer_select',
    'private untrusted sends destroys runs_code': 'puppeteer_evaluate',
  }),
];
