import type { Fetch } from '../../core/ports.js';

/**
 * HTTP by the settings of VS Code: `http.proxy`, `http.proxySupport`, `http.noProxy` and the certificates of the system. The extension host
 * applies them to Node's default connections and reads HTTP_PROXY and its kind itself. Loaded with the first request.
 */
export function createEditorFetch(): Fetch {
  let loading: Promise<Fetch> | undefined;
  const load = async () => (await import('../../core/node/nodeFetch.js')).createNodeFetch({ connections: 'host' });
  return async (input, init) => {
    loading ??= load();
    return (await loading)(input, init);
  };
}
