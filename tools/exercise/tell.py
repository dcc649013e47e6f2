"""Compares two recordings of record_turns.py, and says where yours leaves ours. Says only what was
recorded."""
import difflib
import itertools
import os
import re
import textwrap
import unicodedata

from say import CHINESE, say

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
    """What has happened to a queue, for say(), and the functions that may have done it."""
    if b[:-1] == a:
        return (('puts task {0} at the end of the queue', b[-1]),
                'push_back emplace_back insert emplace')
    if b[1:] == a:
        return (('puts task {0} at the front of the queue', b[0]),
                'push_front emplace_front insert emplace')
    if a[1:] == b:
        return (('takes task {0} from the front of the queue', a[0]),
                'pop_front pop_back erase clear')
    if a[:-1] == b:
        return ('takes task {0} from the end of the queue', a[-1]), 'pop_back erase clear'
    if not b:
        return ('empties the queue',), 'clear swap operator= erase'
    for i, task in enumerate(a):
        if a[:i] + a[i + 1:] == b:
            return ('takes task {0} out of the middle of the queue', task), 'erase'
    return (('changes the queue from {0} to {1}', numbers(a), numbers(b)),
            'erase insert swap operator=')


def numbers(queue):
    return ' '.join('?' if n is None else str(n) for n in queue) or '-'


def columns(text):
    return sum(2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in text)


def cut(text, width):
    if columns(text) <= width:
        return text
    while columns(text) > width - 3:
        text = text[:-1]
    return text + '...'


def cell(text, width):
    return text + ' ' * (width - columns(text))


def name(who):
    """The name of a body, in the language of the reader."""
    for pattern, text in ((r'task (\d+)', 'task {0}'),
                          (r'coroutine (\d+) \((.*)\)', 'coroutine {0} ({1})'),
                          (r'callee (\d+) of task (\d+)', 'callee {0} of task {1}')):
        if found := re.fullmatch(pattern, who):
            return say(text, *found.groups())
    return who


def fold(text):
    if CHINESE:  # the terminal breaks it
        return ['    ' + text] * bool(text)
    return textwrap.wrap(text, WIDTH - 4, initial_indent='    ', subsequent_indent='    ')


def ends(turn):
    return turn.ends or ('throws an exception' if turn.thrown else '')


def words_of(end):
    """How a turn ends, in the language of the reader."""
    its = re.fullmatch(r'yields (\w+\(\))', end)
    return say('yields {0}', its[1]) if its else say(end)


def kind_of_end(turn):
    """Not the name of the system call, because yours may have other functions."""
    return 'yields a system call' if turn.ends.startswith('yields ') else turn.ends


def classes(turn):
    """The class of a coroutine that is no task. The reader may have given another name to it."""
    return set(re.findall(r'\((\w+)\)', turn.who or ''))


def value(sent, other):
    """What a yield returns; with its type only if this is what differs."""
    if ' ' not in sent or sent == 'an exception':
        return say(sent or 'nothing')
    kind, words = split(sent)
    is_same = split(other)[1:] == (words,) and split(other)[0] != kind
    if not is_same:
        return words
    return say('{0} as an {1}' if kind[0] in 'aeiou' else '{0} as a {1}', words, kind)


def split(sent):
    found = re.match(r'((?:unsigned |long |short )*[\w:]+) (.*)', sent)
    return found.groups() if found else ('',)


class Tell:
    def __init__(self, ours, yours, own):
        self.ours, self.yours, self.own = ours, yours, own
        self.o, self.y = ours.turns, yours.turns
        calls = any(t.who and not t.who.startswith('task') or t.ends == 'calls'
                    for t in self.o + self.y)
        self.unit, self.runs = map(say, ('resume', 'resumes') if calls else ('turn', 'runs'))

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
            last = ['    ' + say('yours: {0}:{1}: {2}', *place, code)]
            if columns(last[0]) > WIDTH:
                last = [last[0][:-len(code) - 1], '      ' + cut(code, WIDTH - 6)]
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
        at = say('In {0} {1}', unit, t)
        if how == 'who':
            again = say(' again') if self.y[t - 1].who == y.who else ''
            return say('{0} ours {1} {2}, yours {1} {3}{4}.', at, self.runs, name(o.who),
                       name(y.who), again)
        if how == 'sent':
            a, b = value(o.sent, y.sent), value(y.sent, o.sent)
            if 'an exception' not in (o.sent, y.sent):
                return say('{0} the yield of {1} returns {2} in ours, {3} in yours.', at,
                           name(o.who), a, b)
            words = [say('throws an exception into {0}', name(o.who)),
                     say('resumes {0} without one', name(o.who))]
            return say('{0} ours {1}, yours {2}.', at,
                       *(words[each.sent != 'an exception'] for each in (o, y)))
        if how == 'fewer':
            return self.fewer(t, o)
        if how == 'more':
            again = say(' again') if any(p.who == y.who for p in self.y[:t]) else ''
            return say('Ours ends {0}. Yours {1} {2}{3}.', self.after(t - 1), self.runs,
                       name(y.who), again)
        if how in ('crash', 'stuck'):
            return self.stuck(t, y, how)
        if how == 'ends':
            a, b = (words_of('only yields' if w == 'yields' else w) for w in (o.ends, y.ends))
            return say('{0} {1} {2} in ours, {3} in yours.', at, name(o.who), a, b)
        if how == 'said':
            return self.said(t, o, y)
        runs = [('ours', 'yours', who) for who in o.destroyed if who not in y.destroyed]
        runs += [('yours', 'ours', who) for who in y.destroyed if who not in o.destroyed]
        ours, yours, who = runs[0]
        return say('{3} {0} destroys the body of {2}, {1} does not yet.', say(ours), say(yours),
                   name(who), self.after(t).capitalize())

    def fewer(self, t, o):
        again = say(' again') if any(p.who == o.who for p in self.o[:t]) else ''
        left = self.y[-1].changes[-1][3] if self.y[-1].changes else self.y[-1].queue
        its = (say(', with an empty queue') if not left else
               say(', with task {0} in the queue', numbers(left)) if len(left) == 1 else
               say(', with tasks {0} in the queue', numbers(left)))
        following = say('In ours {0} is next{1}.', name(o.who), again)
        if t == 1:
            return say('Yours {0} nothing. Ours {0} {1} first.', self.runs, name(o.who))
        if ends(self.y[-1]) == 'throws an exception':
            return say('{0} {1} throws an exception, and yours ends. {2}',
                       say('In {0} {1}', self.unit, t - 1), name(self.y[-1].who), following)
        return say('Yours ends {0}{1}. {2}', self.after(t - 1), '' if left is None else its,
                   following)

    def stuck(self, t, y, how):
        in_loop = how == 'stuck' and self.loop()[1]
        does = (say('crashes ({0})', self.yours.signal) if how == 'crash' else
                say('waits in {0} for more than 2 seconds', f'{self.yours.where}()')
                if self.yours.where else
                say('is in a loop') if in_loop else
                say('has no {0} for more than 2 seconds', self.unit))
        if t == 0 or y.ends:
            following = [say('In ours {0} is next{1}.', name(turn.who), '')
                         for turn in self.o[t + 1:t + 2]]
            return say('{0} yours {1}. {2}', self.after(t).capitalize(), does,
                       (following or [say('Ours ends then.')])[0])
        if in_loop:
            return say('In yours, {0} {1} of {2} does not end.', self.unit, t, name(y.who))
        return say('In {0} {1}, of {2}, yours {3}.', self.unit, t, name(y.who), does)

    def said(self, t, o, y):
        both = itertools.zip_longest(o.said, y.said, fillvalue=('', True))
        (a, a_inside), (b, b_inside) = next((a, b) for a, b in both if a[0] != b[0])
        by_body = t and a_inside and b_inside
        by = (say('In {0} {1} {2}', self.unit, t, name(o.who)) if by_body else
              say('{0} the program', self.after(t).capitalize()))
        if a and b:
            return say('{0} writes "{1}" in ours, "{2}" in yours.', by, cut(a, 40), cut(b, 40))
        if a:
            return say('{0} writes "{1}" in ours, not in yours.', by, cut(a, 40))
        return say('{0} writes "{1}" in yours, not in ours.', by, cut(b, 40))

    def after(self, t):
        return say('after {0} {1}', self.unit, t) if t else say('before the first {0}', self.unit)

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
                return (resumed_at, say(
                    'Here yours resumes it again, before any task is put back or taken out.'))
            found = self.queue_differs(t)
            if found:
                return found
            if resumed_at and how != 'fewer':
                return resumed_at, say('Here yours resumes it.')
        last = t if how in ('crash', 'ends', 'said', 'destroyed') else t - 1
        for turn in reversed(self.y[:last + 1]):
            if turn.lines:
                if turn.lines[-1] in self.own.around:
                    return turn.lines[-1], say('Around this line, ours does more.')
                return turn.lines[-1], say('This is the last line of your own that ran before.')
        return None, ''

    def loop(self):
        loop = self.yours.loop
        if not loop or self.yours.where:
            return next(filter(self.is_own, loop), None), ''
        lines = sorted({n for file, n in loop if file == loop[0][0] and loop.count((file, n)) > 2})
        if len(lines) > 1:
            return (loop[0][0], lines[0]), say('It runs lines {0} to {1} again and again.',
                                               lines[0], lines[-1])
        return loop[0], say('It does not leave this line.') if len(set(loop)) == 1 else ''

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
                puts = [[each[0].startswith('puts') for each, *_ in change] for change in (a, b)]
                if puts[0] == [True] and puts[1] != [True]:
                    return (own[-1] if own else None,
                            say('{0} ours {1}. Yours does not.', self.after(t).capitalize(),
                                say(*a[0][0])))
                instead = say('.') if not a else say(
                    '; ours {0} instead.', say(*a[0][0]).replace(' of the queue', ''))
                if b and self.is_own(b[0][1]):
                    return b[0][1], say('This line {0}{1}', say(*b[0][0]), instead)
                return (own[-1], say('After this line yours {0}{1}', say(*b[0][0]), instead)
                        ) if b and own else None
        return None

    # The table

    def table(self, t, room):
        first = max(1, min(t - 1, max(len(self.o), len(self.y)) - 3))
        rows = [f'    {" " * (6 - columns(self.unit))}{self.unit} | {cell(say("ours"), HALF)} | '
                f'{say("yours")}']
        for n in range(first, first + 3):
            a, b = (self.cell(run, n, other, n == t)
                    for run, other in ((self.ours, self.y), (self.yours, self.o)))
            for i in range(max(len(a), len(b))):
                left, right = (cell[i] if i < len(cell) else '' for cell in (a, b))
                begin = f'    {">" if n == t else " "} {n:>4}' if i == 0 else ' ' * 10
                rows.append(f'{begin} | {cell(left, HALF)} | {right}'.rstrip())
        return rows[:room]

    def cell(self, run, t, other, whole):
        turns = run.turns
        if t >= len(turns):
            ends_here = {'ended': say('(the run has ended)'), 'crash': f'({run.signal})',
                         'stuck': say('(none)')}
            return [ends_here.get(run.end, '')] if t == len(turns) else []
        turn = turns[t]
        does = []
        if turn.sent == 'an exception':
            does.append(say('  an exception is thrown into it'))
        elif turn.sent:
            does.append(say('  its yield returns {0}',
                            value(turn.sent, other[t].sent if t < len(other) else '')))
        is_last = t == len(turns) - 1
        said = [s for s, inside in turn.said if inside or whole or not is_last]
        does += [f'  "{cut(s, HALF - 4)}"' for s in said[:2]]
        if len(said) > 2:
            does[-1] = say('  and {0} more lines', len(said) - 1)
        if not whole:
            does = does[-1:]
        last = ends(turn)
        if is_last and not turn.ends and run.end in ('crash', 'stuck'):
            last = run.signal if run.end == 'crash' else 'does not end'
        last = words_of(last)
        queue = self.queue_after(turn)
        if queue is None:
            does += ['  ' + last] * bool(last)
        else:
            words = say('queue: {0}', numbers(queue))
            if columns(last) + columns(words) > HALF - 3:
                last = re.sub('^yields ', '', last)
            does.append(f'  {cell(last, max(0, min(14, HALF - 3 - columns(words))))} {words}')
        return [cut(each, HALF) for each in [name(turn.who)] + does]

    def queue_after(self, turn):
        """The queue after a turn, before the next task is taken out."""
        queues = [turn.queue] * (turn.queue is not None) + [each[3] for each in turn.changes]
        return max(enumerate(queues),
                   key=lambda each: (len(each[1]), each[0]))[1] if queues else None
