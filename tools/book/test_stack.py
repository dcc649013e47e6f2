import runs
from recorded import COMPILED_STACK, COMPILED_TASK, INNER, LOOP, OUTER, RECORDING, TASK, Recorded, in_body, in_run, run


class Stack(Recorded):
    def test_a_coroutine_that_nobody_pops_has_ended_and_its_caller_does_not_go_on(self):
        both = [OUTER, INNER]
        self.turns = self.stacked(in_run(4, both), in_body(4, both), *[in_run(line, both) for line in (8, 3, 4)], in_body(4, both), task=TASK.replace('        stack_.pop_back();\n      } else if', '\n      } else if', 1))
        self.assertEqual([event['words'] for event in self.turns.events if event['object'] or event['stack'][-1][2] == 8], [
            'Inner (task 1) ends: its body returns nullopt.', 'Has Inner yielded? No: it has ended.', 'Inner (task 1) ends: its body returns nullopt.'])

    def of_stack(self):
        return [event for event in self.turns.events if event['stack'][-1][0] == 'Task::run']

    def test_a_frame_appears_at_the_line_that_pushes_it_and_leaves_at_the_line_that_pops_it(self):
        one, both, seven, got = [OUTER], [OUTER, INNER], {'1': '7'}, [{**OUTER, 'has': {'sent': '7'}}]
        self.turns = self.stacked(in_run(3, one), in_run(4, one), in_body(3, one), in_run(8, one), in_run(10, one), in_run(11, one), in_run(12, both),
                                  in_run(3, both), in_run(4, both), in_body(9, both), in_run(8, both), in_run(10, both), in_run(13, both), in_run(14, both), in_run(15, one),
                                  in_run(3, one, answers=seven), in_run(4, one, answers=seven), in_body(6, got), in_body(4, got), in_run(8, got), in_run(9, got), in_run(3, []), in_run(20, []), in_run(21, []))
        self.assertEqual([(event['stack'][-1][2], event['words']) for event in self.of_stack()], [
            (3, 'Is the stack empty? No: Outer is innermost.'), (4, 'Task::run() resumes the innermost coroutine, which is Outer.'),
            (8, 'Has Outer yielded? Yes.'), (10, 'Has it yielded a Call? Yes.'), (11, 'The callee goes on top of the stack: Inner is innermost now.'),
            (12, 'Inner has not run yet: next, it begins.'), (3, 'Is the stack empty? No: Inner is innermost.'), (4, 'Task::run() resumes the innermost coroutine, which is Inner.'),
            (8, 'Has Inner yielded? Yes.'), (10, 'Has it yielded a Call? No.'), (13, 'Has it yielded a result? Yes.'), (14, 'Inner leaves the stack: Outer is innermost now.'),
            (15, 'Outer will get the result, 7.'), (3, 'Is the stack empty? No: Outer is innermost.'),
            (4, 'Task::run() resumes the innermost coroutine, which is Outer, with the answer 7.'),
            (8, 'Has Outer yielded? No: it has ended.'), (9, 'Outer leaves the stack: it is empty now.'), (3, 'Is the stack empty? Yes: no coroutine is left.'),
            (20, 'Is there an exception that no coroutine has caught? No.'), (21, 'The outermost coroutine has ended: Task::run() returns nullopt.')])
        self.assertEqual([(event['stack'][-1][2], [frame[0] for frame in event['delta']['task 1']]) for event in self.of_stack() if isinstance(event['delta'].get('task 1'), list)],
                         [(11, ['Outer', 'Inner']), (14, ['Outer']), (4, ['Outer']), (9, [])])  # in line 4, it gets the result
        self.assertEqual([event['words'] for event in self.turns.events if event['object']],
                         ['Outer (task 1) calls Inner() in line 3, and is suspended until it returns.', 'Inner (task 1) returns 7.',
                          'Outer (task 1) is resumed, at the top of resume().', 'Task 1 ends: its body returns nullopt.'])
        self.assertEqual([who for _, who in self.turns.turn_list], ['main', 'task 1'])  # a call or a return ends no turn

    def test_the_stack_of_step_8_says_who_is_resumed_who_has_ended_and_who_is_called(self):
        def coroutine(name, index):
            return {'id': name, 'name': name, 'state': index, 'has': {}}

        def inside(line, bodies):
            return {**in_body(line, bodies), 'stack': [*in_body(line, bodies)['stack'][:-1], [bodies[-1]['name'], 'program.cpp', line, bodies[-1]['id']]]}
        new, waits, ended = (coroutine('outer', index) for index in '246')
        calls, yields, returns = ([waits, coroutine('inner', index)] for index in '246')
        ended['done'] = True  # the other one says that it ends
        turns = self.made([*RECORDING[:3], run(4, runs=1, tasks={'1': [new]}), *(in_run(line, [new]) for line in (3, 4, 5, 6)), inside(2, [new]), *(in_run(line, calls) for line in (7, 9, 4, 5, 6)),
                           inside(5, calls), *(in_run(line, yields) for line in (7, 9, 10)), run(2, queue=[1], tasks={'1': yields}), run(4, runs=1, tasks={'1': yields}), in_run(6, yields), inside(6, yields),
                           in_run(7, returns), in_run(8, returns), *(in_run(line, [waits]) for line in (4, 5, 6)), inside(3, [waits]), in_run(7, [ended]), in_run(8, [ended]),
                           in_run(4, []), in_run(13, []), in_run(14, []), run(2), RECORDING[-1]], program=COMPILED_STACK, step='step08', task=COMPILED_TASK)
        self.turns = turns
        self.assertEqual([event['words'] for event in turns.events if event['stack'][-1][0] in ('Task::run', 'outer', 'inner')], [
            'In this turn, no system call has been asked for yet.', 'Is there an innermost coroutine? Yes: outer.', 'It is outer that is resumed.', 'Task::run() resumes outer, at resume index 2.',
            'The body begins. Task 1 calls inner() in line 2: await_suspend() makes it run next.', 'Has outer ended? No.', 'Is outer still innermost? No: it has called inner, which runs next.',
            'Is there an innermost coroutine? Yes: inner.', 'It is inner that is resumed.', 'Task::run() resumes inner, at resume index 2.', 'The body begins. Task 1 yields: it stops in line 5.',
            'Has inner ended? No.', 'Is inner still innermost? Yes: it has called no coroutine.', 'inner is suspended at a yield or at a system call: Task::run() returns true.',
            'Task::run() resumes inner, at resume index 4.', 'Resumed at index 4. inner (task 1) ends: it has reached the end of its body, where final_suspend() stops it.',
            'Has inner ended? Yes.', 'The frame of inner is destroyed: its caller, outer, is innermost now.', 'Is there an innermost coroutine? Yes: outer.', 'It is outer that is resumed.',
            'Task::run() resumes outer, at resume index 4.', 'Resumed at index 4. Task 1 ends: it has reached the end of its body, where final_suspend() stops it.', 'Has outer ended? Yes.',
            'The frame of outer is destroyed: no coroutine is left.', 'Is there an innermost coroutine? No: none is left.', 'Is there an exception that no coroutine has caught? No.',
            'The outermost coroutine has ended: Task::run() returns false.'])
        self.assertEqual([who for _, who in turns.turn_list], ['main', 'task 1', 'task 1'])
        self.assertEqual(turns.data()['states'], {'outer': ['2 → start', '4 → line 2', '6 → final_suspend()'], 'inner': ['2 → start', '4 → line 5', '6 → final_suspend()']})

    def test_a_yield_that_is_no_call_goes_to_the_scheduler(self):
        self.turns = self.stacked(in_run(4, [OUTER]), in_body(5, [{**OUTER, 'has': {'sent': '7'}}]), *[in_run(line, [OUTER]) for line in (8, 10, 13, 17)])
        self.assertEqual([event['words'] for event in self.turns.events if event['object'] or event['stack'][-1][2] in (13, 17)], [
            'Task 1 yields: it stops in line 5.', 'Has it yielded a result? No.', 'Neither a call nor a result: the stack stays as it is, and the scheduler gets the yield.'])
        self.assertNotIn('Has Outer yielded', str(list(runs.table(self.turns))))  # what was sent to it is gone, but that is not worth a sentence on paper

    def test_an_exception_goes_from_frame_to_frame(self):
        one, both, held = [OUTER], [OUTER, INNER], {'errors': {'1': 'runtime_error: no'}}
        thrown, caught = {'kind': 'throw', 'what': 'runtime_error: no'}, {'kind': 'catch', 'by': 'Task::run'}
        self.turns = self.stacked(in_run(4, both), in_body(9, both, **thrown), in_run(5, both, **caught), in_run(6, both), in_run(8, both, **held), in_run(9, both, **held),
                                  in_run(4, one, **held), in_run(4, one, **thrown), in_run(5, one, **caught), in_run(6, one), in_run(8, one, **held), in_run(9, one, **held),
                                  in_run(20, [], **held), in_run(20, [], **held, **thrown), in_run(20, [], **held))
        self.assertEqual([event['words'] for event in self.of_stack() if event['stack'][-1][2] not in (8, 9)], [
            'Task::run() resumes the innermost coroutine, which is Inner.', 'The exception arrives here and is caught, in Task::run().',
            'Inner has not caught it: the exception is kept for its caller, Outer.', 'Task::run() resumes the innermost coroutine, which is Outer, with the exception.',
            'The exception is thrown into Outer.', 'The exception arrives here and is caught, in Task::run().',
            'Outer has not caught it. No caller is left, so the scheduler will get the exception.',
            'Is there an exception that no coroutine has caught? Yes.', 'No caller is left: run() throws it on.'])

    def test_a_line_that_an_exception_leaves_is_told_of_once(self):
        thrown = in_run(20, [], kind='throw', what='runtime_error: no')
        self.turns = self.stacked(in_run(20, []), thrown, in_run(20, []), run(5, runs=1), {**run(5, runs=1), 'kind': 'catch', 'by': 'Scheduler::run'},
                                  loop=LOOP.replace('\n  }', '\n    } catch (...) {\n    }\n  }'))
        kinds = [event['kind'] for event in self.turns.events]
        self.assertEqual(kinds[kinds.index('throw'):][:2], ['throw', 'catch'])

    def test_the_stack_is_shown_below_the_loop(self):
        data = self.stacked(in_run(4, [OUTER]), in_body(5, [OUTER])).data()
        self.assertEqual([name for name, _ in data['src']], ['step06/program.cpp'])
        self.assertEqual([n for n, _ in data['stack']], list(range(1002, 1023)))
        self.assertEqual([[ev[1:3], ev[5].get('l')] for ev in data['ev'] if 'Task::run()' in ev[6]], [[[1, 1004], [4, 1004]]])
        self.assertNotIn('stack', self.made(RECORDING, task=TASK).data())
