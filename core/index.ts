/** `agent-stack/core`: the engine without Node; pass your own ports. `agent-stack/node` has the ports of Node and opens a project. */
