"""Makes what the player plays of a recording of tools/trace/record_lines: the turns, and what each line has changed."""
import json
import re

from reader import painted
from sentences import PLAYED, Sentences, quoted

REQUESTS = ('lambda', 'Mailbox::deliver')  # functions that belong to no task: the scheduler calls them
AWAITS = r'::(get_return_object|return_void|(initial|final)_suspend|await_\w+)$'  # functions of a promise or an awaiter, which the compiler calls
KINDS = {'line': 0, 'back': 1, 'jump': 2, 'throw': 3, 'catch': 4, 'net': 5, 'leaves': 6}  # a body, which doesn't catch it
CATCHES = r' *[}] catch'
FUNCTION = r'^  [\w:<>*&]+ {}\('  # the first line of a member function
ENDLESS = 100  # lines of a turn, if there are twice as many, and it has not ended
OF_STACK = 1000  # The lines of task.hpp are in the pane of the scheduler, too: this is added to their numbers.


class Turns(Sentences):
    """A run, as events: each is a line of the program, of the scheduler's loop or of a task's stack, and what it has changed."""

    def __init__(self, root, step, program, recording):
        self.root, self.step, self.program = root, step, program
        raw = [json.loads(line) for line in recording.splitlines()]
        self.more = raw[-1]['kind'] == 'goes on'
        while raw[-1]['kind'] == 'crash' and len(raw) > 2 and raw[-3]['kind'] in ('throw', 'catch') and raw[-2]['stack'] == raw[-3]['stack']:
            catches = raw.pop(-2)  # std::terminate() catches what nobody catches, says so, and stops the program
            raw[-1] |= {name: catches.get(name, '') + raw[-1].get(name, '') for name in ('out', 'err')}
        self.main_has = any(event.get('main') for event in raw)  # variables to be shown
        self.scheduled = any(place[1] == 'scheduler.hpp' for event in raw for place in event['stack'])
        self.stacked = any(place[0] == 'Task::run' for event in raw for place in event['stack'])  # then one sees how a coroutine returns to its caller
        files = [f'{program}.cpp'] + sorted({p[1] for event in raw for p in event['stack']} - {f'{program}.cpp', 'scheduler.hpp', 'task.hpp'})
        self.text = {file: (root / step / file).read_text().split('\n') for file in files}
        self.files = files
        self.text |= {name: file.read_text().split('\n') if (file := root / step / name).exists() else [] for name in ('scheduler.hpp', 'task.hpp')}
        self.cases = self.entrances()
        self.numbers, self.names, self.states_of, self.finals = {}, {}, {}, set()  # of the objects
        stays = self.more and 'what' in raw[-1]  # for ever in its last line
        self.events = self.whole_lines(self.merge(self.insert(self.placed([*raw[:-1], raw[-2]] if stays else raw[:-1] if self.more else raw))))
        self.deltas()
        self.turns()
        start, ending = self.turn_list[-1][0], ''
        lines = sum(event['times'] for event in self.events[start:])
        if stays:
            ending = ' Here it stays: this turn does not end, so nobody else has one.'
        elif self.more and lines > 2 * ENDLESS:
            looked = [self.events[start + i]['delta']['r'] for i in self.looks(self.events[start:], self.turn_list[-1][1])]
            del self.events[start + ENDLESS:]
            tasks = ' and '.join(f'task {task}' for task in sorted(set(looked)))
            ending = f' Since this turn ended, the loop has looked only at {tasks}, and nobody has run.' if tasks else f' After {lines} lines, this turn has not ended, so nobody else has one.'
        elif self.more:
            self.cut(len(self.turn_list) - 1)  # the last one may not be complete
        elif raw[-1]['kind'] == 'crash':
            ending = f' The program ends here, because {"nobody catches the exception" if self.events[-1]["kind"] == "throw" else "it crashes"} ({raw[-1]["what"]}).'
        self.events[-1]['words'] += ending
        self.events[-1]['ends'] = bool(ending)
        self.printed = ''.join(event['out'] for event in self.events)

    def entrances(self):
        """Where a body continues: (class, state) to a file and a line. And the lines in which the bodies that the compiler makes suspend: its resume index
        is 4 in the first of them, 6 in the second."""
        found, name, self.suspends = {}, None, {}
        for file in self.files:
            for n, line in enumerate(self.text[file], 1):
                if m := re.match(r'(?:class|struct) (\w+)|\w.* (\w+)\(', line):
                    name = m.group(1) or m.group(2)
                self.suspends.setdefault(name, []).extend([n] * len(re.findall(r'\bco_(?:yield|await)\b', line.split('//')[0])))
                if m := re.search(r'case State::(\w+):', line):
                    found[name, m.group(1)] = [file, n]
        return found

    def object_of(self, event, stack):
        """The body whose line this is: its address."""
        if re.fullmatch(r'(\w+)(<.*>)?::(\1|clone)', stack[-1][0]):
            return None  # it makes a body, and isn't one
        frames = [f for s in event['tasks'].values() for f in s] + [m for m in event['made'].values() if m]
        top = stack[-1]
        for f in frames:
            if top[3] == f['id']:
                return f
        for f in reversed(frames):
            if f['name'] == top[0].split('::')[0]:
                return f
        running = event['tasks'].get(str(event['runs'])) or []
        if not running and top[3]:
            return {'id': top[3], 'name': top[0].split('::')[0], 'state': '', 'has': {}}  # a body that nothing here holds
        return running[-1] if running else None

    def placed(self, raw):
        """The stops. A coroutine that the compiler has made is resumed in the line in which it has stopped."""
        left_at, done = {}, [{'kind': '', 'stack': [['', '', 0, '']]}] * 2
        for event in raw:
            if place := event['stack'][-1:]:
                [place] = place
                if event.get('resumed'):
                    if place[3] not in left_at:
                        continue
                    event = {**event, 'stack': [*event['stack'][:-1], left_at[place[3]]]}
                    if done[-1]['stack'] == event['stack'] and done[-2]['stack'][-1][3] != place[3]:
                        continue
                elif re.search('co_(yield|await)', self.line_of(place)):
                    left_at[place[3]] = place
                if event['kind'] == 'line' and done[-1]['kind'] == 'throw' and done[-1]['stack'] == event['stack']:
                    continue  # what the exception leaves is destroyed in the line that throws it
                last = done[-1]['stack'][-1:]
                if event['kind'] == 'line' and last and last[0][:3] == place[:3] and last[0][3] != place[3] and len(done[-1]['stack']) == len(event['stack']):
                    done[-1] = {**event, 'out': done[-1].get('out', '') + event.get('out', '')}  # in a function that has just begun, `this` has no value
                    continue
            done.append(event)
        return done[2:]

    def insert(self, raw):
        """The moments between two stops: back in the caller's line, and the jump of a switch."""
        done = []
        for now, then in zip(raw, raw[1:]):
            after = {k: then.get(k, now.get(k)) for k in ('queue', 'tasks', 'waits', 'runs', 'made', 'net', 'answers', 'errors', 'mail', 'turns', 'main', 'limit')}
            if then['kind'] == 'end':
                left = {'made': {}} if self.is_helper((now['stack'] or [['', '', 0, '']])[-1]) else {}
                after = {k: now.get(k) for k in after} | {'main': {}, **left}
                if now['stack'] and now['stack'][-1][0].startswith('Scheduler::run'):  # its last task has ended
                    after = {**after, 'tasks': {k: v for k, v in after['tasks'].items() if k != str(now['runs'])}, 'runs': None}
            if then['kind'] == 'net' and now.get('net'):  # poll() begins: the time has come, what happens then is the next event
                after['net'] = '\n'.join(then['net'].split('\n')[:1] + now['net'].split('\n')[1:])
            out, err = then.get('out', ''), then.get('err', '')
            here = now['stack']
            if not here:
                continue
            if not then['stack']:
                then = {**then, 'stack': here[:1]}  # the program returns to main, and ends
            line = self.line_of(here[-1])
            common = 0
            while common < min(len(here), len(then['stack'])) and here[common][0] == then['stack'][common][0] and here[common][3] == then['stack'][common][3]:
                common += 1
            caught = now['kind'] == 'throw' and re.match(CATCHES, self.line_of(then['stack'][-1]))
            back = not caught and 'script ends' not in now.get('what', '') and then['kind'] in ('line', 'end') and common < len(here) and then['stack'] and (
                then['stack'][common - 1][2] != here[common - 1][2] or common == len(then['stack'])) and common > 0
            kind = 'leaves' if now['kind'] == 'catch' and 'catch' not in line else now['kind']  # the library catches it, and throws it on
            event = {'kind': kind, 'stack': here, 'what': now.get('what', ''), 'by': now.get('by', ''), 'value': now.get('value', ''), 'state': now}
            leaves = back and re.search(r'return(?! \[)|co_yield|co_await|^}|^ *: ', line) or now['kind'] in ('throw', 'net')
            suspends = then.get('resumed') and here[-1][3] == then['stack'][-1][3]  # and is resumed at once
            ends = self.step >= 'step08' and re.search(r'\bco_return\b|^}', line) and here[-1][3] != then['stack'][-1][3]  # it is popped later
            calls = then['stack'][-1][0] == 'Task::run' and len(then['tasks'].get(str(now['runs']), [])) > len(now['tasks'].get(str(now['runs']), []))
            same = not calls and (leaves or suspends or ends or kind == 'leaves' and line == '}' or back and self.is_helper(here[-1]) or ('resume' in here[-1][0] and 'switch (' in line))
            event['after'] = self.suspended({k: now.get(k) for k in after}, then, here[-1]) if same else after
            event['out'], event['err'] = ('', '') if leaves and back else (out, err)
            done.append(event)
            if 'switch (state_)' in line and now['kind'] == 'line' and (found := self.object_of(now, here)):
                at = self.cases.get((found['name'], found['state']))
                if at:
                    done.append({**event, 'kind': 'jump', 'stack': here[:-1] + [[here[-1][0], *at, here[-1][3]]], 'what': found['state'], 'out': '', 'err': ''})
            if back:
                helps, asks = len(here) > 2 and self.is_helper(here[-2]), len(here) > 2 and here[-2][0] in ('operator', *REQUESTS)
                to = len(here) - 1 if helps or asks else common
                for end in sorted({to, common}, reverse=True):
                    there = {k: now.get(k) for k in after} if helps and end > common else after  # a function that main calls leaves its variables later
                    done.append({'kind': 'back', 'stack': here[:end], 'what': '', 'by': here[-1][0], 'value': '', 'state': now, 'after': there,
                                 'out': out if leaves and end == to else '', 'err': err if leaves and end == to else ''})
        return done

    def suspended(self, now, then, place):
        """What is there after a line that leaves a body: as before it, but the compiler has set the resume index already."""
        if not re.search('co_(yield|await)', self.line_of(place)):
            return now
        bodies = [*sum(then.get('tasks', {}).values(), []), *filter(None, then.get('made', {}).values())]

        def newer(body):
            found = next((other for other in bodies if body and other['id'] == body['id'] == place[3] and other['name'] == body['name']), body)
            return body and {**body, 'state': found['state']}
        return {**now, 'tasks': {k: [newer(body) for body in stack] for k, stack in now['tasks'].items()}, 'made': {k: newer(body) for k, body in now['made'].items()}}

    def line_of(self, place):
        lines = self.text.get(place[1], [])
        return lines[place[2] - 1] if 0 < place[2] <= len(lines) else ''

    def merge(self, events):
        done = []
        for event in events:
            last = done and done[-1]
            if event['kind'] != 'jump' and (not last or event['stack'] != last['stack']):
                event['stack'] = self.statement(event['stack'])
            code = self.line_of(event['stack'][-1])
            if event['kind'] == 'line' and re.match(CATCHES, code):
                last.update({key: last[key] + event[key] for key in ('out', 'err')}, after=last['after'] if last['kind'] == 'throw' else event['after'])
                continue  # the line table leads through it, although nothing is caught
            idle = event['stack'][-1][0] == 'Task::run' or event['stack'][-1][0] == 'Scheduler::run' and 'push_' not in code or event['by'] in REQUESTS and event['after'] == last['after'] or re.search(AWAITS, event['by']) and event['stack'][-1][0] != 'main'
            if event['kind'] == 'back' and idle and not event['out'] + event['err']:
                continue
            if last and event['stack'] == last['stack'] and event['kind'] in (last['kind'], 'line') and last['kind'] != 'net' and not event['state'].get('resumed') and (
                    event['kind'] == 'throw' or not event['out'] or not last['out'] or self.step.startswith('step08')):
                last['after'] = event['after']
                last['value'] = last['value'] or event['value']
                last['out'] += event['out']
                last['err'] += event['err']
                last['times'] += 1
            else:
                done.append({**event, 'times': 1})
        return done

    @staticmethod
    def whole_lines(events):
        """What is printed piece by piece belongs to the event that ends the line."""
        begun = ''
        for event in events:
            if event['out']:
                event['begins'], begun, last = event['out'], begun + event['out'], event
                event['out'] = begun if begun.endswith('\n') else ''
                begun = '' if event['out'] else begun
        if begun:
            last['out'] = begun  # the last line has no end
        return events

    @staticmethod
    def is_helper(place):
        """Is this in a function that belongs to no body?"""
        return not place[3] and '::' not in place[0] and place[0] not in ('main', 'operator', *REQUESTS)

    def called(self, place):
        """The name of a function that helps, or of a member function that is no part of a body."""
        name = re.sub('<.*?>+', '', place[0])
        other = '::' in name and not re.match(r'Scheduler|(\w+)::\1$', name) and not re.search(AWAITS + '|::(resume|resume_with_exception|clone)$', name)
        return name.split('::')[-1] if other or self.is_helper(place) else ''

    def statement(self, stack):
        """A stack, in which the line of a function that belongs to no body is the first one of its statement."""
        function, file, line, owner = stack[-1]
        if self.is_helper(stack[-1]):
            while line > 1 and not re.search(r'([;{}]|^)( *//.*)?$', self.text.get(file, [''] * line)[line - 2]):
                line -= 1
        elif re.match(' *case State::', self.line_of(stack[-1])) and re.match(r' *do \{', self.line_of([function, file, line + 1])):
            line += 1  # the line table names the case before a loop
        return [*stack[:-1], [function, file, line, owner]]

    def frames(self, stack):
        self.finals.update((f['name'], f['state']) for f in stack if f and f.get('done'))
        return [[f['name'], f['state'], {k: v for k, v in f['has'].items()}, self.number(f)] for f in stack if f]

    def number(self, f):
        """The number of an object. A new one may have the address of an old one: then its state is that of a beginning."""
        key, is_new = (f['id'], f['name']), f['state'] in ('start', '2')
        if key not in self.numbers or is_new and not self.states_of[key]:
            self.numbers[key] = len(self.names) + 1
            same = sum(name.split(' ')[0] == f['name'] for name in self.names.values())
            self.names[self.numbers[key]] = f'{f["name"]} {same + 1}' if same else f['name']
        self.states_of[key] = is_new
        return self.numbers[key]

    def name(self, f):
        """The name of a body without a task, with a number if it is not the first of its class."""
        return self.names[self.number(f)]

    def shown(self, event):
        """All that is on stage after an event, as flat keys."""
        after, in_poll = event['after'], event['stack'][-1][0].endswith('poll_sockets')
        runs = after['runs'] or 0
        now = {'q': after['queue']}
        waits, mail = dict(after['waits']), after.get('mail') or {}
        waits.update({str(receiver): f'a message for {name}' for name, (_, receiver) in mail.items() if receiver and receiver not in now['q']})
        now['r'], now['h'] = self.turn_of(event, runs, now['q'].count(runs), waits.get(str(runs)))
        waits.pop(str(now['r']), None)  # who has the turn does not wait, though somebody may still keep his number
        if mail:
            now['k'] = 'waits for · mailboxes: ' + ', '.join(f'{name} {" and ".join(message or "(moved away)" for message in messages) or "is empty"}' for name, (messages, _) in mail.items())
        for ident, stack in after['tasks'].items():
            now[f'task {ident}'] = self.frames(stack)
            if self.scheduled and int(ident) not in after['queue'] and int(ident) != after['runs'] and ident not in waits and (not in_poll or ident in self.unanswered) and self.has_asked(int(ident)):
                loops = any(place[1] == 'scheduler.hpp' for place in event['stack'])
                gone = re.fullmatch(r'the end of task (\d+)', self.waited.get(ident, ''))  # and nobody has told it
                waits[ident] = gone[0] if gone and gone[1] not in after['tasks'] else 'an answer' if loops else 'an answer that never comes'  # a wait that poll() has just ended is none
        self.waited = {ident: wait for ident, wait in waits.items() if isinstance(wait, str)}
        self.unanswered = [ident for ident, wait in waits.items() if 'an answer' in wait]
        # An exception that the running task has not had before its turn has already been thrown.
        self.errors = {ident: error for ident, error in (after.get('errors') or {}).items() if int(ident) != now['r'] or ident in self.errors}
        if self.main_has:
            in_line = {} if event['kind'] == 'back' else event['state'].get('main') or {}  # some end with their line
            now['main'] = [['main', '-', {**in_line, **(after.get('main') or {})}, 0]]
        now['w'], now['a'], now['p'] = waits, after.get('answers') or {}, self.errors
        for f in after['made'].values():
            if f:
                now[self.name(f)] = self.frames([f]) if self.number(f) not in self.ended else 'has finished, at final_suspend()' if f['state'].isdigit() else 'has finished'
        if after.get('net'):
            clock, *ends = after['net'].strip().split('\n')
            now['n'], now['t'] = [self.end(*line.split('|')) for line in ends], clock
            until = [f'task {ident} {wait[2]}' for ident, wait in waits.items() if isinstance(wait, list) and wait[2]]
            now['k'] = f'{clock} s: ' + (f'no wait in poll() lasts longer than until {after["limit"]}' if after.get('limit') else 'the sockets, and who waits for them in poll()') + ': ' * bool(until) + ', '.join(until)
        return now

    def turn_of(self, event, runs, queued, wait):
        """Who has the turn, and whether he is in the queue, too: once more, or because the scheduler has not taken him out of it."""
        if runs != self.turn['runs']:
            self.turn = {'runs': runs, 'wait': wait, 'first': queued, 'least': queued, 'ran': False}
        self.kept = (str(runs), self.turn['wait']) if runs else self.kept  # the wait of who has run, though he waited, which is not new afterwards
        self.turn['least'] = min(self.turn['least'], queued)
        self.turn['ran'] |= event['who'] == f'task {runs}'
        if wait not in (None, self.turn['wait']) or queued > self.turn['least']:
            return 0, 0  # a request is still performed, but the task has left the machine
        return runs, int(queued > 0 and (self.turn['ran'] or queued < self.turn['first']))

    def end(self, name, fd, state, unread, taken):
        """A socket: name, number, text, and classes of its box."""
        counts = [f'{n} {what}' for n, what in ((unread, 'to read'), (taken, 'sent')) if n != '0']
        text = {'waits': 'knocks', 'closed': 'closed', 'gone': 'has hung up', 'reset': 'was reset'}.get(state) or f'fd {fd}' + ' listens' * (state == 'listens') + ': ' * bool(counts) + ', '.join(counts)
        return [name, int(fd), text, 'closed' if state == 'closed' else 'ready' if unread != '0' or state in ('waits', 'gone', 'reset') else 'listens' if state == 'listens' else 'open']

    def actor(self, event):
        """Who runs this line: main, sched or a body, which is a task if a scheduler runs it. And the body, if it is one."""
        top, runs = event['stack'][-1], event['state']['runs']
        if top[0] == 'main':
            return 'main', None
        if top[0].startswith(('Scheduler::', 'Task::run', 'operator', *REQUESTS)):
            return 'sched', None
        body = self.object_of(event['state'], event['stack'])
        return f'task {runs}' if runs else self.name(body) if body else 'main', body  # or a function that main calls

    def end_of(self, who, event, bodies):
        """How somebody has ended who is no longer there."""
        if not who.startswith('task'):
            return 'is gone'
        if not self.scheduled:
            return 'has finished'
        top, had_turn = event['stack'][-1], (event['state']['runs'], event['after']['runs'])
        if who in self.failed:
            return 'has failed'
        by_request = event['who'] != 'sched' or any('lambda' in place[0] for place in event['stack']) or re.search(r'call\)|request\(', self.line_of(top))
        return 'was killed' if by_request or int(who[5:]) not in had_turn else 'has finished' if self.has_ended(bodies) else 'was destroyed'

    def ends(self, event, following):
        """Is this the last line of a body that no scheduler runs?"""
        code, compiled = self.line_of(event['stack'][-1]), event['object'] and self.object_of(event['state'], event['stack'])['state'].isdigit()
        is_last = compiled and following and following['kind'] == 'back' and not re.search('co_yield|co_await', code)
        return event['object'] and event['kind'] == 'line' and not event['state']['runs'] and (is_last or re.search('return .*nullopt', code))

    def deltas(self):
        """Finds out for each event who runs, what it has changed, and the sentence that says so."""
        # What the sentences remember of the lines before.
        self.requests, self.failed, self.ended = {}, set(), set()  # what each task has yielded last, who has failed, and which bodies have ended
        self.stopped_at, self.ran_before, self.copies = {}, 0, set()  # where each body has stopped, the last one that ran, and which are copies that have not run
        self.turn, self.kept = {'runs': None}, ('', None)  # of turn_of()
        self.waited, self.unanswered, self.errors = {}, [], {}  # who waits for the end of a task, or for an answer, and which exceptions wait
        self.explained = self.yielded = self.threw = self.undefined = False
        self.looked_at, self.round, self.resumed, self.removed, self.awaited = 0, 0, '', '', ''  # the task at the front, the turns that the round has left, who is innermost in step 8, whom kill_task() removes, and who waits for that
        self.polled, self.listed, self.slept, self.sleeps = [], [], [], False  # the waits that poll_sockets() still goes through, and whether poll() may sleep
        self.polled_id, self.is_socket, self.on_to = 0, True, 'first'
        before, main, loops, seen, happened = {}, 0, [], set(), 0
        for i, (event, following) in enumerate(zip(self.events, [*self.events[1:], None])):
            top = event['stack'][-1]
            event['wait_ends'] = next((code for code in (self.line_of(later['stack'][-1]) for later in self.events[i + 1:i + 8]) if re.search(r'system_error|schedule[(]|[+]{2}wait', code)), '')
            self.failed.update(f'task {number}' for number in re.findall(r'^Task (\d+) failed', event['err'], re.M))
            event['next'] = self.line_of(following['stack'][-1]) if following else ''
            same = following and following['kind'] in ('line', 'back') and self.place(following, len(event['stack'])) == self.place(event)
            then = following['stack'][len(event['stack']) - 1][2] if same else 0
            event['then'] = then if then != top[2] or len(following['stack']) == len(event['stack']) else 0  # 0 also if the condition itself calls something
            makes = following and following['kind'] == 'line' and following['stack'][:-1] == event['stack'] and re.fullmatch(r'(\w+)(<.*>)?::\1', following['stack'][-1][0])
            event['constructs'] = makes[1] if makes else ''
            event['enters'] = following['stack'][-1][0].split('::')[1] if following and following['kind'] == 'line' and len(following['stack']) > len(event['stack']) and self.is_called(following['stack'][-1][0]) else ''
            event['calls'] = self.called(following['stack'][-1]) if following and following['kind'] == 'line' and following['stack'][:-1] == event['stack'] else ''
            if not following and not self.more:
                event['then'] = len(self.text[top[1]])  # the program has ended
            event['throws'] = following and following['kind'] == 'throw' and following['stack'] == event['stack']
            # A coroutine of a stack returns to Task::run(), which resumes another one, or returns to the scheduler.
            resumes = next((later for later in self.events[i + 1:] if later['stack'][-1][0] != 'Task::run'), None)
            event['next_body'] = re.split('::|<', resumes['stack'][-1][0])[0] if resumes else ''
            event['next_who'] = 'sched' if not resumes or resumes['stack'][-1][0].startswith('Scheduler::') else ''
            if event['kind'] == 'net':
                event['what'] = quoted(event['what'])
            event['who'], body = self.actor(event)
            event['value'] = event['value'] or self.value(event, resumes)
            # A helper's line isn't the body's.
            event['object'] = self.number(body) if body and (body['id'] == top[3] or body['name'] == top[0].split('::')[0]) else 0
            now = self.shown(event)
            if not self.scheduled and not now['r']:
                now['r'] = next((task for task in before.get('q', []) if task not in now['q']), 0)  # main has taken its handle
            for who in [who for who in before if who not in now and len(who) > 1]:
                now[who] = self.end_of(who, event, before[who]) if isinstance(before[who], list) else before[who]
                now['w'].pop(who[5:], None)  # though its waiter is still in a list
            event['now'], event['delta'] = now, {key: value for key, value in now.items() if before.get(key) != value}
            copies = {f[3]: self.original_of(f, now) for f in self.bodies(now) if f[3] not in seen and f[1] != 'start' and (f[0], f[1]) in self.cases}
            seen.update(f[3] for f in self.bodies(now))
            self.copies.update(copies)
            if copies and event['kind'] != 'jump':
                event['delta']['d'] = {number: [self.files.index(file), line] for number, (file, line) in copies.items()}
            places = next((p[2] for p in event['stack'] if p[0] == 'main'), 0), [self.row(p) for p in event['stack'] if p[1] in ('scheduler.hpp', 'task.hpp')]
            if places[0] != main:
                main = event['delta']['m'] = places[0]
            if places[1] != loops:
                loops = event['delta']['l'] = places[1]
            if event['kind'] == 'net' and re.match('time passes|nothing more', event['what']) is None:
                happened = event['delta']['c'] = happened + 1
            event['words'] = self.words(event, before, now)
            self.yielded = self.has_yielded(event)
            if self.ends(event, following):
                self.ended.add(event['object'])
            resumed = self.number(body) if body and top[0].endswith('::await_resume') else self.ran_before if body or top[0] == 'Task::run' else 0
            before, self.ran_before = now, event['object'] or resumed
            if event['object']:
                self.stopped_at[event['object']] = top[1:3]
                self.copies.discard(event['object'] if event['kind'] == 'jump' else None)
            event['delta'].update({key: event[name] for key, name in zip('oexb', ('out', 'err', 'what', 'by')) if event[name]})

    def original_of(self, copy, now):
        """Where the body stands of which this is a copy."""
        name, state, _, number = copy
        return next((self.stopped_at[f[3]] for f in self.bodies(now) if f[:2] == [name, state] and f[3] != number and f[3] in self.stopped_at), self.cases[name, state])

    def value(self, event, following):
        """What this line returns, if the next one knows it: to the caller, or to the task that has asked."""
        code = self.line_of(event['stack'][-1])
        if following and 'ReturnValue' in code:
            return ((self.object_of(following['state'], following['stack']) or {}).get('has') or {}).get('sent', '')
        return (following['after'].get('answers') or {}).get(str(event['state']['runs']), '') if following and re.match(r' *return \w+;', code) else ''

    @staticmethod
    def place(event, depth=0):
        """The call whose line this is, or the one that stands at this depth."""
        stack = event['stack'][:depth or None]
        return len(stack), stack[-1][:2], stack[-1][3]

    def turns(self):
        """The turns, whose numbers are those of ./learn trace: in turn 0 main runs, before the first one. A poll has no number."""
        starts = self.turns_of_tasks() if any(event['who'] == 'sched' for event in self.events) else self.turns_of_generators()
        self.turn_list, number, self.numbers_of_turns = starts, -1, []
        for _, who in starts:
            number += who != 'poll'
            self.numbers_of_turns.append('' if who == 'poll' else number)

    def cut(self, n):
        """Leaves the first n turns."""
        for start, _ in self.turn_list[n:][:1]:
            del self.events[start:], self.turn_list[n:], self.numbers_of_turns[n:]
        self.printed = ''.join(event['out'] for event in self.events)

    def part(self, starts, n):
        return self.events[starts[n][0]:starts[n + 1][0] if n + 1 < len(starts) else None]

    @staticmethod
    def after(part, who):
        """What is on stage after a turn, before the scheduler looks at somebody else."""
        return part[next(Turns.looks(part, who), 0) - 1]['now']

    @staticmethod
    def looks(part, who):
        """Where the scheduler looks at a task after a turn, but gives it none: it was killed in the queue."""
        begun = not who.startswith('task')
        for i, event in enumerate(part):
            if task := event['delta'].get('r'):
                if begun:
                    yield i
                begun = begun or who == f'task {task}'

    def prints(self, starts, n):
        return any(event['out'] for event in self.part(starts, n))

    @staticmethod
    def has_yielded(event):
        return bool(re.search(r'yields .*(it stops|in the promise)', event['words']))

    def turns_of_generators(self):
        """Each resume is a turn. What main does counts only if it prints something."""
        starts = []
        for i, event in enumerate(self.events):
            again = event['who'] != 'main' and self.step < 'step07' and 'switch (state_)' in self.line_of(event['stack'][-1]) and event['kind'] == 'line'
            again = again or event['kind'] == 'line' and self.has_yielded(self.events[i - 1]) and event['object'] == self.events[i - 1]['object'] != 0
            if not starts or starts[-1][1] != event['who'] or again and i > starts[-1][0]:
                starts.append([i, event['who']])
        kept = [start for n, start in enumerate(starts) if not n or start[1] != 'main' or self.prints(starts, n)]
        return [[self.taken_at(start), who] if who.startswith('task') else [start, who] for start, who in kept]

    def taken_at(self, i):
        """Where main, which is the scheduler, begins to look for what it resumes there."""
        while i > 1 and self.events[i - 1]['kind'] == 'line' and self.events[i - 1]['who'] == 'main':
            i -= 1
        return i

    def turns_of_tasks(self):
        """A turn begins when the scheduler takes a task out of the queue."""
        starts, polls, runs = [], False, 0
        for i, event in enumerate(self.events):
            was, runs = runs, event['delta'].get('r', runs)
            in_poll = event['stack'][-1][0].endswith('poll_sockets')
            poll = in_poll and self.polled_waits(event['after']['waits']) or event['kind'] == 'net'
            if i == 0:
                starts.append([i, 'main'])
            elif runs and runs != was:
                starts.append([i, f'task {runs}'])
            elif poll and not polls:
                starts.append([i, 'poll'])
            elif event['who'] == 'main' and starts[-1][1] != 'main':
                starts.append([i, 'main'])
            polls = poll or polls and in_poll
        # Nothing happens in a turn of a task that was killed in the queue: to skip it belongs to the turn of the task that the loop finds then.
        kept, looks = [], None
        for n, (start, who) in enumerate(starts):
            part = self.part(starts, n)
            if who == 'main':
                useful = not n or self.prints(starts, n)
            else:
                useful = who == 'poll' or any(event['who'] == who or event['kind'] in ('throw', 'catch') for event in part) or any(
                    isinstance(event['now'].get(who), list) and event['now'][who] for event in part)
            begins = self.begins(start, who, kept)
            if useful:
                kept.append([begins if looks is None or not who.startswith('task') else looks, who])
                looks = None
            elif who != 'main' and looks is None:
                looks = begins
        return kept

    def begins(self, i, who, kept):
        """Where a turn begins: the loop has looked at its queue and its sockets for it."""
        last, functions = kept[-1] if kept else [0, ''], ['Scheduler::run', 'Scheduler::run_next'] + ['Scheduler::poll_sockets'] * (not kept or kept[-1][1] != 'poll')
        while who != 'main' and i - 1 > last[0] and self.events[i - 1]['kind'] == 'line' and self.events[i - 1]['who'] == 'sched':
            top = self.events[i - 1]['stack'][-1]
            if top[0] not in functions or top[0].endswith('next') and 'front()' not in self.line_of(top):
                break
            i -= 1
        return i

    @staticmethod
    def row(place):
        """The number of a line in its pane."""
        return place[2] + OF_STACK * (place[1] == 'task.hpp')

    def loop(self, file):
        """The functions of the scheduler or of a task that have run: pairs of a line's number in its pane and its code, as HTML."""
        used = {place[2]: place[0].split('::')[-1] for event in self.events for place in event['stack'] if place[1] == file}
        loop, shown = self.text[file], []
        for name in dict.fromkeys([*PLAYED, *used.values()]) if used else ():
            at = next((n for n, line in enumerate(loop) if re.match(FUNCTION.format(name), line)), None)
            if at is None:
                continue
            end = next(n for n in range(at, len(loop)) if loop[n] == '  }' or n == at and loop[n].endswith('}'))
            if any(at < n <= end + 1 for n in used):
                shown += [[self.row(['', file, n + 1]), loop[n][2:]] for n in range(at, end + 1)] + [[0, '']]
        return [[n, html] for (n, _), html in zip(shown, lines_of('\n'.join(code for _, code in shown)))]

    @staticmethod
    def bodies(side):
        """All bodies that are on stage, or that an event has changed."""
        return [frame for who, frames in side.items() if len(who) > 1 and isinstance(frames, list) for frame in frames]

    def places_of_states(self):
        """The states and the resume indexes of the bodies, and where each goes on. In the events, they get the same names."""
        places = {}
        for (name, state), (_, n) in self.cases.items():
            places.setdefault(name, {})[state] = f'line {n}'
        ends = {self.names[event['object']].split(' ')[0] for event in self.events if 'final_suspend() stops it' in event['words']}  # and may be destroyed before the next line
        for name, index, *_ in [frame for event in self.events for frame in self.bodies(event['delta'])]:
            if index.isdigit():
                its = places.setdefault(name, {str(4 + 2 * i): f'line {n}' for i, n in enumerate(self.suspends[name])})
                if name in ends:
                    its[str(4 + 2 * len(self.suspends[name]))] = 'final_suspend()'
                if index in ('0', '2'):  # before initial_suspend(), and there
                    its[index] = 'start'
                    if '0' in its and '2' in its:
                        its['0'] = 'made'
                elif index not in its and (name, index) in self.finals:
                    its[index] = 'final_suspend()'
                elif index not in its:
                    raise SystemExit(f'error: {self.step}/{self.program}: {name} has the resume index {index}, but too few lines that suspend it')
        places = {name: dict(sorted(found.items(), key=lambda place: int(place[0]))) if min(found).isdigit() else found for name, found in places.items()}
        for event in self.events:
            for frame in self.bodies(event['delta']):
                if frame[1] in places.get(frame[0], ()):
                    frame[1] = f'{frame[1]} → {places[frame[0]][frame[1]]}'
        return {name: [f'{state} → {place}' for state, place in found.items()] for name, found in places.items()}

    def skipped(self, t):
        """The dead tasks that the scheduler finds in its queue in this turn."""
        _, who = self.turn_list[t]
        return [id for event in self.part(self.turn_list, t) if (id := event['delta'].get('r')) and f'task {id}' != who]

    @staticmethod
    def mark(id, lanes):
        """The mark of a dead task, so many lanes below that of the turn."""
        return f'<i title="task {id} is dead and has no turn" style="--down:{lanes};--who:var(--dot{(id - 1) % 6})"></i>'

    def data(self):
        """What the player gets. `ev` has the events: the number of the actor, of the file (the last one is the scheduler's loop, with the stack of a task), the line,
        the kind (KINDS), the number of the body, what has changed, and the sentence. In what has changed, a name has its bodies, as
        [class, state, members, number], or how it has ended; q is the queue, r the task that has the turn, h whether it is in the queue, too, w who waits for what, n the
        sockets as [name, number, text, look], t their clock, c how much of the script of the network has happened, a the answers that tasks will get, p the exceptions, k what is said over the waits: the mailboxes of actors, or the time, d where copies stand, m the line of main, l the lines of the loop on the stack, o and e what is printed, x what is
        thrown or happens, b who has caught it. `turns` has the first event of each turn, whose it is, the question before it, or 0, and the marks of the dead tasks that are skipped in it; the first
        turn that differs from the original run also has a sentence that says so."""
        self.states = {}
        for name, state in self.cases:
            self.states.setdefault(name, []).append(state)
        panes = {file: min(n, len(self.files)) for n, file in enumerate([*self.files, 'scheduler.hpp', 'task.hpp'])}
        actors = list(dict.fromkeys(event['who'] for event in self.events))
        who = list(dict.fromkeys(key for event in self.events for key in event['delta'] if len(key) > 1))
        loop, stack = map(self.loop, ('scheduler.hpp', 'task.hpp'))
        skipped = [self.skipped(t) for t in range(len(self.turn_list))]
        lanes = sorted({who for _, who in self.turn_list} | {f'task {id}' for ids in skipped for id in ids}, key=lambda who: (who != 'main', who))
        questions = self.questions()
        results = {start - 1: self.result(t) for t, (start, _) in enumerate([*self.turn_list[1:], [len(self.events), '']])}
        return {'step': self.step[:6], 'who': who, 'tasks': sorted(int(w[5:]) for w in who if w.startswith('task ')),
                'nets': list(dict.fromkeys(end[0] for event in self.events for end in event['delta'].get('n', []))),
                'waits': any(event['delta'].get('w') for event in self.events), 'lanes': lanes,
                'more': self.more, 'src': [[f'{self.step}/{file}', lines_of('\n'.join(self.text[file]))] for file in self.files],
                'loop': loop, **({'stack': stack} if stack else {}), 'states': self.places_of_states(), 'actors': actors,
                'turns': [[*turn, question, ''.join(self.mark(id, lanes.index(f'task {id}') - lanes.index(turn[1])) for id in ids)] for turn, question, ids in zip(self.turn_list, questions, skipped)],
                'ev': [[actors.index(event['who']), panes[event['stack'][-1][1]], self.row(event['stack'][-1]), KINDS[event['kind']],
                        event['object'], event['delta'], event['words'] + results.get(i, '')] for i, event in enumerate(self.events)]}


def lines_of(code):
    """The lines of code as HTML."""
    return painted(code.rstrip('\n'), 'cpp')[len('<pre><code>'):-len('\n</code></pre>')].split('\n')
