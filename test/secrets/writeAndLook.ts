/** An orchestration of the agents Writer and Looker, the first of them twice: a route hands on what it said. */
export const writeAndLook = {
  name: 'both',
  entry_team: 'all',
  teams: {
    all: {
      name: 'All',
      tasks: [
        { name: 'write', agent: 'Writer@v1' },
        { name: 'look', agent: 'Looker@v1' },
      ],
      routing: {
        rules: [
          {
            condition: { task: 'write', status: 'success' },
            next_team: 'again',
            context_updates: { said: '{{tasks.write.output.words}}' },
          },
        ],
      },
    },
    again: { name: 'Again', tasks: [{ name: 'write', agent: 'Writer@v1' }], routing: { default: null } },
  },
};
