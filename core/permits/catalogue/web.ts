import { fileServer, server } from './entry.js';

/** The day on which these sources were read. Each path names the commit. */
const github = '2026-11-27 https://github.com';

/** Search engines, scrapers, and the documentation of libraries and vendors. */
export const webServers = [
  server(
    'Brave Search',
    '@brave/brave-search-mcp-server @modelcontextprotocol/server-brave-search mcp/brave-search',
    `${github}/brave/brave-search-mcp-server/tree/2748b47`,
    {
      'public untrusted sends': `brave_web_search brave_local_search brave_image_search brave_news_search brave_video_search
        brave_summarizer`,
    },
  ),
  server('Tavily', 'tavily-mcp https://mcp.tavily.com', `${github}/tavily-ai/tavily-mcp/tree/7bcf907`, {
    'public untrusted sends': `tavily_search tavily_extract tavily_crawl tavily_map tavily_research tavily-search tavily-extract
      tavily-crawl tavily-map`,
  }),
  server('Exa', 'exa-mcp-server https://mcp.exa.ai', `${github}/exa-labs/exa-mcp-server/tree/15ffb50`, {
    'public untrusted sends': `web_search_exa web_fetch_exa web_search_advanced_exa agent_run crawling_exa get_code_context_exa
      company_research_exa people_search_exa linkedin_search_exa deep_search_exa deep_researcher_start deep_researcher_check
      research_paper_search_exa competitor_finder_exa wikipedia_search_exa github_search_exa`,
  }),
  server('Firecrawl', 'firecrawl-mcp https://mcp.firecrawl.dev', `${github}/firecrawl/firecrawl-mcp-server/tree/678c92a`, {
    'public untrusted sends': `firecrawl_map firecrawl_search firecrawl_crawl firecrawl_extract firecrawl_agent firecrawl_batch_scrape
      firecrawl_deep_research firecrawl_generate_llmstxt firecrawl_developer_search firecrawl_research_search_papers
      firecrawl_research_inspect_paper firecrawl_research_related_papers firecrawl_research_read_paper firecrawl_research_search_github`,
    'public untrusted': 'firecrawl_check_crawl_status firecrawl_agent_status firecrawl_check_batch_status',
    // Both can click, fill in forms and run scripts in the page.
    'public untrusted sends destroys runs_code': 'firecrawl_scrape firecrawl_interact',
    'private untrusted sends': 'firecrawl_parse',
    'private untrusted': 'firecrawl_monitor_list firecrawl_monitor_get firecrawl_monitor_checks firecrawl_monitor_check',
    'sends changes': 'firecrawl_search_feedback firecrawl_feedback firecrawl_monitor_create firecrawl_monitor_update firecrawl_monitor_run',
    changes: 'firecrawl_interact_stop',
    destroys: 'firecrawl_monitor_delete',
  }),
  server(
    'Perplexity',
    '@perplexity-ai/mcp-server server-perplexity-ask mcp/perplexity-ask',
    `${github}/perplexityai/modelcontextprotocol/tree/df5e29a`,
    {
      'public untrusted sends': 'perplexity_search perplexity_ask perplexity_research perplexity_reason',
    },
  ),
  server('DuckDuckGo', 'pypi:duckduckgo-mcp-server', `${github}/nickclyde/duckduckgo-mcp-server/tree/959bb84`, {
    'public untrusted sends': 'search fetch_content',
  }),
  // Anybody may add a library to its index.
  server(
    'Context7',
    '@upstash/context7-mcp mcp/context7 https://mcp.context7.com',
    `${github}/upstash/context7/tree/c324828/packages/mcp`,
    {
      'public untrusted sends': 'resolve-library-id query-docs get-library-docs',
    },
  ),
  server('Microsoft Learn', 'https://learn.microsoft.com', `${github}/MicrosoftDocs/mcp/tree/caa3d67`, {
    'public sends': 'microsoft_docs_search microsoft_docs_fetch microsoft_code_sample_search',
  }),
  server(
    'AWS Documentation',
    'pypi:awslabs-aws-documentation-mcp-server https://knowledge-mcp.global.api.aws',
    `${github}/awslabs/mcp/tree/100b55b6d/src/aws-documentation-mcp-server`,
    {
      'public sends': 'read_documentation read_sections search_table search_documentation recommend retrieve_skill',
      public: 'get_available_services list_regions get_regional_availability',
    },
  ),
  // It takes files of the machine and addresses of the web.
  fileServer('MarkItDown', 'pypi:markitdown-mcp', `${github}/microsoft/markitdown/tree/a51f725/packages/markitdown-mcp`, {
    'private untrusted sends': 'convert_to_markdown',
  }),
  // Anybody may publish there.
  server(
    'Hugging Face',
    '@llmindset/hf-mcp-server https://huggingface.co https://hf.co',
    `${github}/huggingface/hf-mcp-server/tree/e83f335/packages/mcp/src`,
    {
      private: 'hf_whoami',
      'private untrusted sends': 'hub_repo_search hub_repo_details hf_fs',
      'sends changes': 'create_repo',
    },
  ),
];
