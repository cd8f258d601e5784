import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('task-unknown');

test('conditions and depends_on name tasks of their own team', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": {
    "writing": {
      "tasks": [
//    ^^^^^^^ related The tasks of the team are here.
//    ^^^^^^^ related The tasks of the team are here.
//    ^^^^^^^ related The tasks of the team are here.
        { "name": "draft" },
        { "name": "polish", "depends_on": ["draft", "draff"] }
//                                                  ^^^^^^^ task-unknown The team "writing" has no task "draff". Did you mean "draft"?
      ],
      "routing": {
        "rules": [
          { "condition": { "task": "draft", "status": "success" }, "next_team": null },
          { "condition": [{ "any": [{ "not": { "task": "check", "status": "failure" } }] }], "next_team": null },
//                                                     ^^^^^^^ task-unknown The team "writing" has no task "check". There are "draft" and "polish".
          { "condition": { "step": "polsh", "output_field": "a", "operator": "exists" }, "next_team": null }
//                                 ^^^^^^^ task-unknown
        ]
      }
    },
    "review": { "tasks": [{ "name": "check" }] }
  }
}
`));

test('templates look at tasks of their own team', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": {
    "writing": {
      "tasks": [
        { "name": "draft", "input": { "a": "x {{input.a}}" } },
        { "name": "polish", "input": { "a": ["{{tasks.draft.output}}", "x {{tasks.draf.output.text}}", "{{tasks.check.output}}"] } }
//                                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^ task-unknown The team "writing" has no task "draf", so nothing provides {{tasks.draf.output.text}}. Did you mean "draft"?
//                                                                                                      ^^^^^^^^^^^^^^^^^^^^^^ task-unknown The team "writing" has no task "check", so nothing provides {{tasks.check.output}}. There are "draft" and "polish".
      ],
      "routing": { "rules": [{ "condition": {}, "next_team": null, "context_updates": { "b": "{{tasks.drft.output}}" } }] }
//                                                                                            ^^^^^^^^^^^^^^^^^^^^^ task-unknown
    },
    "review": { "tasks": [{ "name": "check", "config": { "system_text": "{{tasks.nothing.output}} is plain text" } }] }
  }
}
`));

test('the input of a task looks at none that it does not wait for', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": {
    "writing": {
      "tasks": [
        { "name": "draft", "input": { "own": "{{tasks.draft.output}}" } },
//                                            ^^^^^^^^^^^^^^^^^^^^^^ task-unknown The task "draft" has not run when its own input is made, so nothing provides {{tasks.draft.output}}. Use another.
        { "name": "side", "depends_on": [], "input": { "a": "{{tasks.draft.output}}" } },
//                                                           ^^^^^^^^^^^^^^^^^^^^^^ task-unknown The task "side" does not wait for "draft", so nothing provides {{tasks.draft.output}}. Add it to depends_on.
        { "name": "end", "depends_on": ["next"], "input": { "a": "{{tasks.draft.output}} {{tasks.next.output}}" } },
        { "name": "next", "input": { "a": "{{tasks.draft.output}}" } },
        { "name": "round", "depends_on": ["round"], "input": { "a": "{{tasks.side.output}}" } }
      ]
    }
  }
}
`));

test('conditions and templates of a plan name its steps', () =>
  check(`{
  "execution_plan": {
    "steps": [
      { "name": "search", "skill": "find", "input": "{{input}}" },
      { "name": "sum", "llm": "{{steps.serch.output}}", "when": { "step": "search", "status": "success" } },
//                             ^^^^^^^^^^^^^^^^^^^^^^ task-unknown The plan has no step "serch", so nothing provides {{steps.serch.output}}. Did you mean "search"?
      { "name": "loop", "skill": "find", "repeat": { "until": { "step": "lop", "status": "success" }, "max": 2 } }
//                                                                      ^^^^^ task-unknown The plan has no step "lop". Did you mean "loop"?
    ],
    "output": "{{steps.sums.output}}"
//             ^^^^^^^^^^^^^^^^^^^^^ task-unknown
  }
}
--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "name": "one", "config": { "execution_plan": { "steps": [{ "name": "x" }], "output": "{{steps.y.output}}" } } }] } } }
//                                                                                                                    ^^^^^^^^^^^^^^^^^^ task-unknown
`));

test('a step is not looked at before it has run', () =>
  check(`{
  "execution_plan": {
    "steps": [
      { "name": "a", "skill": "find", "input": { "q": "{{steps.b.output}}" }, "when": { "step": "b", "status": "success" } },
//                                                     ^^^^^^^^^^^^^^^^^^ task-unknown The step "b" has not run by then: steps run in file order, so nothing provides {{steps.b.output}}. Move it up, or use another.
//                                                                                              ^^^ task-unknown The step "b" has not run by then: steps run in file order. Move it up, or use another.
      { "name": "b", "llm": "{{steps.b.output}} {{steps.a.output}}", "repeat": { "until": { "step": "b", "status": "success" }, "max": 2 } },
//                           ^^^^^^^^^^^^^^^^^^ task-unknown
      { "name": "c", "skill": "find", "repeat": { "until": { "step": "d", "status": "success" }, "max": 2 } },
//                                                                   ^^^ task-unknown
      { "name": "d", "llm": "{{steps.c.output}}" }
    ],
    "output": "{{steps.d.output}}"
  }
}
`));

test('the fix of a template is the whole path', async () => {
  const [found] = await findingsOf('{ "execution_plan": { "steps": [{ "name": "search" }], "output": "{{steps.serch.output.a}}" } }', [
    'task-unknown',
  ]);
  expect(found?.data).toMatchObject({ step: 'serch', nearest: ['steps.search.output.a'], start: 0, end: 24 });
});
