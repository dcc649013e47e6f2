import types
import unittest.mock

import runs
from recorded import LOOP, PROGRAM, RECORDING, Recorded, body, run, stop
from turns import Turns


class Polls(Recorded):
    def test_poll_says_which_socket_is_ready_and_what_time_it_is(self):
        loop = ['', '  void poll_sockets() {', '    if (::poll(polled.data()))', '    for (socket : polled) {', '      if (socket.revents == 0)', '        ++wait;', '      schedule(id);']
        def at(line, **held):
            return {**run(line, waits={'2': [6, 'read', ''], '1': [5, 'read', '']}, net='0.40\nanna|5|open|0|0\nben|6|open|9|0\n', **held), 'stack': [
                ['main', 'program.cpp', 15, ''], ['Scheduler::poll_sockets', 'scheduler.hpp', line, 's']]}
        recording = [stop(15), at(3), at(4), at(5), at(6), at(4), at(5), at(7), at(4), RECORDING[-1]]
        words = self.spoken(recording, loop)
        self.assertEqual(words, ['poll() asks which sockets are ready.', 'On to the first socket.',
                                 'The socket of anna, for which task 1 waits: not ready, so the wait goes on.', 'On to the next socket.',
                                 'The socket of ben, for which task 2 waits: ready.', 'There is no other socket.'])

    def test_answers_deadlines_and_the_clock_are_on_stage(self):
        waits = run(2, waits={'1': [5, 'read', 'until 10.3 s']}, tasks=body('yielded'), net='0.40\nanna|5|open|0|0\n', answers={'1': '"GET"'})
        self.turns = self.made(RECORDING[:7] + [waits, run(2, net='0.50\nanna|5|open|0|0\n'), RECORDING[-1]])
        event = next(event for event in self.turns.events if event['delta'].get('w'))
        self.assertEqual((event['now']['t'], event['now']['a']), ('0.40', {'1': '"GET"'}))
        self.assertIn('waits until the socket of anna can be read, but only until 10.3 s.', event['words'])
        self.assertEqual(event['now']['k'], '0.40 s: the sockets, and who waits for them in poll(): task 1 until 10.3 s')

    def test_an_exception_that_waits_for_a_task_is_on_stage(self):
        self.turns = self.made(RECORDING[:7] + [run(3, queue=[1], tasks=body('yielded'), errors={'1': 'runtime_error: no'}), *RECORDING[8:]])
        self.assertEqual([event['delta']['p'] for event in self.turns.events if event['delta'].get('p')], [{'1': 'runtime_error: no'}])

    def test_a_poll_is_no_turn_and_has_no_number(self):
        self.turns = self.made(*self.served('anna sends on'))
        self.assertEqual([who for _, who in self.turns.turn_list], ['main', 'task 1', 'poll', 'task 1'])
        self.assertEqual([number for number, *_ in runs.table(self.turns)], [0, 1, '', 2])
        self.assertEqual([words for number, _, words, *_ in runs.table(self.turns) if number == ''], ['The network: anna sends “on”. poll() asks which sockets are ready. poll() has woken task 1. Queue: 1.'])

    def last_words(self, *made):
        data = self.made(*made).data()
        return [data['ev'][start - 1][-1] for start, *_ in [*data['turns'][1:], [len(data['ev'])]]]

    def test_the_last_line_of_a_poll_says_whom_it_has_woken(self):
        recording, loop = self.served('anna sends on')
        loop, end = loop.replace('  }', '    for (const pollfd& socket : polled)', 1), {**recording[9], 'stack': [recording[9]['stack'][0], ['Scheduler::poll_sockets', 'scheduler.hpp', 4, 's']]}
        self.assertEqual(self.last_words([*recording[:10], end, *recording[10:]], loop)[2], 'There is no other socket. poll() has woken task 1. Queue: 1.')
        still = {'waits': recording[8]['waits'], 'queue': [1]}  # whom a changed scheduler schedules, but does not forget
        self.assertEqual(self.last_words([*recording[:9], {**end, **still}, run(2, **still, tasks=body('yielded')), *recording[11:]], loop)[2], 'There is no other socket. poll() has woken task 1. Queue: 1.')
        asleep = {'waits': recording[8]['waits'], 'queue': [2]}
        self.assertEqual(self.last_words([*recording[:9], {**end, **asleep}, run(2, **asleep, tasks=body('yielded')), *recording[11:]], loop)[2], 'There is no other socket. poll() has woken nobody.')

    def test_the_last_line_of_a_turn_says_what_it_has_done_to_the_queue_or_the_waits(self):
        self.assertEqual(self.last_words(RECORDING)[1], 'Back in line 4 of the scheduler. The task has yielded: it goes to the end of the queue. Queue: 1.')
        loop, two = LOOP.replace('if (task.run()) ready_.push_back(task);', '(*call)(id);'), {'tasks': {**body('yielded'), '2': [{**body('start')['1'][0], 'id': '2'}]}}
        call, waits = run(4, runs=1, queue=[2], **two), {**two, 'queue': [2], 'mail': {'printer': [[], 1]}}
        call['stack'][1][0] = 'Scheduler::run_next'
        inside = {**call, 'stack': [*call['stack'], ['lambda', 'program.cpp', 8, '']]}
        asked = {**inside, 'stack': [*call['stack'], ['Mailbox::deliver', 'program.cpp', 6, '']], **waits}
        self.turns = self.made([*RECORDING[:7], call, inside, asked, run(2, **waits), run(3, **waits), {**stop(3, 'Body::resume'), **waits, 'runs': 2, 'queue': []}, RECORDING[-1]], loop)
        self.assertEqual(self.turns.data()['ev'][self.turns.turn_list[2][0] - 1][-1], 'The request of task 1 goes on in line 6. Task 1 waits for a message for printer.')

    def test_what_a_client_sends_is_quoted_and_a_byte_is_one_byte(self):
        self.turns = self.made(*self.served('anna sends on', 'ben sends e\r\n\n', 'anna leaves '))
        self.assertEqual([event['words'] for event in self.turns.events if event['kind'] == 'net'],
                         ['The network: anna sends “on”.', 'The network: ben sends “e⏎⏎”.', 'The network: anna leaves.'])
        self.assertEqual([end[2] for event in self.turns.events for end in event['delta'].get('n', [])], ['fd 5: 1 to read, 2 sent'])

    def test_the_table_says_who_waits(self):
        rows = list(runs.table(self.made(*self.served('anna sends on'))))
        self.assertEqual([waits for *_, waits, _ in rows], ['', 'task 1 until the socket of anna can be read', '', ''])

    def test_a_request_that_is_performed_has_its_name(self):
        recording, loop = self.served('anna sends on')
        program = PROGRAM.replace('return Nothing{};  // yield', 'return wait_for_read(s);  // yield wait_for_read(s)')
        self.turns = self.made(recording, loop, program)
        self.assertIn('The scheduler performs the request wait_for_read(s) of task 1. Task 1 waits until the socket of anna can be read.', [event['words'] for event in self.turns.events])

    def test_before_a_poll_one_predicts_which_task_it_wakes(self):
        turns = self.made(*self.served('anna sends on')).data()['turns']
        self.assertEqual(turns[2][2][:3], ['poll() is next. Which task does it wake?', ['1', 'none'], 0])

    def test_a_poll_that_finds_nothing_is_a_turn_too(self):
        recording, loop = self.served('anna sends on')
        at = next(n for n, event in enumerate(recording) if event['kind'] == 'net')
        nothing = [{**recording[at + 1], 'queue': []}, {**recording[at + 2], 'queue': [], 'waits': recording[at]['waits']}]
        turns = self.made([*recording[:at], *nothing, *recording[at + 3:]], loop)
        self.assertEqual([who for _, who in turns.turn_list], ['main', 'task 1', 'poll', 'task 1'])

    def test_poll_is_no_answer_in_a_run_without_one(self):
        two = {**body('yielded'), '2': [{'id': '2', 'name': 'Body', 'state': 'yielded', 'has': {}}]}
        waits = {'tasks': two, 'waits': {'2': 'the end of task 1'}}
        turns = self.made([{**event, **(waits if event['tasks'] else {})} if event['stack'] else event for event in RECORDING])
        turns.data()
        self.assertEqual([set(choices) for words, choices, _ in turns.possible(2) if 'Whose' in words], [{'task 1'}])

    def test_an_answer_that_tells_of_a_deadline_would_give_itself_away(self):
        now = {'q': [], 'w': {'1': [5, 'read', 'until 10.3 s']}, 'n': [['anna', 5, '', 'open']]}
        self.assertEqual(self.turns.whereabouts(now, 1), 'waits until the socket of anna can be read')

    def test_a_poll_says_whether_a_deadline_has_come(self):
        loop = ['', '  void poll_sockets() {', '    if (!ready && socket.fd != no_socket) {', '      const std::system_error error();', '      schedule_exception(id);', '    } else {', '      schedule(id);']
        for following, words in ((4, 'Yes'), (7, 'No')):
            self.assertIn(f'Has the deadline of a socket come first? {words}.', self.spoken([stop(15), run(3), run(following), RECORDING[-1]], loop))

    def test_a_poll_says_which_wait_has_a_deadline(self):
        loop = ['', '  void poll_sockets() {', '    Clock::time_point wake_up = no_deadline;', '    for (const auto& [id, wait] : waits_) {', '      wake_up = std::min(wake_up, wait.deadline);', '    }']
        waits = {'tasks': {**body('yielded'), '2': body('yielded')['1']}, 'waits': {'2': [6, 'read', 'until 10.3 s'], '1': [5, 'read', '']}}
        words = [event['words'] for event in self.made([stop(15), *(run(line, **waits) for line in (3, 4, 5, 4, 5)), RECORDING[-1]], '\n'.join(loop)).events]
        self.assertEqual([words[n] for n in (1, 3, 5)], ['May poll() sleep? Yes: no task is ready.', 'The wait of task 1 has no deadline.', 'Task 2 waits until 10.3 s: poll() must not sleep longer.'])
        words = [event['words'] for event in self.made([stop(15), *(run(line, queue=[3], **waits) for line in (3, 4, 5)), RECORDING[-1]], '\n'.join(loop)).events]
        self.assertEqual([words[n] for n in (1, 3)], ['May poll() sleep? No: a task is ready.', 'poll() does not sleep, so no deadline matters.'])

    def test_a_poll_says_whose_socket_it_lists_and_which_time_it_is(self):
        loop = ['', '  void poll_sockets() {', '    std::vector<pollfd> polled;', '    for (const auto& [id, wait] : waits_) {', '      polled.push_back(wait.socket);', '    }',
                '    const Clock::time_point now = Clock::now();', '    const bool ready = socket.revents != 0;', '    const TaskId id = wait->first;', '    schedule(id);']
        waits = {'tasks': {**body('yielded'), '2': body('yielded')['1']}, 'waits': {'2': 'the clock', '1': [5, 'read', '']}, 'net': '0.40\nanna|5|open|1|2\n'}
        turns = self.made([stop(15), *(run(line, **waits) for line in (3, 4, 5, 4, 5, 4, 7)), RECORDING[-1]], '\n'.join(loop))
        self.assertEqual([event['words'] for event in turns.events[2:8]], [
            'The next wait is that of task 1.', 'The scheduler lists the socket of anna, for which task 1 waits.', 'The next wait is that of task 2.',
            'Task 2 waits for the clock: it is listed without a socket.', 'There is no other wait.', 'What time is it? 0.40 s.'])
        poll = {**run(8, **waits), 'stack': [['main', 'program.cpp', 15, ''], ['Scheduler::poll_sockets', 'scheduler.hpp', 3, 's']]}
        loop[2] = '    if (::poll(polled.data()))'
        net = {**poll, 'kind': 'net', 'what': 'anna sends on', 'net': '0.50\nanna|5|open|3|2\n'}
        turns = self.made([stop(15), poll, net, *(run(line, **waits) for line in (8, 9, 10)), RECORDING[-1]], '\n'.join(loop))
        limited = self.made([stop(15), {**net, 'limit': '2.5 s'}, RECORDING[-1]], '\n'.join(loop))
        self.assertEqual([made.events[1]['now']['k'] for made in (turns, limited)], ['0.50 s: the sockets, and who waits for them in poll()', '0.50 s: no wait in poll() lasts longer than until 2.5 s'])
        self.assertEqual([(event['now']['t'], event['now']['n'][0][2]) for event in turns.events[1:3]], [('0.50', 'fd 5: 1 to read, 2 sent'), ('0.50', 'fd 5: 3 to read, 2 sent')])
        self.assertEqual(turns.events[1]['words'], 'poll() only looks, and does not sleep. In the script, it is 0.50 s then.')
        self.assertEqual([event['words'] for event in turns.events[3:5]], ['The socket of anna, for which task 1 waits: ready.', 'Whose wait is it? That of task 1.'])

    def test_a_task_that_was_killed_waits_no_longer(self):
        two, waits = {**body('yielded'), '2': body('yielded')['1']}, {'waits': {'2': 'the end of task 1'}}
        turns = self.made([*RECORDING[:7], run(3, queue=[1], tasks=two, **waits), run(4, runs=1, tasks=body('yielded'), **waits), run(2), RECORDING[-1]])
        self.assertIn({'2': 'the end of task 1'}, [event['now']['w'] for event in turns.events])
        self.assertFalse([event for event in turns.events if event['now'].get('task 2') == 'was killed' and event['now']['w']])

    def test_the_line_that_suspends_a_body_has_set_its_resume_index(self):
        def made(event, index):
            return {**event, 'made': {'b': body(index)['1'][0]}}
        inside = made({**stop(14), 'stack': [stop(14)['stack'][0], ['Body', 'program.cpp', 6, '1']]}, '2')
        turns = self.made([stop(14), inside, made(stop(15), '4'), RECORDING[-1]], program=PROGRAM.replace('return Nothing{};  // yield', 'co_yield 1;'), step='step08')
        self.assertEqual([(event['stack'][-1][2], event['now']['Body'][0][1]) for event in turns.events if event['object']], [(6, '4')])

    def test_no_question_offers_a_task_the_wait_for_its_own_end(self):
        run = types.SimpleNamespace(turn_list=[[0, 'task 1']], part=lambda *_: [], after=lambda *_: {'w': {'1': 'the end of task 2', '3': 'an answer'}},
                                    whereabouts=lambda now, i: f'waits for {now["w"][str(i)]}')
        self.assertEqual([Turns.waits_but_for(run, me) for me in (2, 4)], [['waits for an answer'], ['waits for the end of task 2', 'waits for an answer']])

    def test_the_last_line_decides_that_a_poll_wakes_nobody(self):
        turns = self.made(*self.served('anna sends on'))
        turns.data()
        part = turns.part(turns.turn_list, 2)
        part[-1]['now']['w'] = turns.events[turns.turn_list[2][0] - 1]['now']['w']
        for event in part:
            event['delta'].pop('q', None)
        self.assertEqual([[decides(event) for event in part] for words, _, decides in turns.possible(2) if 'wake' in words], [[False] * (len(part) - 1) + [True]])

    def test_poll_is_no_answer_before_a_turn_that_begins_with_one(self):
        turns = self.made(*self.served('anna sends on'))
        turns.data()
        for name, answers in (('Scheduler::run', {'poll', 'task 1'}), ('Scheduler::poll_sockets', {'task 1'})):
            turns.events[turns.turn_list[3][0]]['stack'][-1][0] = name
            turns.events[turns.turn_list[3][0] - 1]['now']['w'] = {'2': 'the clock'}
            self.assertEqual([set(choices) for words, choices, _ in turns.possible(3) if 'Whose' in words], [answers])

    def test_a_question_that_has_always_the_same_answer_is_not_asked(self):
        again = RECORDING[7:10] + [stop(6, 'Body::resume', runs=1, tasks=body('yielded'))]
        data = self.made(RECORDING[:7] + 4 * again + [run(3, queue=[1], tasks=body('yielded')), RECORDING[-1]]).data()
        self.assertEqual([question for _, _, question, _ in data['turns'] if question], [])

    def test_a_task_that_waits_for_an_answer_waits_during_a_poll_too(self):
        recording, loop = self.served('anna sends on')
        for event in recording[8:11]:
            event.update(tasks={**body('yielded'), '2': body('yielded')['1']})
        with unittest.mock.patch.object(Turns, 'has_asked', return_value=True):
            self.turns = self.made(recording, loop)
        self.assertEqual([event['now']['w'].get('2') for event in self.turns.events if event['stack'][-1][0].endswith('poll_sockets')], ['an answer', 'an answer'])

    def test_a_poll_may_sleep_if_no_task_is_ready(self):
        for code, queue, words in (('ready_.empty()', [], 'No task is ready, so poll() may sleep.'), ('ready_.empty()', [1], 'A task is ready, so poll() must not sleep.'),
                                   ('true', [1], 'A task is ready, and yet poll() may sleep.')):
            self.turns = self.made([stop(14), run(2, queue=queue), run(3, queue=queue), RECORDING[-1]], LOOP.replace('take();', f'poll_sockets({code});'))
            self.assertIn(f'The scheduler asks for ready sockets. {words}', [event['words'] for event in self.turns.events])
            poll = {**run(3, queue=queue, net='0.50\n'), 'stack': [['main', 'program.cpp', 15, ''], ['Scheduler::poll_sockets', 'scheduler.hpp', 3, 's']]}
            for start, said in (('0.40', 'asks which sockets are ready. In the script, it is 0.50 s then.'), ('0.30', 'sleeps until something happens: in the script, at 0.50 s.')):
                recording = [stop(14), run(2, queue=queue, net=f'{start}\n'), {**poll, 'net': f'{start}\n'}, {**poll, 'kind': 'net', 'what': 'anna sends on'}, run(4, queue=queue), RECORDING[-1]]
                self.turns = self.made(recording, LOOP.replace('take();', f'poll_sockets({code});').replace('ready_.pop_front();', '::poll(polled)'))
                self.assertIn(f'poll() {"only looks, and does not sleep. In the script, it is 0.50 s then." if "not" in words else said}', [event['words'] for event in self.turns.events])
