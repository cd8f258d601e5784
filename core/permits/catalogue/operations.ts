import { fileServer, server } from './entry.js';

/** The day on which these sources were read. Each path names the commit. */
const github = '2026-11-27 https://github.com';

/** Clusters, clouds, monitoring, payments and mail that programs send. */
export const operationsServers = [
  server(
    'Kubernetes',
    'kubernetes-mcp-server pypi:kubernetes-mcp-server quay.io/containers/kubernetes_mcp_server',
    `${github}/containers/kubernetes-mcp-server/tree/55749981/pkg/toolsets`,
    {
      private: `configuration_view configuration_contexts_list targets_list namespaces_list projects_list nodes_stats_summary nodes_top
        pods_list pods_list_in_namespace pods_get pods_top resources_list resources_get events_list helm_list`,
      'private untrusted': 'nodes_log pods_log',
      changes: 'resources_scale',
      destroys: 'pods_delete resources_delete helm_uninstall',
      'private sends destroys runs_code': 'pods_run resources_create_or_update helm_install',
      'private untrusted sends destroys runs_code': 'pods_exec',
    },
  ),
  fileServer('Kubernetes of Flux159', 'mcp-server-kubernetes', `${github}/Flux159/mcp-server-kubernetes/tree/1ece64e/src/tools`, {
    '': 'ping kubectl_reconnect stop_port_forward',
    private: 'kubectl_get kubectl_describe explain_resource list_api_resources list_namespaces',
    'private untrusted': 'kubectl_logs',
    'private changes': 'kubectl_context',
    changes: 'kubectl_rollout kubectl_scale node_management port_forward',
    destroys: 'kubectl_delete uninstall_helm_chart cleanup',
    'private sends destroys runs_code':
      'kubectl_apply kubectl_create kubectl_patch create_deployment install_helm_chart upgrade_helm_chart',
    'private untrusted sends destroys runs_code': 'exec_in_pod kubectl_generic',
  }),
  fileServer(
    'Docker of ckreiling',
    'pypi:mcp-server-docker',
    `${github}/ckreiling/mcp-server-docker/blob/6288015/src/mcp_server_docker/server.py`,
    {
      private: 'list_containers list_images list_networks list_volumes',
      'private untrusted': 'fetch_container_logs',
      'sends changes': 'pull_image push_image',
      changes: 'start_container stop_container create_network create_volume',
      destroys: 'remove_container remove_image remove_network remove_volume',
      'private sends destroys runs_code': 'create_container run_container recreate_container build_image',
    },
  ),
  server('Terraform', 'hashicorp/terraform-mcp-server', `${github}/hashicorp/terraform-mcp-server/tree/42b9fe7/pkg/tools`, {
    // Anybody may publish in its registry.
    'public untrusted sends': `search_modules get_module_details get_latest_module_version search_providers get_provider_details
      get_provider_capabilities get_latest_provider_version search_policies get_policy_details`,
    private: `whoami get_token_permissions list_terraform_orgs list_terraform_projects get_project list_teams get_team list_workspaces
      get_workspace_details list_workspace_variables read_workspace_tags list_workspace_policy_sets list_variable_sets list_runs
      get_run_details get_run_comments get_plan_details get_plan_logs get_plan_json_output get_apply_details get_apply_logs
      get_sentinel_mock list_stacks get_stack_details list_state_versions get_state_version search_private_modules
      get_private_module_details search_private_providers get_private_provider_details`,
    changes: `create_project create_team add_team_member grant_team_access create_workspace create_no_code_workspace update_workspace
      create_workspace_tags force_unlock_workspace create_workspace_variable create_variable_set create_variable_in_variable_set
      attach_variable_set_to_workspaces detach_variable_set_from_workspaces attach_policy_set_to_workspaces`,
    // A run that is applied can take down what it manages.
    destroys: `create_run action_run update_workspace_variable delete_variable_in_variable_set delete_project delete_team
      delete_workspace_safely`,
  }),
  server('Grafana', 'pypi:mcp-grafana grafana/mcp-grafana', `${github}/grafana/mcp-grafana/tree/c6e492b`, {
    '': 'generate_deeplink get_query_examples suggest_loki_alloy_label_config',
    private: `list_teams list_users_by_org list_all_roles get_role_details get_role_assignments list_user_roles list_team_roles
      get_resource_permissions get_resource_description search_dashboards get_dashboard_by_uid get_dashboard_panel_queries
      get_dashboard_property get_dashboard_summary list_datasources get_datasource query_prometheus query_prometheus_histogram
      list_prometheus_metric_metadata list_prometheus_metric_names list_prometheus_label_names list_prometheus_label_values
      list_loki_label_names query_loki_stats list_oncall_schedules get_oncall_shift get_current_oncall_users list_oncall_teams
      list_oncall_users list_pyroscope_label_names list_pyroscope_label_values list_pyroscope_profile_types query_pyroscope
      get_annotation_tags list_snapshots get_panel_image list_provisioning_repositories validate_provisioning_file
      list_cloudwatch_namespaces list_cloudwatch_metrics list_cloudwatch_dimensions query_cloudwatch`,
    'private untrusted': `query_loki_logs query_loki_patterns list_loki_label_values analyze_loki_labels run_panel_query list_incidents
      get_incident list_alert_groups get_alert_group get_assertions get_sift_investigation get_sift_analysis list_sift_investigations
      get_annotations get_snapshot query_elasticsearch query_quickwit`,
    'private untrusted changes': 'find_error_pattern_logs find_slow_requests',
    changes: `update_dashboard create_incident add_activity_to_incident update_incident update_alert_group create_annotation
      update_annotation`,
    'sends changes': 'create_snapshot',
    destroys: 'delete_snapshot',
    'private destroys': 'alerting_manage_rules alerting_manage_silences',
    // A contact point is an address to which alerts go.
    'private sends destroys': 'alerting_manage_routing',
  }),
  server(
    'Cloudflare',
    `https://docs.mcp.cloudflare.com https://bindings.mcp.cloudflare.com https://builds.mcp.cloudflare.com
      https://observability.mcp.cloudflare.com https://browser.mcp.cloudflare.com`,
    `${github}/cloudflare/mcp-server-cloudflare/tree/70ff690/apps`,
    {
      'public sends': 'search_cloudflare_documentation',
      private: `workers_list workers_get_worker workers_get_worker_code kv_namespaces_list kv_namespace_get r2_buckets_list r2_bucket_get
        d1_databases_list d1_database_get hyperdrive_configs_list hyperdrive_config_get workers_builds_list_builds
        workers_builds_get_build list_browser_sessions`,
      'private untrusted': 'workers_builds_get_build_logs query_worker_observability observability_keys observability_values',
      'public untrusted': 'get_crawl_result',
      'public untrusted sends': `get_url_html_content get_url_json get_url_links get_url_markdown get_url_pdf get_url_screenshot
        get_url_snapshot scrape_url_elements start_crawl`,
      'private untrusted destroys': 'd1_database_query',
      changes: `kv_namespace_create kv_namespace_update r2_bucket_create d1_database_create hyperdrive_config_create
        hyperdrive_config_edit cancel_crawl kill_browser_session`,
      destroys: 'kv_namespace_delete r2_bucket_delete d1_database_delete hyperdrive_config_delete',
    },
  ),
  // It runs any command of the AWS CLI, also those that run code.
  fileServer('AWS API', 'pypi:awslabs-aws-api-mcp-server', `${github}/awslabs/mcp/tree/100b55b6d/src/aws-api-mcp-server`, {
    'public sends': 'suggest_aws_commands',
    'private untrusted sends destroys runs_code': 'call_aws',
  }),
  server(
    'Stripe',
    '@stripe/mcp mcp/stripe https://mcp.stripe.com',
    `${github}/stripe/ai/blob/bad904b/tools/modelcontextprotocol/manifest.json`,
    {
      'public sends': 'search_documentation search_stripe_documentation',
      private: 'retrieve_balance list_products list_prices list_coupons',
      'private untrusted': 'list_customers list_invoices list_payment_intents list_subscriptions list_disputes',
      'sends changes': `create_customer create_product create_price create_payment_link create_invoice create_invoice_item
        finalize_invoice create_coupon update_dispute`,
      changes: 'create_refund update_subscription',
      destroys: 'cancel_subscription',
    },
  ),
  server('Resend', 'resend-mcp', `${github}/resend/resend-mcp/tree/7c9110e/tools`, {
    private: `list-api-keys list-broadcasts get-broadcast list-contact-properties get-contact-property list-contacts get-contact
      list-contact-segments list-contact-topics list-domains get-domain list-emails get-email list-sent-email-attachments
      get-sent-email-attachment list-segments get-segment list-topics get-topic list-webhooks get-webhook`,
    'private untrusted': 'list-received-emails get-received-email list-received-email-attachments get-received-email-attachment',
    'private sends changes': 'send-email',
    'sends changes': 'send-batch-emails send-broadcast create-broadcast update-broadcast update-email create-webhook update-webhook',
    changes: `create-api-key create-contact-property update-contact-property create-contact add-contact-to-segment create-domain
      update-domain verify-domain create-segment create-topic update-topic update-contact-topics cancel-email remove-contact-from-segment`,
    destroys: `remove-api-key remove-broadcast remove-contact-property update-contact remove-contact remove-domain remove-segment
      remove-topic remove-webhook`,
  }),
  // Its sandbox holds nothing of the machine.
  server('E2B', '@e2b/mcp-server pypi:e2b-mcp-server', `${github}/e2b-dev/mcp-server/tree/dba8743/packages`, {
    'public untrusted sends changes runs_code': 'run_code',
  }),
];
