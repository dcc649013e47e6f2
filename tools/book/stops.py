"""Makes of a recording of tools/trace/record_lines the events that the player shows."""
import os
import re
from collections import defaultdict

# The scheduler calls these functions, which belong to no task.
REQUESTS = 'lambda', 'Mailbox::deliver'
# The compiler calls these functions of a promise or an awaiter.
AWAITS = r'::(get_return_object|return_void|(initial|final)_suspend|await_\w+)$'
PLAYED = 'run', 'run_next', 'poll_sockets', 'kill_task'  # these functions always play
CATCHES = r' *[}] catch'
SUSPENDS = r'\bco_(?:yield|await)\b'
HELD = 'queue tasks waits runs made net answers errors mail main limit'.split()


def held(stop):
    """What is there at a stop."""
    return {key: stop.get(key) for key in HELD}


class Stops:
    """The stops of a recording, as events: each is a line of the program, of the scheduler's loop
    or of a task's stack, and what is there after it."""

    def read(self, root, step, program, raw):
        """Reads the sources in which the program stops."""
        self.step, self.program = step, program
        own, headers = f'{program}.cpp', ['scheduler.hpp', 'task.hpp']
        used = {place[1] for event in raw for place in event['stack']}
        self.scheduled = 'scheduler.hpp' in used
        self.files = [own, *sorted(used - {own, *headers})]
        files = {name: root / step / name for name in [*self.files, *headers]}
        self.text = {name: file.read_text().split('\n') if file.exists() else []
                     for name, file in files.items()}
        self.entrances()

    def entrances(self):
        """Finds where a body continues: its name and its state to a file and a line. The resume
        index of one that the compiler makes is 4 in the first line that suspends it, 6 in the
        second."""
        self.cases, name = defaultdict(dict), None
        for file in self.files:
            for n, line in enumerate(self.text[file], 1):
                if m := re.match(r'(?:class|struct) (\w+)|\w.* (\w+)\(', line):
                    name = m[1] or m[2]
                for _ in re.findall(SUSPENDS, line.split('//')[0]):
                    self.cases[name][str(4 + 2 * len(self.cases[name]))] = [file, n]
                if m := re.search(r'case State::(\w+):', line):
                    self.cases[name][m[1]] = [file, n]

    def line_of(self, place):
        lines = self.text.get(place[1], [])
        return lines[place[2] - 1] if 0 < place[2] <= len(lines) else ''

    @staticmethod
    def is_helper(place):
        """Is this in a function that belongs to no body?"""
        its = 'main', 'operator', *REQUESTS
        return not place[3] and '::' not in place[0] and place[0] not in its

    def object_of(self, event, stack):
        """The body whose line this is."""
        function, _, _, address = stack[-1]
        if re.fullmatch(r'(\w+)(<.*>)?::(\1|clone)', function):
            return None  # a constructor makes a body, and isn't one
        bodies = [*sum(event['tasks'].values(), []), *filter(None, event['made'].values())]
        unknown = {'id': address, 'name': function.split('::')[0], 'state': '', 'has': {}}
        running = event['tasks'].get(str(event['runs'])) or [unknown if address else None]
        return next((body for body in bodies if body['id'] == address), running[-1])

    def stops(self, raw):
        """The events of a recording."""
        return self.whole_lines(self.merge(self.insert(self.placed(raw))))

    def placed(self, raw):
        """A coroutine that the compiler has made is resumed in the line in which it stopped."""
        left_at, done = {}, [{'kind': '', 'stack': [['', '', 0, '']]}] * 2
        for event in raw:
            if event['stack']:
                event = self.place(event, left_at, done)
            if event:
                done.append(event)
        return done[2:]

    def place(self, event, left_at, done):
        """A stop in its line, or nothing if the one before it has said the same."""
        place, (before, last) = event['stack'][-1], done[-2:]
        if event.get('resumed'):
            if place[3] not in left_at:
                return None
            event = {**event, 'stack': [*event['stack'][:-1], left_at[place[3]]]}
            if last['stack'] == event['stack'] and before['stack'][-1][3] != place[3]:
                return None
        else:
            left_at[place[3]] = place
        if event['kind'] != 'line':
            return event
        if last['kind'] == 'throw' and last['stack'] == event['stack']:
            return None  # what the exception leaves is destroyed in the line that throws it
        if (len(last['stack']) == len(event['stack']) and last['stack'][-1][:3] == place[:3]
                and last['stack'][-1][3] != place[3]):
            # In a function that has just begun, `this` has no value.
            done[-1] = {**event, 'out': last.get('out', '') + event.get('out', '')}
            return None
        return event

    def insert(self, raw):
        """Adds the moments between two stops: back in the caller's line, and a switch's jump."""
        done = []
        for now, then in zip(raw, raw[1:]):
            if now['stack']:
                self.add_moments(done, now, self.after(now, then))
        return done

    def after(self, now, then):
        """The next stop, with what is there after this one."""
        here = now['stack'][-1]
        after = {**held(now), **then, 'stack': then['stack'] or now['stack'][:1]}
        if then['kind'] == 'end':
            after |= {'main': {}, 'made': {} if self.is_helper(here) else after['made']}
        if then['kind'] == 'net' and now.get('net'):
            # poll() begins: the time has come, and what happens then is the next event.
            after['net'] = '\n'.join([then['net'].split('\n')[0], *now['net'].split('\n')[1:]])
        return after

    def add_moments(self, done, now, then):
        """Adds a stop, and what is between it and the next one."""
        here, there, line = now['stack'], then['stack'], self.line_of(now['stack'][-1])
        printed, silent = {key: then.get(key, '') for key in ('out', 'err')}, {'out': '', 'err': ''}
        frames = [[(place[0], place[3]) for place in stack] for stack in (here, there)]
        common = len(os.path.commonprefix(frames))
        moves = common == len(there) or there[common - 1][2] != here[common - 1][2]
        back = moves and 0 < common < len(here) and then['kind'] in ('line', 'end')
        back = back and now['kind'] != 'throw' and 'script ends' not in now.get('what', '')
        # The library catches it, and throws it on.
        leaves = now['kind'] == 'catch' and 'catch' not in line
        event = {'kind': 'leaves' if leaves else now['kind'], 'stack': here, 'state': now,
                 'what': now.get('what', ''), 'by': now.get('by', ''), 'after': then, **printed}
        left = now['kind'] in ('throw', 'net') or back and re.search(
            r'return(?! \[)|co_yield|co_await|^}|^ *: ', line)
        if self.changes_nothing(now, then, event['kind'], line, back, left):
            event['after'] = self.suspended(now, then, here[-1])
        done.append({**event, **silent} if left and back else event)
        found = 'switch (state_)' in line and now['kind'] == 'line' and self.object_of(now, here)
        if found and (at := self.cases[found['name']].get(found['state'])):
            stack = [*here[:-1], [here[-1][0], *at, here[-1][3]]]
            jump = {'kind': 'jump', 'stack': stack, 'what': found['state']}
            done.append({**done[-1], **silent, **jump})
        if not back:
            return
        inside = here[-2] if len(here) > 2 else ['main', '', 0, '']
        helps = self.is_helper(inside)
        to = len(here) - 1 if helps or inside[0] in ('operator', *REQUESTS) else common
        for end in sorted({to, common}, reverse=True):
            # A function that main calls leaves its variables later.
            done.append({'kind': 'back', 'stack': here[:end], 'what': '', 'by': here[-1][0],
                         'state': now, 'after': now if helps and end > common else then,
                         **(printed if left and end == to else silent)})

    def changes_nothing(self, now, then, kind, line, back, left):
        """Has this line only led to the next stop, which has changed what is there?"""
        here, top, task = now['stack'][-1], then['stack'][-1], str(now['runs'])
        if top[0] == 'Task::run' and len(then['tasks'].get(task, [])) > len(
                now['tasks'].get(task, [])):
            return False  # a call
        if left or then.get('resumed') and here[3] == top[3]:
            return True  # it is suspended, and resumed immediately
        return (re.search(r'\bco_return\b|^}', line) and here[3] != top[3]  # it is popped later
                or kind == 'leaves' and line == '}' or back and self.is_helper(here)
                or 'switch (' in line)

    def suspended(self, now, then, place):
        """What is there after a line that leaves a body: as before it, but the compiler has set
        the resume index already."""
        if not re.search(SUSPENDS, self.line_of(place)):
            return now
        bodies = [*filter(None, then['made'].values()), *sum(then['tasks'].values(), [])]
        states = {body['name']: body['state'] for body in reversed(bodies)
                  if body['id'] == place[3]}

        def newer(body):
            known = body and body['id'] == place[3] and body['name'] in states
            return {**body, 'state': states[body['name']]} if known else body
        return {**now, 'tasks': {k: [*map(newer, its)] for k, its in now['tasks'].items()},
                'made': {k: newer(body) for k, body in now['made'].items()}}

    def merge(self, events):
        """Leaves out what says nothing new."""
        done = []
        for event in events:
            last, kind = done and done[-1], event['kind']
            if kind != 'jump':
                event['stack'] = self.statement(event['stack'])
            code = self.line_of(event['stack'][-1])
            # The line table leads through a catch, although nothing is caught.
            passes = kind == 'line' and re.match(CATCHES, code)
            if kind == 'back' and self.idle(last, event, code):
                continue
            if passes or last and self.is_same(last, event):
                if not passes or last['kind'] != 'throw':
                    last['after'] = event['after']
                last['out'] += event['out']
                last['err'] += event['err']
                last['times'] += 1
            else:
                done.append({**event, 'times': 1})
        return done

    @staticmethod
    def idle(last, event, code):
        """Is this the return to a line that does nothing after it?"""
        function = event['stack'][-1][0]
        if event['out'] + event['err']:
            return False
        return (function == 'Task::run' or function == 'Scheduler::run' and 'push_' not in code
                or event['by'] in REQUESTS and held(event['after']) == held(last['after'])
                or function != 'main' and re.search(AWAITS, event['by']))

    @staticmethod
    def is_same(last, event):
        """Is this event a part of the last one?"""
        if event['stack'] != last['stack'] or event['state'].get('resumed'):
            return False
        if event['kind'] not in (last['kind'], 'line') or last['kind'] == 'net':
            return False
        return not (event['out'] and last['out'].endswith('\n'))

    @staticmethod
    def whole_lines(events):
        """What is printed piece by piece belongs to the event that ends the line."""
        begun = ''
        for event in events:
            if event['out']:
                begun, last = begun + event['out'], event
                event['out'] = begun if begun.endswith('\n') else ''
                begun = '' if event['out'] else begun
        if begun:
            last['out'] = begun  # the last line has no end
        return events

    def statement(self, stack):
        """A stack, in which the line of a function that belongs to no body is the first one of
        its statement."""
        function, file, line, owner = stack[-1]
        lines = self.text.get(file, [])
        if self.is_helper(stack[-1]):
            while 1 < line <= len(lines) and not re.search(r'([;{}]|^)( *//.*)?$', lines[line - 2]):
                line -= 1
        elif re.match(' *case State::', self.line_of(stack[-1])):
            # The line table names the case before a loop.
            line += bool(re.match(r' *do \{', self.line_of([function, file, line + 1])))
        return [*stack[:-1], [function, file, line, owner]]
