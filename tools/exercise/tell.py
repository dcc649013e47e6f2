"""Compares two recordings of record_turns.py, and says where yours leaves ours. Says only what was
recorded."""
import difflib
import itertools
import os
import re
import textwrap

WIDTH, ROWS, HALF = 80, 15, 32
EMPTY = ('', '{', '}', '};', '} else {')


class Own(dict):
    """The lines of each file of yours that are not in ours."""

    rewritten = False  # is nearly everything the reader's own, so that it says nothing?
    around = frozenset()  # lines that are in ours, and beside which ours has more


def bare(line):
    return re.sub(r'\s*//.*', '', line).strip()


def read(file):
    try:
        with open(file, errors='replace') as text:
            return [bare(line) for line in text]
    except OSError:
        return []


def own_lines(ours, yours):
    own = Own()
    for name in sorted(os.listdir(yours)):
        file = os.path.relpath(os.path.join(os.path.realpath(yours), name))
        text, other = read(file), read(os.path.join(ours, name))
        if not name.endswith(('.hpp', '.cpp')) or text == other:
            continue
        compared = difflib.SequenceMatcher(None, other, text, autojunk=False)
        own.rewritten = own.rewritten or name == 'scheduler.hpp' and compared.ratio() < 0.5
        changed, around = set(), set()
        for kind, _, _, begin, end in compared.get_opcodes():
            if kind in ('replace', 'insert'):
                changed.update(range(begin + 1, end + 1))
            elif kind == 'delete':
                for lines in (range(begin, 0, -1), range(begin + 1, len(text) + 1)):
                    around.update([n for n in lines if text[n - 1] not in EMPTY][:1])
        own.around |= {(file, n) for n in around - changed}
        # an implicit constructor has this line
        heads = {n for n in changed | around if re.match('(class|struct) ', text[n - 1])}
        own[file] = {n for n in (changed | around) - heads if text[n - 1] not in EMPTY}
    if len(own) > 1:  # the lines of a generator run in each turn
        for file in [f for f in own if os.path.basename(f) == 'generator.hpp']:
            del own[file]
    return own


def change(a, b):
    """What has happened to a queue, in words, and the functions that may have done it."""
    if b[:-1] == a:
        return f'puts task {b[-1]} at the end of the queue', 'push_back emplace_back insert emplace'
    if b[1:] == a:
        return (f'puts task {b[0]} at the front of the queue',
                'push_front emplace_front insert emplace')
    if a[1:] == b:
        return f'takes task {a[0]} from the front of the queue', 'pop_front pop_back erase clear'
    if a[:-1] == b:
        return f'takes task {a[-1]} from the end of the queue', 'pop_back erase clear'
    if not b:
        return 'empties the queue', 'clear swap operator= erase'
    for i, task in enumerate(a):
        if a[:i] + a[i + 1:] == b:
            return f'takes task {task} out of the middle of the queue', 'erase'
    return f'changes the queue from {numbers(a)} to {numbers(b)}', 'erase insert swap operator='


def numbers(queue):
    return ' '.join('?' if n is None else str(n) for n in queue) or '-'


def cut(text, width):
    return text if len(text) <= width else text[:width - 3] + '...'


def fold(text):
    return textwrap.wrap(text, WIDTH - 4, initial_indent='    ', subsequent_indent='    ')


def ends(turn):
    return turn.ends or ('throws an exception' if turn.thrown else '')


def kind_of_end(turn):
    """Not the name of the system call, because yours may have other functions."""
    return 'yields a system call' if turn.ends.startswith('yields ') else turn.ends


def classes(turn):
    """The class of a coroutine that is no task. The reader may have given another name to it."""
    return set(re.findall(r'\((\w+)\)', turn.who or ''))


def value(sent, other):
    """What a yield returns; with its type only if this is what differs."""
    if ' ' not in sent or sent == 'an exception':
        return sent or 'nothing'
    kind, words = split(sent)
    is_same = split(other)[1:] == (words,) and split(other)[0] != kind
    return f'{words} as {"an" if kind[0] in "aeiou" else "a"} {kind}' if is_same else words


def split(sent):
    found = re.match(r'((?:unsigned |long |short )*[\w:]+) (.*)', sent)
    return found.groups() if found else ('',)


class Tell:
    def __init__(self, ours, yours, own):
        self.ours, self.yours, self.own = ours, yours, own
        self.o, self.y = ours.turns, yours.turns
        calls = any(t.who and not t.who.startswith('task') or t.ends == 'calls'
                    for t in self.o + self.y)
        self.unit, self.runs = ('resume', 'resumes') if calls else ('turn', 'runs')

    def lines(self):
        """What to print; nothing if nothing can be said."""
        t, how = self.find() if self.ours.end in ('ended', 'limit') else (0, None)
        if not how:
            return []
        place, why = self.place(t, how)
        first = fold(self.sentence(t, how))
        last = []
        if place:
            code = read(place[0])[place[1] - 1]
            last = [f'    yours: {place[0]}:{place[1]}: {code}']
            if len(last[0]) > WIDTH:
                last = [f'    yours: {place[0]}:{place[1]}:', '      ' + cut(code, WIDTH - 6)]
        last += fold(why)
        return first + self.table(t, ROWS - len(first) - len(last)) + last

    # What differs

    def find(self):
        """The first turn that differs, and how."""
        t, how = self.find_in_turns()
        if how in ('said', None):
            # more is destroyed after the last turn
            for n, (a, b) in enumerate(zip(self.o[:-1], self.y[:-1])):
                if n <= t and set(a.destroyed) != set(b.destroyed):
                    return n, 'destroyed'
        return t, how

    def find_in_turns(self):
        named = set().union(*(classes(turn) for turn in self.o))
        for t, (a, b) in enumerate(zip(self.o, self.y)):
            if a.who != b.who:
                is_known = a.who.startswith('coroutine') == b.who.startswith(
                    'coroutine') and classes(b) <= named
                return (t, 'who') if is_known else (-1, None)
            if a.sent != b.sent:
                return t, 'sent'
            is_last = [t == len(self.o) - 1, t == len(self.y) - 1]
            if is_last[1] and self.yours.end == 'limit':
                return t, None
            if is_last[1] and self.yours.end in ('crash', 'stuck'):
                return t, self.yours.end
            if a.ends and b.ends and kind_of_end(a) != kind_of_end(b):
                return t, 'ends'
            if is_last[0] == is_last[1] and [s for s, _ in a.said] != [s for s, _ in b.said]:
                return t, 'said'
        if len(self.o) > len(self.y):
            return len(self.y), 'fewer'
        is_more = len(self.o) < len(self.y) and self.ours.end == 'ended'
        return len(self.o), 'more' if is_more else None

    # The sentence

    def sentence(self, t, how):
        unit, o = self.unit, self.o[t] if t < len(self.o) else None
        y = self.y[t] if t < len(self.y) else None
        at = f'In {unit} {t}'
        if how == 'who':
            again = ' again' if self.y[t - 1].who == y.who else ''
            return f'{at} ours {self.runs} {o.who}, yours {self.runs} {y.who}{again}.'
        if how == 'sent':
            a, b = value(o.sent, y.sent), value(y.sent, o.sent)
            if 'an exception' not in (a, b):
                return f'{at} the yield of {o.who} returns {a} in ours, {b} in yours.'
            words = [f'throws an exception into {o.who}', f'resumes {o.who} without one']
            return f'{at} ours {words[a != "an exception"]}, yours {words[b != "an exception"]}.'
        if how == 'fewer':
            return self.fewer(t, o)
        if how == 'more':
            again = ' again' if any(p.who == y.who for p in self.y[:t]) else ''
            return f'Ours ends {self.after(t - 1)}. Yours {self.runs} {y.who}{again}.'
        if how in ('crash', 'stuck'):
            return self.stuck(t, y, how)
        if how == 'ends':
            a, b = ('only yields' if w == 'yields' else w for w in (o.ends, y.ends))
            return f'{at} {o.who} {a} in ours, {b} in yours.'
        if how == 'said':
            return self.said(t, o, y)
        runs = [('ours', 'yours', who) for who in o.destroyed if who not in y.destroyed]
        runs += [('yours', 'ours', who) for who in y.destroyed if who not in o.destroyed]
        return '{3} {0} destroys the body of {2}, {1} does not yet.'.format(
            *runs[0], self.after(t).capitalize())

    def fewer(self, t, o):
        again = ' again' if any(p.who == o.who for p in self.o[:t]) else ''
        left = self.y[-1].changes[-1][3] if self.y[-1].changes else self.y[-1].queue
        tasks = (f'task{"s" * (len(left) > 1)} {numbers(left)} in the queue' if left
                 else 'an empty queue')
        following = f'In ours {o.who} is next{again}.'
        if t == 1:
            return f'Yours {self.runs} nothing. Ours {self.runs} {o.who} first.'
        if ends(self.y[-1]) == 'throws an exception':
            return (f'In {self.unit} {t - 1} {self.y[-1].who} throws an exception, and yours ends. '
                    f'{following}')
        its = '' if left is None else f', with {tasks}'
        return f'Yours ends {self.after(t - 1)}{its}. {following}'

    def stuck(self, t, y, how):
        in_loop = how == 'stuck' and self.loop()[1]
        does = (f'crashes ({self.yours.signal})' if how == 'crash' else
                f'waits in {self.yours.where}() for more than 2 seconds' if self.yours.where else
                'is in a loop' if in_loop else f'has no {self.unit} for more than 2 seconds')
        if t == 0 or y.ends:
            following = [f'In ours {turn.who} is next.' for turn in self.o[t + 1:t + 2]]
            return (f'{self.after(t).capitalize()} yours {does}. '
                    f'{(following or ["Ours ends then."])[0]}')
        if in_loop:
            return f'In yours, {self.unit} {t} of {y.who} does not end.'
        return f'In {self.unit} {t}, of {y.who}, yours {does}.'

    def said(self, t, o, y):
        both = itertools.zip_longest(o.said, y.said, fillvalue=('', True))
        (a, a_inside), (b, b_inside) = next((a, b) for a, b in both if a[0] != b[0])
        by_body = t and a_inside and b_inside
        by = f'In {self.unit} {t} {o.who}' if by_body else (
            f'{self.after(t).capitalize()} the program')
        if a and b:
            return f'{by} writes "{cut(a, 40)}" in ours, "{cut(b, 40)}" in yours.'
        return (f'{by} writes "{cut(a or b, 40)}" in '
                f'{"ours, not in yours" if a else "yours, not in ours"}.')

    def after(self, t):
        return f'after {self.unit} {t}' if t else f'before the first {self.unit}'

    # The line

    def is_own(self, place):
        return place and place[1] in self.own.get(place[0], ())

    def place(self, t, how):
        """The line of yours that has made the difference, and what was seen there."""
        crashed = next(filter(self.is_own, self.yours.loop), None) if how == 'crash' else None
        if crashed:
            return crashed, ''
        if how == 'stuck':
            return self.loop()
        if how in ('who', 'more', 'fewer'):
            y = self.y[t] if t < len(self.y) else None
            resumed_at = next(filter(self.is_own, y.stack), None) if y else None
            before = self.y[t - 1]
            if (how == 'who' and resumed_at and y.who == before.who and y.queue is not None
                    and not before.changes):
                return (resumed_at,
                        'Here yours resumes it again, before any task is put back or taken out.')
            found = self.queue_differs(t)
            if found:
                return found
            if resumed_at and how != 'fewer':
                return resumed_at, 'Here yours resumes it.'
        last = t if how in ('crash', 'ends', 'said', 'destroyed') else t - 1
        for turn in reversed(self.y[:last + 1]):
            if turn.lines:
                if turn.lines[-1] in self.own.around:
                    return turn.lines[-1], 'Around this line, ours does more.'
                return turn.lines[-1], 'This is the last line of your own that ran before.'
        return None, ''

    def loop(self):
        loop = self.yours.loop
        if not loop or self.yours.where:
            return next(filter(self.is_own, loop), None), ''
        lines = sorted({n for file, n in loop if file == loop[0][0] and loop.count((file, n)) > 2})
        if len(lines) > 1:
            return (loop[0][0],
                    lines[0]), f'It runs lines {lines[0]} to {lines[-1]} again and again.'
        return loop[0], 'It does not leave this line.' if len(set(loop)) == 1 else ''

    def queue_differs(self, until):
        """The first change of the queue that differs before a turn: the line of yours, and what was
        seen there."""
        queues = [turns[1].queue if len(turns) > 1 else None for turns in (self.o, self.y)]
        if None in queues or len(queues[0]) != len(queues[1]):
            # there is none, or it is of another kind: for example, it also holds the task that runs
            return None
        for t in range(until):
            o, y = self.o[t].changes, self.y[t].changes
            for i in range(max(len(o), len(y))):
                a, b = o[i:i + 1], y[i:i + 1]
                if a and b and a[0][0] == b[0][0]:
                    continue
                own = self.y[t].lines[:b[0][2] if b else None]
                if a and a[0][0].startswith('puts') and not (b and b[0][0].startswith('puts')):
                    return (own[-1] if own else None,
                            f'{self.after(t).capitalize()} ours {a[0][0]}. Yours does not.')
                instead = f'; ours {a[0][0].replace(" of the queue", "")} instead.' if a else '.'
                if b and self.is_own(b[0][1]):
                    return b[0][1], f'This line {b[0][0]}{instead}'
                return (own[-1], f'After this line yours {b[0][0]}{instead}') if b and own else None
        return None

    # The table

    def table(self, t, room):
        first = max(1, min(t - 1, max(len(self.o), len(self.y)) - 3))
        rows = [f'    {self.unit:>6} | {"ours":<{HALF}} | yours']
        for n in range(first, first + 3):
            a, b = (self.cell(run, n, other, n == t)
                    for run, other in ((self.ours, self.y), (self.yours, self.o)))
            for i in range(max(len(a), len(b))):
                left, right = (cell[i] if i < len(cell) else '' for cell in (a, b))
                begin = f'    {">" if n == t else " "} {n:>4}' if i == 0 else ' ' * 10
                rows.append(f'{begin} | {left:<{HALF}} | {right}'.rstrip())
        return rows[:room]

    def cell(self, run, t, other, whole):
        turns = run.turns
        if t >= len(turns):
            ends_here = {'ended': '(the run has ended)', 'crash': f'({run.signal})',
                         'stuck': '(none)'}
            return [ends_here.get(run.end, '')] if t == len(turns) else []
        turn = turns[t]
        does = []
        if turn.sent == 'an exception':
            does.append('  an exception is thrown into it')
        elif turn.sent:
            does.append(f'  its yield returns '
                        f'{value(turn.sent, other[t].sent if t < len(other) else "")}')
        is_last = t == len(turns) - 1
        said = [s for s, inside in turn.said if inside or whole or not is_last]
        does += [f'  "{cut(s, HALF - 4)}"' for s in said[:2]]
        if len(said) > 2:
            does[-1] = f'  and {len(said) - 1} more lines'
        if not whole:
            does = does[-1:]
        last = ends(turn)
        if is_last and not turn.ends and run.end in ('crash', 'stuck'):
            last = run.signal if run.end == 'crash' else 'does not end'
        queue = self.queue_after(turn)
        if queue is None:
            does += ['  ' + last] * bool(last)
        else:
            words = 'queue: ' + numbers(queue)
            if len(last) + len(words) > HALF - 3:
                last = re.sub('^yields ', '', last)
            does.append(f'  {last:<{max(0, min(14, HALF - 3 - len(words)))}} {words}')
        return [cut(each, HALF) for each in [turn.who] + does]

    def queue_after(self, turn):
        """The queue after a turn, before the next task is taken out."""
        queues = [turn.queue] * (turn.queue is not None) + [each[3] for each in turn.changes]
        return max(enumerate(queues),
                   key=lambda each: (len(each[1]), each[0]))[1] if queues else None
