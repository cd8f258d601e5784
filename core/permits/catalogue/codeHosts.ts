import { fileServer, server } from './entry.js';

/** The day on which these sources were read. Each path names the commit. */
const github = '2026-11-27 https://github.com';

/** Repositories with their issues, and the errors of programs. */
export const codeHostServers = [
  server(
    'GitHub',
    'ghcr.io/github/github-mcp-server https://api.githubcopilot.com',
    `${github}/github/github-mcp-server/tree/64a49f34/pkg/github/__toolsnaps__`,
    {
      private:
        'get_me get_teams get_team_members ui_get list_issue_fields list_issue_types list_repository_collaborators get_label list_label',
      'public sends': 'github_support_docs_search',
      'public untrusted': 'get_global_security_advisory list_global_security_advisories',
      'private untrusted': `actions_get actions_list get_code_quality_finding get_code_scanning_alert get_commit get_dependabot_alert
        get_discussion get_discussion_comments get_file_blame get_file_contents get_gist get_job_logs get_latest_release
        get_notification_details get_release_by_tag get_repository_tree get_secret_scanning_alert get_tag issue_read issue_dependency_read
        list_branches list_code_scanning_alerts list_commits list_dependabot_alerts list_discussion_categories list_discussions list_gists
        list_issues list_notifications list_org_repository_security_advisories list_pull_requests list_releases
        list_repository_security_advisories list_secret_scanning_alerts list_starred_repositories list_tags projects_get projects_list
        pull_request_read search_code search_commits search_issues search_orgs search_pull_requests search_repositories search_users
        get_copilot_space list_copilot_spaces list_workflows list_workflow_runs list_workflow_jobs list_workflow_run_artifacts
        get_workflow get_workflow_run get_workflow_job get_workflow_run_usage get_workflow_run_logs get_workflow_job_logs
        download_workflow_run_artifact list_projects list_project_fields list_project_items get_project get_project_field get_project_item
        get_issue get_issue_comments list_sub_issues get_pull_request get_pull_request_comments get_pull_request_diff
        get_pull_request_files get_pull_request_review_comments get_pull_request_reviews get_pull_request_status`,
      'sends changes': `add_comment_to_pending_review add_issue_comment add_issue_comment_reaction add_issue_reaction
        add_pull_request_review_comment add_pull_request_review_comment_reaction add_reply_to_pull_request_comment add_sub_issue
        assign_copilot_to_issue assign_copilot_to_issue_with_intent create_branch create_gist create_issue create_or_update_file
        create_pull_request create_pull_request_review create_repository issue_dependency_write issue_write merge_pull_request push_files
        remove_sub_issue reprioritize_sub_issue set_issue_fields sub_issue_write submit_pending_pull_request_review update_gist
        update_issue_assignees update_issue_body update_issue_labels update_issue_milestone update_issue_state update_issue_title
        update_issue_type update_pull_request update_pull_request_body update_pull_request_draft_state update_pull_request_state
        update_pull_request_title run_workflow add_project_item update_project_item update_issue
        add_pull_request_review_comment_to_pending_review create_and_submit_pull_request_review create_pending_pull_request_review`,
      changes: `dismiss_notification fork_repository manage_notification_subscription manage_repository_notification_subscription
        mark_all_notifications_read request_copilot_review request_pull_request_reviewers resolve_review_thread unresolve_review_thread
        star_repository unstar_repository update_pull_request_branch rerun_workflow_run rerun_failed_jobs cancel_workflow_run`,
      // Each of these can also delete.
      'sends destroys': `actions_run_trigger discussion_comment_write label_write write_label projects_write pull_request_review_write
        delete_file`,
      destroys: 'delete_repository delete_pending_pull_request_review delete_workflow_run_logs delete_project_item',
    },
  ),
  fileServer(
    'GitLab of zereight',
    '@zereight/mcp-gitlab zereight050/gitlab-mcp',
    `${github}/zereight/gitlab-mcp/blob/32c5df7/tools/registry.ts`,
    {
      '': 'discover_tools health_check',
      private: `get_dependency_proxy_settings get_environment get_group_variable get_label get_namespace get_project_variable
        get_protected_branch get_user get_users list_custom_field_definitions list_dependency_proxy_blobs list_environments
        list_group_members list_group_variables list_labels list_namespaces list_project_members list_project_variables
        list_protected_branches list_webhooks list_work_item_statuses validate_ci_lint validate_project_ci_lint verify_namespace whoami`,
      'private untrusted': `get_branch get_branch_diffs get_ci_catalog_resource get_commit get_commit_diff get_deployment get_draft_note
        get_file_blame get_file_contents get_group_milestone get_group_milestone_burndown_events get_group_milestone_issue
        get_group_milestone_merge_requests get_group_wiki_page get_issue get_issue_link get_job_artifact_file get_merge_request
        get_merge_request_approval_state get_merge_request_conflicts get_merge_request_diffs get_merge_request_file_diff
        get_merge_request_note get_merge_request_notes get_merge_request_version get_milestone get_milestone_burndown_events
        get_milestone_issue get_milestone_merge_requests get_pipeline get_pipeline_job get_pipeline_job_output get_project
        get_project_events get_release get_repository_tree get_tag get_tag_signature get_timeline_events get_vulnerability
        get_webhook_event get_wiki_page get_work_item list_branches list_ci_catalog_resources list_commit_statuses list_commits
        list_deployments list_draft_notes list_events list_group_iterations list_group_milestones list_group_projects
        list_group_wiki_pages list_issue_discussions list_issue_emoji_reactions list_issue_links list_issue_note_emoji_reactions
        list_issues list_job_artifacts list_merge_request_changed_files list_merge_request_diffs list_merge_request_emoji_reactions
        list_merge_request_note_emoji_reactions list_merge_request_pipelines list_merge_request_versions list_merge_requests
        list_milestones list_pipeline_jobs list_pipeline_trigger_jobs list_pipelines list_project_vulnerabilities list_projects
        list_releases list_tags list_todos list_webhook_events list_wiki_pages list_work_item_emoji_reactions
        list_work_item_note_emoji_reactions list_work_item_notes list_work_items mr_discussions my_issues search_code search_group_code
        search_project_code search_repositories`,
      'private untrusted destroys': 'download_attachment download_job_artifacts download_release_asset',
      'private untrusted sends destroys': 'execute_graphql',
      'private sends changes': 'upload_markdown',
      'sends changes': `bulk_publish_draft_notes create_branch create_commit_status create_draft_note create_group create_group_milestone
        create_group_wiki_page create_issue create_issue_emoji_reaction create_issue_link create_issue_note
        create_issue_note_emoji_reaction create_label create_merge_request create_merge_request_discussion_note
        create_merge_request_emoji_reaction create_merge_request_note create_merge_request_note_emoji_reaction create_merge_request_thread
        create_milestone create_note create_or_update_file create_release create_release_evidence create_repository create_tag
        create_timeline_event create_wiki_page create_work_item create_work_item_emoji_reaction create_work_item_note
        create_work_item_note_emoji_reaction edit_group_milestone edit_milestone merge_merge_request publish_draft_note push_files
        update_draft_note update_group_wiki_page update_issue update_issue_description_patch update_issue_note update_label
        update_merge_request update_merge_request_discussion_note update_merge_request_note update_release update_wiki_page
        update_work_item`,
      changes: `approve_merge_request cancel_pipeline cancel_pipeline_job confirm_vulnerability convert_work_item_type
        create_group_variable create_pipeline create_project_variable dismiss_vulnerability fork_repository mark_all_todos_done
        mark_todo_done move_work_item play_pipeline_job promote_milestone protect_branch resolve_merge_request_thread retry_pipeline
        retry_pipeline_job unapprove_merge_request unprotect_branch update_default_branch update_dependency_proxy_settings update_project`,
      destroys: `delete_branch delete_draft_note delete_group_milestone delete_group_variable delete_group_wiki_page delete_issue
        delete_issue_emoji_reaction delete_issue_link delete_issue_note_emoji_reaction delete_label delete_merge_request_discussion_note
        delete_merge_request_emoji_reaction delete_merge_request_note delete_merge_request_note_emoji_reaction delete_milestone
        delete_project_variable delete_release delete_tag delete_wiki_page delete_work_item_emoji_reaction
        delete_work_item_note_emoji_reaction purge_dependency_proxy_cache update_group_variable update_project_variable`,
    },
  ),
  // Events hold what the users of a program, and whoever calls it, sent.
  server(
    'Sentry',
    '@sentry/mcp-server https://mcp.sentry.dev',
    `${github}/getsentry/sentry-mcp/tree/4a109327/packages/mcp-core/src/tools`,
    {
      '': 'search_sentry_tools',
      'public sends': 'search_docs get_doc',
      private: `whoami find_organizations find_teams find_projects find_releases find_dsns find_alert_rules find_dashboards find_monitors
        find_uptime_monitors get_alert_rule get_dashboard_details get_monitor_details get_uptime_monitor_details get_release_details
        list_organizations list_teams list_projects list_releases list_dsns`,
      'private untrusted': `search_events search_issues search_issue_events search_ai_conversations get_issue_details get_issue_activity
        get_issue_breadcrumbs get_issue_tag_values get_issue_user_reports get_event_attachment get_event_stacktrace get_trace_details
        get_span_details get_profile get_profile_details get_replay_details get_ai_conversation_details get_sentry_resource
        get_snapshot_image get_snapshot_details find_issues find_errors find_errors_in_file find_tags find_transactions list_issues
        list_events list_issue_events list_tags search_errors search_transactions get_issue_summary get_autofix_status
        get_issue_fix_status get_seer_issue_fix_status`,
      'private untrusted changes': `analyze_issue_with_seer begin_autofix begin_issue_fix begin_seer_issue_fix fix_issue_with_seer
        update_issue`,
      changes: `add_issue_note add_team_to_project remove_team_from_project create_dsn create_project create_team onboarding_status_update
        update_dsn update_project`,
      'sends changes': 'create_uptime_monitor update_uptime_monitor',
      destroys: 'delete_uptime_monitor',
      'private untrusted sends destroys': 'execute_sentry_tool use_sentry',
    },
  ),
];
