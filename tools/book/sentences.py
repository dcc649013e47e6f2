"""What the player says of each line, and what it asks before a turn."""
import re
from collections import Counter

# The other lines of the loop.
OF_LOOP = ((r'[+]{2}wait;', 'The scheduler goes on to the next wait.'),
           (r'bool finished', 'If run() throws, the body counts as ended, too.'), (r'> polled;', 'A new list of sockets, for poll().'), (r'waits_.begin', 'The scheduler goes through the waits, too, from the first one on.'),
           (r'Request request', 'The scheduler copies the request, which the task keeps.'), (r'> yielded;', 'The variable yielded is empty, until run() returns.'), (r'continue;', 'For this socket, that is all.'),
           (r'system_error error', 'The deadline has come: an exception will say so.'), (r'^ *[}] else', 'The other case is skipped.'))

IN_LOOP = 'run', 'run_next', 'poll_sockets'  # the scheduler's loop
PLAYED = *IN_LOOP, 'kill_task'  # the functions of the scheduler that always play

UNDEFINED = ' What happens from here on is undefined.'

# Lines of system calls.
OF_REQUESTS = ((r'messages[.]push_back', 'The message goes into the mailbox.'), (r'messages[.]pop_front', 'The message leaves the mailbox.'), (r'receiver = 0', 'Now no task waits for this mailbox.'),
               (r'schedule\(std::exchange', 'No task waits for this mailbox.'), (r'fork\(\)', 'The scheduler copies the task.'), (r'schedule\(asker\)', 'The task no longer exists, so it is not scheduled.'),
               (r'deliver\(', 'Can a message be delivered?'), (r'find\(id\)', 'Is there such a task?'), (r'kill_task\(', 'There is no such task.'),
               (r'reset\(', 'The listener is closed.'))

# Lines of bodies, and of main.
OF_BODIES = ((r'[.]send\("(.*)"\)', r'sends “\1” to the body.'), (r'[.]current\(\)', 'asks for the current value.'), (r'[.]rewind\(\)', 'asks for the first yield.'),
             (r'throw_into\(', 'throws an exception into the body.'), (r'Mailboxes(<\w+>)? mailboxes', 'makes the mailboxes.'), (r'messages[.]push_back', 'puts a message into a mailbox.'),
             (r'Mailbox<Message>& ', 'looks up the mailbox.'), (r'messages[.]pop_front', 'takes the message out of the mailbox.'), (r'[.]set_deadline\(', 'gives its socket a deadline.'), (r'^ *throw ', 'throws an exception.'), (r'^ *[\w:<>]+ (\w+)\{\};', r'makes \1.'),
             (r'return resume\(', 'continues after the try.'), (r'^ *std::cout', 'begins to print.'), (r'^ *std::make_shared<\w+[<>]', 'creates a coroutine.'),
             (r'^ *std::ignore =', 'creates a coroutine, and destroys it: no line of its body has run.'))


def capital(sentence):
    return sentence[:1].upper() + sentence[1:] if re.match(r'task \d', sentence) else sentence


def ended(sentence):
    """With a full stop, unless what it quotes ends with a mark of its own."""
    return sentence if sentence.rstrip('”')[-1] in '.!?' else sentence + '.'


def quoted(what):
    """What a client does, with what it sends in quotation marks, and ⏎ for the end of a line."""
    what = re.sub('^the script ends', 'nothing more happens in this run', re.sub(r'takes (\d+) bytes', r'has room for \1 bytes', what))
    return re.sub(r'^(\w+ sends) (.+)$', r'\1 “\2”', re.sub(r'\r?\n', '⏎', what.strip(' ')))


class Sentences:
    """The part of Turns that speaks."""

    def words(self, event, old, now):
        """What happens in this line, in a sentence."""
        kind, top, what = event['kind'], event['stack'][-1], event['what'].strip()
        code = self.line_of(top)
        if kind == 'throw':
            if top[0] == 'Task::run' or 'run()' in code:
                bodies = now.get(f'task {now["r"]}')
                return f'The exception is thrown into {bodies[-1][0]}.' if bodies else 'No caller is left: run() throws it on.'
            return ended(f'{"await_resume() throws" if "co_" in code else "An exception is thrown"} here{"" if what == "an exception" else f": {what}"}')
        if kind == 'catch':
            return 'The exception arrives here and is caught' + (f', in {event["by"]}().' if event['by'] else '.')
        if kind == 'leaves':
            if event['by'] == 'Task::run' and (bodies := old.get(f'task {now["r"]}')):
                return f"{bodies[-1][0]} doesn't catch it, and is destroyed" + (f': next, the exception is thrown into {bodies[-2][0]}.' if len(bodies) > 1 else '.')
            if code == '}' and self.step >= 'step08' and isinstance(old.get(event['who']), list):
                return f'{old[event["who"]][-1][0]} doesn\'t catch it: unhandled_exception() stores it in the promise.'
            return f'The exception leaves the body of {event["who"]}.' if event['object'] else f'{event["by"] or "The caller"}() catches it, and hands it on.'
        if kind == 'net':
            return ended(f'The network: {what}')
        if top[0] == 'Task::run':
            return self.of_stack(event, old, now, code)
        return self.entered(event) + capital(self.of_loop(event, old, now, code) if event['who'] == 'sched' else self.of_body(event, old, now, code))

    def entered(self, event):
        """Where a coroutine of the compiler has been resumed, if this is its first line since then."""
        call = len(event['stack']) > 1 and re.search(r'[.](send|throw_into)\(', self.line_of(event['stack'][-2]))
        if call and self.yielded and event['kind'] == 'line' and event['object'] == self.ran_before:
            return f'{call[1]}() drops this value, and resumes again. '
        if self.step < 'step08' or event['kind'] != 'line' or event['object'] == 0 or event['object'] == self.ran_before and not self.yielded:
            return ''
        index = self.object_of(event['state'], event['stack'])['state']
        return 'The body begins. ' if index in ('0', '2') else f'Resumed at index {index}. ' if index else ''

    def of_loop(self, event, old, now, code):
        """What a line of the scheduler does."""
        kind, top, delta, compiled = event['kind'], event['stack'][-1], event['delta'], self.step >= 'step08'
        line, task = top[2], now['r'] or old.get('r') or event['state']['runs'] or ''
        came = list((Counter(now['q']) - Counter(old.get('q', []))).elements())
        queue = f' Queue: {self.listing(now)}.' if 'q' in delta and now['q'] else ''
        request = self.requests.get(task, '')
        performs = f'The scheduler performs the request {request + " " if request else ""}of task {task}.'
        new = ''.join(f' {capital(k)} is {f"a copy, which goes on at case {frames[-1][1]}" if "d" in delta else "new"}.' for k, frames in delta.items() if k.startswith('task') and k not in old and isinstance(frames, list) and frames)
        if self.is_changed(top[0]):
            return self.of_changed(event, old, now, came) + queue
        if event['enters']:
            ends = f'Task {task} has {"failed" if f"task {task}" in self.failed else "ended"}. ' if top[0] == 'Scheduler::run_next' and re.match(' *kill_task', code) and isinstance(now.get(f'task {task}'), list) else ''
            return f'{ends}Now {event["enters"]}() runs{", which has been changed" * (event["enters"] not in PLAYED)}.'
        if top[0] == 'Scheduler::kill_task':
            return self.of_kill(event, old, now, came, code) + queue
        if moved := [(i, w[2]) for i, w in now['w'].items() if isinstance(w, list) and isinstance(old.get('w', {}).get(i), list) and old['w'][i][2] != w[2]]:
            return ' '.join(f'Task {i} waits only {until} now.' for i, until in moved)
        if waits := ' '.join(f'Task {i} waits {self.wait(now, w)}.' for i, w in now['w'].items() if old.get('w', {}).get(i) != w and (i, w) != self.kept):
            also = f' And task {came[-1]} goes {self.where(old, now, code)} the queue.{queue}' if came else ''
            return f'{performs} {waits}{also}' if top[1] == 'scheduler.hpp' else waits + also
        if event['err']:
            return ended(f'The scheduler reports: “{event["err"].strip()}”')
        if top[1] != 'scheduler.hpp':
            taken = [s[0] for s in now.get('n', []) if s[1] >= 0 and [s[0], -1] in [end[:2] for end in old.get('n', [])]]
            if 'accept()' in code:
                return f'accept() returns the connection of {taken[0]}.' if taken else 'accept() returns nothing: no client waits to be accepted.'
            killed = ''.join(f' {capital(k)} was killed.{self.unwoken(k, now)}' for k, is_now in delta.items() if is_now == 'was killed')
            go = [f'task {i}' for i in dict.fromkeys(came) if f'task {i}' in old]
            answer = ''.join(f'{f", task {i}" if len(go) > 1 else ""} with the answer {a}' for i, a in now['a'].items() if old.get('a', {}).get(i) != a)
            if new or came or killed:
                return (new + killed + (f' {capital(" and ".join(go))} {"goes" if len(go) == 1 else "go"} {self.where(old, now)} the queue{" twice" * (len(came) > len(set(came)))}{answer}.' if go else '')).strip() + queue
            if event['by'] == 'Mailbox::deliver' or self.is_called(event['by']):
                return f'{event["by"].split("::")[1]}() has returned.'
            for pattern, text in (*OF_REQUESTS, (r'limit_deadlines', f'From now on, no wait lasts longer than until {event["after"].get("limit")}.'), (r'if .task', f'Does it exist, and is it another task? {"Yes" if "waiters" in event["next"] else "No"}.'),
                                  (r'empty\(\)', f'Is there a message, and a task that waits for one? {"Yes" if "messages" in event["next"] else "No: deliver() returns"}.'), (r'->exec\(', f'Task {task} gets another body{": its old frame is destroyed" if compiled else ""}.'),
                                  (r'receiver = ', f'If there is no message, task {task} waits for one.'), (r'return \w+;', f'This is the answer for task {task}{": " + event["value"] if event["value"] else ""}.')):
                if re.search(pattern, code):
                    return text
            return f'The request {request + " " if request else ""}of task {task} goes on in {self.at(top)}.'
        if kind == 'back':
            over = self.has_ended(old.get(f'task {task}'))
            put_back = f'The task has yielded: it goes {self.where(old, now, code)} the queue.' if 'q' in delta else f'{"The body has ended, so t" if over else "T"}he task is not put back.'
            returned = f'{"false" if compiled else "nullopt"}: the body has ended' if over else 'true' if compiled else f'the request {request}' if request else 'a plain yield'
            answers = ''.join(f' Task {i} will get the answer {a}.' for i, a in now['a'].items() if old.get('a', {}).get(i) != a)
            return f'Back in line {line} of the scheduler{f": run() has returned {returned}" if re.search(r"= !?task->run", code) else ""}.{answers}' + (
                f' {put_back}' if re.search('push_(back|front)', code) else f'{new}{queue}' if 'q' in delta and re.search(r'[*]call|request', code) else '')
        fate = now.get(f'task {task}')
        dead = isinstance(fate, str)
        if '::poll(' in code:  # it looks at them in the order of their tasks
            self.polled = self.waits_of_poll(old)
            if 't' not in delta:
                return 'poll() asks which sockets are ready.'
            may = self.sleeps if self.step < 'step07' else not old.get('q')
            if may and float(now['t']) - float(old.get('t', 0)) > .15:  # a call without sleep takes 0.1 s
                return f'poll() sleeps until something happens: in the script, at {now["t"]} s.'
            return f'poll() {"asks which sockets are ready" if may else "only looks, and does not sleep"}. In the script, it is {now["t"]} s then.'
        if 'poll_sockets(' in code:
            self.sleeps, self.on_to = not now['q'] or 'true' in code, 'first'
        if 'wake_up =' in code and 'min' not in code:
            self.slept = self.waits_of_poll(old)
            return f'May poll() sleep? {"No: a task is ready." if old.get("q") else "Yes: no task is ready."}'
        if 'wake_up = std::min' in code and old.get('q'):
            return 'poll() does not sleep, so no deadline matters.'
        if 'wake_up = std::min' in code and self.slept:
            ident, wait = self.slept.pop(0)
            until = wait[2] if isinstance(wait, list) else wait
            return f'Task {ident} waits {until}: poll() must not sleep longer.' if 'until' in until else f'The wait of task {ident} has no deadline.'
        if '> polled;' in code:
            self.listed = self.waits_of_poll(now)
        if re.search(r'for .* : waits_', code):
            if 'push_back' in code:
                ids = list(self.polled_waits(now['w']))
                return f'The scheduler lists {"the sockets" if len(ids) > 1 else "the socket"} for which task{"s" * (len(ids) > 1)} {", ".join(ids[:-1]) + " and " * (len(ids) > 1) + ids[-1]} {"wait" if len(ids) > 1 else "waits"}.'
            return f'The next wait is that of task {self.listed[0][0]}.' if 'push_back' in event['next'] and self.listed else 'There is no other wait.'
        if 'polled.push_back' in code and self.listed:
            ident, wait = self.listed.pop(0)
            return f'The scheduler lists {self.socket(now, wait[0])}, for which task {ident} waits.' if isinstance(wait, list) else f'Task {ident} waits for the clock: it is listed without a socket.'
        if re.search(r'[.](front|back)\(\)', code) and not old.get('q') and not now['q']:
            first, self.undefined = not self.undefined, True
            return f'The queue is empty, so nobody stands at its {"end" if "back()" in code else "front"}.' + UNDEFINED * first
        if self.undefined and not task:
            return f'The scheduler runs line {line}.'
        if found := re.search(r'(front|back)\(\)', code):
            self.looked_at = (old.get('q') or [task])[-(found[1] == 'back')]
        on_to = self.on_to
        if re.search('for .* : polled', code):
            self.on_to = 'next'
        if re.search('revents == 0|bool ready', code) and self.polled:
            ident, wait = self.polled.pop(0)
            self.is_socket, self.polled_id = isinstance(wait, list), ident
            its = f'{self.socket(now, wait[0])[0].upper()}{self.socket(now, wait[0])[1:]}, for which task {ident} waits' if isinstance(wait, list) else f'Task {ident}, which waits for {wait}'
            return f'{its}: {"ready." if "schedule" in event["next"] else "not ready, so the wait goes on."}' if 'revents == 0' in code else f'{its}: {"ready" if self.is_socket and "schedule(" in event["wait_ends"] else "not ready"}.'
        woken = [i for i in old.get('w', {}) if i not in now['w']]
        waiters = came and f' So {" and ".join(f"task {i}" for i in came)}, which waited for its end, {"goes" if len(came) == 1 else "go"} {self.where(old, now)} the queue.' or ''
        for pattern, text in (
                (r'pop_(front|back)', f'Task {task} leaves the queue. It {fate} meanwhile.' if dead else f'Task {task} leaves the queue. It has this turn.'),
                (r'(front|back)\(\)', f'The scheduler looks at the {"end" if "back()" in code else "front"} of its queue: task {self.looked_at}.'),
                (r'find\(', f'Does task {task or self.looked_at} still exist?'),
                (r'[>.]run\(\)', f'Task {task} {fate} while it was in the queue: {"run() returns at once" if compiled else "there is no task that could run"}.' if dead else f'The scheduler gives task {task} its turn{": run() resumes its innermost coroutine" if compiled else ""}.'),
                (r'if \(!task\)', f'Yes: task {task or self.looked_at} still exists.' if isinstance(now.get(f'task {task or self.looked_at}'), list) else f'No: task {task or self.looked_at} {fate if dead else "was killed"} while it was in the queue. So it has no turn.'),
                (r'if \(!yielded|if \(finished', f'Has the body ended? {"Yes" if "kill_task" in event["next"] else "No"}.'),
                (r'get_if|task->request\)', f'Has the body asked for something? {"Yes" if self.has_asked(task) else "No: it has only yielded"}.'),
                (r'poll_sockets\((ready_.empty|true)', 'The scheduler asks for ready sockets. ' + (
                    'No task is ready, so poll() may sleep.' if not now['q'] else 'A task is ready, and yet poll() may sleep.' if 'true' in code else 'A task is ready, so poll() must not sleep.')),
                (r'poll_sockets\(', 'Before each round of turns, the scheduler asks for ready sockets.'),
                (r'if \(waits_.empty', f'Does a task wait for a socket{" or the clock" if self.step[:6] > "step06" else ""}? {"Yes" if self.polled_waits(now["w"]) else "No"}.'),
                (r'for .* : polled', f'On to the {on_to} socket.' if re.search('revents|bool ready', event['next']) else 'There is no other socket.'),
                (r'!ready && now', 'Neither ready nor too late? ' + ('Yes: the wait goes on.' if '++wait' in event['next'] else f'No: {"its time has come" if not self.is_socket else "its deadline has come" if "system_error" in event["wait_ends"] else "it is ready"}.')),
                (r'!ready && socket', f'Has the deadline of a socket come first? {"Yes" if "system_error" in event["next"] else "No"}.'),
                (r'waits_.erase', ' '.join(f'Task {i} waits no longer.' for i in woken) or 'The wait is over.'),
                (r'time_point now', f'What time is it? {now["t"]} s.' if 't' in now else 'What time is it?'), (r'TaskId id = wait', f'Whose wait is it? That of task {self.polled_id}.'),
                (r'for .*turns', self.of_round(event['after'].get('turns'), code, [i for i in now['q'] if isinstance(now.get(f'task {i}'), str)])),
                (r'schedule_exception\(', f'The exception is kept for task {came[-1] if came else task}, which goes to the end of the queue.{queue}'),
                (r'push_(back|front)\(|schedule\(', (f'Task {came[-1]}' if came else 'Something') + f' goes {self.where(old, now, code)} the queue.' + queue),
                (r'kill_task', f'Task {task} was removed when it was killed.' if isinstance(old.get(f'task {task}'), str) else f'Task {task} has {"failed" if f"task {task}" in self.failed else "ended"}, and is removed.{waiters}{self.unwoken(f"task {task}", now)}{queue}'),
                (r'\(\*call\)|request\(task|perform', performs + queue),
                *OF_LOOP):
            if re.search(pattern, code):
                return text
        if re.search('while .*empty', code):
            if now['q'] or 'waits_' in code and self.polled_waits(now['w']):
                return f'The queue is not empty: {self.listing(now)}.' if now['q'] else 'The queue is empty, but tasks wait.'
            forever, lost = ' and '.join(f'task {i}' for i in now['w']), ' and '.join(who for who, bodies in now.items() if re.match('task', who) and bodies and isinstance(bodies, list) and who[5:] not in now['w'])
            return f'The queue is empty: the loop ends{f", and {forever} will wait for ever" if forever else ""}.' + f' Nobody has put {lost} into the queue again.' * bool(lost)
        prints = '”, “'.join(text for text in event['out'].split('\n') if text.strip())
        return (ended(f'The scheduler prints “{prints}”') if prints else f'The scheduler runs line {line}.') + queue

    def where(self, old, now, code=''):
        """To which end of the queue goes what has come into it."""
        was, count = old.get('q', []), len(now['q']) - len(old.get('q', []))
        if 'push_front' in code or count and was != now['q'][:-count] and was == now['q'][count:]:
            return 'to the front of'
        # Both ends of an empty queue are the same. It is the end that is meant, unless the reader has changed this.
        return 'into' if not was and any('push_front' in line for line in self.text['scheduler.hpp']) else 'to the end of'

    @staticmethod
    def is_called(function, known=IN_LOOP):
        """Is this a function of the scheduler that its loop or a system call calls?"""
        return function.startswith('Scheduler::') and function.split('::')[1] not in known

    @staticmethod
    def is_changed(function):
        """Is this one that plays only because the reader has changed it?"""
        return Sentences.is_called(function, PLAYED)

    def of_kill(self, event, old, now, came, code):
        """What a line of kill_task() does: what the recording says, so it may be changed."""
        gone = [key for key, fate in event['delta'].items() if key.startswith('task') and isinstance(fate, str)]
        if 'extract(' in code:
            self.removed, self.awaited = gone[0] if gone else '', old[gone[0]][0][2].get('awaited by', '') if gone and old[gone[0]] else ''
            return f'{capital(self.removed)} is taken out of the table of tasks: it no longer exists.' if gone else 'In the table of tasks, there is no such task.'
        waiters = ' and '.join(f'task {i}' for i in came)
        for pattern, text in (
                (r'empty\(\)', f'Was there such a task? {"Yes" if event["then"] else "No: kill_task() returns false"}.'),
                (r'waits_[.]erase', f'If it waited for a socket{"" if self.step < "step07" else " or for the clock"}, this wait is over.'),
                (r'waiters', f'{waiters}, which waited for its end, {"goes" if len(came) == 1 else "go"} {self.where(old, now)} the queue.' if came else f'{self.awaited} waited for its end, but nobody goes into the queue.' if self.awaited else 'No task waits for its end.'),
                (r'unwind\(', f'unwind() destroys the coroutines of {self.removed}, the innermost first.'),
                (r'return true', f'kill_task() returns{"" if self.step >= "step08" else f", and {self.removed} is destroyed with its body"}.{self.unwoken(self.removed, now)}')):
            if re.search(pattern, code) and (self.removed or 'empty' in code):
                return capital(text)
        return self.of_changed(event, old, now, came)

    def of_changed(self, event, old, now, came):
        """What a line of such a function does: what the recording says, and no more."""
        function, code = event['stack'][-1][0].split('::')[-1], self.line_of(event['stack'][-1])
        does = [f'Task {i} waits {self.wait(now, w)}.' for i, w in now['w'].items() if old.get('w', {}).get(i) != w and (i, w) != self.kept]
        does += [f'{capital(k)} {value if isinstance(value, str) else "is new"}.' for k, value in event['delta'].items() if k.startswith('task') and (isinstance(value, str) or k not in old)]
        does += [f'Task {i} goes {self.where(old, now, code)} the queue.' for i in came]
        does += [f'Task {i} will get the answer {a}.' for i, a in now['a'].items() if old.get('a', {}).get(i) != a]
        if does or event['kind'] == 'back':
            return ' '.join(does) or f'Back in line {event["stack"][-1][2]} of the scheduler.'
        return self.asked(event, code) or ended(f'{function}() runs line {event["stack"][-1][2]}: “{code.strip()}”')

    @staticmethod
    def listing(now):
        """The queue, in words: who is only a number in it says so."""
        return ', '.join(f'{i} ({fate.split()[-1]})' if isinstance(fate := now.get(f'task {i}'), str) else str(i) for i in now['q'])

    @staticmethod
    def unwoken(gone, now):
        """Who waits for the end of a task, although it has come."""
        return ''.join(f' Nobody tells task {i}, which waits for that.' for i, wait in now['w'].items() if wait == f'the end of {gone}')

    def has_asked(self, task):
        """Has the body of this task yielded a request?"""
        return self.requests.get(task) not in (None, '', 'nothing', '}', 'Yield()', 'Yield{}')

    def has_ended(self, bodies):
        """Has the outermost one of these bodies run to its end?"""
        return bodies == [] or isinstance(bodies, list) and bool(re.search('nullopt|co_return|^ *}$', self.line_of(['', *self.stopped_at.get(bodies[0][3], ['', 0])])))

    def of_stack(self, event, old, now, code):
        """What a line of Task::run() does, which has the stack of coroutines."""
        task, then = now['r'], event['next']
        was, held = (side[f'task {task}'] if isinstance(side[f'task {task}'], list) else [] for side in (old, now))  # or it has ended
        names, after = [frame[0] for frame in was], [frame[0] for frame in held]
        innermost, keeps = names[-1] if names else '', f': the exception is kept for its caller, {names[-2]}' if len(names) > 1 else '. No caller is left, so the scheduler will get the exception'
        answer, result = (side['a'].get(str(task)) for side in (old, now))
        holds = self.holds(self.text['task.hpp'], event['stack'][-1][2], event['then'])
        self.threw = 'current_exception' in code or self.threw and 'resume_innermost' not in code
        self.resumed = innermost if 'resumed =' in code else self.resumed  # in step 8
        index = re.sub('^(.+)', r', at resume index \1', was[-1][1]) if names else ''
        sent = ', with the exception' if str(task) in event['state'].get('errors', {}) else f', with the answer {answer}' if answer else ''
        for pattern, text in (
                (r'while .*empty', f'Is the stack empty? No: {innermost} is innermost.' if names else 'Is the stack empty? Yes: no coroutine is left.'),
                (r'resume_innermost', f'Task::run() resumes the innermost coroutine, which is {innermost}{sent}.'),
                (r'current_exception', f'{innermost} has not caught it{keeps}.'),
                (r'!yielded', f'Has {innermost} yielded? {"Yes" if not holds else "No: it has thrown" if self.threw else "No: it has ended"}.'),
                (r'<Call>', f'Has it yielded a Call? {"Yes" if holds else "No"}.'),
                (r'<ReturnValue>', f'Has it yielded a result? {"Yes" if holds else "No"}.'),
                (r'push_back', f'The callee goes on top of the stack: {after[-1] if after else ""} is innermost now.'),
                (r'pop_back', f'{innermost} leaves the stack: {f"{after[-1]} is innermost now" if after else "it is empty now"}.'),
                (r'started_ = false', f'{innermost} has not run yet: next, it begins.'),
                (r'answer = ', f'{innermost} will get the result{f", {result}" if result else ""}.' if names else 'No caller is left that gets the result.'),
                (r'return yielded', 'Neither a call nor a result: the stack stays as it is, and the scheduler gets the yield.'),
                (r'rethrow_exception', f'Is there an exception that no coroutine has caught? {"Yes" if event["throws"] else "No"}.'),
                (r'return .*nullopt', 'The outermost coroutine has ended: Task::run() returns nullopt.'),
                (r'> yielded;', 'The variable yielded is empty, until the coroutine returns.'),
                (r'request = nullptr', 'In this turn, no system call has been asked for yet.'),
                (r'while .innermost_', f'Is there an innermost coroutine? Yes: {innermost}.' if names else 'Is there an innermost coroutine? No: none is left.'),
                (r'resumed =', f'It is {innermost} that is resumed.'),
                (r'handle.resume', f'Task::run() resumes {innermost}{index}{sent}.'),
                (r'handle.done', f'Has {self.resumed} ended? {"Yes" if holds else "No"}.'),
                (r'pop\(\)', f'The frame of {self.resumed} is destroyed: ' + (f'its caller, {after[-1]}, is innermost now.' if after else 'no coroutine is left.')),
                (r'== &resumed', f'Is {self.resumed} still innermost? ' + ('Yes: it has called no coroutine.' if holds else f'No: it has called {innermost}, which runs next.')),
                (r'return true', f'{self.resumed} is suspended at a yield or at a system call: Task::run() returns true.'),
                (r'return false', 'The outermost coroutine has ended: Task::run() returns false.')):
            if re.search(pattern, code):
                return text
        return f'Task::run() runs line {event["stack"][-1][2]}.'

    def of_round(self, left, code, dead):
        """How many turns a round has, or has left."""
        if 'turns' in code:
            begins, self.round = not self.round, left
            many, gone = 's' * ((left or 0) > 1), f', {len(dead)} of which no longer exist{"s" * (len(dead) == 1)}' * bool(dead)
            return f'A round begins: {left} turn{many}, because the queue holds {left} task{many}{gone}.' if begins else f'The round goes on: {left} turn{many} more.' if left else 'The round has ended.'

    @staticmethod
    def polled_waits(waits):
        """Those that poll() can end: for a socket or the clock."""
        return {i: wait for i, wait in waits.items() if isinstance(wait, list) or re.match('until|the clock', wait)}

    @staticmethod
    def waits_of_poll(side):
        """In the order in which poll() goes through them: that of their tasks."""
        return sorted(side.get('w', {}).items(), key=lambda wait: int(wait[0]))

    def asked(self, event, code):
        """The condition in this line, and its answer if the next line tells it."""
        found, (_, file, line, _) = re.match(r' *(?:\} )?(?:(?:while|if) \(((?:[^()]|\((?:[^()]|\(.*?\))*\))*)\)(?: \{| break;| throw\b|;|$)|for \([^;]*; ([^;]+);.*\) \{)', code), event['stack'][-1]
        holds = self.holds(self.text[file], line, event['then']) if found and event['then'] else None
        return f'{found[1] or found[2]}?' + {True: ' Yes.', False: ' No.'}.get(holds, '') if found else ''

    @staticmethod
    def holds(lines, line, then):
        """Does the condition in this line hold, after which that line runs? Nothing if it doesn't tell."""
        code, indent = lines[line - 1].rstrip(), re.match(' *', lines[line - 1])[0]

        def first(numbers, start):
            return next((n for n in numbers if re.match(start, lines[n - 1])), 0)
        after, before = range(line + 1, len(lines) + 1), range(line - 1, 0, -1)
        if code.endswith('{'):
            end = first(after, indent + '}')
            return then != end if ' else if ' in lines[end - 1] else line < then < end
        if code.endswith(')'):
            return then == line + 1
        if code.lstrip().startswith('}'):  # the line table may name the case before the loop
            return None if then < first(before, indent + 'do {') - 1 else then < line
        head, end = first(before, rf'(?!$| *case ) {{0,{len(indent) - 2}}}\S'), first(after, indent[2:] + '}')
        if not code.endswith('break;') or not re.match(indent[2:] + r'(for|while|do|switch)\b', lines[head - 1]):
            return None
        return True if then > end else False if then > line or then == head else None

    def at(self, place):
        """A line, with its file unless that is the program's, as on the cards."""
        return f'{"line " if place[1] == self.files[0] else f"{place[1]}:"}{place[2]}'

    def wait(self, now, what):
        if not isinstance(what, list):
            return f'for {what}'
        return f'until {self.socket(now, what[0])} can be {"read" if what[1] == "read" else "written"}' + (f', but only {what[2]}' if what[2] else '')

    def of_body(self, event, old, now, code):
        """What a line of a body or of main does."""
        who, kind, top, delta, compiled = event['who'], event['kind'], event['stack'][-1], event['delta'], self.step >= 'step08'
        line, at, frames = top[2], self.at(top), [side[who] if isinstance(side.get(who), list) else [] for side in (old, now)]
        resumed = next((f'{name} ({who})' for name, *_, number in frames[1] if number == event['object'] and (len(frames[1]) > 1 or self.ran_before not in (0, number)) and name != who), who)
        if kind == 'jump':
            return 'The switch goes to case start.' if event['what'] == 'start' else f'The switch jumps to case {event["what"]}: {resumed} goes on where {"its original" if event["object"] in self.copies else "it"} stopped.'
        said = [text for text in event['out'].split('\n') if text.strip()]
        new = ''.join(f'creates {k}' for k in delta if who == 'main' and re.match('task', k) and k not in old and isinstance(delta[k], list))
        if said:
            speaks = self.helper(top) if who == 'main' and self.is_helper(top) else who
            return ended(f'{speaks} {f"{new}, and " if new else ""}prints “' + '”, “'.join(said) + '”')
        if kind == 'line' and (called := self.of_compiler(event, now, frames[1], code)):
            return called
        if top[0].endswith('::clone') and kind == 'line':
            return f'clone() {"copies the body of" if "*this" in code else "runs for"} {who}.'
        if re.fullmatch(r'(\w+)(<.*>)?::\1', top[0]):
            if 0 < len(frames[0]) < len(frames[1]):
                return f'{who} calls {frames[1][-1][0]}: {frames[0][-1][0]} waits until it returns.'
            return f'The constructor of {re.split("[<:]", top[0])[0]} runs.' + f' Then main {new}.' * bool(new)
        if 'co_' in code and who != 'main' and self.stopped_at.get(event['object']) == top[1:3] and (event['state'].get('resumed') or self.ran_before != event['object']):
            got = re.search(r'(\w+) = co_', code)
            returns = f': await_resume() returns {frames[1][-1][2][got[1]]}' if got and frames[1] and got[1] in frames[1][-1][2] else ''
            return f'{resumed} goes on in {at}{returns}.'
        inner = f'{frames[0][-1][0]} ({who})' if len(frames[0]) > 1 else who
        back = f': back to {frames[0][-2][0]}' if len(frames[0]) > 1 and not self.stacked and event['next_body'] in ('', frames[0][-2][0]) else ''
        yields = re.search(r'// (?:try \{ )?(?:[\w.]+ = )?yield (.+)|co_(?:await|yield) (.+?);', code)
        what = yields and re.sub(r' ?[}]$|: .*', '', yields[1] or yields[2])
        if not yields and (asked := re.match(r' *return (\w+[(].*[)]);$', code)):
            what = asked[1]
        if what and what != '}' and (returned := re.match(r' *return (.+);  //', code)):
            what = re.sub(r'^Call\{(.*)\}$', r'\1', re.sub(r'std::make_shared<(\w+)>\(', r'\1(', returned[1]))
        if what and len(what) > 40:
            what = f'{what.split("(")[0]}(...)'
        if who.startswith('task') and event['object'] and ('::' not in top[0] or 'resume' in top[0]):
            self.requests[int(who[5:])] = what
        stops = event['next_who'] == 'sched' or not who.startswith('task')
        if 'return Call{' in code and kind == 'line' and 'if (!yielded' not in event['next']:
            grows, made = 0 < len(frames[0]) < len(frames[1]), re.search(r'make_shared<(\w+)', code)
            return f'{who} creates {frames[1][-1][0]} and calls it: {frames[0][-1][0]} waits until it returns.' if grows else f'{who} creates {made[1]}.' if made else f'{who} creates the coroutine that it calls next.'
        if compiled and yields and frames[0] and len(frames[1]) > len(frames[0]):
            return f'{who} calls {frames[1][-1][0]}() in {at}: await_suspend() makes it run next.'
        if 'return Call{' in code or yields and frames[0] and len(frames[1]) > len(frames[0]):
            made, its = re.search(r'make_shared<(\w+)', code), event['object'] or not frames[0]
            return f'{f"{frames[0][-1][0]} ({who})" if frames[0] else who} calls {what or (made[1] if made else "a coroutine")}{f" in {at}" if its else ""}, and is suspended until it returns.'
        if code == '}':
            return f'{inner} ends: it has reached the end of its body{", where final_suspend() stops it" if compiled else ""}{back}.'
        if 'co_return;' in code:
            return f'{inner} returns{back}.'
        if 'co_return' in code and event['value'] and len(frames[0]) > 1:
            return f'{inner} returns {event["value"]}: return_value() puts it into the awaiter of {frames[0][-2][0]}.'
        if 'ReturnValue' in code or 'co_return' in code:
            return f'{inner} returns {event["value"] or "a value"}{back}.'
        if yields or re.search(r'^ *return (Nothing|wait_|new_task|kill_|get_)', code):
            if not stops and 'co_await' in code:
                return f'{who} awaits {what}, in {at}.'
            if not stops:
                return f'{who} {"asks for " + what if what and what != "nothing" else "yields"}, in {at}.'
            if 'co_await' in code:
                return f'{who} stops in {at}: await_suspend() asks for {what}.'
            if compiled and what and what != 'nothing':
                return f'{who} yields {what}{self.which(what, frames[1])}, in {at}: yield_value() stores it in the promise.'
            return f'{who} yields{" " + what if what and what != "nothing" else ""}{self.which(what, frames[1])}: it stops in {at}.'
        if begun := event.get('begins') and not event['out'] and event['begins'].strip():
            return f'{inner} begins to print “{begun}”.'
        sets = [(b[0], f'{k} = {v}') for a, b in zip(*frames) if a[3] == b[3] for k, v in [*([('state_', b[1])] if a[1] != b[1] else []), *((k, v) for k, v in b[2].items() if a[2].get(k) != v)]]
        asked = self.asked(event, code)
        if sets:
            its = f'{sets[-1][0]} ({who})' if max(map(len, frames)) > 1 else self.helper(top) if who == 'main' and self.is_helper(top) else who
            moved = [text.split(' = ')[0] for _, text in sets if text.endswith(' = moved away')]
            return f'{its} {f"{new}, and " if new else ""}' + (f'moves {moved[0]} away.' if moved else f'sets {", ".join(text for _, text in sets)}' + (f', and asks: {asked}' if re.match(' *for ', code) and asked else '.'))
        if re.search('return .*nullopt', code):
            return f'{inner} ends: its body returns nullopt{back}.'
        made = [k for k in delta if len(k) > 1 and k != 'main' and isinstance(delta[k], list) and k not in old]
        if made and who == 'main':
            first = compiled and delta[made[0]] and not self.explained  # told once
            self.explained |= bool(first)
            frame, index = (' and its frame', f': it goes on at resume index {delta[made[0]][0][1]}') if first else ('', ' yet')
            twice = ''.join(f' {capital(k)} is in the queue {now["q"].count(int(k[5:]))} times.' for k in made if k.startswith('task') and now['q'].count(int(k[5:])) > 1)
            return f'main creates {" and ".join(made)}{frame}. No line of its body has run{index}.{twice}'
        if again := re.match(r' *state_ = State::(\w+);', code):
            return f'{inner} sets state_ = {again[1]} again.'
        if kind == 'back' and re.match(' *std::make_shared<', code):
            return 'The coroutine is destroyed: no line of its body has run.'
        if kind == 'line':
            if who != 'main' and self.is_helper(top):
                inner = self.helper(top)
            if dropped := re.match(r' *((?:fork|kill|new|wait|get|exec|send|receive)_\w+\(.*\));$', code):
                if who.startswith('task') and event['object']:
                    return f'{inner} makes the request {dropped[1]}, and drops it: nobody performs it.'
            if '.rewind()' in code and event['then']:
                return f'{inner} asks for the first yield, which is there already: nothing runs.'
            if '.rewind()' in code and not self.stopped_at:
                return f'{inner} asks for the first yield.'
            begins = any(state == 'start' for _, state, _, number in frames[1] if number == event['object'])
            for pattern, text in ((r'switch \(state_\)', f'{resumed} {"begins" if begins else "goes on" if any(place[0].endswith("resume_with_exception") for place in event["stack"][-2:-1]) else "is resumed"}, at the top of resume().'), (r'scheduler\.run\(\)', 'main starts the loop of the scheduler.'),
                                  (r'^ *Scheduler scheduler', 'main makes a scheduler.'), (r'^ *(do \{|case State::start:)', f'{who} goes back to the beginning of its loop.'),
                                  (r'rethrow_exception', f'{who} throws the exception again, to catch it.'), (r'for \(.* : |\.next\(\)', f'{who} begins its loop: it makes what it goes through.' if re.match(r' *[A-Z]\w*\(.*\) : ', event['next']) else f'{who} asks for the next value.'),
                                  (r'= ready[.]front', f'main takes the handle at the front of the queue: that of task {now["q"][0]}.' if now['q'] else f'main takes a handle out of an empty queue.{UNDEFINED}'),
                                  (r'\bready[.]pop_front', f'The handle of task {old["q"][0]} leaves the queue.' if old.get('q') else 'Nothing can leave an empty queue.'),
                                  (r'\bnext[.]resume\(', f'main resumes task {now["r"]}.' if now['r'] else 'main resumes the handle, which is that of no task.'), *OF_BODIES):
                if found := re.search(pattern, code):
                    return text if text[0].isupper() or text.startswith((who, resumed)) else f'{inner} {found.expand(text)}'
            function, whose = re.sub(r'[<\[].*', '', top[0].split('::')[-1]), ''
            if function not in ['main', 'resume', 'resume_with_exception', *(frame[0] for side in frames for frame in side)]:
                who, inner, whose, code = f'{function}()', f'{function}()', who, re.sub(r'^.*\{ (.+) \}$', r'\1', code)
            if whose and re.search(r'\breturn\b', code):
                return f'{who} returns to {self.helper(event["stack"][-2]) if self.is_helper(event["stack"][-2]) else whose}.'
            if asked:
                return f'{inner} asks: {asked}'
            if re.match(r' *for \(.*;', code):
                return f'{who} asks whether its loop goes on.'
            if event['constructs']:
                return f'{inner} makes a coroutine of the class {event["constructs"]}.'
            if event['calls']:
                return f'{inner} calls {event["calls"]}().'
            if event['throws'] and (called := re.search(r'(\w+)(?:<[^()]*>)?\(', code.split(' = ')[-1].split(' += ')[-1])):
                return f'{inner} calls {called[1]}().'
            if assigned := re.match(r' *(?:[\w:<>&]+ )*(\w+) [+]?= ', code):
                stays = [frame[2][assigned[1]] for frame in frames[1] if assigned[1] in frame[2] and re.search('any_cast|[+]=', code)]
                nothing = ', because nothing was sent' if 'sent.has_value()' in code and not any('sent' in frame[2] for frame in frames[1]) else ''
                return f'{inner} sets {assigned[1]}{f", which stays {stays[-1]}" if stays else ""}{nothing}.'
            if called := re.match(r' *(?:return )?(?:::|[\w:]+[.])?(\w+)(?:<\w+>)?(\([^()]*\)|\()', code):
                return f'{inner} calls {called[1]}{called[2] if len(called[2]) < 40 and ")" in called[2] else "()"}.'
            if whose:
                return f'{who} works for {whose}, in {at}.'
        if 'scheduler.run()' in code:
            return f'The loop has ended: main goes on in {at}.' + (f' The queue still holds {self.listing(now)}.' if now['q'] else '')
        if kind == 'back' and who == 'main' and (self.ran_before or '_suspend' in event['by']):
            called = re.search(r'[.](throw_into|send|rewind|next)\(', code)
            return f'{"The call" if "_suspend" in event["by"] and "resume()" not in code else f"{called[1]}()" if called else "resume()"} has returned: main goes on in {at}{f": {asked}" if asked.endswith(".") else "."}'
        answer = f': {asked}' if kind == 'back' and asked.endswith('.') else '.'
        return f'{who} {"goes on in" if kind == "back" else "runs"} {at}{answer}'

    @staticmethod
    def helper(place):
        return re.sub(r'[<\[].*', '', place[0].split('::')[-1]) + '()'

    @staticmethod
    def of_compiler(event, now, frames, code):
        """What a function of a promise or an awaiter does, which the compiler calls."""
        function, who, index = event['stack'][-1][0].split('::')[-1], event['who'], frames[-1][1] if frames else ''
        returns = re.match(r' *(\S+) \w+\(.*?(?:return (\w+))?;? ?\}$', code) or ['', '', '']
        return {'get_return_object': f'The call has made a frame. get_return_object() returns the {returns[1]} for {who}.',
                'initial_suspend': f"The compiler's code first awaits what initial_suspend() returns, a {returns[1]}.",
                'await_ready': f'await_ready() returns {returns[2]}: the coroutine must be suspended{f", at resume index {index}" if index else ""}.',
                'await_suspend': f'await_suspend() puts the handle of the coroutine into the queue. Queue: {Sentences.listing(now)}.',
                'await_resume': f'{who} is resumed at index {index}: await_resume() returns nothing, and the body {"begins" if index == "2" else "goes on"}.',
                'return_void': f'{who} has reached the end of its body: return_void() is called.',
                'final_suspend': f"The compiler's code awaits what final_suspend() returns, a {returns[1]}: the frame is destroyed next."}.get(function)

    @staticmethod
    def which(what, frames):
        """The value of what a body yields, if that is one of its variables."""
        held = frames[-1][2] if frames else {}
        return ''.join(f', which is {held[name]}' for name in (what, f'{what}_') if name in held)

    def socket(self, now, fd):
        return next(('the listener' if s[3] == 'listens' else 'the descriptor of signals' if s[0] == 'signals' else f'the socket of {s[0]}' for s in reversed(now.get('n', [])) if s[1] == fd and s[3] != 'closed'), f'socket {fd}')

    def result(self, t):
        """What a turn or a poll has done to the queue or the waits, if its last line doesn't say so."""
        start, who = self.turn_list[t]
        last, old = self.part(self.turn_list, t)[-1], self.events[start - 1]['now'] if start else {}
        now, words, me = last['now'], last['words'], who.removeprefix('task ')
        if who == 'main' or last['who'] != 'sched' or last['kind'] not in ('line', 'back') or 'queue is empty' in words:
            return ''
        queue = f' Queue: {self.listing(now) or "empty"}.'
        if who == 'poll':
            woken = ' and '.join(f'task {i}' for i in Counter(now['q']) - Counter(old.get('q', [])) if str(i) in old['w'])
            return f' poll() has woken {woken}.{queue}' if woken else ' poll() has woken nobody.'
        if me in now['w']:
            return '' if f'Task {me} waits' in words else f' Task {me} waits {self.wait(now, now["w"][me])}.'
        again = self.more or any(other == who for _, other in self.turn_list[t + 1:])
        lost = f' Task {me} is in no queue, and waits for nothing{"" if again else ": it has no more turns"}.' * (isinstance(now.get(who), list) and now['r'] != int(me) and int(me) not in now['q'])
        return lost + ('' if 'Queue: ' in words else queue)

    def questions(self):
        """A question before each turn: the words, the choices, the number of the right one, that of the event that decides, and its
        line; 0 if there is nothing to ask. What has always the same answer is not asked."""
        def kind(words):
            return re.sub(r'\d+', '#', words)

        def same(pairs):
            answers = {}
            for words, answer in pairs:
                answers.setdefault(kind(words), []).append(answer)
            return [words for words, given in answers.items() if len(given) > 2 and len(set(given)) == 1]

        possible = [self.possible(t) if t else [] for t in range(len(self.turn_list))]
        dull = same((words, choices[0]) for kinds in possible for words, choices, _ in kinds)
        while True:
            possible = [[asked for asked in kinds if kind(asked[0]) not in dull] for kinds in possible]
            found, last = [], ''
            for t, kinds in enumerate(possible):
                question = 0
                for n in range(len(kinds)):
                    words, choices, decides = kinds[(t + n) % len(kinds)]
                    answer, choices = choices[0], sorted(list(dict.fromkeys(choices))[:4])
                    if len(choices) > 1 and kind(f'{words} {answer}') != last:  # not the same as before, but for a number
                        last, start, part = kind(f'{words} {answer}'), self.turn_list[t][0], self.part(self.turn_list, t)
                        question = [words, choices, choices.index(answer), max((i for i, event in enumerate(part, start) if decides(event)), default=start)]
                        question.append(self.at(self.events[question[-1]]['stack'][-1]))
                        break
                found.append(question)
            dull = same((words, choices[right]) for words, choices, right, *_ in filter(None, found))
            if not dull:
                return found

    def possible(self, t):
        """The questions before this turn: the words, the choices, the right one first, and which event decides."""
        start, who = self.turn_list[t]
        part, now = self.part(self.turn_list, t), self.events[start - 1]['now']
        after, kinds = self.after(part, who), []
        begins_with_poll = any(event['stack'][-1][0].endswith('poll_sockets') for event in part)
        polls = now['w'] and any(who == 'poll' for _, who in self.turn_list) and not begins_with_poll
        exist = [key for _, key in self.turn_list if key != 'main' and isinstance(now.get(key), list)]
        if who.startswith('task'):
            rest, me = [i for i in now['q'] if i != int(who[5:])], int(who[5:])
            queues = [after['q'], rest, [*rest, me], [me, *rest], after['q'][::-1]]
            if any(event['now']['w'] for event in self.events):
                kinds.append((f'{capital(who)} is next. And after its turn?', [self.whereabouts(after, me), 'in the queue', 'ended', *self.waits_but_for(me)],
                              lambda event: isinstance(event['delta'].get(who), str) if isinstance(after.get(who), str) else {'q', 'w'} & set(event['delta'])))
            kinds.append((f'{capital(who)} is next. What is in the queue after its turn?', [', '.join(map(str, queue)) or 'nothing' for queue in queues],
                          lambda event: event['now']['q'] == after['q'] and ({'q', 'w'} & set(event['delta']) or isinstance(event['delta'].get(who), str))))
        if who == 'poll':
            woken = [i for i in now['w'] if i not in after['w']]
            kinds.append(('poll() is next. Which task does it wake?', [', '.join(woken) or 'none', *now['w'], 'none'], lambda event: 'q' in event['delta'] if woken else event is part[-1]))
        if who in [*exist, 'poll'] and (len(now['q']) > 1 or now['w']):
            kinds.append(('Whose turn is next?', [who, *exist, *['poll'] * bool(polls)], lambda event: event is next((event for event in part if who == f'task {event["delta"].get("r")}'), part[0])))
        lines = [self.first_line(n) for n in (t, t + 1, t - 1, t + 2) if 0 <= n < len(self.turn_list)]
        if who != 'poll' and lines[0]:
            kinds.append((f'{capital(who)} is next. What does it print first?', [*filter(None, lines), 'nothing'], lambda event: event is next(event for event in part if event['out'].strip())))
        frames = now.get(who)
        if isinstance(frames, list) and frames and frames[-1][0] in self.states:
            name, _, _, number = frames[-1]
            kept = [f[1] for f in after[who] if f[3] == number] if isinstance(after.get(who), list) else []
            ended = any(event['object'] == number and 'return std::nullopt' in self.line_of(event['stack'][-1]) for event in part)
            answer = 'has finished' if ended or not kept else kept[0]
            if any(f[0] == name and f[3] != number for f in self.bodies({who: after.get(who)} if who.startswith('task') else after)):
                return kinds  # another object of the class could be meant
            kinds.append((f'{capital(who)} is next. In which state is {name} afterwards?', [answer, *(x for x in self.states[name] if x != 'start'), 'has finished'],
                          lambda event: event['object'] == number and (who in event['delta'] or 'nullopt' in self.line_of(event['stack'][-1]))))
        return kinds

    def waits_but_for(self, me):
        """All that tasks wait for in this run, but for the end of this one."""
        ends = [self.after(self.part(self.turn_list, t), who) for t, (_, who) in enumerate(self.turn_list)]
        return [words for now in ends for i in now['w'] for words in [self.whereabouts(now, int(i))] if f'task {me}' not in words]

    def whereabouts(self, now, me):
        wait = now['w'].get(str(me))
        return f'waits {self.wait(now, wait)}'.split(', but')[0] if wait else 'in the queue' if me in now['q'] else 'ended'

    def first_line(self, t):
        return next((line for event in self.part(self.turn_list, t) for line in event['out'].split('\n') if line.strip()), None)
