"""Makes what the player plays of a recording of tools/record_lines: turns, what each line has changed, sentences and questions."""
import json
import re

from reader import painted

# The other lines of the loop.
OF_LOOP = ((r'for .* : polled', 'The sockets, one after the other.'), (r'for .* : waits_', 'All waits, one after the other.'), (r'[+]{2}wait;', 'This wait goes on.'),
           (r'bool finished', 'The body counts as ended, until it says that it has yielded.'), (r'wake_up = std::min', 'poll() must not sleep longer than until this deadline.'),
           (r'wake_up =', 'How long may poll() sleep?'), (r'bool ready', 'Is this socket ready?'), (r'!ready && now', 'Neither ready nor too late? Then the wait goes on.'),
           (r'!ready && socket', 'Has the deadline come first?'), (r'> polled;', 'A new list of sockets, for poll().'), (r'waits_.begin', 'Beside the sockets, the waits.'),
           (r'Request request', 'The scheduler takes the request out of the task.'), (r'> yielded;', 'Nothing has been yielded yet.'), (r'continue;', 'On to the next one.'),
           (r'time_point now', 'What time is it?'), (r'TaskId id = wait', 'Whose wait is it?'))
KINDS = {'line': 0, 'back': 1, 'jump': 2, 'throw': 3, 'catch': 4, 'net': 5}


def capital(sentence):
    return sentence[:1].upper() + sentence[1:] if sentence.startswith('task ') else sentence


class Turns:
    """A run, as events: each is a line of the program or of the scheduler's loop, and what it has changed."""

    def __init__(self, root, step, program, recording):
        self.root, self.step, self.program = root, step, program
        raw = [json.loads(line) for line in recording.splitlines()]
        self.more = raw[-1]['kind'] == 'goes on'
        files = [f'{program}.cpp'] + sorted({p[1] for event in raw for p in event['stack']} - {f'{program}.cpp', 'scheduler.hpp'})
        loop = root / step / 'scheduler.hpp'
        self.text = {file: (root / step / file).read_text().split('\n') for file in files}
        self.files = files
        self.text['scheduler.hpp'] = loop.read_text().split('\n') if loop.exists() else []
        self.cases = self.entrances()
        self.numbers, self.names, self.states_of = {}, {}, {}  # of the objects
        self.events = self.merge(self.insert(raw))
        self.deltas()
        self.turns()
        self.printed = ''.join(event['out'] for event in self.events)

    def entrances(self):
        """Where a body continues: (class, state) to a file and a line."""
        found, name = {}, None
        for file in self.files:
            for n, line in enumerate(self.text[file], 1):
                if m := re.match(r'(?:class|struct) (\w+)', line):
                    name = m.group(1)
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

    def insert(self, raw):
        """The moments between two stops: back in the caller's line, and the jump of a switch."""
        done = []
        for now, then in zip(raw, raw[1:]):
            after = {k: then.get(k, now.get(k)) for k in ('queue', 'tasks', 'waits', 'runs', 'made', 'net')}
            if then['kind'] in ('end', 'goes on'):
                after = {k: now.get(k) for k in after}
                if then['kind'] == 'end' and now['stack'] and now['stack'][-1][0].startswith('Scheduler::run'):  # its last task has ended
                    after = {**after, 'tasks': {k: v for k, v in after['tasks'].items() if k != str(now['runs'])}, 'runs': None}
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
            back = 'script ends' not in now.get('what', '') and then['kind'] in ('line', 'end', 'goes on') and common < len(here) and then['stack'] and (
                then['stack'][common - 1][2] != here[common - 1][2] or common == len(then['stack'])) and common > 0
            event = {'kind': now['kind'], 'stack': here, 'what': now.get('what', ''), 'by': now.get('by', ''), 'state': now}
            leaves = back and re.search('return|co_yield|co_await', line) or now['kind'] in ('throw', 'net')
            same = leaves or ('resume' in here[-1][0] and 'switch (' in line)
            event['after'] = {k: now.get(k) for k in after} if same else after
            event['out'], event['err'] = ('', '') if leaves and back else (out, err)
            done.append(event)
            if 'switch (state_)' in line and now['kind'] == 'line' and (found := self.object_of(now, here)):
                at = self.cases.get((found['name'], found['state']))
                if at:
                    done.append({**event, 'kind': 'jump', 'stack': here[:-1] + [[here[-1][0], *at, here[-1][3]]], 'what': found['state'], 'out': '', 'err': ''})
            if back:
                done.append({'kind': 'back', 'stack': here[:common], 'what': '', 'by': here[-1][0], 'state': now, 'after': after,
                             'out': out if leaves else '', 'err': err if leaves else ''})
        return done

    def line_of(self, place):
        lines = self.text.get(place[1], [])
        return lines[place[2] - 1] if 0 < place[2] <= len(lines) else ''

    def merge(self, events):
        done = []
        for event in events:
            last, code = done and done[-1], self.line_of(event['stack'][-1])
            if event['kind'] == 'line' and re.match(r' *[}] catch', code):
                continue  # the line table leads through it, although nothing is caught
            if event['kind'] == 'back' and event['stack'][-1][0] == 'Scheduler::run' and 'push_back' not in code and not event['out'] + event['err']:
                continue
            if last and event['stack'] == last['stack'] and event['kind'] in (last['kind'], 'line') and last['kind'] != 'net' and (
                    event['kind'] == 'throw' or not event['out'] or not last['out'] or self.step.startswith('step08')):
                last['after'] = event['after']
                last['out'] += event['out']
                last['err'] += event['err']
            else:
                done.append(event)
        return done

    def frames(self, stack):
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

    def shown(self, after, in_poll=False):
        """All that is on stage, as flat keys."""
        now = {'q': after['queue'], 'r': after['runs'] or 0}
        waits = dict(after['waits'])
        for ident, stack in after['tasks'].items():
            now[f'task {ident}'] = self.frames(stack)
            if int(ident) not in after['queue'] and int(ident) != after['runs'] and ident not in waits and not in_poll:
                waits[ident] = 'an answer'
        now['w'] = waits
        for f in after['made'].values():
            if f:
                now[self.name(f)] = self.frames([f])
        if after.get('net'):
            now['n'] = [self.end(*line.split('|')) for line in after['net'].strip().split('\n')]
        return now

    def end(self, name, fd, state, unread, taken):
        """A socket: name, number, text, and classes of its box."""
        text = {'waits': 'knocks', 'closed': 'closed', 'gone': 'has hung up'}.get(state) or (
            f'fd {fd}' + (' listens' if state == 'listens' else '') + (f', {unread} bytes in' if unread != '0' else '') + (f', {taken} out' if taken != '0' else ''))
        return [name, int(fd), text, 'closed' if state == 'closed' else 'ready' if unread != '0' or state in ('waits', 'gone') else 'listens' if state == 'listens' else 'open']

    def actor(self, event):
        """Who runs this line: main, sched or a body, which is a task if a scheduler runs it. And the body, if it is one."""
        top, runs = event['stack'][-1], event['state']['runs']
        if top[0] == 'main':
            return 'main', None
        if top[0].startswith(('Scheduler::', 'operator')) or 'lambda' in top[0]:
            return 'sched', None
        body = self.object_of(event['state'], event['stack'])
        return f'task {runs}' if runs else self.name(body) if body else 'main', body  # or a function that main calls

    def end_of(self, who, event):
        """How somebody has ended who is no longer there."""
        if not who.startswith('task'):
            return 'is gone'
        top, had_turn = event['stack'][-1], (event['state']['runs'], event['after']['runs'])
        by_request = event['who'] != 'sched' or 'lambda' in top[0] or re.search(r'call\)|request\(', self.line_of(top))
        return 'was killed' if by_request or int(who[5:]) not in had_turn else 'has finished'

    def deltas(self):
        """Finds out for each event who runs, what it has changed, and the sentence that says so."""
        before, self.stopped_at, self.ran_before, main, loops = {}, {}, 0, 0, []
        for event, following in zip(self.events, [*self.events[1:], None]):
            event['next'] = self.line_of(following['stack'][-1]) if following else ''
            event['next_who'] = 'sched' if not following or following['stack'][-1][0].startswith('Scheduler::') else ''
            top = event['stack'][-1]
            event['who'], body = self.actor(event)
            event['object'] = self.number(body) if body else 0
            now = self.shown(event['after'], top[0].endswith('poll_sockets'))
            for who in [who for who in before if who not in now and len(who) > 1]:
                now[who] = self.end_of(who, event) if isinstance(before[who], list) else before[who]
            event['now'], event['delta'] = now, {key: value for key, value in now.items() if before.get(key) != value}
            places = next((p[2] for p in event['stack'] if p[0] == 'main'), 0), [p[2] for p in event['stack'] if p[1] == 'scheduler.hpp']
            if places[0] != main:
                main = event['delta']['m'] = places[0]
            if places[1] != loops:
                loops = event['delta']['l'] = places[1]
            event['words'] = self.words(event, before, now)
            before, self.ran_before = now, event['object']
            if event['object']:
                self.stopped_at[event['object']] = top[1:3]
            event['delta'].update({key: event[name] for key, name in zip('oexb', ('out', 'err', 'what', 'by')) if event[name]})

    def words(self, event, old, now):
        """What happens in this line, in a sentence."""
        kind, top, what = event['kind'], event['stack'][-1], event['what'].strip()
        code = self.line_of(top)
        if kind == 'throw':
            if 'run()' in code:
                return f'run() throws the exception that waits for task {now["r"]}: {what.rstrip("!.")}.'
            return f'An exception is thrown here: {what.rstrip("!.")}.'
        if kind == 'catch':
            if 'catch' in code:
                return 'The exception arrives here and is caught' + (f', in {event["by"]}().' if event['by'] else '.')
            return f'The exception leaves the body of {event["who"]}.' if event['object'] else f'{event["by"] or "The caller"}() catches it, and hands it on.'
        if kind == 'net':
            return f'The network: {what}.'
        return capital(self.of_loop(event, old, now, code) if event['who'] == 'sched' else self.of_body(event, old, now, code))

    def of_loop(self, event, old, now, code):
        """What a line of the scheduler does."""
        kind, top, delta = event['kind'], event['stack'][-1], event['delta']
        line, task = top[2], now['r'] or old.get('r') or ''
        came = [w for w in now['q'] if w not in old.get('q', [])]
        queue = f' Queue: {", ".join(map(str, now["q"]))}.' if 'q' in delta and now['q'] else ''
        performs = 'The scheduler performs the request of the task.'
        waits = [(i, w) for i, w in now['w'].items() if old.get('w', {}).get(i) != w]
        if waits:
            return f'{performs} ' + ' '.join(f'Task {i} waits {self.wait(now, w)}.' for i, w in waits)
        if event['err']:
            return f'The scheduler reports: {event["err"].strip()}'
        if top[1] != 'scheduler.hpp':
            return performs + queue
        if kind == 'back':
            return f'Back in line {line} of the scheduler.' + (' The task has yielded: it goes to the end of the queue.' if 'push_back' in code and 'q' in delta else '')
        dead = isinstance(now.get(f'task {task}'), str)
        no_turn = f'Task {task} leaves the queue. It was killed meanwhile, so it gets no turn.'
        woken = [i for i in old.get('w', {}) if i not in now['w']]
        for pattern, text in (
                (r'pop_front', no_turn if dead else f'Task {task} leaves the queue. It has this turn.'),
                (r'front\(\)', f'The scheduler looks at the front of its queue: task {(old.get("q") or [task])[0]}.'),
                (r'find\(', f'Does task {task} still exist?'),
                (r'[>.]run\(\)', f'Task {task} was killed while it was in the queue: run() returns at once.' if dead else f'The scheduler gives task {task} its turn.'),
                (r'if \(!task\)', f'Yes: task {task} still exists.' if now['r'] and not dead else 'No: it was killed while it was in the queue. So there is no turn.'),
                (r'if \(!yielded|if \(finished', f'Has the body ended? {"Yes" if "kill_task" in event["next"] else "No"}.'),
                (r'get_if|task->request\)', f'Has the body asked for something? {"No: it has only yielded" if "push_back" in event["next"] else "Yes"}.'),
                (r'poll_sockets\(', 'Before each round of turns, the scheduler asks for ready sockets.'),
                (r'if \(waits_.empty', f'Does a task wait for a socket? {"Yes" if any(isinstance(w, list) for w in now["w"].values()) else "No"}.'),
                (r'revents == 0', 'Is this socket ready? If not, its task goes on waiting.'),
                (r'waits_.erase', ' '.join(f'Task {i} waits no longer.' for i in woken) or 'The wait is over.'),
                (r'polled.push_back', 'The scheduler lists a socket for which a task waits.'),
                (r'for .*turns', 'Now each task in the queue has a turn.'),
                (r'schedule_exception\(', f'The exception is kept for task {came[-1] if came else task}, which goes to the end of the queue.{queue}'),
                (r'push_back\(|schedule\(', (f'Task {came[-1]} goes to the end of the queue.' if came else 'To the end of the queue.') + queue),
                (r'kill_task', f'The task has ended, and is removed.{queue}'),
                (r'\(\*call\)|request\(task|perform', performs + queue),
                (r'::poll\(', 'poll() asks which sockets are ready.'), *OF_LOOP):
            if re.search(pattern, code):
                return text
        if re.search('while .*empty', code):
            return f'The queue is not empty: {", ".join(map(str, now["q"]))}.' if now['q'] else 'The queue is empty, but tasks wait.' if now['w'] else 'The queue is empty: the loop ends.'
        return f'The scheduler runs line {line}.'

    def wait(self, now, what):
        if not isinstance(what, list):
            return f'for {what}'
        return f'until {self.socket(now, what[0])} can be {"read" if what[1] == "read" else "written"}'

    def of_body(self, event, old, now, code):
        """What a line of a body or of main does."""
        who, kind, top, delta = event['who'], event['kind'], event['stack'][-1], event['delta']
        line, frames = top[2], [side[who] if isinstance(side.get(who), list) else [] for side in (old, now)]
        if kind == 'jump':
            inner = frames[1][-1][0] if len(frames[1]) > 1 else who
            return f'{inner} begins: the switch goes to case start.' if event['what'] == 'start' else f'The switch jumps to case {event["what"]}: {who} goes on where it stopped.'
        said = [text for text in event['out'].split('\n') if text.strip()]
        if said:
            printed = '”, “'.join(said)
            return f'{who} prints “{printed}”' + ('' if printed[-1] in '.!?' else '.')
        if re.fullmatch(r'(\w+)(<.*>)?::\1', top[0]):
            return f'The constructor of {re.split("[<:]", top[0])[0]} runs.'
        if 'co_' in code and who != 'main' and self.stopped_at.get(event['object']) == top[1:3] and self.ran_before != event['object']:
            return f'{who} goes on where it stopped, in line {line}.'
        inner = f'{frames[0][-1][0]} ({who})' if len(frames[0]) > 1 else who
        back = f': back to {frames[0][-2][0]}' if len(frames[0]) > 1 else ''
        yields = re.search(r'// (?:try \{ )?(?:[\w.]+ = )?yield (.+)|co_(?:await|yield) (.+?);', code)
        what = yields and re.sub(r' [}]$|: .*', '', yields[1] or yields[2])
        if not yields and (asked := re.match(r' *return (\w+[(].*[)]);$', code)):
            what = asked[1]
        stops = event['next_who'] == 'sched' or not who.startswith('task')
        if 'return Call{' in code and kind == 'line':
            return f'{who} creates the coroutine that it calls next.'
        if 'return Call{' in code or yields and frames[0] and len(frames[1]) > len(frames[0]):
            return f'{who} calls {what or "a coroutine"} in line {line}, and waits there until it returns.'
        if 'co_return;' in code:
            return f'{inner} returns{back}.'
        if 'ReturnValue' in code or 'co_return' in code:
            return f'{inner} returns a value{back}.'
        if yields or re.search(r'^ *return (Nothing|wait_|new_task|kill_|get_)', code):
            if not stops:
                return f'{who} asks for {what or "something"}, in line {line}.'
            return f'{who} yields{" " + what if what and what != "nothing" else ""}: it stops in line {line}.'
        function = re.sub('<.*', '', top[0])
        if who.startswith('task') and '::' not in function and function not in [frame[0] for side in frames for frame in side]:
            return f'{function}() works for {who}, in line {line}.'
        sets = [f'{k} = {v}' for a, b in zip(*frames) if a[3] == b[3] for k, v in [*([('state_', b[1])] if a[1] != b[1] else []), *((k, v) for k, v in b[2].items() if a[2].get(k) != v)]]
        if sets:
            return f'{who} sets {", ".join(sets)}.'
        if re.search('return .*nullopt', code):
            return f'{inner} ends: its body returns nullopt{back}.'
        made = [k for k in delta if len(k) > 1 and isinstance(delta[k], list) and k not in old]
        if made and who == 'main':
            return f'main creates {" and ".join(made)}. No line of its body has run yet.'
        if again := re.match(r' *state_ = State::(\w+);', code):
            return f'{who} sets state_ = {again[1]} again.'
        if kind == 'line':
            for pattern, text in ((r'switch \(state_\)', f'{who} is resumed, at the top of resume().'), (r'scheduler\.run\(\)', 'main starts the loop of the scheduler.'),
                                  (r'^ *Scheduler scheduler', 'main makes a scheduler.'), (r'for \(.* : |\.next\(\)', f'{who} asks for the next value.')):
                if re.search(pattern, code):
                    return text
            if re.match(r' *for \(.*;', code):
                return f'{who} asks whether its loop goes on.'
            if asked := re.match(r' *(?:\} )?(?:while|if) \((.*)\)(?: \{| break;|;|$)', code):
                return f'{who} asks: {asked[1]}?'
        if 'scheduler.run()' in code:
            return f'The loop has ended: main goes on in line {line}.'
        return f'{who} {"goes on in" if kind == "back" else "runs"} line {line}.'

    def socket(self, now, fd):
        return next((f'the socket of {s[0]}' if s[3] != 'listens' else 'the listener' for s in reversed(now.get('n', [])) if s[1] == fd and s[3] != 'closed'), f'socket {fd}')

    def question(self, t):
        """A question before this turn: the words, the choices, the number of the right one. 0 if there is nothing to ask."""
        start, who = self.turn_list[t]
        part, now = self.part(self.turn_list, t), self.events[start - 1]['now']
        after, kinds = part[-1]['now'], []
        if who.startswith('task'):
            rest, me = [i for i in now['q'] if i != int(who[5:])], int(who[5:])
            queues = [after['q'], rest, [*rest, me], [me, *rest], after['q'][::-1]]
            kinds.append((f'{capital(who)} is next. What is in the queue after its turn?', [', '.join(map(str, queue)) or 'nothing' for queue in queues]))
        lines = [self.first_line(n) for n in (t, t + 1, t - 1, t + 2) if 0 <= n < len(self.turn_list)]
        if who != 'poll' and lines[0]:
            kinds.append((f'{capital(who)} is next. What does it print first?', [*filter(None, lines), 'nothing']))
        frames = now.get(who)
        if isinstance(frames, list) and frames and frames[-1][0] in self.states:
            name, _, _, number = frames[-1]
            kept = [f[1] for f in after[who] if f[3] == number] if isinstance(after.get(who), list) else []
            ended = any(event['object'] == number and 'return std::nullopt' in self.line_of(event['stack'][-1]) for event in part)
            answer = 'has finished' if ended or not kept else kept[0]
            kinds.append((f'{capital(who)} is next. In which state is {name} afterwards?', [answer, *(x for x in self.states[name] if x != 'start'), 'has finished']))
        for n in range(len(kinds)):
            words, choices = kinds[(t + n) % len(kinds)]
            answer, choices = choices[0], sorted(list(dict.fromkeys(choices))[:4])
            asked = re.sub(r'\d+', '#', f'{words} {answer}')
            if len(choices) > 1 and asked != self.asked:  # not the same as before, but for a number
                self.asked = asked
                return [words, choices, choices.index(answer)]
        return 0

    def first_line(self, t):
        return next((line for event in self.part(self.turn_list, t) for line in event['out'].split('\n') if line.strip()), None)

    def turns(self):
        """The numbers of the turns, which are those of ./learn trace: in turn 0 main runs, before the first one."""
        starts = self.turns_of_tasks() if any(event['who'] == 'sched' for event in self.events) else self.turns_of_generators()
        self.first_turn = 0 if starts and starts[0][1] == 'main' and not self.prints(starts, 0) else 1
        self.turn_list = starts

    def part(self, starts, n):
        return self.events[starts[n][0]:starts[n + 1][0] if n + 1 < len(starts) else None]

    def prints(self, starts, n):
        return any(event['out'] for event in self.part(starts, n))

    def turns_of_generators(self):
        """Each resume is a turn. What main does counts only if it prints something."""
        starts = []
        for i, event in enumerate(self.events):
            again = event['who'] != 'main' and self.step < 'step07' and 'switch (state_)' in self.line_of(event['stack'][-1]) and event['kind'] == 'line'
            if not starts or starts[-1][1] != event['who'] or again and i > starts[-1][0]:
                starts.append([i, event['who']])
        return [start for n, start in enumerate(starts) if not n or start[1] != 'main' or self.prints(starts, n)]

    def turns_of_tasks(self):
        """A turn begins when the scheduler takes a task out of the queue."""
        starts, polls, runs = [], False, 0
        for i, event in enumerate(self.events):
            was, runs = runs, event['delta'].get('r', runs)
            in_poll = event['stack'][-1][0].endswith('poll_sockets')
            poll = in_poll and event['after']['waits'] or event['kind'] == 'net'
            if i == 0:
                starts.append([i, 'main'])
            elif runs and runs != was:
                starts.append([i, f'task {runs}'])
            elif poll and not polls:
                starts.append([i, 'poll'])
            elif event['who'] == 'main' and starts[-1][1] != 'main':
                starts.append([i, 'main'])
            polls = poll or polls and in_poll
        # Nothing happens in a turn of a task that was killed in the queue, or in a poll that finds nothing.
        kept = []
        for n, (start, who) in enumerate(starts):
            part = self.part(starts, n)
            if who == 'poll':
                useful = any(event['kind'] == 'net' or 'q' in event['delta'] for event in part)
            elif who == 'main':
                useful = not n or self.prints(starts, n)
            else:
                useful = any(event['who'] == who or event['kind'] in ('throw', 'catch') for event in part) or any(
                    isinstance(event['now'].get(who), list) and event['now'][who] for event in part)
            if useful:
                kept.append([self.begins(start, who, kept), who])
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

    def loop(self):
        """The functions of the scheduler that have run: pairs of a line's number and its code."""
        used = {place[2] for event in self.events for place in event['stack'] if place[1] == 'scheduler.hpp'}
        loop, shown = self.text['scheduler.hpp'], []
        for name in ('run', 'run_next', 'poll_sockets') if used else ():
            at = next((n for n, line in enumerate(loop) if re.match(rf'  void {name}\(', line)), None)
            if at is None:
                continue
            end = next(n for n in range(at, len(loop)) if loop[n] == '  }' or n == at and loop[n].endswith('}'))
            if any(at < n <= end + 1 for n in used):
                shown += [[n + 1, loop[n][2:]] for n in range(at, end + 1)] + [[0, '']]
        return shown[:-1]

    def data(self):
        self.asked = ''
        self.states = states = {}
        for name, state in self.cases:
            states.setdefault(name, []).append(state)
        files, actors = [*self.files, 'scheduler.hpp'], list(dict.fromkeys(event['who'] for event in self.events))
        who = list(dict.fromkeys(key for event in self.events for key in event['delta'] if len(key) > 1))
        loop = self.loop()
        code = lines_of('\n'.join(line for _, line in loop)) if loop else []
        return {'step': self.step[:6], 'who': who, 'tasks': sorted(int(w[5:]) for w in who if w.startswith('task ')),
                'nets': list(dict.fromkeys(end[0] for event in self.events for end in event['delta'].get('n', []))),
                'waits': any(event['delta'].get('w') for event in self.events), 'lanes': sorted({who for _, who in self.turn_list}),
                'more': self.more, 'first': self.first_turn, 'src': [[f'{self.step}/{file}', lines_of('\n'.join(self.text[file]))] for file in self.files],
                'loop': [[n, html] for (n, _), html in zip(loop, code)], 'states': states, 'actors': actors,
                'turns': [[*turn, self.question(t) if t else 0] for t, turn in enumerate(self.turn_list)],
                'ev': [[actors.index(event['who']), files.index(event['stack'][-1][1]), event['stack'][-1][2], KINDS[event['kind']],
                        event['object'], event['delta'], event['words']] for event in self.events]}


def lines_of(code):
    """The lines of code as HTML."""
    return painted(code.rstrip('\n'), 'cpp')[len('<pre><code>'):-len('\n</code></pre>')].split('\n')
