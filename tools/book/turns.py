"""Makes of a recording of tools/trace/record_lines what the player plays: turns of events."""
import itertools
import json
import re

from questions import Questions
from reader import painted
from says import says
from stops import PLAYED, REQUESTS, SUSPENDS, Stops

KINDS = ['line', 'back', 'jump', 'throw', 'catch', 'net', 'leaves']
ENDLESS = 100  # lines of a turn, if there are twice as many, and it has not ended
OF_STACK = 1000  # is added to a line of task.hpp, which is in the pane of the scheduler, too
LOOKS = {'closed': 'closed', 'listens': 'listens',
         'waits': 'ready', 'gone': 'ready', 'reset': 'ready'}


def wait(recorded):
    """What a task waits for: a socket, as recorded, or words."""
    if isinstance(recorded, list):
        return [*recorded[:2], recorded[2] and wait(recorded[2])]
    found = re.match('(the end of|until) (.*)', recorded)
    return [*found.groups()] if found else [recorded]


def happens(text):
    """What a client does."""
    found = re.match(r'(\w+) (connects|sends|takes|leaves|resets|raises) *(.*)', text, re.S)
    if not found:
        return [text]
    who, does, what = found.groups()
    what = re.sub(r'\r?\n', '⏎', what).removesuffix(' bytes')
    return ['hangs up' if does == 'leaves' else does, who, *filter(None, [what])]


class Turns(Stops, Questions):
    """A run: its events, each of which knows what is there then, and what it has changed."""

    def __init__(self, root, step, program, recording):
        raw = [json.loads(line) for line in recording.splitlines()]
        self.more = raw[-1]['kind'] == 'goes on'
        while (raw[-1]['kind'] == 'crash' and len(raw) > 2 and raw[-2]['stack'] == raw[-3]['stack']
               and raw[-3]['kind'] in ('throw', 'catch')):
            # std::terminate() catches what nobody catches, says so, and stops the program.
            last = raw.pop(-2)
            raw[-1] |= {name: last.get(name, '') + raw[-1].get(name, '') for name in ('out', 'err')}
        self.main_has = any(event.get('main') for event in raw)  # variables to be shown
        self.read(root, step, program, raw)
        stays = self.more and 'what' in raw[-1]  # for ever in its last line
        its = [*raw[:-1], raw[-2]] if stays else raw[:-1] if self.more else raw
        self.events = self.stops(its)
        self.follow()
        self.turns()
        self.callers = {who for event in self.events for who, its in event['delta'].items()
                        if who.startswith('task') and isinstance(its, list) and its[1:]}
        for i, event in enumerate(self.events):
            event['says'] = says(self, i)
        for t in range(len(self.turn_list)):
            *part, last = self.part(self.turn_list, t)
            # Not all readers see each line of a turn, but its last one.
            last['says'][:0] = [words for event in part for words in event['says']
                                if words[0] == 'killed']
        self.finish(raw[-1], stays)
        self.printed = ''.join(event['out'] for event in self.events)

    def finish(self, last, stays):
        """Leaves out what an endless run repeats, and says how the run ends."""
        start, who = self.turn_list[-1]
        ends, lines = None, sum(event['times'] for event in self.events[start:])
        if stays:
            ends = ['stays']
        elif self.more and lines > 2 * ENDLESS:
            part = self.events[start:]
            looked = {f'task {part[i]["delta"]["r"]}' for i in self.looks(part, who)}
            del self.events[start + ENDLESS:]
            ends = (['only looks', [[task] for task in sorted(looked)]] if looked else
                    ['no end', lines])
        elif self.more:
            self.cut(len(self.turn_list) - 1)  # the last one may not be complete
        elif last['kind'] == 'crash':
            ends = ['uncaught' if self.events[-1]['kind'] == 'throw' else 'crash', last['what']]
        if ends:
            self.events[-1]['says'].append(ends)

    def follow(self):
        """Finds out for each event who runs, what is there then, and what it has changed."""
        self.numbers, self.names, self.states_of = {}, {}, {}  # of the objects
        self.asked, self.failed, self.ended = set(), set(), set()  # tasks, tasks, bodies
        self.stopped_at, self.seen = {}, set()
        self.turn = {'runs': None}
        before, ran, places, happened = {}, 0, [0, []], 0
        for event, following in zip(self.events, [*self.events[1:], None]):
            top = event['stack'][-1]
            failed = re.findall(r'^Task (\d+) failed', event['err'], re.M)
            self.failed.update(f'task {n}' for n in failed)
            event['what'] = happens(event['what']) if event['kind'] == 'net' else event['what']
            event['who'], body = self.actor(event)
            its = body and body['id'] == top[3]  # a helper's line isn't the body's
            event['object'], event['ran'] = self.number(body) if its else 0, ran
            event['body'] = body
            if event['object']:
                self.asked.discard(event['state']['runs'])
            elif any(place[0] in ('lambda', 'operator') for place in event['stack']):
                self.asked.add(event['state']['runs'])
            event['old'], event['now'] = before, self.shown(event, before)
            event['delta'] = {k: v for k, v in event['now'].items() if before.get(k) != v}
            self.copy(event)
            places = self.move(event, places)
            if event['kind'] == 'net' and len(event['what']) > 1:
                happened = event['delta']['c'] = happened + 1
            if self.ends(event, following):
                self.ended.add(event['object'])
            waits = body and top[0].endswith('::await_resume')
            ran = event['object'] or (self.number(body) if waits else
                                      ran if body or top[0] == 'Task::run' else 0)
            before = event['now']
            if event['object']:
                self.stopped_at[event['object']] = top[1:3]
            for key, name in zip('oexb', ('out', 'err', 'what', 'by')):
                if event[name]:
                    event['delta'][key] = event[name]

    def move(self, event, before):
        """Adds the line of main and those of the loop, if they are others than before."""
        stack = event['stack']
        places = [next((place[2] for place in stack if place[0] == 'main'), 0),
                  [self.row(p) for p in stack if p[1] in ('scheduler.hpp', 'task.hpp')]]
        event['delta'] |= {key: now for key, now, was in zip('ml', places, before) if now != was}
        return places

    def copy(self, event):
        """Adds where copies of bodies stand, which have not run: that of their originals."""
        bodies, found = list(self.bodies(event['now'])), {}
        for name, state, _, number in bodies:
            if number not in self.seen and state != 'start' and state in self.cases[name]:
                stands = [self.stopped_at[f[3]] for f in bodies
                          if f[:2] == [name, state] and f[3] in self.stopped_at]
                file, line = [*stands, self.cases[name][state]][0]
                found[number] = [self.files.index(file), line]
        self.seen.update(f[3] for f in bodies)
        if found:
            event['delta']['d'] = found

    def frames(self, stack):
        bodies = [body for body in stack if body]
        return [[f['name'], f['state'], {**f['has']}, self.number(f)] for f in bodies]

    def number(self, body):
        """The number of an object. A new one may have the address of an old one: then its state
        is that of a beginning."""
        key, is_new = (body['id'], body['name']), body['state'] in ('start', '2')
        if key not in self.numbers or is_new and not self.states_of[key]:
            number = self.numbers[key] = len(self.names) + 1
            same = sum(name.split(' ')[0] == body['name'] for name in self.names.values())
            self.names[number] = f'{body["name"]} {same + 1}' if same else body['name']
        self.states_of[key] = is_new
        return self.numbers[key]

    def shown(self, event, before):
        """All that is on stage after an event, as flat keys."""
        after = event['after']
        now, waits = {'q': after['queue']}, {k: wait(w) for k, w in after['waits'].items()}
        mail = after.get('mail') or {}
        waits |= {str(receiver): ['a message', name] for name, (_, receiver) in mail.items()
                  if receiver and receiver not in now['q']}
        runs = after['runs'] or 0
        now['r'], now['h'] = self.turn_of(event, runs, now['q'].count(runs), waits.get(str(runs)))
        # The task that has the turn does not wait, though its number may be in a list.
        waits.pop(str(now['r']), None)
        if mail:
            held = {name: [[text or 'moved away'] for text in messages]
                    for name, (messages, _) in mail.items()}
            now['k'] = ['mailboxes', [['mailbox', name, texts] if texts else ['empty mailbox', name]
                                      for name, texts in held.items()]]
        for ident, stack in after['tasks'].items():
            now[f'task {ident}'] = self.frames(stack)
            asks = int(ident) in self.asked - {*now['q'], after['runs']} and ident not in waits
            was = before.get('w', {}).get(ident, [''])
            if asks and self.scheduled and (what := self.unanswered(event, was)):
                waits[ident] = what
        # An exception that the running task has not had before its turn has already been thrown.
        now['p'] = {ident: error for ident, error in (after.get('errors') or {}).items()
                    if int(ident) != now['r'] or ident in before.get('p', {})}
        if self.main_has:  # some variables end with their line
            its = {} if event['kind'] == 'back' else event['state'].get('main') or {}
            now['main'] = [['main', '-', {**its, **(after.get('main') or {})}, 0]]
        now['w'], now['a'] = waits, after.get('answers') or {}
        self.show_made(after, now)
        self.show_network(after, now)
        if not self.scheduled and not now['r']:  # main has taken its handle
            now['r'] = next((task for task in before.get('q', []) if task not in now['q']), 0)
        for who in [who for who in before if who not in now and len(who) > 1]:
            is_new = isinstance(before[who], list)
            now[who] = self.end_of(who, event, before[who]) if is_new else before[who]
            waits.pop(who[5:], None)  # though its waiter is still in a list
        return now

    def show_made(self, after, now):
        """Shows the bodies of main, which are in no task."""
        for body in after['made'].values():
            if body:
                number = self.number(body)
                done = 'has finished' + ', at final_suspend()' * body['state'].isdigit()
                now[self.names[number]] = done if number in self.ended else self.frames([body])

    def show_network(self, after, now):
        """Shows the sockets and their clock."""
        if after.get('net'):
            clock, *ends = after['net'].strip().split('\n')
            now['n'], now['t'] = [self.end(*line.split('|')) for line in ends], clock
            until = [['task until', f'task {ident}', what[2]]
                     for ident, what in now['w'].items() if isinstance(what[0], int) and what[2]]
            limit = ['limit', clock, after['limit']] if after.get('limit') else ['clock', clock]
            now['k'] = [limit, until] if until else limit

    @staticmethod
    def unanswered(event, was):
        """What a task waits for that has asked, and is neither in the queue nor in another list: as
        before, the end of a task that has not told it, or its answer. Nothing, if poll() has ended
        its wait."""
        if event['stack'][-1][0].endswith('poll_sockets') and 'answer' not in str(was[0]):
            return None
        if was[0] == 'the end of' and was[1][5:] not in event['after']['tasks']:
            return was
        loops = any(place[1] == 'scheduler.hpp' for place in event['stack'])
        return ['an answer' if loops else 'an answer that never comes']

    def turn_of(self, event, runs, queued, waits):
        """Who has the turn, and whether it is in the queue, too: once more, or because the
        scheduler has not taken it out."""
        if runs != self.turn['runs']:
            self.turn = {'runs': runs, 'wait': waits, 'least': queued, 'ran': False}
        turn = self.turn
        turn['least'] = min(turn['least'], queued)
        turn['ran'] |= event['who'] == f'task {runs}'
        if waits not in (None, turn['wait']) or queued > turn['least']:
            return 0, 0  # a request is still performed, but the task has left the machine
        return runs, int(queued > 0 and turn['ran'])

    @staticmethod
    def end(name, fd, state, unread, taken):
        """A socket: its name, its number, words, and the look of its box."""
        counts = [[words, n] for n, words in ((unread, 'unread'), (taken, 'sent')) if n != '0']
        listens = [['listens', fd]] if state == 'listens' else [['fd', fd]]
        words = [['knocks' if state == 'waits' else state]]
        words = words if state in ('waits', 'closed', 'gone', 'reset') else [*listens, *counts]
        look = LOOKS.get(state, 'open')
        return [name, int(fd), words, 'ready' if unread != '0' and look != 'closed' else look]

    def actor(self, event):
        """Who runs this line: main, sched or a body, which is a task if a scheduler runs it. And
        the body, if it is one."""
        top, runs = event['stack'][-1], event['state']['runs']
        if top[0] == 'main':
            return 'main', None
        if top[0].startswith(('Scheduler::', 'Task::run', 'operator', *REQUESTS)):
            return 'sched', None
        body = self.object_of(event['state'], event['stack'])
        if runs:
            return f'task {runs}', body
        return self.names[self.number(body)] if body else 'main', body  # a function that main calls

    def end_of(self, who, event, bodies):
        """How somebody has ended who is no longer there."""
        if not who.startswith('task'):
            return 'is gone'
        if who in self.failed or not self.scheduled:
            return 'has failed' if who in self.failed else 'has finished'
        asked = any('lambda' in place[0] for place in event['stack'])
        had_turn = event['state']['runs'], event['after']['runs']
        if event['who'] != 'sched' or asked or int(who[5:]) not in had_turn:
            return 'was killed'
        ends = not bodies or self.at_end(self.stopped_at.get(bodies[0][3], ['', 0]))
        return 'has finished' if ends else 'was destroyed'

    def at_end(self, place):
        """Does a body end in this line?"""
        return re.search('nullopt|co_return|^ *}$', self.line_of(['', *place]))

    def ends(self, event, following):
        """Is this the last line of a body that no scheduler runs?"""
        if not event['object'] or event['kind'] != 'line':
            return False
        code, body = self.line_of(event['stack'][-1]), event['body']
        if event['state']['runs']:
            return False
        back = following and following['kind'] == 'back' and not re.search(SUSPENDS, code)
        return body['state'].isdigit() and back or re.search('return .*nullopt', code)

    def turns(self):
        """Finds the turns, whose numbers are those of ./learn trace: in turn 0, main runs before
        the first one. A poll has no number. What main does later counts only if it prints. Nothing
        happens in a turn of a task that was killed in the queue: to skip it belongs to the turn of
        the task that the loop finds then."""
        by_task = any(event['who'] == 'sched' for event in self.events)
        starts = list(self.starts_of_tasks() if by_task else self.starts_of_bodies())
        self.turn_list, looks, number = [], None, itertools.count()
        for n, (start, who) in enumerate(starts):
            begins = self.begins(start, who)
            if self.is_turn(starts, n):
                self.turn_list.append([begins if looks is None else looks, who])
                looks = None
            elif who != 'main' and looks is None:
                looks = begins
        self.numbers_of_turns = ['' if who == 'poll' else next(number) for _, who in self.turn_list]

    def cut(self, n):
        """Leaves the first n turns."""
        for start, _ in self.turn_list[n:][:1]:
            del self.events[start:], self.turn_list[n:], self.numbers_of_turns[n:]
        self.printed = ''.join(event['out'] for event in self.events)

    def part(self, starts, n):
        return self.events[starts[n][0]:starts[n + 1][0] if n + 1 < len(starts) else None]

    @staticmethod
    def after_turn(part, who):
        """What is on stage after a turn, before the scheduler looks at another task."""
        return part[next(Turns.looks(part, who), 0) - 1]['now']

    @staticmethod
    def looks(part, who):
        """Where the scheduler looks at a task after a turn, but gives it none: it was killed in
        the queue."""
        begun = not who.startswith('task')
        for i, event in enumerate(part):
            if task := event['delta'].get('r'):
                if begun:
                    yield i
                begun = begun or who == f'task {task}'

    def prints(self, starts, n):
        return any(event['out'] for event in self.part(starts, n))

    def starts_of_bodies(self):
        """Without a scheduler, each resume is a turn."""
        start, who = None, None
        for i, event in enumerate(self.events):
            jumps = self.step < 'step07' and [*self.events, event][i + 1]['kind'] == 'jump'
            its = event['object'] and event['object'] == self.events[i - 1]['object']
            again = event['kind'] == 'line' and (jumps or its and event['state'].get('resumed'))
            if who != event['who'] or again and i > start:
                start, who = i, event['who']
                yield start, who

    def starts_of_tasks(self):
        """A turn begins when the scheduler takes a task out of the queue."""
        last, polls, runs = 'main', False, 0
        yield 0, last
        for i, event in enumerate(self.events):
            was, runs = runs, event['delta'].get('r', runs)
            in_poll = event['stack'][-1][0].endswith('poll_sockets')
            waits = [wait(w)[0] for w in event['after']['waits'].values()]
            ended = any(isinstance(w, int) or w in ('until', 'the clock') for w in waits)
            poll = in_poll and ended or event['kind'] == 'net'
            who = (f'task {runs}' if runs and runs != was else 'poll' if poll and not polls else
                   'main' if event['who'] == 'main' and last != 'main' else None)
            if i and who:
                last = who
                yield i, who
            polls = poll

    def is_turn(self, starts, n):
        """Does anything happen here?"""
        part, who = self.part(starts, n), starts[n][1]
        if who == 'main':
            return not n or self.prints(starts, n)
        return who == 'poll' or any(
            event['who'] == who or event['kind'] in ('throw', 'catch')
            or isinstance(event['now'].get(who), list) and event['now'][who] for event in part)

    def begins(self, i, who):
        """Where a turn begins: the loop has looked at its queue and its sockets for it. Without
        functions of a scheduler, main is the loop."""
        last, whose = (self.turn_list or [[0, '']])[-1]
        functions = ['run', 'run_next'] + ['poll_sockets'] * (whose != 'poll')
        while who.startswith(('task', 'poll')) and i - 1 > last:
            event = self.events[i - 1]
            top, name = event['stack'][-1], event['stack'][-1][0].removeprefix('Scheduler::')
            looks = event['who'] == 'main' if not self.scheduled else name in functions and (
                name != 'run_next' or 'front()' in self.line_of(top))
            if event['kind'] != 'line' or not looks:
                break
            i -= 1
        return i

    def at(self, place):
        """A line, with its file unless that is the program's, as on the cards."""
        _, file, line, _ = place
        return ['line', line] if file == self.files[0] else ['place', file, line]

    @staticmethod
    def row(place):
        """The number of a line in its pane."""
        return place[2] + OF_STACK * (place[1] == 'task.hpp')

    def loop(self, file):
        """The functions of the scheduler or of a task that have run: pairs of a line's number in
        its pane and its code, as HTML."""
        used = {place[0].split('::')[-1]: place[2] for event in self.events
                for place in event['stack'] if place[1] == file}
        blocks = [block(self.text[file], used[name])
                  for name in dict.fromkeys([*PLAYED, *used]) if name in used]
        shown = [(self.row(['', file, n]), self.text[file][n - 1][2:]) if n else (0, '')
                 for rows in dict.fromkeys(blocks) for n in [*rows, 0]]
        lines = lines_of('\n'.join(code for _, code in shown))
        return [[n, html] for (n, _), html in zip(shown, lines)]

    @staticmethod
    def bodies(side):
        """All bodies that are on stage, or that an event has changed."""
        return [frame for who, frames in side.items() if len(who) > 1 and isinstance(frames, list)
                for frame in frames]

    def places_of_states(self):
        """The states and the resume indexes of the bodies, and where each continues. In the
        events, they get the same names."""
        frames = [frame for event in self.events for frame in self.bodies(event['delta'])]
        places = {name: {state: f'line {n}' for state, (_, n) in its.items()}
                  for name, its in self.cases.items() if not ''.join(its).isdigit()}
        for name in dict.fromkeys(frame[0] for frame in frames if frame[1].isdigit()):
            lines = [f'line {n}' for _, n in self.cases[name].values()]
            its = {str(4 + 2 * n): place for n, place in enumerate([*lines, 'final_suspend()'])}
            seen = {frame[1] for frame in frames if frame[0] == name}
            first = {'0': 'made' if '2' in seen else 'start', '2': 'start'}
            its = {index: first[index] for index in first if index in seen} | its
            if seen - its.keys():
                raise SystemExit(f'error: {self.step}/{self.program}: {name} has the resume index '
                                 f'{min(seen - its.keys())}, but too few lines that suspend it')
            places[name] = its
        for frame in frames:
            if frame[1] in places.get(frame[0], ()):
                frame[1] = f'{frame[1]} → {places[frame[0]][frame[1]]}'
        return {name: [f'{state} → {place}' for state, place in found.items()]
                for name, found in places.items() if found}

    def skipped(self, t):
        """The dead tasks that the scheduler finds in its queue in this turn."""
        _, who = self.turn_list[t]
        return [task for event in self.part(self.turn_list, t)
                if (task := event['delta'].get('r')) and f'task {task}' != who]

    def data(self):
        """What the player gets. `ev` has the events: the number of the actor, of the file (the
        last one is the scheduler's loop, with the stack of a task), the line, the kind (KINDS),
        the number of the body, what has changed, and what the player says, as words of says.tsv
        and what they speak of. In what has changed, a name has its bodies, as [class, state,
        members, number], or how it has ended; q is the queue, r the task that has the turn, h
        whether it is in the queue, too, w who waits for what, n the sockets as [name, number,
        words, look], t their clock, c how much of the network's script has happened, a the answers
        that tasks will get, p the exceptions, k what is said over the waits, d where copies stand,
        m the line of main, l the lines of the loop on the stack, o and e what is printed, x what
        is thrown or happens, b who has caught it. `turns` has the first event of each turn, whose
        it is, the question before it, or 0, and the dead tasks that are skipped in it; the first
        turn that differs from the original run also says so."""
        panes = {file: min(n, len(self.files))
                 for n, file in enumerate([*self.files, 'scheduler.hpp', 'task.hpp'])}
        actors = list(dict.fromkeys(event['who'] for event in self.events))
        deltas = [event['delta'] for event in self.events]
        who = list(dict.fromkeys(key for delta in deltas for key in delta if len(key) > 1))
        loop, stack = map(self.loop, ('scheduler.hpp', 'task.hpp'))
        skipped = [self.skipped(t) for t in range(len(self.turn_list))]
        lanes = {name for _, name in self.turn_list} | {f'task {i}' for its in skipped for i in its}
        sources = [[f'{self.step}/{file}', lines_of('\n'.join(self.text[file]))]
                   for file in self.files]
        states, questions = self.places_of_states(), self.questions()
        return {'step': self.step[:6], 'who': who,
                'tasks': sorted(int(name[5:]) for name in who if name.startswith('task ')),
                'nets': list(dict.fromkeys(end[0] for its in deltas for end in its.get('n', []))),
                'waits': any(delta.get('w') for delta in deltas), 'more': self.more,
                'lanes': sorted(lanes, key=lambda name: (name != 'main', name)), 'src': sources,
                'loop': loop, **({'stack': stack} if stack else {}), 'states': states,
                'actors': actors, 'turns': [[*turn, question, dead] for turn, question, dead
                                            in zip(self.turn_list, questions, skipped)],
                'ev': [[actors.index(event['who']), panes[event['stack'][-1][1]],
                        self.row(event['stack'][-1]), KINDS.index(event['kind']),
                        event['object'], event['delta'], event['says']] for event in self.events]}


def block(lines, n):
    """The numbers of the lines of the member, for example a function, that has line n."""
    start = end = n
    while start > 1 and not re.match(r' {0,2}[\w#]', lines[start - 1]):
        start -= 1
    while end < len(lines) and not re.match(r' {0,2}(\w.*[;}]|#.*|\})$', lines[end - 1]):
        end += 1
    return range(start, end + 1)


def lines_of(code):
    """The lines of code as HTML."""
    return painted(code.rstrip('\n'), 'cpp')[len('<pre><code>'):-len('\n</code></pre>')].split('\n')
