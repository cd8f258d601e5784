import { fileServer, server } from './entry.js';

/** The day on which these sources were read. Each path names the commit. */
const github = '2026-11-27 https://github.com';

/** Programs that drive a browser. Its profile may be logged in anywhere, so what a page shows is private, and a click may do anything. */
export const browserServers = [
  fileServer('Playwright', '@playwright/mcp mcr.microsoft.com/playwright/mcp', `${github}/microsoft/playwright-mcp/tree/7e0457a`, {
    '': `browser_close browser_install browser_get_config browser_network_state_set browser_route_list browser_unroute browser_highlight
      browser_hide_highlight browser_video_chapter browser_video_hide_actions browser_video_show_actions`,
    'private untrusted': `browser_find browser_wait_for browser_resize browser_hover browser_annotate browser_generate_locator
      browser_pick_locator browser_verify_element_visible browser_verify_list_visible browser_verify_text_visible browser_verify_value
      browser_mouse_move_xy browser_mouse_wheel browser_tab_list browser_tab_select browser_tab_close browser_screen_move_mouse
      browser_move_mouse`,
    // These save what they read in a file, some only where the call names one.
    'private untrusted changes': `browser_snapshot browser_take_screenshot browser_console_messages browser_network_requests
      browser_network_request browser_pdf_save browser_save_as_pdf browser_screenshot browser_screen_capture browser_start_tracing
      browser_stop_tracing browser_start_video browser_stop_video browser_storage_state`,
    'private untrusted sends': `browser_navigate browser_navigate_back browser_navigate_forward browser_go_back browser_go_forward
      browser_tabs browser_tab_new`,
    'private untrusted sends destroys': `browser_click browser_drag browser_drop browser_file_upload browser_choose_file browser_fill_form
      browser_handle_dialog browser_press_key browser_select_option browser_type browser_mouse_click_xy browser_mouse_down
      browser_mouse_drag_xy browser_mouse_up browser_screen_click browser_screen_drag browser_screen_type browser_resume`,
    'private untrusted sends destroys runs_code': 'browser_evaluate browser_run_code browser_run_code_unsafe',
    private: `browser_cookie_get browser_cookie_list browser_localstorage_get browser_localstorage_list browser_sessionstorage_get
      browser_sessionstorage_list`,
    changes: 'browser_set_storage_state browser_route',
    destroys: `browser_cookie_set browser_cookie_clear browser_cookie_delete browser_localstorage_set browser_localstorage_clear
      browser_localstorage_delete browser_sessionstorage_set browser_sessionstorage_clear browser_sessionstorage_delete`,
  }),
  fileServer(
    'Playwright of ExecuteAutomation',
    '@executeautomation/playwright-mcp-server',
    `${github}/executeautomation/mcp-playwright/tree/2349c28`,
    {
      '': 'playwright_close playwright_hover playwright_resize playwright_custom_user_agent',
      'private untrusted': `playwright_console_logs playwright_get_visible_text playwright_get_visible_html playwright_expect_response
        playwright_assert_response`,
      'private untrusted sends': 'playwright_navigate playwright_get playwright_go_back playwright_go_forward',
      'private untrusted sends destroys': `playwright_post playwright_put playwright_patch playwright_delete
        playwright_click_and_switch_tab`,
      'private untrusted destroys': 'playwright_screenshot playwright_save_as_pdf',
      'sends destroys': `playwright_click playwright_iframe_click playwright_iframe_fill playwright_fill playwright_select playwright_drag
        playwright_press_key`,
      'private sends destroys': 'playwright_upload_file',
      'private untrusted sends destroys runs_code': 'playwright_evaluate',
    },
  ),
  fileServer(
    'Chrome DevTools',
    'chrome-devtools-mcp',
    `${github}/ChromeDevTools/chrome-devtools-mcp/blob/ebf58f2f/docs/tool-reference.md`,
    {
      'private untrusted': `list_pages select_page close_page wait_for hover resize_page emulate performance_analyze_insight
        get_console_message list_console_messages list_network_requests list_3p_developer_tools list_webmcp_tools`,
      private: `list_extensions compare_heapsnapshots get_heapsnapshot_class_nodes get_heapsnapshot_details get_heapsnapshot_dominators
        get_heapsnapshot_duplicate_strings get_heapsnapshot_edges get_heapsnapshot_object_details get_heapsnapshot_retainers
        get_heapsnapshot_retaining_paths get_heapsnapshot_summary query_heapsnapshot_objects get_os_app_state`,
      // They can save what they read under any path that the call names.
      'private untrusted destroys': `take_screenshot take_snapshot get_network_request performance_start_trace performance_stop_trace
        lighthouse_audit screencast_start screencast_stop take_heapsnapshot`,
      'private untrusted sends': 'new_page',
      'private untrusted sends destroys': `click click_at drag fill fill_form handle_dialog press_key type_text upload_file
        execute_3p_developer_tool execute_webmcp_tool trigger_extension_action`,
      'private untrusted sends destroys runs_code': 'evaluate_script navigate_page',
      'private sends destroys runs_code': 'install_extension reload_extension',
      'sends changes': 'install_pwa launch_pwa',
      destroys: 'uninstall_extension uninstall_pwa',
      '': 'close_heapsnapshot',
    },
  ),
  server(
    'Browserbase',
    '@browserbasehq/mcp @browserbasehq/mcp-server-browserbase https://mcp.browserbase.com',
    `${github}/browserbase/mcp-server-browserbase/tree/1e196b3`,
    {
      '': 'start end browserbase_session_create browserbase_session_close browserbase_create_session browserbase_close_session',
      'private untrusted': `extract observe browserbase_stagehand_extract browserbase_stagehand_observe browserbase_stagehand_get_url
        browserbase_stagehand_get_all_urls browserbase_screenshot browserbase_take_screenshot browserbase_snapshot browserbase_get_text
        stagehand_extract stagehand_observe`,
      'private untrusted sends': 'navigate browserbase_stagehand_navigate browserbase_navigate stagehand_navigate',
      'private untrusted sends destroys': 'act browserbase_stagehand_act browserbase_stagehand_agent stagehand_act',
    },
  ),
  server('Browser MCP', '@browsermcp/mcp', `${github}/BrowserMCP/mcp/tree/9db12f2`, {
    'private untrusted': 'browser_snapshot browser_screenshot browser_get_console_logs browser_hover browser_wait',
    'private untrusted sends': 'browser_navigate browser_go_back browser_go_forward',
    'private untrusted sends destroys': 'browser_click browser_drag browser_type browser_press_key browser_select_option',
  }),
];
