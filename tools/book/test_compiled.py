import json

from recorded import COMPILED, PROGRAM, RECORDING, Recorded, body, run, stop


class Compiled(Recorded):
    def test_a_resume_index_says_in_which_line_its_body_goes_on(self):
        recording = json.loads(json.dumps(RECORDING).replace('"start"', '"2"').replace('"yielded"', '"4"'))
        recording[9:9] = [stop(6, 'Body::resume', runs=1, tasks=body('4'))]
        program = COMPILED.replace('1;', '1;  // not co_await').replace('return std::nullopt;', 'co_await it;')
        data = self.made(recording, program=program).data()
        self.assertEqual(data['states']['Body'], ['2 → start', '4 → line 6', '6 → line 10'])  # the run doesn't reach the last one
        self.assertEqual([event[5]['task 1'][0][1] for event in data['ev'] if isinstance(event[5].get('task 1'), list)], ['2 → start', '4 → line 6', '4 → line 6'])
        done = [{**event, 'tasks': {who: [{**one, 'done': True} for one in bodies] for who, bodies in event.get('tasks', {}).items()}} for event in recording]  # its last index stays
        self.assertEqual(self.made(done, program=program).data()['states'], data['states'])
        with self.assertRaisesRegex(SystemExit, 'Body has the resume index 4, but too few lines'):
            self.made(recording, program=COMPILED.replace('co_yield 1', 'yield()')).data()

    def test_the_first_body_of_the_compiler_says_what_a_resume_index_is(self):
        made = [stop(13), stop(14, tasks=body('2'), queue=[1]), stop(15, tasks={**body('2'), '2': [{**body('2')['1'][0], 'id': '2'}]}, queue=[1, 2]), RECORDING[-1]]
        events = self.made(made, step='step08').events
        self.assertEqual([event['words'] for event in events if 'creates' in event['words']], [
            'main creates task 1 and its frame. No line of its body has run: it goes on at resume index 2.', 'main creates task 2. No line of its body has run yet.'])

    def compiled(self, *stops, **held):
        """What is said of lines of a body that the compiler has made: (line, code, index, and its caller, if it has one)."""
        outer = {'id': '9', 'name': 'Outer', 'state': '6', 'has': {}}
        recording, lines = [], PROGRAM.split('\n')
        for line, code, index, *more in stops:
            lines[line - 1] = code
            tasks = {'1': [*([outer] if more else []), {**body(index)['1'][0], 'has': held}]}
            recording.append(stop(line, 'Body::resume', runs=1, tasks=tasks, **(more[0] if more else {})))
        made = self.made([stop(14), stop(15, queue=[1], tasks=body('2')), run(3, queue=[1], tasks=body('2')), run(4, runs=1, tasks=body('2')), *recording, run(3, queue=[1], tasks=recording[-1]['tasks']), run(2), RECORDING[-1]],
                         program='\n'.join(lines), step='step08')
        return [event['words'] for event in made.events if event['who'] == 'task 1']

    def test_a_body_of_the_compiler_says_where_it_is_resumed_and_what_the_compiler_calls(self):
        self.assertEqual(self.compiled((6, 'id = co_await get_task_id();', '2')), ['The body begins. Task 1 stops in line 6: await_suspend() asks for get_task_id().'])
        self.assertEqual(self.compiled((8, 'say();', '4'), (10, '}', '4')),
                         ['Resumed at index 4. Task 1 calls say().', 'Task 1 ends: it has reached the end of its body, where final_suspend() stops it.'])
        self.assertEqual(self.compiled((8, 'co_return x;', '4', {'value': '7'})), ['Resumed at index 4. Body (task 1) returns 7: return_value() puts it into the awaiter of Outer.'])
        self.assertEqual(self.compiled((8, 'throw x;', '0')), ['The body begins. Task 1 throws an exception.'])

    def test_a_generator_of_the_compiler_keeps_what_it_yields_in_its_promise(self):
        def at(line, *inner):
            return {**stop(line), 'stack': [['main', 'program.cpp', line, ''], *inner], 'made': {'b': body('4', i='7')['1'][0]}}
        inside, program = ['Body', 'program.cpp', 6, '1'], PROGRAM.replace('return Nothing{};  // yield', 'sent = co_yield i;')
        gets = at(14, inside)
        gets['made'] = {'b': body('4', i='7', sent='"x"')['1'][0]}
        words = [event['words'] for event in self.made([at(14), at(14, inside), at(15), gets, {**gets, 'stack': [gets['stack'][0], [*inside[:2], 8, '1']]}, RECORDING[-1]], program=program, step='step08').events]
        self.assertEqual([*words[1:3], words[4]], ['Resumed at index 4. Body yields i, which is 7, in line 6: yield_value() stores it in the promise.',
                                      'resume() has returned: main goes on in line 14.', 'Resumed at index 4. Body goes on in line 6: await_resume() returns "x".'])
        throws = [event['words'] for event in self.made([at(14), at(14, inside), at(15), RECORDING[-1]], program=program.replace('scheduler.new_task(Body());', 'b.throw_into(error);'), step='step08').events]
        self.assertIn('throw_into() has returned: main goes on in line 14.', throws)

    def test_a_generator_that_is_resumed_twice_without_a_line_of_main_says_both_times_where(self):
        def at(line, index):
            return {**stop(14), 'stack': [stop(14)['stack'][0], ['Body', 'program.cpp', line, '1']], 'made': {'b': body(index)['1'][0]}}
        program = PROGRAM.replace('return Nothing{};  // yield', 'co_yield 1;').replace('say();', 'co_yield 2;')
        words = [event['words'] for event in self.made([stop(14), at(6, '2'), at(8, '4'), stop(15), RECORDING[-1]], program=program, step='step08').events]
        self.assertEqual([text.split('. ')[0] for text in words[1:3]], ['The body begins', 'Resumed at index 4'])

    def test_a_coroutine_that_is_called_runs_next(self):
        callee = {'id': '5', 'name': 'add', 'state': '2', 'has': {}}
        inside = stop(8, 'Body::resume', runs=1, tasks={'1': [*body('4')['1'], callee]})
        inside['stack'][-1] = ['add', 'program.cpp', 8, '5']
        self.turns = self.made([*RECORDING[:3], run(4, runs=1, tasks=body('4')), stop(6, 'Body::resume', runs=1, tasks=body('4')), inside, run(3, queue=[1], tasks=inside['tasks']), RECORDING[-1]],
                               program=PROGRAM.replace('return Nothing{};  // yield', 'co_await add(1, 2);'), step='step08')
        self.assertEqual([event['words'] for event in self.events('task 1')][:2],
                         ['Resumed at index 4. Task 1 calls add() in line 6: await_suspend() makes it run next.', 'The body begins. add (task 1) calls say().'])

    def test_a_callee_of_the_compiler_is_still_there_in_its_last_line(self):
        inside = stop(8, 'Body::resume', runs=1, tasks={'1': [*body('4')['1'], {'id': '5', 'name': 'add', 'state': '2', 'has': {}}]})
        inside['stack'][-1] = ['add', 'program.cpp', 8, '5']
        self.turns = self.made([*RECORDING[:3], run(4, runs=1, tasks=body('4')), stop(6, 'Body::resume', runs=1, tasks=body('4')), inside, stop(9, 'Body::resume', runs=1, tasks=body('4')), run(2, tasks=body('4')), RECORDING[-1]],
                               program=PROGRAM.replace('return Nothing{};  // yield', 'co_await add(1, 2);').replace('say();', 'co_return 3;'), step='step08')
        self.assertEqual([(event['stack'][-1][2], [frame[0] for frame in event['now']['task 1']]) for event in self.events('task 1')][-2:], [(8, ['Body', 'add']), (9, ['Body'])])

    def test_an_exception_that_a_body_of_the_compiler_does_not_catch_goes_into_its_promise(self):
        thrown, caught = (stop(line, 'Body::resume', runs=1, tasks=body('4'), kind=kind, what='runtime_error: no', by='Body') for line, kind in ((6, 'throw'), (12, 'catch')))
        program = PROGRAM.replace('return Nothing{};  // yield', 'co_await add(1, 2);').replace('};', '}')
        self.turns = self.made([*RECORDING[:3], run(4, runs=1, tasks=body('4')), thrown, caught, run(3, tasks=body('4')), RECORDING[-1]], program=program, step='step08')
        self.assertEqual([event['words'] for event in self.events('task 1')], ['await_resume() throws here: runtime_error: no.', "Body doesn't catch it: unhandled_exception() stores it in the promise."])

    def test_a_line_names_the_value_that_it_yields_or_returns(self):
        outer = {'id': '9', 'name': 'Outer', 'state': 'called', 'has': {}}
        both, back = {'1': [outer, *body('yielded')['1']]}, {'1': [{**outer, 'has': {'sent': '12'}}]}
        caller = stop(3, 'Body::resume', runs=1, tasks=back)
        caller['stack'][-1] = ['Outer::resume', 'program.cpp', 3, '9']
        self.turns = self.made([*RECORDING[:3], run(4, runs=1, tasks=both), stop(6, 'Body::resume', runs=1, tasks=both), caller, run(2), RECORDING[-1]], program=PROGRAM.replace('return Nothing{};  // yield', 'return ReturnValue{a_ + b_};'))
        self.assertEqual(self.events('task 1')[0]['words'], 'Body (task 1) returns 12: back to Outer.')
        held = body('yielded', i_='7')
        self.turns = self.made([*RECORDING[:6], stop(6, 'Body::resume', runs=1, tasks=held), run(3, queue=[1], tasks=held), *RECORDING[-2:]], program=PROGRAM.replace('return Nothing{};  // yield', 'return i_;  // yield i'))
        self.assertIn('Task 1 yields i_, which is 7: it stops in line 6.', [event['words'] for event in self.turns.events])

    def test_a_line_of_another_file_names_its_file(self):
        recording = json.loads(json.dumps(RECORDING))
        for event in recording:
            for place in event['stack']:
                if place[0] == 'Body::resume':
                    place[1] = 'body.hpp'
        self.turns = self.made(recording, body=PROGRAM)
        self.assertIn('Task 1 yields: it stops in body.hpp:6.', [event['words'] for event in self.turns.events])

    def test_a_scheduler_without_headers_has_turns_and_says_what_the_compiler_calls(self):
        program = '\n'.join([
            'struct Yield {', 'bool await_ready() { return false; }', 'void await_suspend(std::coroutine_handle<> h) { ready.push_back(h); }', 'void await_resume() {}', '};', 'struct promise_type {',
            'Task get_return_object() { return {}; }', 'Yield initial_suspend() { return {}; }', 'std::suspend_never final_suspend() noexcept { return {}; }', 'void return_void() {}', '};',
            'Task task1() {', '  co_await Yield();', '}', 'int main() {', 'task1();', 'while (!ready.empty()) {', 'const std::coroutine_handle<> next = ready.front();', 'ready.pop_front();', 'next.resume();', '}', '}'])

        def at(main, *stack, index='2', **held):
            tasks = {'tasks': {'1': [{'id': 'f', 'name': 'task1', 'state': index, 'has': {}}]}} if index else {'tasks': {}}
            return {**stop(main), 'stack': [['main', 'program.cpp', main, ''], *([name, 'program.cpp', line, address] for name, line, address in stack)], **tasks, **held}

        def called(line, name, main=20, index='4', **held):
            return at(main, *([('task1', 14, '')] if main == 16 else []), ('task1', 13, 'f'), (name, line, ''), index=index, **{'runs': None if main == 16 else 1, **held})
        loop = [at(17, queue=[1]), at(18, queue=[1]), at(19, queue=[1]), at(20)]
        again = [{**event, 'tasks': called(2, '')['tasks']} for event in loop]
        self.turns = self.made([
            at(16, index=None), at(16, ('task1', 14, ''), ('Task::promise_type::get_return_object', 7, ''), index=None), called(8, 'Task::promise_type::initial_suspend', 16, '2'),
            called(2, 'Yield::await_ready', 16, '2'), called(3, 'Yield::await_suspend', 16, '2'), *loop, called(4, 'Yield::await_resume', index='2'), at(20, ('task1', 13, 'f'), runs=1),
            called(2, 'Yield::await_ready'), called(3, 'Yield::await_suspend'), *again, called(4, 'Yield::await_resume'), called(10, 'Task::promise_type::return_void'),
            called(9, 'Task::promise_type::final_suspend'), at(17, index=None), RECORDING[-1]], '', program, 'step08')
        self.assertEqual([event['words'] for event in self.turns.events], [
            'main calls task1().', 'The call has made a frame. get_return_object() returns the Task for main.', "The compiler's code first awaits what initial_suspend() returns, a Yield.",
            'await_ready() returns false: the coroutine must be suspended.', 'await_suspend() puts the handle of the coroutine into the queue. Queue: 1.', 'The call has returned: main goes on in line 16.',
            'main asks: !ready.empty()? Yes.', 'main takes the handle at the front of the queue: that of task 1.', 'The handle of task 1 leaves the queue.', 'main resumes task 1.',
            'Task 1 is resumed at index 2: await_resume() returns nothing, and the body begins.', 'Task 1 awaits Yield(), in line 13.', 'await_ready() returns false: the coroutine must be suspended, at resume index 4.',
            'await_suspend() puts the handle of the coroutine into the queue. Queue: 1.', 'resume() has returned: main goes on in line 20.', 'main asks: !ready.empty()? Yes.',
            'main takes the handle at the front of the queue: that of task 1.', 'The handle of task 1 leaves the queue.', 'main resumes task 1.', 'Task 1 is resumed at index 4: await_resume() returns nothing, and the body goes on.',
            'Task 1 has reached the end of its body: return_void() is called.', "The compiler's code awaits what final_suspend() returns, a std::suspend_never: the frame is destroyed next.",
            'resume() has returned: main goes on in line 20.', 'main asks: !ready.empty()? No.'])
        self.assertFalse(self.turns.data()['waits'])  # not even for an answer
        self.assertEqual([event['now']['r'] for event in self.turns.events[6:11]], [0, 0, 1, 1, 1])  # main has taken its handle
        self.assertEqual(self.turns.events[-1]['now']['task 1'], 'has finished')
        self.assertEqual([(self.turns.events[start]['words'], who) for start, who in self.turns.turn_list], [('main calls task1().', 'main'), *[('main asks: !ready.empty()? Yes.', 'task 1')] * 2])

    def test_each_body_of_the_compiler_shows_where_it_goes_on(self):
        recording = json.loads(json.dumps(RECORDING).replace('"start"', '"2"').replace('"yielded"', '"4"'))
        recording[6] = stop(6, 'Body::resume', runs=1, tasks=body('2'))  # the line that yields, whose index changes when it is left
        data = self.made(recording, program=COMPILED).data()
        frames = [event[5]['task 1'][0] for event in data['ev'] if isinstance(event[5].get('task 1'), list)]
        self.assertEqual([frame[1] in data['states']['Body'] for frame in frames], [True] * len(frames))
