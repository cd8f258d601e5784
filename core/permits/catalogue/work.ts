import { fileServer, server } from './entry.js';

/** The day on which these sources were read. Each path names the commit. */
const github = '2026-11-27 https://github.com';

/** Where people work together: tickets, documents, chats, designs, mail and calendars. Guests and customers may read and write in all of them. */
export const workServers = [
  server(
    'Atlassian of sooperset',
    'pypi:mcp-atlassian ghcr.io/sooperset/mcp-atlassian',
    `${github}/sooperset/mcp-atlassian/tree/436b37e4/src/mcp_atlassian/servers`,
    {
      private: `jira_get_user_profile jira_search_assignable_users jira_get_issue_watchers jira_search_fields jira_get_field_options
        jira_get_transitions jira_get_agile_boards jira_get_link_types jira_get_project_issue_types jira_get_create_fields
        jira_get_project_fields jira_get_service_desk_for_project jira_get_service_desk_queues jira_get_request_types
        jira_get_request_type_fields jira_get_issue_dates jira_get_issue_sla confluence_search_user confluence_get_page_views
        confluence_get_page_restrictions confluence_check_content_permissions confluence_get_space_permissions jira_get_all_projects
        jira_search_projects jira_get_project_versions jira_get_project_components jira_get_sprints_from_board confluence_get_labels
        confluence_list_page_templates`,
      'private untrusted': `jira_get_issue jira_search jira_get_project_issues jira_get_worklog jira_download_attachments
        jira_get_issue_images jira_get_board_issues jira_get_sprint_issues jira_batch_get_changelogs jira_get_queue_issues
        jira_get_issue_proforma_forms jira_get_proforma_form_details jira_get_issue_development_info jira_get_issues_development_info
        jira_get_project_epic_hierarchy jira_get_cross_project_dependencies confluence_search confluence_get_page
        confluence_get_page_children confluence_get_space_page_tree confluence_get_comments confluence_get_inline_comments
        confluence_get_page_history confluence_get_page_diff confluence_get_attachments confluence_download_attachment
        confluence_download_content_attachments confluence_get_page_images confluence_get_page_template`,
      // These attach files of the machine.
      'private sends changes': 'jira_update_issue confluence_upload_attachment confluence_upload_attachments',
      'sends changes': `jira_create_issue jira_batch_create_issues jira_add_comment jira_edit_comment jira_add_worklog jira_link_to_epic
        jira_create_issue_link jira_create_remote_issue_link jira_transition_issue jira_create_sprint jira_update_sprint
        jira_create_customer_request jira_create_version jira_batch_create_versions jira_update_version jira_update_proforma_form_answers
        confluence_add_label confluence_create_page confluence_update_page confluence_update_page_section confluence_add_comment
        confluence_reply_to_comment confluence_add_inline_comment confluence_create_page_from_template`,
      changes: `jira_add_watcher jira_remove_watcher jira_assign_issue jira_move_issue jira_remove_issue_link jira_add_issues_to_sprint
        jira_move_issues_to_backlog confluence_move_page confluence_set_page_restrictions confluence_copy_page`,
      destroys: 'jira_delete_issue confluence_delete_page confluence_delete_attachment',
    },
  ),
  // Its README and skills name these, not all that it has.
  server('Atlassian', 'https://mcp.atlassian.com', `${github}/atlassian/atlassian-mcp-server/tree/94a3043`, {
    private: `getAccessibleAtlassianResources getVisibleJiraProjects getJiraProjectIssueTypesMetadata getJiraIssueTypeMetaWithFields
      getConfluenceSpaces lookupJiraAccountId`,
    'private untrusted': 'searchJiraIssuesUsingJql getJiraIssue searchConfluenceUsingCql getConfluencePage',
    'sends changes': 'createJiraIssue addCommentToJiraIssue createConfluencePage updateConfluencePage',
  }),
  server('Linear of jerhadf', 'linear-mcp-server', `${github}/jerhadf/linear-mcp-server/tree/d897970`, {
    'private untrusted': 'linear_search_issues linear_get_user_issues',
    'sends changes': 'linear_create_issue linear_update_issue linear_add_comment',
  }),
  server(
    'Notion (local)',
    '@notionhq/notion-mcp-server mcp/notion',
    `${github}/makenotion/notion-mcp-server/blob/1d38420/scripts/notion-openapi.json`,
    {
      private: 'API-get-user API-get-users API-get-self API-list-data-source-templates API-retrieve-a-data-source API-retrieve-a-database',
      'private untrusted': `API-post-search API-get-block-children API-retrieve-a-block API-retrieve-a-page API-retrieve-a-page-property
        API-retrieve-a-comment API-query-data-source API-retrieve-page-markdown API-post-database-query`,
      'sends changes': `API-patch-block-children API-update-a-block API-patch-page API-post-page API-create-a-comment
        API-update-a-data-source API-create-a-data-source API-move-page API-update-page-markdown API-create-a-database
        API-update-a-database`,
      destroys: 'API-delete-a-block',
    },
  ),
  server('Notion', 'https://mcp.notion.com', `2026-11-27 https://docs.bluenexus.ai/platform/third-party-services-api-reference/notion`, {
    private: 'notion-get-teams notion-get-users notion-get-user notion-get-self notion-list-agents',
    'private untrusted': 'notion-search notion-fetch notion-get-comments',
    'sends changes': `notion-create-pages notion-update-page notion-move-pages notion-duplicate-page notion-create-database
      notion-update-database notion-create-comment`,
  }),
  server(
    'Slack of korotovsky',
    'slack-mcp-server ghcr.io/korotovsky/slack-mcp-server',
    `${github}/korotovsky/slack-mcp-server/tree/b24b1b0`,
    {
      private: 'channels_list users_search usergroups_list',
      'private untrusted': `conversations_history conversations_replies conversations_search_messages conversations_unreads
        attachment_get_data`,
      'sends changes': 'conversations_add_message reactions_add reactions_remove usergroups_create usergroups_update',
      changes: 'conversations_mark usergroups_me usergroups_users_update',
    },
  ),
  server('Airtable', 'airtable-mcp-server', `${github}/domdomegg/airtable-mcp-server/tree/8a759ba/src/tools`, {
    private: 'list_bases list_tables describe_table',
    'private untrusted': 'list_records search_records get_record list_comments',
    'sends changes': 'create_record create_comment create_table create_field update_table update_field upload_attachment',
    'sends destroys': 'update_records',
    destroys: 'delete_records',
  }),
  server('Figma', 'https://mcp.figma.com', `${github}/figma/mcp-server-guide/blob/7f6562c/figma-power/POWER.md`, {
    '': 'create_design_system_rules',
    private: 'whoami get_code_connect_map get_code_connect_suggestions get_libraries search_design_system',
    'private untrusted': 'get_design_context get_metadata get_screenshot get_variable_defs get_figjam',
    'sends changes': 'add_code_connect_map send_code_connect_mappings generate_diagram generate_figma_design create_new_file',
    // It runs scripts in the file, which can delete.
    'private untrusted sends destroys runs_code': 'use_figma',
  }),
  fileServer('Figma Context (Framelink)', 'figma-developer-mcp', `${github}/GLips/Figma-Context-MCP/tree/c083d65/src/mcp/tools`, {
    'private untrusted': 'get_figma_data',
    'private untrusted destroys': 'download_figma_images',
  }),
  fileServer(
    'Gmail of GongRzhe',
    '@gongrzhe/server-gmail-autoauth-mcp mcp/gmail',
    `${github}/GongRzhe/Gmail-MCP-Server/blob/a890d19/src/index.ts`,
    {
      private: 'list_email_labels list_filters get_filter',
      'private untrusted': 'read_email search_emails',
      'private untrusted destroys': 'download_attachment',
      // Both attach files of the machine.
      'private sends changes': 'send_email draft_email',
      // A filter can forward what comes in.
      'sends changes': 'create_filter create_filter_from_template',
      changes: 'modify_email batch_modify_emails create_label update_label get_or_create_label',
      destroys: 'delete_email batch_delete_emails delete_label delete_filter',
    },
  ),
  server('Google Calendar of nspady', '@cocal/google-calendar-mcp', `${github}/nspady/google-calendar-mcp/tree/0f2c9c5/src/tools`, {
    '': 'get-current-time list-colors',
    private: 'list-calendars get-freebusy',
    'private untrusted': 'list-events search-events get-event',
    'sends changes': 'create-event create-events update-event respond-to-event',
    'sends destroys': 'delete-event',
    destroys: 'manage-accounts',
  }),
  server('Slack', 'https://mcp.slack.com', `${github}/slackapi/slack-mcp-plugin/tree/5a4ffe5`, {
    private: 'slack_search_channels slack_search_users slack_read_user_profile',
    'private untrusted': 'slack_read_channel slack_read_thread slack_search_public slack_search_public_and_private',
    'sends changes': 'slack_send_message slack_send_message_draft slack_create_canvas',
  }),
  fileServer('Google Workspace of taylorwilsdon', 'pypi:workspace-mcp', `${github}/taylorwilsdon/google_workspace_mcp/tree/012e133f`, {
    private: `list_gmail_labels list_gmail_filters list_calendars query_freebusy get_drive_shareable_link get_drive_file_permissions
      check_drive_file_public_access list_spreadsheets get_spreadsheet_info list_tasks get_task list_task_lists get_task_list
      search_contacts get_contact list_contacts list_contact_groups get_contact_group list_spaces get_search_engine_info
      list_script_projects get_script_project get_script_content list_deployments list_script_processes`,
    'private untrusted': `search_gmail_messages get_gmail_message_content get_gmail_messages_content_batch get_gmail_thread_content
      get_gmail_threads_content_batch get_events search_drive_files get_drive_file_content list_drive_items get_doc_content search_docs
      list_docs_in_folder get_doc_as_markdown inspect_doc_structure debug_table_structure list_document_comments read_sheet_values
      list_spreadsheet_comments get_presentation get_page get_page_thumbnail list_presentation_comments get_form get_form_response
      list_form_responses get_messages search_messages`,
    'private untrusted changes': 'get_gmail_attachment_content get_drive_file_download_url',
    'public untrusted sends': 'search_custom',
    // These take files of the machine.
    'private sends changes': 'send_gmail_message draft_gmail_message create_drive_file import_to_google_doc',
    'sends changes': `create_drive_folder copy_drive_file update_drive_file set_drive_file_permissions create_doc modify_doc_text
      find_and_replace_doc insert_doc_elements update_paragraph_style insert_doc_image update_doc_headers_footers export_doc_to_pdf
      create_table_with_data manage_document_comment modify_sheet_values create_spreadsheet format_sheet_range create_sheet
      manage_spreadsheet_comment create_presentation manage_presentation_comment create_form set_publish_settings send_message
      create_reaction`,
    changes: 'modify_gmail_message_labels batch_modify_gmail_message_labels',
    // These can also delete.
    'sends destroys': 'manage_event manage_gmail_filter manage_drive_access batch_update_doc batch_update_presentation batch_update_form',
    destroys: `manage_gmail_label manage_conditional_formatting manage_task manage_task_list manage_contact manage_contacts_batch
      manage_contact_group`,
    'private sends destroys runs_code': 'create_script_project update_script_content manage_deployment',
    'private untrusted sends destroys runs_code': 'run_script_function',
  }),
];
