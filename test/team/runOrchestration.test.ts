import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { collectRun } from '../agent/collectRun.js';
import { draw, teamRun } from '../support/teams.js';

const one = (tasks: readonly JsonObject[], routing: JsonObject = { default: null }): JsonObject => ({ teams: { a: { tasks, routing } } });

describe('the tasks of a team', () => {
  test('run one after the other in file order where none says what it depends on', async () => {
    const { events, result } = await collectRun(teamRun(one([{ name: 'x' }, { name: 'y' }])));
    expect(draw(events)).toEqual([
      'team_start a 1',
      'task_start a/x',
      'task_end a/x completed',
      'task_start a/y',
      'task_end a/y completed',
      'route a default -> end',
      'team_end a',
      'final completed',
    ]);
    expect(result.output).toEqual({
      teams: [
        { team: 'a', tasks: { x: { status: 'completed', output: {}, error: null }, y: { status: 'completed', output: {}, error: null } } },
      ],
      context: {},
    });
  });
});
