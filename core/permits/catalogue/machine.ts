import { fileServer } from './entry.js';

/** The day on which these sources were read. Each path names the commit. */
const github = '2026-11-27 https://github.com';

/** The files and programs of the machine. */
export const machineServers = [
  fileServer(
    'Desktop Commander',
    '@wonderwhy-er/desktop-commander mcp/desktop-commander',
    `${github}/wonderwhy-er/DesktopCommanderMCP/blob/1eccc8b/src/server.ts`,
    {
      '': 'get_prompts stop_search',
      private: `list_directory start_search get_more_search_results list_searches get_file_info search_files search_code list_processes
        list_sessions get_config get_config_value get_usage_stats get_recent_tool_calls list_allowed_directories list_blocked_commands`,
      // They also read addresses of the web.
      'private untrusted sends': 'read_file read_multiple_files',
      'private untrusted': 'read_process_output read_output',
      changes: 'create_directory force_terminate kill_process block_command unblock_command set_config_value update_config',
      destroys: 'write_file write_pdf move_file',
      'private destroys': 'edit_block',
      'private untrusted sends destroys runs_code': 'start_process interact_with_process execute_command',
      sends: 'give_feedback_to_desktop_commander',
    },
  ),
  fileServer('Serena', 'pypi:serena-agent git+https://github.com/oraios/serena', `${github}/oraios/serena/tree/7fcbca7e/src/serena/tools`, {
    '': `initial_instructions onboarding restart_language_server serena_info open_dashboard prepare_for_new_conversation switch_modes
      set_modes think_about_collected_information think_about_task_adherence think_about_whether_you_are_done summarize_changes`,
    private: `get_current_config activate_project read_file list_dir find_file search_for_pattern read_memory list_memories
      list_queryable_projects query_project get_symbols_overview find_symbol find_referencing_symbols find_implementations
      find_declaration get_diagnostics_for_file get_diagnostics_for_symbol check_onboarding_performed get_active_project
      find_referencing_code_snippets jet_brains_find_symbol jet_brains_find_referencing_symbols jet_brains_get_symbols_overview
      jet_brains_type_hierarchy jet_brains_find_declaration jet_brains_find_implementations jet_brains_run_inspections
      jet_brains_list_inspections`,
    changes: `write_memory rename_memory edit_memory insert_at_line insert_after_symbol insert_before_symbol rename_symbol
      jet_brains_rename jet_brains_move remove_project`,
    destroys: `create_text_file replace_content replace_in_files replace_regex delete_lines replace_lines replace_symbol_body
      delete_memory jet_brains_safe_delete`,
    'private untrusted sends destroys runs_code': 'execute_shell_command',
  }),
  fileServer('Obsidian', 'pypi:mcp-obsidian', `${github}/MarkusPfundstein/mcp-obsidian/tree/eb33932`, {
    private: `obsidian_list_files_in_vault obsidian_list_files_in_dir obsidian_get_file_contents obsidian_batch_get_file_contents
      obsidian_simple_search obsidian_complex_search obsidian_search_by_tag obsidian_get_frontmatter obsidian_get_periodic_note
      obsidian_get_recent_periodic_notes obsidian_get_recent_changes`,
    changes: 'obsidian_append_content',
    destroys: 'obsidian_patch_content obsidian_put_content obsidian_delete_file',
  }),
];
