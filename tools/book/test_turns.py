import io
import json
import re
import unittest.mock

import runs
from recorded import KILLS, LOOP, OUTER, PROGRAM, RECORDING, Recorded, body, in_body, in_run, run, stop
from turns import REQUESTS


class Recording(Recorded):
    def test_turn_0_is_what_main_does_before_the_first_turn(self):
        self.assertEqual([who for _, who in self.turns.turn_list], ['main', 'task 1', 'task 1'])
        self.assertEqual(self.turns.numbers_of_turns, [0, 1, 2])
        self.assertEqual(self.made([{**RECORDING[0], 'out': 'I begin.\n'}, *RECORDING[1:]]).numbers_of_turns, [0, 1, 2])

    def test_a_switch_is_followed_by_the_jump_to_its_case(self):
        lines = [event['stack'][-1][2] for event in self.events('task 1') if event['kind'] != 'back']
        self.assertEqual(lines, [3, 4, 5, 6, 3, 7, 8, 10])
        self.assertEqual([event['words'] for event in self.events('task 1') if event['kind'] == 'jump'],
                         ['The switch goes to case start.', 'The switch jumps to case yielded: task 1 goes on where it stopped.'])

    def test_an_event_has_only_what_it_has_changed(self):
        changed = [event['delta']['task 1'] for event in self.turns.events if 'task 1' in event['delta']]
        self.assertEqual(changed, [[['Body', 'start', {}, 1]], [['Body', 'yielded', {}, 1]], [['Body', 'yielded', {'i_': '7'}, 1]], 'has finished'])

    def test_what_is_set_belongs_to_a_frame_of_the_task(self):
        outer = {'id': '9', 'name': 'Outer', 'state': 'called', 'has': {}}
        self.turns = self.made([{**event, 'tasks': {who: [outer, *bodies] for who, bodies in event.get('tasks', {}).items()}} for event in RECORDING])
        self.assertEqual([event['words'] for event in self.turns.events if ' sets ' in event['words']][0], 'Body (task 1) sets state_ = yielded.')

    def test_a_body_that_is_resumed_in_a_task_with_others_is_named_and_begins_only_once(self):
        outer = {'id': '9', 'name': 'Outer', 'state': 'called', 'has': {}}
        stacks = [body('start')['1'], [outer, *body('start')['1']], [outer, *body('yielded')['1']]]
        words = [[event['words'] for event in self.made([*RECORDING[:3], run(4, runs=1, tasks={'1': stack}), stop(3, 'Body::resume', runs=1, tasks={'1': stack}),
                  stop(10, 'Body::resume', runs=1, tasks={'1': stack}), run(2), RECORDING[-1]]).events if event['stack'][-1][2] in (3, 4, 7) and event['who'] == 'task 1'] for stack in stacks]
        self.assertEqual(words, [['Task 1 begins, at the top of resume().', 'The switch goes to case start.'],
                                 ['Body (task 1) begins, at the top of resume().', 'The switch goes to case start.'],
                                 ['Body (task 1) is resumed, at the top of resume().', 'The switch jumps to case yielded: Body (task 1) goes on where it stopped.']])
        back = {'1': [{**outer, 'id': '1', 'name': 'Body', 'state': 'yielded'}]}
        inner = stop(8, 'Body::resume', runs=1, tasks={'1': [*back['1'], {**outer, 'id': '5', 'name': 'Inner'}]})
        inner['stack'][-1][3] = '5'
        self.turns = self.made([*RECORDING[:3], run(4, runs=1, tasks=inner['tasks']), inner, stop(3, 'Body::resume', runs=1, tasks=back), stop(10, 'Body::resume', runs=1, tasks=back), run(2), RECORDING[-1]])
        self.assertIn('Body (task 1) is resumed, at the top of resume().', [event['words'] for event in self.turns.events])

    def test_what_is_printed_belongs_to_the_line_that_prints_it(self):
        self.assertEqual([(event['stack'][-1][2], event['out']) for event in self.turns.events if event['out']], [(8, 'hello\n')])
        self.assertEqual(self.turns.printed, 'hello\n')

    def test_a_task_that_yields_and_is_resumed_in_the_same_turn_asks_for_nothing(self):
        self.turns = self.made(RECORDING[:7] + RECORDING[9:])
        self.assertEqual([event['words'] for event in self.turns.events if event['stack'][-1][2] == 6], ['Task 1 yields, in line 6.'])

    def test_what_a_function_of_main_prints_after_a_resume_belongs_to_its_line(self):
        call = [stop(13)['stack'][0], ['sends', 'program.cpp', 14, '']]
        inside = {**stop(13), 'stack': [*call, ['Body::resume', 'program.cpp', 6, '1']], 'made': {'gen': body('yielded')['1'][0]}}
        self.turns = self.made([{**stop(13), 'stack': call}, inside, stop(15, out='hello\n'), RECORDING[-1]])
        self.assertEqual([(event['stack'][-1][2], event['out']) for event in self.turns.events], [(14, ''), (6, ''), (14, 'hello\n'), (13, ''), (15, '')])
        self.assertIn('sends() prints “hello”.', [event['words'] for event in self.turns.events])

    def test_a_coroutine_goes_on_in_the_line_where_it_has_stopped(self):
        def at(line, index, **members):
            return {**stop(14), 'stack': [stop(14)['stack'][0], ['Body', 'program.cpp', line, '1']], 'made': {'b': {'id': '1', 'name': 'Body', 'state': index, 'has': members}}}
        program = PROGRAM.replace('return Nothing{};  // yield', 'std::string got = co_yield 1;')
        resumed = {**at(11, '4'), 'resumed': True}  # the compiler's code for it stands at the end of the body
        turns = self.made([stop(14), at(6, '2'), {**stop(15), 'made': at(6, '4')['made']}, resumed, at(8, '4', got='"x"'), RECORDING[-1]], program=program, step='step08')
        self.assertEqual([(event['stack'][-1][2], event['now']['Body'][0][2], event['words']) for event in turns.events[3:5]],
                         [(15, {}, 'main starts the loop of the scheduler.'),
                          (6, {'got': '"x"'}, 'Resumed at index 4. Body goes on in line 6: await_resume() returns "x".')])
        twice = self.made([stop(14), at(6, '2'), at(6, '4', current='1'), {**resumed, 'made': at(6, '4', sent='2')['made']}, at(8, '4'), RECORDING[-1]],
                          program=program.replace('scheduler.new_task(Body())', 'body.send(2)'), step='step08')
        self.assertEqual([(event['stack'][-1][2], event['now']['Body'][0][2], event['words']) for event in twice.events[1:3]],
                         [(6, {'current': '1'}, 'The body begins. Body yields 1, in line 6: yield_value() stores it in the promise.'),
                          (6, {}, 'send() drops this value, and resumes again. Body goes on in line 6.')])
        begun = self.made([stop(14), {**resumed, 'made': {}}, at(6, '2'), stop(15), RECORDING[-1]], program=program, step='step08')
        self.assertEqual([event['stack'][-1][2] for event in begun.events], [14, 6, 14, 15])

    def test_a_constructor_that_leads_into_its_body_calls_it(self):
        def at(function, line, *stack):
            event = stop(line, 'Body::resume', runs=1, tasks={'1': [*body('yielded')['1'], *stack]})
            event['stack'][-1][0] = function
            return event
        inner = {'id': '2', 'name': 'Inner', 'state': 'start', 'has': {}}
        turns = self.made([stop(14), at('Inner::Inner', 1), at('Inner::Inner', 2), at('Inner::resume', 3, inner), RECORDING[-1]])
        self.assertEqual([event['words'] for event in turns.events[1:3]], ['The constructor of Inner runs.', 'Task 1 calls Inner: Body waits until it returns.'])

    def test_a_task_is_new_behind_the_constructor_of_its_body(self):
        inside = {**stop(14), 'stack': [stop(14)['stack'][0], ['Body::Body', 'program.cpp', 2, '1']]}
        turns = self.made([inside, stop(15, queue=[1], tasks=body('start')), RECORDING[-1]], program=PROGRAM.replace('  resume() {', '      : n_(1) {}', 1))
        self.assertEqual([(event['stack'][-1][2], event['words']) for event in turns.events[:2]],
                         [(2, 'The constructor of Body runs.'), (14, 'main creates task 1. No line of its body has run yet.')])
        turns = self.made([stop(14), inside, stop(15, queue=[1, 1], tasks=body('start')), RECORDING[-1]], program=PROGRAM.replace('  resume() {', '  explicit Body() {}', 1))
        self.assertEqual([event['words'] for event in turns.events[:2]], ['main makes a coroutine of the class Body.', 'The constructor of Body runs. Then main creates task 1.'])
        turns = self.made([stop(14), stop(15, queue=[1, 1], tasks=body('start')), RECORDING[-1]])
        self.assertEqual(turns.events[0]['words'], 'main creates task 1. No line of its body has run yet. Task 1 is in the queue 2 times.')

    def test_a_helper_says_what_it_does_and_a_statement_of_it_only_once(self):
        def at(line):
            event = stop(8, 'Body::resume', runs=1, tasks=body('yielded'))
            event['stack'].append(['say', 'program.cpp', line, ''])
            return event
        program = PROGRAM + 'int say() {\n  ::call(\n      1);\n  return 2 +  // two\n         3;\n}\n'
        turns = self.made([stop(14), *map(at, (18, 19, 18, 21, 20, 21)), stop(10, 'Body::resume', runs=1, tasks=body('yielded')), RECORDING[-1]], program=program)
        self.assertEqual([event['words'] for event in turns.events if event['stack'][-1][0] == 'say'], ['say() calls call().', 'say() returns to task 1.'])

    def test_a_line_of_a_helper_is_not_where_its_body_stands(self):
        helper = stop(8, 'Body::resume', runs=1, tasks=body('yielded'))
        helper['stack'].append(['say', 'program.cpp', 1, ''])
        self.turns = self.made(RECORDING[:7] + [helper] + RECORDING[7:])
        self.assertEqual([event['object'] for event in self.events('task 1') if event['stack'][-1][0] == 'say'], [0])

    def test_a_body_without_a_scheduler_has_finished(self):
        def at(line, state, *inner, **held):
            return {**stop(line), 'stack': [['main', 'program.cpp', 14, ''], *inner], 'made': {'b': body(state)['1'][0]}, **held}
        def inside(line, state):
            return at(14, state, ['Body::resume', 'program.cpp', line, '1'])
        after = [at(15, 'yielded'), {'kind': 'end', 'stack': [], 'out': 'end\n'}]
        self.turns = self.made([at(14, 'start'), inside(5, 'start'), inside(6, 'yielded'), *after[:1], inside(8, 'yielded'), inside(10, 'yielded'), *after])
        self.assertEqual(self.turns.events[-1]['now']['Body'], 'has finished')
        compiled = PROGRAM.replace('return Nothing{};', 'co_yield 1;').replace('return std::nullopt;', 'say();')
        self.turns = self.made([at(14, '2'), inside(5, '2'), inside(6, '2'), at(15, '4'), inside(6, '4'), inside(10, '4'), at(15, '4'), after[1]], program=compiled)
        self.assertEqual([isinstance(event['now']['Body'], str) for event in self.turns.events if event['who'] == 'main'], [False, False, True])

    def test_a_task_that_ends_is_named_and_one_that_was_killed_does_not_end_again(self):
        loop = LOOP.replace('if (task.run()) ready_.push_back(task);', 'kill_task(id);')
        killed = [run(3, queue=[1]), run(4, runs=1), run(2), RECORDING[-1]]
        words = [[event['words'] for event in self.made(recording, loop).events if event['stack'][-1][2] == 4][-1] for recording in
                 ([*RECORDING[:3], run(4, runs=1, tasks=body('start')), run(2), RECORDING[-1]], RECORDING[:7] + killed)]
        self.assertEqual(words, ['Task 1 has ended, and is removed.', 'Task 1 was removed when it was killed.'])
        waiter = {'2': [{**body('start')['1'][0], 'id': '2'}]}
        ends = [*RECORDING[:3], run(4, runs=1, tasks={**body('start'), **waiter}, waits={'2': 'the end of task 1'}), run(2, queue=[2], tasks=waiter), RECORDING[-1]]
        self.assertIn('Task 1 has ended, and is removed. So task 2, which waited for its end, goes to the end of the queue. Queue: 2.', [event['words'] for event in self.made(ends, loop).events])

    def killing(self, *inside, after, step='step04', loop=KILLS, victim='1', has=(), asks='scheduler.schedule(asker, scheduler.kill_task(1));\n    }'):
        """The sentences of a run whose second task asks for the end of the first one, or for its own: each of `inside` is a line of kill_task(), and what there is then."""
        program = PROGRAM.replace('say();\n    }', asks).replace('return Nothing{};  // yield', 'return kill_task(1);  // yield kill_task(1)')
        tasks = {**body('yielded', **dict(has)), '2': [{**body('yielded')['1'][0], 'id': '2'}]}
        left = {number: bodies for number, bodies in tasks.items() if number != victim}
        calls = run(4, runs=2, tasks=tasks, queue=[1])
        calls['stack'].append(['Scheduler::run_next', *calls['stack'][1][1:]])
        asked = {**calls, 'stack': [*calls['stack'], ['lambda', 'program.cpp', 8, '']]}
        lines = [{**asked, **({'tasks': left} if gone else {}), **held, 'stack': [*asked['stack'], ['Scheduler::kill_task', 'scheduler.hpp', line, 's']]} for line, gone, held in inside]
        more = [{**asked, 'tasks': lines[-1]['tasks'], 'stack': [*calls['stack'], ['lambda', 'program.cpp', 9, '']]}] * ('killed' in asks)
        self.turns = self.made([*RECORDING[:3], calls, asked, *lines, *more, run(2, tasks=lines[-1]['tasks'], **after), RECORDING[-1]], loop, program, step)
        return [(event['stack'][-1][0].split(':')[-1], event['words']) for event in self.turns.events if event['stack'][-1][0] in ('lambda', 'Scheduler::kill_task')]

    def test_kill_task_says_whom_it_takes_out_of_the_table_and_who_is_woken(self):
        woken = {'queue': [1, 3], 'waits': {}}
        self.assertEqual(self.killing((7, False, {'waits': {'3': 'the end of task 1'}}), (8, True, {'waits': {'3': 'the end of task 1'}}), (9, True, {'waits': {'3': 'the end of task 1'}}), (10, True, {'waits': {'3': 'the end of task 1'}}), (11, True, woken),
                                      after={'queue': [1, 3, 2], 'answers': {'2': 'true'}}), [
            ('lambda', 'Now kill_task() runs.'), ('kill_task', 'Task 1 is taken out of the table of tasks: it no longer exists.'), ('kill_task', 'Was there such a task? Yes.'),
            ('kill_task', 'If it waited for a socket, this wait is over.'), ('kill_task', 'Task 3, which waited for its end, goes to the end of the queue. Queue: 1 (killed), 3.'),
            ('kill_task', 'kill_task() returns, and task 1 is destroyed with its body.'), ('lambda', 'Task 2 goes to the end of the queue with the answer true. Queue: 1 (killed), 3, 2.')])
        self.assertEqual(self.turns.events[-2]['now']['task 1'], 'was killed')

    def test_a_system_call_in_more_lines_does_the_same(self):
        turns = []
        for asks in ('scheduler.schedule(asker, scheduler.kill_task(1));\n    }', 'const bool killed = scheduler.kill_task(1);\n      scheduler.schedule(asker, killed); }'):
            self.killing((7, False, {}), (8, True, {}), (11, True, {}), after={'queue': [1, 2], 'answers': {'2': 'true'}}, asks=asks)
            turns.append(self.turns)
        self.assertEqual([len(each.events) for each in turns], [11, 12])
        self.assertIsNone(runs.leaves(turns[1], turns[0]))

    def test_a_task_can_ask_for_its_own_end(self):
        spoken = self.killing((7, False, {}), (8, True, {}), (11, True, {}), after={'queue': [1]}, victim='2')
        self.assertEqual([words for _, words in spoken[-2:]], ['kill_task() returns, and task 2 is destroyed with its body.', 'kill_task() has returned.'])
        self.assertEqual(self.turns.events[-2]['now']['task 2'], 'was killed')

    def test_kill_task_finds_no_task_or_has_been_changed(self):
        nothing = self.killing((7, False, {}), (8, False, {}), after={'queue': [2], 'answers': {'2': 'false'}})
        self.assertEqual([words for _, words in nothing[1:]], [
            'In the table of tasks, there is no such task.', 'Was there such a task? No: kill_task() returns false.', 'Task 2 goes to the end of the queue with the answer false. Queue: 2.'])
        compiled = self.killing((7, False, {}), (8, True, {}), (10, True, {}), (12, True, {}), (11, True, {}), after={'queue': [1, 2]}, step='step08', loop=KILLS.replace('return true;\n', 'return true;\n    killed->unwind();\n'))
        self.assertEqual([words for _, words in compiled[3:-1]], ['No task waits for its end.', 'unwind() destroys the coroutines of task 1, the innermost first.', 'kill_task() returns.'])
        late = self.killing((7, False, {}), (8, True, {}), (10, True, {}), (11, True, {}), after={'queue': [1, 2]}, has={'awaited by': 'task 3'})
        self.assertEqual(late[3][1], 'Task 3 waited for its end, but nobody goes into the queue.')
        silent = self.killing((7, False, {'waits': {'3': 'the end of task 1'}}), (11, True, {'waits': {'3': 'the end of task 1'}}), after={'queue': [1, 2], 'waits': {'3': 'the end of task 1'}})
        self.assertEqual(silent[2][1], 'kill_task() returns, and task 1 is destroyed with its body. Nobody tells task 3, which waits for that.')
        other = self.killing((7, False, {}), (8, True, {}), after={'queue': [1, 2]}, loop=KILLS.replace('tasks_.extract(id)', 'tasks_.erase(id)').replace('killed.empty()', 'killed == 0'))
        self.assertEqual([words for _, words in other[1:3]], ['Task 1 was killed.', 'kill_task() runs line 8: “if (killed == 0) return false;”.'])

    def test_a_task_that_nobody_puts_back_has_no_more_turns(self):
        two = {**body('yielded'), '2': [{**body('yielded')['1'][0], 'id': '2'}]}
        begun = [{**event, 'tasks': two, 'queue': [*event['queue'], 2]} for event in RECORDING[:7]]
        skips = run(5, runs=1, queue=[2], tasks=two)
        skips['stack'][1][0] = 'Scheduler::run_next'
        made = self.made([*begun, skips, run(3, queue=[2], tasks=two), run(4, runs=2, tasks=two), stop(8, 'Body::resume', runs=2, tasks=two), run(2, tasks=body('yielded')), RECORDING[-1]])
        lost = [event[-1] for event in made.data()['ev'] if 'no more turns' in event[-1]]
        self.assertEqual(lost, ['The scheduler runs line 5. Task 1 is in no queue, and waits for nothing: it has no more turns. Queue: 2.'])
        self.assertNotIn('is in no queue', str(self.turns.data()['ev']))
        later = self.made([*begun, skips, run(3, queue=[2], tasks=two), run(4, runs=2, tasks=two), stop(8, 'Body::resume', runs=2, tasks=two), run(3, queue=[1], tasks=body('yielded')), *RECORDING[8:]])
        self.assertEqual([event[-1] for event in later.data()['ev'] if 'in no queue' in event[-1]], ['The scheduler runs line 5. Task 1 is in no queue, and waits for nothing. Queue: 2.'])

    def test_a_copy_is_told_of_and_stands_where_the_original_stands(self):
        loop = LOOP.replace('if (task.run()) ready_.push_back(task);', '(*call)(id);')
        call, clone = run(4, runs=1, tasks=body('yielded')), run(4, runs=1, tasks=body('yielded'))
        clone['stack'].append(['Body::clone', 'program.cpp', 6, '1'])
        after = run(2, queue=[2, 1], tasks={**body('yielded'), '2': [{'id': '2', 'name': 'Body', 'state': 'yielded', 'has': {}}]})
        for event in call, clone, after:
            event['stack'][1][0] = 'Scheduler::run_next'
        self.turns = self.made(RECORDING[:7] + [call, clone, after, RECORDING[-1]], loop, PROGRAM.replace('// yield', '// yield fork()'))
        self.assertEqual([(event['words'], event['delta']['d']) for event in self.turns.events if 'd' in event['delta']], [
            ('Back in line 4 of the scheduler. Task 2 is a copy, which goes on at case yielded. Queue: 2, 1.', {2: [0, 6]})])
        two = {'tasks': {'2': after['tasks']['2']}, 'runs': 2}
        again = [{**event, **two, 'stack': [*event['stack'][:-1], [*event['stack'][-1][:3], '2']]} for event in RECORDING[9:11]]
        self.turns = self.made(RECORDING[:7] + [call, clone, after, *again, RECORDING[-1]], loop, PROGRAM.replace('// yield', '// yield fork()'))
        self.assertIn('The switch jumps to case yielded: task 2 goes on where its original stopped.', [event['words'] for event in self.turns.events])

    def test_a_request_tells_whom_it_accepts(self):
        def inside(line, net, **held):
            event = {**run(4, runs=1, tasks=body('yielded'), net=f'0.40\nben|{net}|0|0\n'), **held}
            return {**event, 'stack': [*event['stack'], ['lambda', 'program.cpp', line, '']]}
        program = PROGRAM.replace('case State::yielded:', 'while (client = accept())').replace('say();', 'new_task(client);')
        both = {**body('yielded'), '2': [{'id': '2', 'name': 'Body', 'state': 'start', 'has': {}}]}
        self.turns = self.made([*RECORDING[:7], inside(1, '-1|reset'), inside(7, '-1|reset'), inside(8, '7|reset'), RECORDING[-1]], LOOP, program)  # before it was accepted
        self.assertIn('accept() returns the connection of ben.', [event['words'] for event in self.turns.events])
        self.turns = self.made([*RECORDING[:7], inside(1, '-1|waits'), inside(7, '-1|waits'), inside(8, '7|open'), inside(7, '7|open', queue=[2], tasks=both),
                                inside(9, '7|open', queue=[2], tasks=both), run(2, queue=[2, 1], tasks=both), RECORDING[-1]], LOOP, program)
        self.assertEqual([event['words'] for event in self.turns.events if event['stack'][-1][0] == 'lambda'], [
            'The request of task 1 goes on in line 1.', 'accept() returns the connection of ben.', 'Task 2 is new. Queue: 2.', 'accept() returns nothing: no client waits to be accepted.',
            'Task 1 goes to the end of the queue. Queue: 2, 1.'])

    def test_a_system_call_says_what_each_of_its_lines_does(self):
        loop = LOOP.replace('if (task.run()) ready_.push_back(task);', '(*call)(id);')
        program = PROGRAM.replace('say();', 'find(id);').replace('return std::nullopt;', 'scheduler.schedule(asker, kill_task(2));')
        two, answer = {**body('yielded'), '2': [{'id': '2', 'name': 'Body', 'state': 'start', 'has': {}}]}, {'answers': {'1': 'true'}}

        def inside(line, function, **held):
            event = run(4, runs=1, **held)
            event['stack'][1][0] = 'Scheduler::run_next'
            return {**event, 'stack': [*event['stack'], [function, 'program.cpp', line, '']]}
        self.turns = self.made([*RECORDING[:7], inside(8, 'Mailbox::deliver', tasks=two), inside(10, 'lambda', tasks=two), inside(11, 'lambda', queue=[1], tasks=body('yielded'), **answer),
                                run(2, queue=[1], tasks=body('yielded'), **answer), RECORDING[-1]], loop, program.replace('}\n};', 'return id;\n};'))
        self.assertEqual([(event['who'], event['words']) for event in self.turns.events if event['stack'][-1][0] in REQUESTS], [
            ('sched', 'Is there such a task?'), ('sched', 'Task 2 was killed. Task 1 goes to the end of the queue with the answer true. Queue: 1.'),
            ('sched', 'This is the answer for task 1: true.')])
        limits = program.replace('find(id);', 'scheduler.limit_deadlines(time);')
        spoken = [event['words'] for event in self.made([*RECORDING[:7], inside(8, 'lambda', tasks=two), inside(10, 'lambda', tasks=two, limit='3.2 s'), run(2, queue=[1], tasks=two), RECORDING[-1]], loop, limits).events]
        self.assertIn('From now on, no wait lasts longer than until 3.2 s.', spoken)
        delivers = program.replace('find(id);', 'if (messages.empty() || !scheduler.find(receiver)) return;').replace('scheduler.schedule(asker, kill_task(2));', 'messages.front();')
        for then, answer in ((inside(10, 'Mailbox::deliver', tasks=two), 'Yes'), (inside(1, 'lambda', tasks=two), 'No: deliver() returns')):
            made = self.made([*RECORDING[:7], inside(8, 'Mailbox::deliver', tasks=two), then, run(2, queue=[1], tasks=two), RECORDING[-1]], loop, delivers)
            self.assertIn(f'Is there a message, and a task that waits for one? {answer}.', [event['words'] for event in made.events])
        self.assertEqual([event['now']['r'] for event in self.turns.events if event['stack'][-1][0] in REQUESTS], [1, 0, 0])

    def test_the_head_of_a_loop_says_whether_it_goes_on(self):
        for following, answer in ((8, 'Yes'), (10, 'No')):
            inside = [{**stop(15), 'stack': [stop(15)['stack'][0], ['Body::resume', 'program.cpp', line, '1']], 'made': {'b': body('yielded', n=n)['1'][0]}} for line, n in ((7, '1'), (following, '2'))]
            turns = self.made([stop(15), *inside, stop(15), RECORDING[-1]], program=PROGRAM.replace('case State::yielded:', 'for (n = 1; n <= 2; ++n) {').replace('say();\n', 'say();\n    }'))
            self.assertIn(f'Body sets n = 2, and asks: n <= 2? {answer}.', [event['words'] for event in turns.events])

    def test_a_body_that_throws_what_it_was_sent_goes_on_in_resume(self):
        held = {'made': {'b': body('yielded')['1'][0]}}
        inner = {**stop(15), 'stack': [stop(15)['stack'][0], ['Body::resume_with_exception', 'program.cpp', 9, '1'], ['Body::resume', 'program.cpp', 3, '1']], **held}
        for event, words in ((inner, 'goes on'), ({**inner, 'stack': [inner['stack'][0], inner['stack'][2]]}, 'is resumed')):
            self.assertEqual(self.made([{**stop(15), **held}, event, {**stop(15), **held}, RECORDING[-1]]).events[1]['words'], f'Body {words}, at the top of resume().')

    def test_a_line_says_what_it_does_even_if_it_changes_nothing(self):
        lines = ['gen.rewind();', 'gen.send("x");', 'serve<Body>(argc, 8000);', 'int x = 0;', 'n = std::any_cast<int>(sent);', 'n = sent.has_value() ? std::any_cast<int>(sent) : 3;', 'socket_.set_deadline(Clock::now());']
        held = {'made': {'b': body('yielded', n='3')['1'][0]}}
        words = [self.made([{**RECORDING[1], **held}, {**stop(4), 'stack': [['main', 'program.cpp', 14, ''], [function, 'program.cpp', 8, '1']], **held}, {**stop(15), **held}, RECORDING[-1]],
                           program=PROGRAM.replace('say();', line)).events[1]['words'] for line in lines for function in ['Body::resume']]
        self.assertEqual(words, ['Body asks for the first yield.', 'Body sends “x” to the body.', 'Body calls serve(argc, 8000).', 'Body sets x.', 'Body sets n, which stays 3.', 'Body sets n, which stays 3, because nothing was sent.',
                                 'Body gives its socket a deadline.'])

    def test_a_mailbox_is_on_stage_with_its_messages_and_the_task_that_waits_for_one(self):
        waits = run(2, tasks=body('yielded'), mail={'printer': [['"a"', None], 1], 'counter': [[], 0]})
        event = self.made([*RECORDING[:7], waits, RECORDING[-1]]).events[-1]
        self.assertEqual((event['now']['w'], event['now']['k']), ({'1': 'a message for printer'}, 'waits for · mailboxes: printer "a" and (moved away), counter is empty'))

    def test_a_coroutine_that_ends_prints_only_its_own_lines(self):
        def at(line, state, *inner, **held):
            return {**stop(line), 'stack': [['main', 'program.cpp', 14, ''], *inner], 'made': {'b': body(state)['1'][0]}, **held}
        self.turns = self.made([at(14, '4', ['Body::resume', 'program.cpp', 8, '1']), at(14, '4', ['Body::resume', 'program.cpp', 12, '1'], out='mine\n'), at(15, '4', out='main\n'), RECORDING[-1]],
                               program=PROGRAM.replace('return std::nullopt;', 'co_yield 1;').replace('};', '}'))
        self.assertEqual([(event['who'], event['out']) for event in self.turns.events if event['out']], [('Body', 'mine\n'), ('main', 'main\n')])
        self.assertEqual([event['words'] for event in self.turns.events if event['stack'][-1][2] == 12], ['Body ends: it has reached the end of its body.'])

    def test_a_coroutine_that_yields_twice_without_main_in_between_has_two_turns(self):
        at = [{**stop(14), 'stack': [['main', 'program.cpp', 14, ''], *inner], 'made': {'b': body('4')['1'][0]}} for inner in ([], [['Body', 'program.cpp', 6, '1']], [['Body', 'program.cpp', 8, '1']])]
        self.turns = self.made([*at, RECORDING[-1]], program=PROGRAM.replace('return Nothing{};  // yield', 'co_yield 1;').replace('say();', 'co_yield 2;'))
        self.assertEqual([who for _, who in self.turns.turn_list], ['main', 'Body', 'Body'])

    def test_main_has_the_first_row_of_turns(self):
        self.turns.turn_list = [(0, 'task 1'), (1, 'Body'), (2, 'main')]
        self.assertEqual(self.turns.data()['lanes'], ['main', 'Body', 'task 1'])

    def test_of_a_run_that_goes_on_only_whole_turns_are_shown(self):
        turns = self.made([*RECORDING[:7], *RECORDING[7:11], {'kind': 'goes on', 'stack': [], 'out': 'hello\n'}])
        self.assertEqual([who for _, who in turns.turn_list], ['main', 'task 1'])
        self.assertEqual((turns.events[-1]['stack'][-1][2], turns.printed), (4, ''))
        self.assertNotIn('has ended', ' '.join(event['words'] for event in turns.events))

    def test_what_is_printed_piece_by_piece_belongs_to_the_end_of_the_line(self):
        recording = [{**event, 'out': {6: 'a', 7: 'b\n', 9: 'c'}.get(n, '')} for n, event in enumerate(RECORDING)]
        turns = self.made(recording)
        self.assertEqual([event['out'] for event in turns.events if event['out']], ['ab\n', 'c'])
        self.assertNotEqual(turns.events[-1]['out'], 'c')  # it stays where it was printed
        self.assertEqual([event['words'] for event in turns.events if 'begins to' in event['words']], ['Task 1 begins to print “a”.'])

    def test_the_body_of_a_loop_is_not_the_case_before_it(self):
        program = PROGRAM.replace('      say();', '      do {')
        turns = self.made([*RECORDING[:10], stop(8, 'Body::resume', runs=1, tasks=body('yielded')), stop(7, 'Body::resume', runs=1, tasks=body('yielded')), *RECORDING[11:]], program=program)
        self.assertEqual([event['stack'][-1][2] for event in turns.events if event['stack'][-1][0] == 'Body::resume'][-4:], [3, 7, 8, 10])

    def test_a_line_that_calls_a_helper_sets_nothing_yet(self):
        helper = stop(8, 'Body::resume', runs=1, tasks=body('yielded'))
        helper['stack'].append(['say', 'program.cpp', 1, ''])
        turns = self.made([*RECORDING[:10], stop(8, 'Body::resume', runs=1, tasks=body('yielded')), helper, *RECORDING[11:]], program=PROGRAM.replace('say();', 'said_ = 1 + say();'))
        self.assertIn('Task 1 calls say().', [event['words'] for event in turns.events])

    def test_a_request_that_calls_a_body_ends_in_its_own_line(self):
        request = stop(4, 'Body::resume', file='scheduler.hpp', runs=1, tasks=body('yielded'))
        request['stack'][2:] = [['Scheduler::run_next', 'scheduler.hpp', 4, 's'], ['lambda', 'program.cpp', 1, '']]
        enters = {**request, 'stack': [*request['stack'], ['Body::clone', 'program.cpp', 2, '77']]}  # before it has its `this`
        clone = {**request, 'stack': [*request['stack'], ['Body::clone', 'program.cpp', 2, '1']]}
        two = {**body('yielded'), '2': body('yielded')['1']}
        turns = self.made([*RECORDING[:3], request, enters, clone, run(2, queue=[2, 1], tasks=two), RECORDING[-1]], program=PROGRAM.replace('  resume() {', '  clone() { return copy(); }', 1))
        self.assertEqual([(event['stack'][-1][0], event['now']['q']) for event in turns.events[4:6]], [('Body::clone', []), ('lambda', [2, 1])])

    def test_variables_of_main_end_behind_their_line_or_their_function(self):
        serve = {**stop(15, main={'n': '1'}), 'stack': [stop(13)['stack'][0], ['serve', 'program.cpp', 14, '']]}
        turns = self.made([stop(14, main={'number': '1'}), stop(15), serve, RECORDING[-1]])
        self.assertEqual([event['now']['main'][0][2] for event in turns.events], [{'number': '1'}, {'n': '1'}, {'n': '1'}, {}])
        later = {**serve, 'stack': [serve['stack'][0], ['serve', 'program.cpp', 15, '']]}
        made = self.made([serve, later, {**serve, 'main': {'n': '2'}}, RECORDING[-1]])
        self.assertEqual(made.events[1]['words'], 'serve() sets n = 2.')

    def test_a_rewind_of_a_generator_that_has_begun_says_that_nothing_runs(self):
        turns = self.made([stop(14), stop(15), RECORDING[-1]], program=PROGRAM.replace('scheduler.new_task(Body())', 'gen.rewind()'))
        self.assertEqual(turns.events[0]['words'], 'main asks for the first yield, which is there already: nothing runs.')

    def test_a_function_of_main_that_returns_still_has_its_body(self):
        call = [stop(13)['stack'][0], ['sends', 'program.cpp', 14, '']]
        inside = {**stop(13), 'stack': [*call, ['Body::resume', 'program.cpp', 6, '1']], 'made': {'gen': body('yielded')['1'][0]}}
        turns = self.made([{**stop(13), 'stack': call}, inside, stop(15), RECORDING[-1]])
        self.assertEqual([isinstance(event['now'].get('Body'), list) for event in turns.events[1:4]], [True, True, False])

    def test_a_loop_that_ends_leaves_who_waits_for_a_message_waiting_for_ever(self):
        loop = ['', '  void run() {', '    while (!ready_.empty() || !waits_.empty()) {', '    }', '  }', '  void poll_sockets() {', '    if (waits_.empty()) return;']
        waits = {'tasks': body('yielded'), 'waits': {'1': 'the end of task 2'}}
        poll = {**run(7, **waits), 'stack': [['main', 'program.cpp', 15, ''], ['Scheduler::poll_sockets', 'scheduler.hpp', 7, 's']]}
        turns = self.made([stop(14), run(3, **waits), poll, run(3, **waits), stop(16, **waits), RECORDING[-1]], '\n'.join(loop))
        self.assertEqual(turns.events[3]['words'], 'The queue is empty: the loop ends, and task 1 will wait for ever.')
        self.assertEqual(turns.events[2]['words'], 'Does a task wait for a socket? No.')
        self.assertNotIn('poll', [who for _, who in turns.turn_list])

    def test_the_loop_counts_the_turns_of_a_round(self):
        loop = LOOP.replace('take();', 'for (std::size_t turns = ready_.size(); turns > 0; --turns) run_next();')

        def round_of(left):
            return run(2, queue=[1, 2], turns=left)
        turns = self.made([stop(14), round_of(0), run(3, turns=2), round_of(2), run(3, turns=1), round_of(1), run(4, turns=None), RECORDING[-1]], loop)
        self.assertEqual([event['words'] for event in turns.events if event['stack'][-1][2] == 2],
                         ['A round begins: 2 turns, because the queue holds 2 tasks.', 'The round goes on: 1 turn more.', 'The round has ended.'])

    def test_the_line_decides_after_which_a_task_is_not_in_the_queue_again(self):
        turns = self.made([*RECORDING[:7], run(4, runs=1, tasks=body('yielded')), run(2, tasks=body('yielded'), waits={'1': 'the end of task 2'}), *RECORDING[8:]])
        turns.data()
        decides = next(decides for words, _, decides in turns.possible(1) if 'in the queue' in words)
        self.assertEqual([event['stack'][-1][2] for event in turns.part(turns.turn_list, 1) if decides(event)], [3, 4])

    def test_a_line_that_throws_again_or_goes_back_says_so(self):
        program = PROGRAM.replace('say();', 'std::rethrow_exception(error);')
        self.turns = self.made([*RECORDING[:10], stop(8, 'Body::resume', runs=1, tasks=body('yielded')), stop(4, 'Body::resume', runs=1, tasks=body('yielded')),
                                {**RECORDING[11], 'out': '', 'tasks': body('yielded')}, *RECORDING[12:]], program=program)
        self.assertEqual([event['words'] for event in self.events('task 1')][-3:-1], ['Task 1 throws the exception again, to catch it.', 'Task 1 goes back to the beginning of its loop.'])

    def test_a_throw_and_a_catch_have_the_lines_where_they_happen(self):
        thrown = stop(8, 'Body::resume', runs=1, tasks=body('yielded'), kind='throw', what='runtime_error: no')
        caught = run(4, runs=1, tasks=body('yielded'), kind='catch', by='Scheduler::run')
        self.turns = self.made(RECORDING[:11] + [thrown, caught] + RECORDING[12:])
        found = [(event['kind'], event['stack'][-1][2], event['words']) for event in self.turns.events if event['kind'] in ('throw', 'catch', 'leaves')]
        self.assertEqual(found, [('throw', 8, 'An exception is thrown here: runtime_error: no.'),
                                 ('leaves', 4, 'Scheduler::run() catches it, and hands it on.')])

    def test_an_exception_leaves_a_function_for_the_catch_that_it_arrives_at(self):
        program = PROGRAM.replace('}\nint', '  }\n}\nint').replace('  scheduler.run();\n', '  scheduler.run();\n} catch (const Error& error) {\n')
        at = program.split('\n').index('} catch (const Error& error) {') + 1
        thrown = stop(8, 'Body::resume', runs=1, queue=[2], tasks=body('yielded'), kind='throw', what='runtime_error: no')
        arrives = stop(at, queue=[2], tasks=body('yielded'))
        self.turns = self.made([*RECORDING[:11], thrown, arrives, {**arrives, 'kind': 'catch', 'by': 'main'}, stop(14, queue=[2]), RECORDING[-1]], program=program)
        self.assertEqual([(event['kind'], event['words'], event['now']['r']) for event in self.turns.events[-4:-1]], [
            ('line', 'Task 1 calls say().', 1), ('throw', 'An exception is thrown here: runtime_error: no.', 1), ('catch', 'The exception arrives here and is caught, in main().', 0)])

    def test_a_line_that_throws_has_set_nothing(self):
        thrown = stop(8, 'Body::resume', runs=1, tasks=body('yielded'), kind='throw', what='runtime_error: no')
        for line, words in (('data_ = socket_.read(size_);', 'Task 1 calls read().'), ('sum_ += write(text(data_)).value;', 'Task 1 calls write().')):
            told = [self.made([*RECORDING[:11], *threw, *RECORDING[12:]], program=PROGRAM.replace('say();', line)).events for threw in ([thrown], [])]
            self.assertEqual([next(event['words'] for event in events if event['stack'][-1][2] == 8) for events in told], [words, f'Task 1 sets {line.split()[0]}.'])

    def test_an_exception_that_nobody_catches_is_told_of_from_body_to_body(self):
        error = {'1': 'runtime_error: no'}
        before = run(2, tasks=body('yielded'), errors=error)
        thrown = run(4, runs=1, tasks=body('yielded'), kind='throw', what='runtime_error: no')
        caught = run(4, runs=1, tasks=body('yielded'), kind='catch', by='Task::run')
        again = {**thrown, 'tasks': {'1': []}, 'errors': error}
        self.turns = self.made([*RECORDING[:7], before, run(3, queue=[1], tasks=body('yielded'), errors=error), run(4, runs=1, tasks=body('yielded'), errors=error),
                                thrown, caught, again, run(2), RECORDING[-1]])
        self.assertEqual([event['words'] for event in self.turns.events if event['kind'] in ('throw', 'leaves')],
                         ['The exception is thrown into Body.', "Body doesn't catch it, and is destroyed.", 'No caller is left: run() throws it on.'])
        self.assertEqual([event['delta']['p'] for event in self.turns.events if 'p' in event['delta']], [{}, error, {}])
        self.assertEqual([ev[3] for ev in self.turns.data()['ev'] if 'catch' in ev[6]], [6])

    def test_a_task_that_the_scheduler_reports_has_failed(self):
        for err, has in (('Task 1 failed: no\n', 'has failed'), ('', 'has finished')):
            self.turns = self.made([*RECORDING[:12], run(4, runs=1, tasks=body('yielded'), err=err), run(4, runs=1, tasks={}), run(2), RECORDING[-1]])
            self.assertEqual(self.turns.events[-1]['now']['task 1'], has)

    def test_a_task_that_was_killed_in_the_queue_has_no_turn(self):
        self.turns = self.made(RECORDING[:7] + [run(3, queue=[1]), run(4, runs=1), run(2), RECORDING[-1]])
        self.assertEqual([who for _, who in self.turns.turn_list], ['main', 'task 1'])

    def test_the_box_of_a_socket_tells_a_reset_from_a_hang_up(self):
        self.assertEqual([self.turns.end('anna', '5', state, '0', '0') for state in ('gone', 'reset')], [['anna', 5, 'has hung up', 'ready'], ['anna', 5, 'was reset', 'ready']])

    def test_a_state_is_not_asked_for_if_another_object_of_its_class_could_be_meant(self):
        def asked(recording):
            turns = self.made(recording)
            turns.data()
            return [[words for words, *_ in turns.possible(t) if 'state' in words] for t, (_, who) in enumerate(turns.turn_list) if who != 'main']
        outer, other = {'id': '9', 'name': 'Outer', 'state': 'called', 'has': {}}, {**body('start')['1'][0], 'id': '7'}
        called = [{**event, 'tasks': {who: [outer, *bodies] for who, bodies in event.get('tasks', {}).items()}} for event in RECORDING[:10]]
        ends = [{**called[8], 'tasks': {'1': [outer, *callee]}} for callee in ([], [other])]
        words = 'Task 1 is next. In which state is Body afterwards?'
        self.assertEqual([asked([*called, end, stop(15, tasks=end['tasks'], runs=1), RECORDING[-1]]) for end in ends], [[[words], [words]], [[words], []]])

    def test_a_coroutine_that_nobody_keeps_is_created_before_it_is_destroyed(self):
        made = stop(8, 'Body::resume', runs=1, tasks=body('yielded'))
        inside = {**made, 'stack': [*made['stack'], ['Other::Other', 'program.cpp', 1, '5']]}
        program = PROGRAM.replace('say();', 'std::make_shared<Other>("foo", 10);')
        self.turns = self.made([*RECORDING[:10], made, inside, *RECORDING[11:]], program=program)
        self.assertEqual([event['words'] for event in self.turns.events if 'make_shared' in self.turns.line_of(event['stack'][-1])],
                         ['Task 1 creates a coroutine.', 'The coroutine is destroyed: no line of its body has run.'])

    def test_a_condition_has_its_answer_if_the_next_line_tells_it(self):
        answers = []
        for code in ('if (i == 3) {|  x|}|y', 'while (n > 0) {|  x|}|y', 'if (i == 3)|  x|y', 'do {|  x|} while (!n);|y', 'for (;;) {|  if (i == 5) break;|  x|}|y', 'for (;;) {|  x|  if (i == 5) break;|}|y',
                     'if (i == 5) break;|y'):
            lines = code.split('|')
            asks = next(n for n, line in enumerate(lines) if re.match('(} | *)(if|while) ', line))
            for n in [n for n, line in enumerate(lines) if n != asks and line not in ('}', 'do {')]:
                at = [stop(8 + n, 'Body::resume', runs=1, tasks=body('yielded')) for n in (asks, n)]
                made = self.made([*RECORDING[:10], *at, run(2), RECORDING[-1]], program=PROGRAM.replace('      say();', '\n'.join('      ' + line for line in lines)))
                answers += [f'{lines[n].strip()}: {event["words"][13:]}' for event in made.events if 'asks:' in event['words']]
        self.assertEqual(answers, [
            'x: i == 3? Yes.', 'y: i == 3? No.', 'x: n > 0? Yes.', 'y: n > 0? No.', 'x: i == 3? Yes.', 'y: i == 3? No.', 'x: !n? Yes.', 'y: !n? No.',
            'for (;;) {: i == 5? No.', 'x: i == 5? No.', 'y: i == 5? Yes.', 'for (;;) {: i == 5? No.', 'x: i == 5?', 'y: i == 5? Yes.', 'y: i == 5? No.'])
        helper = stop(8, 'Body::resume', runs=1, tasks=body('yielded'))
        helper['stack'].append(['say', 'program.cpp', 9, ''])
        self.turns = self.made([*RECORDING[:10], stop(8, 'Body::resume', runs=1, tasks=body('yielded')), helper, run(2), RECORDING[-1]], program=PROGRAM.replace('say();', 'if (say())'))
        self.assertIn('Task 1 asks: say()?', [event['words'] for event in self.turns.events])
        asks, after = (stop(line, 'Body::resume', runs=1, tasks=body('yielded')) for line in (8, 9))
        self.turns = self.made([*RECORDING[:10], asks, helper, after, run(2), RECORDING[-1]], program=PROGRAM.replace('say();', 'if (say())\n  x'))
        self.assertIn('Task 1 goes on in line 8: say()? Yes.', [event['words'] for event in self.turns.events])

    def test_to_skip_a_killed_task_belongs_to_the_next_turn(self):
        two = {**body('yielded'), '2': [{'id': '2', 'name': 'Body', 'state': 'start', 'has': {}}]}
        skip = [run(3, queue=[2, 1], tasks=body('yielded')), run(4, queue=[1], runs=2, tasks=body('yielded'))]
        for event in skip:
            event['stack'][1][0] = 'Scheduler::run_next'
        turns = self.made([stop(14), stop(15, queue=[1, 2], tasks=two), run(2, queue=[1, 2], tasks=two), run(3, queue=[1, 2], tasks=two), run(4, queue=[2], runs=1, tasks=two),
                           *[{**event, 'queue': [2], 'tasks': two} for event in RECORDING[4:7]], run(2, queue=[2, 1], tasks=body('yielded')), *skip, *RECORDING[7:]], LOOP.replace('take();', 'while (!ready_.empty())'))
        self.assertEqual([(who, turns.events[start]['words']) for start, who in turns.turn_list[1:]], [('task 1', 'The queue is not empty: 1, 2.'), ('task 1', 'The queue is not empty: 2 (killed), 1.')])
        self.assertEqual([row[3] for row in runs.table(turns)], ['1 2', '2 (killed) 1', ''])
        data = turns.data()
        self.assertEqual(data['states'], {'Body': ['start → line 4', 'yielded → line 7']})
        self.assertEqual((data['lanes'], [turn[3] for turn in data['turns']]), (['main', 'task 1', 'task 2'], ['', '', '<i title="task 2 is dead and has no turn" style="--down:1;--who:var(--dot1)"></i>']))
        self.assertEqual([event['words'] for words, _, decides in turns.possible(1) if 'Whose' in words for event in turns.part(turns.turn_list, 1) if decides(event)], ['Task 1 leaves the queue. It has this turn.'])
        self.assertEqual([event['words'] for words, _, decides in turns.possible(2) if 'Whose' in words for event in turns.part(turns.turn_list, 2) if decides(event)], ['Task 1 leaves the queue. It has this turn.'])
        self.assertEqual([choices[0] for words, choices, _ in turns.possible(1) if 'queue' in words], ['2, 1'])
        ends = self.made([*RECORDING[:7], run(3, queue=[2], tasks={}), *skip[1:], run(2), RECORDING[-1]])  # nobody is left
        self.assertEqual(([who for _, who in ends.turn_list], [row[3] for row in runs.table(ends)]), (['main', 'task 1'], ['1', '2']))
        self.assertEqual([event['words'] for words, _, decides in turns.possible(1) if 'queue' in words for event in turns.part(turns.turn_list, 1) if decides(event)], ['Back in line 4 of the scheduler. The task has yielded: it goes to the end of the queue.'])

    def test_a_question_has_its_right_answer_once_among_the_choices_and_knows_the_line_that_decides(self):
        asked = [[*question, self.turns.events[decides]['stack'][-1][2]] for _, _, (*question, decides, where), _ in self.turns.data()['turns'][1:] if where == self.turns.at(self.turns.events[decides]['stack'][-1])]
        self.assertEqual(asked, [['Task 1 is next. In which state is Body afterwards?', ['has finished', 'yielded'], 1, 5],
                                 ['Task 1 is next. In which state is Body afterwards?', ['has finished', 'yielded'], 0, 10]])

    def test_an_answer_never_comes_once_the_loop_has_been_left(self):
        thrown = {**run(4, runs=1, tasks=body('yielded')), 'kind': 'throw', 'what': 'runtime_error: no'}
        caught = {**stop(15, tasks=body('yielded')), 'kind': 'catch', 'by': 'main'}
        for what, waits in (('yield stop()', {'1': 'an answer that never comes'}), ('yield', {})):
            program = PROGRAM.replace('Nothing{};  // yield', f'stop();  // {what}')
            self.turns = self.made([*RECORDING[:7], thrown, caught, stop(15, tasks=body('yielded')), RECORDING[-1]], program=program)
            self.assertEqual(self.turns.events[-1]['now']['w'], waits)

    def test_a_task_that_a_changed_scheduler_does_not_put_back_has_not_ended(self):
        self.turns = self.made([*RECORDING[:7], run(2), RECORDING[-1]])
        back = next(event['words'] for event in self.turns.events if event['words'].startswith('Back'))
        self.assertEqual((back, self.turns.events[-1]['now']['task 1']), ('Back in line 4 of the scheduler. The task is not put back.', 'was destroyed'))
        self.turns = self.made(RECORDING, LOOP.replace('push_back', 'push_front'))
        self.assertIn('Back in line 4 of the scheduler. The task has yielded: it goes to the front of the queue.', [event['words'] for event in self.turns.events])

    def test_a_scheduler_that_takes_the_last_task_says_so(self):
        loop = LOOP.replace('take();', 'id = ready_.back();').replace('pop_front', 'pop_back')
        self.turns = self.made([stop(14), run(2, queue=[2, 1], tasks=body('start')), run(3, queue=[2, 1], runs=1, tasks=body('start')), run(4, queue=[2], runs=1, tasks=body('start')), *RECORDING[4:]], loop)
        words = [event['words'] for event in self.turns.events]
        for expected in ('The scheduler looks at the end of its queue: task 1.', 'Task 1 leaves the queue. It has this turn.'):
            self.assertIn(expected, words)

    def test_a_task_in_the_queue_that_no_longer_exists_says_how_it_has_ended(self):
        finished, killed = [run(2, queue=[1]), run(3, queue=[1], runs=1), run(4, runs=1), run(2), RECORDING[-1]], run(4, runs=1, queue=[1], tasks=body('yielded'))
        killed['stack'].append(['lambda', 'program.cpp', 1, ''])
        for ends, expected in (([], 'has finished'), ([killed], 'was killed')):
            self.turns = self.made([*RECORDING[:6], stop(6 if ends else 10, 'Body::resume', runs=1, tasks=body('yielded')), *ends, *finished], LOOP.replace('take();', 'if (!task) return;'))
            words = [event['words'] for event in self.turns.events]
            self.assertIn(f'No: task 1 {expected} while it was in the queue. So it has no turn.', words)
            self.assertIn(f'Task 1 leaves the queue. It {expected} meanwhile.', words)
            self.assertIn(f'Task 1 {expected} while it was in the queue: there is no task that could run.', words)

    def test_a_task_that_nobody_puts_back_is_named_when_the_loop_ends(self):
        loop = LOOP.replace('take();', 'while (!ready_.empty()) {')
        self.turns = self.made([*RECORDING[:7], run(2, tasks=body('yielded')), RECORDING[-1]], loop)
        self.assertIn('The queue is empty: the loop ends. Nobody has put task 1 into the queue again.', [event['words'] for event in self.turns.events])

    def test_a_request_that_is_not_yielded_is_dropped(self):
        program = PROGRAM.replace('say();', 'kill_task(victim_);')
        self.turns = self.made([*RECORDING[:11], stop(10, 'Body::resume', runs=1, tasks=body('yielded')), *RECORDING[12:]], program=program)
        self.assertIn('Task 1 makes the request kill_task(victim_), and drops it: nobody performs it.', [event['words'] for event in self.turns.events])

    def test_a_round_counts_who_no_longer_exists(self):
        loop = LOOP.replace('take();', 'for (std::size_t turns = ready_.size(); turns > 0; --turns) run_next();')
        two = {**body('yielded'), '2': body('yielded')['1']}
        killed = run(4, queue=[1, 2], tasks=body('yielded'))
        killed['stack'].append(['lambda', 'program.cpp', 1, ''])
        self.turns = self.made([stop(14), stop(15, queue=[1, 2], tasks=two), killed, run(2, queue=[1, 2], tasks=body('yielded')), run(3, queue=[1, 2], turns=2, tasks=body('yielded')), RECORDING[-1]], loop)
        self.assertIn('A round begins: 2 turns, because the queue holds 2 tasks, 1 of which no longer exists.', [event['words'] for event in self.turns.events])

    def test_main_asks_a_generator_for_its_first_yield(self):
        call = {**stop(13), 'stack': [stop(13)['stack'][0], ['Body::resume', 'program.cpp', 3, '1']], 'made': {'gen': body('start')['1'][0]}}
        self.turns = self.made([stop(12), {**stop(13), 'made': call['made']}, call, stop(14), RECORDING[-1]], program=PROGRAM.replace('int main() {', 'int main() { for (gen.rewind(); gen.valid(); gen.next())'))
        self.assertEqual(self.turns.events[1]['words'], 'main asks for the first yield.')

    def test_of_a_scheduler_with_other_names_only_the_lines_are_named(self):
        recording = [{**event, 'runs': None, 'queue': [], 'tasks': {}} for event in RECORDING]
        turns = self.made(recording)
        (turns.root / 'step03/expected').mkdir()
        (turns.root / 'step03/expected/program.txt').write_text(turns.printed)
        played = runs.described(turns.root, 'step03', 'program', True)
        with unittest.mock.patch('sys.stderr', io.StringIO()):
            runs.complete(turns.root, [played], ['\n'.join(map(json.dumps, recording))])
        self.assertEqual({event[-1] for event in json.loads(played['data'])['ev']},
                         {*(f'Line {n} of program.cpp.' for n in (3, 5, 6, 8, 10, 14, 15)), *(f'Line {n} of scheduler.hpp.' for n in (2, 3, 4))})

    def test_a_scheduler_with_other_names_is_unknown(self):
        self.assertFalse(runs.is_unknown(self.turns))
        self.assertTrue(runs.is_unknown(self.made([{**event, 'runs': None, 'queue': [], 'tasks': {}} for event in RECORDING])))
        self.assertFalse(runs.is_unknown(self.made([*RECORDING[:3], run(2), RECORDING[-1]])))  # it runs nobody

    def test_a_line_of_the_scheduler_that_nobody_knows_says_what_it_prints_and_does_to_the_queue(self):
        for held, words in (({}, 'The scheduler runs line 2.'), ({'queue': [2]}, 'The scheduler runs line 2. Queue: 2.'), ({'out': 'hello\n'}, 'The scheduler prints “hello”.')):
            self.turns = self.made([stop(14), run(2), run(3, **held), RECORDING[-1]])
            self.assertIn(words, [event['words'] for event in self.turns.events])

    def test_a_loop_that_is_left_early_leaves_its_queue(self):
        self.turns = self.made([stop(14), run(2, queue=[2, 1]), stop(15, queue=[2, 1]), RECORDING[-1]])
        self.assertIn('The loop has ended: main goes on in line 15. The queue still holds 2, 1.', [event['words'] for event in self.turns.events])

    def test_a_task_that_stays_in_the_queue_still_exists(self):
        self.turns = self.made([*RECORDING[:7], run(2, queue=[1], tasks=body('yielded')), run(3, queue=[1], tasks=body('yielded')), RECORDING[-1]], LOOP.replace('take();', 'if (!task) return;'))
        self.assertNotIn('No: ', ' '.join(event['words'] for event in self.turns.events))

    def test_what_has_no_words_is_only_thrown(self):
        self.turns = self.made([*RECORDING[:6], {**RECORDING[5], 'kind': 'throw', 'what': 'an exception'}, {'kind': 'crash', 'stack': [], 'what': 'SIGABRT'}])
        self.assertTrue(self.turns.events[-1]['words'].startswith('An exception is thrown here. '))

    def test_the_signals_have_no_socket(self):
        self.assertEqual(self.turns.socket({'n': [['signals', 4, 'fd 4', 'open']]}, 4), 'the descriptor of signals')

    def test_what_run_has_returned_is_told(self):
        def returned(*ends, program=PROGRAM, line='yielded = task->run();', step='step04'):
            recording = json.loads(json.dumps([*RECORDING[:6], *ends, run(3, runs=1, tasks=body('yielded')), RECORDING[-1]]).replace('Scheduler::run', 'Scheduler::run_next'))
            self.turns = self.made(recording, LOOP.replace('if (task.run()) ready_.push_back(task);', line), program, step)
            return [event['words'] for event in self.turns.events if event['words'].startswith('Back')][0]
        yields, end = (stop(line, 'Body::resume', runs=1, tasks=body('yielded')) for line in (6, 10))
        place = 'Back in line 4 of the scheduler: run() has returned'
        self.assertEqual(returned(yields), f'{place} a plain yield.')
        self.assertEqual(returned(yields, program=PROGRAM.replace('Nothing{};  // yield', 'stop();  // yield stop()')), f'{place} the request stop().')
        self.assertEqual(returned(end), f'{place} nullopt: the body has ended.')
        self.assertEqual(returned(end, line='finished = !task->run();', step='step08'), f'{place} false: the body has ended.')
        self.assertEqual(returned(yields, line='finished = !task->run();', step='step08'), f'{place} true.')

    def test_a_turn_without_an_end_is_shown_as_far_as_one_reads(self):
        again = [stop(line, 'Body::resume', runs=1, tasks=body('yielded')) for line in (8, 9)]
        for times, turns, said in ((99, 2, False), (150, 3, True)):
            self.turns = self.made([*RECORDING[:9], *times * again, {'kind': 'goes on', 'stack': []}])
            self.assertEqual((len(self.turns.turn_list), ' lines, this turn has not ended, so nobody else has one.' in self.turns.events[-1]['words']), (turns, said))
            self.assertLessEqual(len(self.turns.events), 120)
        self.turns = self.made([*RECORDING[:10], *300 * again[:1], {'kind': 'goes on', 'stack': []}])  # in one line
        self.assertRegex(self.turns.events[-1]['words'], 'After 30[0-9] lines, this turn has not ended, so nobody else has one.')
        found = [run(3, runs=1, queue=[1], tasks={}), run(2, queue=[1], tasks={})]  # nobody takes it out of the queue
        self.turns = self.made([*RECORDING[:12], *150 * found, {'kind': 'goes on', 'stack': []}])
        self.assertRegex(self.turns.events[-1]['words'], 'Since this turn ended, the loop has looked only at task 1, and nobody has run.')
        self.assertRegex(list(runs.table(self.turns))[-1][2], 'returns nullopt[.] .*Since this turn ended, [^.]*[.]$')

    def with_schedule(self, queue=(1,)):
        """A run whose schedule() has been changed, so that its lines play, and the same run without these lines."""
        loop, done = LOOP.replace('if (task.run()) ready_.push_back(task);', 'schedule(id);') + '\n  void schedule(TaskId id) {\n    find(id);\n    ready_.push_front(id);\n  }\n', {'tasks': body('yielded')}
        calls = run(4, runs=1, **done)
        inside = [{**calls, 'stack': [*calls['stack'], ['Scheduler::schedule', 'scheduler.hpp', n, 's']]} for n in (8, 9)]
        after = [run(3, queue=list(queue), **done), run(4, runs=1, queue=list(queue[1:]), **done), *RECORDING[9:]]
        return [self.made([*RECORDING[:7], *between, *after], loop) for between in ([calls, *inside], [calls])]

    def test_a_function_of_the_scheduler_that_has_been_changed_plays(self):
        turns, original = self.with_schedule()
        start = next(i for i, event in enumerate(turns.events) if event['enters'])
        self.assertEqual([event['words'] for event in turns.events[start:start + 4]], [
            'Now schedule() runs, which has been changed.', 'schedule() runs line 8: “find(id);”.', 'Task 1 goes to the front of the queue. Queue: 1.', 'Task 1 leaves the queue. It has this turn.'])
        self.assertEqual([who for _, who in turns.turn_list], ['main', 'task 1', 'task 1'])
        self.assertIsNone(runs.leaves(turns, original))  # it has more lines, but does the same
        self.assertEqual(runs.leaves(self.with_schedule((1, 1))[0], original), 10)  # the line of schedule() that does something else
        self.assertEqual([n for n, _ in turns.data()['loop']], [1, 2, 3, 4, 5, 0, 7, 8, 9, 10])

    def test_a_function_that_has_been_changed_says_what_it_asks_and_which_answer_a_task_will_get(self):
        loop = LOOP.replace('if (task.run()) ready_.push_back(task);', '(*call)(id);') + '\n  void schedule(TaskId id, Value answer) {\n    if (Task* const task = find(id)) {\n      task->answer = answer;\n      ready_.push_front(id);\n    }\n  }\n'
        calls = run(4, runs=1, tasks=body('yielded'))
        inside = [{**calls, 'answers': answers, 'stack': [*calls['stack'], ['Scheduler::schedule', 'scheduler.hpp', n, 's']]} for n, answers in ((8, {}), (9, {}), (10, {'1': '7'}))]
        turns = self.made([*RECORDING[:7], calls, *inside, {**RECORDING[7], 'answers': {'1': '7'}}, *RECORDING[8:]], loop)
        start = next(i for i, event in enumerate(turns.events) if event['enters'])
        self.assertEqual([event['words'] for event in turns.events[start + 1:start + 3]], ['Task* const task = find(id)? Yes.', 'Task 1 will get the answer 7.'])

    def test_what_is_done_with_an_empty_queue_is_undefined(self):
        turns = self.made([*RECORDING[:12], *[run(line, tasks={}) for line in (2, 3, 2)], RECORDING[-1]], LOOP.replace('take();', 'ready_.front();'))
        self.assertEqual([event['words'] for event in turns.events[-4:]], [
            'The queue is empty, so nobody stands at its front. What happens from here on is undefined.', 'The scheduler runs line 3.', 'The queue is empty, so nobody stands at its front.',
            'The loop has ended: main goes on in line 15.'])
        program = PROGRAM.replace('scheduler.new_task(Body());', 'next = ready.front();').replace('scheduler.run();', 'next.resume();')
        self.assertEqual([event['words'] for event in self.made([stop(14), stop(15), RECORDING[-1]], program=program).events], [
            'main takes a handle out of an empty queue. What happens from here on is undefined.', 'main resumes the handle, which is that of no task.'])

    def test_a_loop_without_another_line_is_where_a_run_stays(self):
        self.turns = self.made([*RECORDING[:11], {'kind': 'goes on', 'stack': [], 'what': 'in its last line'}])
        self.assertEqual(self.turns.events[-1]['words'], 'Task 1 calls say(). Here it stays: this turn does not end, so nobody else has one.')

    def test_the_last_line_says_how_a_program_crashes(self):
        crash = {'kind': 'crash', 'stack': [], 'what': 'SIGSEGV'}
        self.turns = self.made([*RECORDING[:6], crash])
        self.assertEqual(self.turns.events[-1]['words'], 'Task 1 sets state_ = yielded again. The program ends here, because it crashes (SIGSEGV).')
        self.assertRegex(list(runs.table(self.made([*RECORDING[:9], crash])))[-1][2], 'The program ends here, because it crashes .SIGSEGV..$')  # on paper, too
        self.assertEqual(len(self.made([RECORDING[0], crash]).events), 1)
        thrown = {**RECORDING[5], 'kind': 'throw', 'what': 'runtime_error: no'}
        self.turns = self.made([*RECORDING[:6], thrown, {**thrown, 'kind': 'catch', 'by': 'main', 'err': 'terminate called\n'}, {**RECORDING[5], 'err': '  what(): no\n'}, {**crash, 'what': 'SIGABRT'}])
        self.assertEqual(self.turns.events[-1]['delta']['e'], 'terminate called\n  what(): no\n')
        self.assertEqual(self.turns.events[-1]['words'], 'An exception is thrown here: runtime_error: no. The program ends here, because nobody catches the exception (SIGABRT).')

    def test_the_end_of_the_queue_to_which_a_task_goes_is_that_of_the_recording(self):
        ends = [self.turns.where({'q': old}, {'q': queue}, code) for old, queue, code in (
            ([2], [2, 1], ''), ([], [1], ''), ([2], [1, 2], ''), ([], [1], 'push_front'), ([1, 2], [1, 2, 1], ''), ([1, 2], [2, 1, 2], ''), ([1], [1, 1], ''))]
        self.assertEqual(ends, ['to the end of', 'to the end of', 'to the front of', 'to the front of', 'to the end of', 'to the front of', 'to the end of'])
        changed = self.made(RECORDING, LOOP.replace('push_back', 'push_front'))
        self.assertEqual([changed.where({'q': old}, {'q': queue}) for old, queue in (([], [1]), ([], [3, 1]), ([2], [2, 1]))], ['into', 'into', 'to the end of'])

    def in_queue(self, first, taken, then):
        """Whose turns there are if the queue is so before a turn, in it, and after it; and for each line of the first one, who has the turn, and whether the queue has him, too."""
        held = {'tasks': body('yielded'), 'waits': {'1': 'the end of task 7'}}
        a_turn = [run(2), run(3, runs=1), *RECORDING[3:7]]
        queues = [first, first, *[taken] * 4]
        turns = self.made([*RECORDING[:2], *[{**event, **held, 'queue': queue} for event, queue in zip(a_turn, queues)], *[{**event, **held, 'queue': then} for event in a_turn], RECORDING[-1]])
        self.assertNotIn('waits', turns.part(turns.turn_list, 1)[-1]['words'])  # which it did before
        for event in turns.events[2:]:
            self.assertNotEqual(event['now']['r'] > 0, event['now']['w'] != {})  # who has the turn does not wait
        return [who for _, who in turns.turn_list], [(event['now']['r'], event['now']['h']) for event in turns.part(turns.turn_list, 1)]

    def test_a_task_that_is_in_the_queue_twice_has_the_turn_though_it_waits(self):
        self.assertEqual(self.in_queue([1, 1], [1], [1, 1]), (['main', 'task 1', 'task 1'], [(1, 0), *[(1, 1)] * 6, (0, 0)]))

    def test_a_task_that_nobody_takes_out_of_the_queue_has_the_turn_when_its_body_runs(self):
        self.assertEqual(self.in_queue([1], [1], [1, 1]), (['main', 'task 1', 'task 1'], [*[(1, 0)] * 3, *[(1, 1)] * 4, (0, 0)]))

    def test_who_waits_for_a_task_that_is_gone_is_told_nothing_if_the_recording_says_so(self):
        two = {**body('yielded'), '2': body('yielded')['1']}
        program = PROGRAM.replace('return Nothing{};  // yield', 'return wait_task(2);  // yield wait_task(2)')
        turns = self.made([*RECORDING[:7], run(3, queue=[2], tasks=two, waits={'1': 'the end of task 2'}), run(4, runs=2, tasks=two, waits={'1': 'the end of task 2'}),
                           run(2, tasks=body('yielded')), RECORDING[-1]], LOOP.replace('if (task.run()) ready_.push_back(task);', 'kill_task(id);'), program)
        self.assertIn('Task 2 has ended, and is removed. Nobody tells task 1, which waits for that.', [event['words'] for event in turns.events])
        self.assertEqual(turns.events[-1]['now']['w'], {'1': 'the end of task 2'})

    def test_a_body_that_has_only_yielded_has_not_asked(self):
        loop = LOOP.replace('if (task.run()) ready_.push_back(task);', 'yielded = task.run();\n    if (std::get_if<Call>(task)) {')
        for yielded, answer in (('Nothing{};  // yield', 'No: it has only yielded'), ('stop();  // yield stop()', 'Yes')):
            self.turns = self.made([*RECORDING[:7], *(run(line, runs=1, tasks=body('yielded')) for line in (4, 5, 3)), run(2, tasks=body('yielded')), RECORDING[-1]], loop, PROGRAM.replace('Nothing{};  // yield', yielded))
            self.assertIn(f'Has the body asked for something? {answer}.', [event['words'] for event in self.turns.events])

    def test_a_line_that_throws_sets_nothing(self):
        program = PROGRAM.replace('say();', 'child_ = std::any_cast<TaskId>(sent);')
        thrown = {**RECORDING[10], 'kind': 'throw', 'what': 'bad any_cast'}
        self.turns = self.made([*RECORDING[:11], thrown, RECORDING[12], RECORDING[-1]], program=program)
        self.assertIn('Task 1 calls any_cast().', [event['words'] for event in self.turns.events])

    def test_what_a_line_does_is_read_from_the_line(self):
        self.turns = self.made([*RECORDING[:12], run(2, runs=1, tasks=body('yielded')), run(3), RECORDING[-1]], LOOP.replace('take();', 'const Request request = task->request;'))
        self.assertIn('The scheduler copies the request, which the task keeps.', [event['words'] for event in self.turns.events])
        for code, words in (('return std::make_shared<Body>(*this);', 'clone() copies the body of task 1.'), ('return std::make_shared<Body>();', 'clone() runs for task 1.')):
            inside = {**RECORDING[10], 'stack': [*RECORDING[10]['stack'][:2], ['Body::clone', 'program.cpp', 8, '1']]}
            self.turns = self.made([*RECORDING[:10], inside, {**RECORDING[11], 'out': ''}, *RECORDING[12:]], program=PROGRAM.replace('say();', code))
            self.assertIn(words, [event['words'] for event in self.turns.events])
        one = [OUTER]
        self.turns = self.stacked(in_run(4, one), in_body(3, one), in_run(6, one), in_run(8, one), in_run(9, one), in_run(3, []), in_run(20, []), in_run(21, []))
        self.assertIn('Has Outer yielded? No: it has thrown.', [event['words'] for event in self.turns.events])

    def test_an_address_names_a_line_of_a_turn_or_of_a_poll(self):
        self.assertEqual([runs.address(self.turns, n) for n in (0, self.turns.turn_list[1][0])], ['turn-0.1', 'turn-1.1'])
        polled = self.made(*self.served('anna sends on'))
        start = next(start for start, who in polled.turn_list if who == 'poll')
        self.assertRegex(runs.address(polled, start + 1), r'^poll-\d+[.]2$')

    def test_a_condition_ends_with_its_parenthesis(self):
        event = self.turns.events[0] | {'then': 0}
        for code, asked in (('if (i_ == 3) throw error("no");', 'i_ == 3?'), ('while (next(i_, f(1)) != 0);', 'next(i_, f(1)) != 0?')):
            self.assertEqual(self.turns.asked(event, f'    {code}'), asked)

    def test_a_line_that_only_leads_past_a_catch_leaves_what_happened_to_the_line_before(self):
        loop = LOOP.replace('ready_.push_back(task);', '(*call)(id);\n    } catch (...) {')
        waits = {'tasks': body('yielded'), 'waits': {'1': 'the end of task 2'}}
        self.turns = self.made(RECORDING[:7] + [run(4, runs=1, tasks=body('yielded')), run(5, runs=1, tasks=body('yielded')), run(2, **waits), RECORDING[-1]], loop)
        self.assertEqual([event['stack'][-1][2] for event in self.turns.events if event['delta'].get('w')], [4])

    def test_the_script_of_the_network_is_known_before_and_ticked_off(self):
        self.assertEqual(runs.script('2 anna connects\n3 anna sends on\n4 anna sends e\\r\\n\\n\n12 kernel raises SIGTERM\n'),
                         ['0.2 s: anna connects', '0.3 s: anna sends “on”', '0.4 s: anna sends “e⏎⏎”', '1.2 s: kernel raises SIGTERM'])
        self.turns = self.made(*self.served('anna connects', 'time passes', 'anna leaves'))
        self.assertEqual([event['delta'].get('c') for event in self.turns.events if event['kind'] == 'net'], [1, None, 2])

    def test_the_table_for_paper_tells_what_happens_in_a_turn(self):
        self.assertEqual(list(runs.table(self.turns))[1:], [
            (1, 'task 1', 'Task 1 sets state_ = yielded. Task 1 yields: it stops in line 6. '
                          'The task has yielded: it goes to the end of the queue.', '1', '', 'Body: yielded'),
            (2, 'task 1', 'Task 1 prints “hello”. Task 1 ends: its body returns nullopt. '
                          'The body has ended, so the task is not put back.', '', '', 'has finished')])
        self.assertEqual([runs.plain(f'Back in line 4 of the scheduler{words}') for words in ('.', ': run() has returned the request client(...).', ': run() has returned x(...). Task 2 is new.', '. Task 2 is new.')],
                         ['', '', 'Task 2 is new.', 'Task 2 is new.'])
        self.assertEqual(runs.values([['Outer', 'called', {}, 1], ['Body', 'yielded', {'i_': '7', 'n_': '2'}, 2]]), 'Outer: called; Body: yielded, i_ = 7, n_ = 2')
