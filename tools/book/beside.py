"""Puts two runs beside each other: by hand and by the compiler, or as it was and as it is."""
import difflib
import re
from itertools import accumulate

from says import text

STEP8 = 'step08_cpp20'  # its programs are shown beside those by hand
SAID = {**dict.fromkeys(['begin', 'jump', 'begins', 'resumed'], 'is resumed'), 'ends': 'returns',
        **dict.fromkeys(['suspended', 'calls'], 'suspends')}


def key(turns):
    return f'{turns.step[:6]}_{turns.program}'


def twin(recorded, turns):
    """The same program in step 8, or by hand, if it has the same turns, as far as both are
    recorded."""
    is8 = turns.step == STEP8
    others = [t for t in recorded if t.program == turns.program and (t.step == STEP8) != is8]
    if not others:
        return None
    mine, its = ([who if re.match('task|main|poll', who) else 'body' for _, who in t.turn_list]
                 for t in (turns, others[-1]))
    goes_on = turns.more and others[-1].more and all(a == b for a, b in zip(mine, its))
    return others[-1] if mine == its or goes_on else None


def places(turns):
    """For each event the number of the source and the line where the program is, whether this line
    runs (in the scheduler, the body waits in its line), and the state of the body."""
    at = {'main': [0, 1]}
    for t, (_, who) in enumerate(turns.turn_list):
        for event in turns.part(turns.turn_list, t):
            _, file, line, _ = event['stack'][-1]
            if runs := file in turns.files:
                at[event['who']] = [turns.files.index(file), line]
            body = event['now'].get(who)
            state = body[-1][1].split(' →')[0] if isinstance(body, list) and body else '-'
            place = at.get(event['who'] if runs else who, at['main'])
            is_index = ['at index', state] if state.isdigit() else f'state_ = {state}'
            yield [*place, int(runs)], '' if state == '-' else is_index


def does(turns, event):
    """What an event does, in words that are the same by hand and by the compiler."""
    said = next((SAID[words[0]] for words in event['says'] if words[0] in SAID), None)
    return said or re.sub(r'_\b| *//.*', '', turns.line_of(event['stack'][-1]).strip())


def same_moments(turns, other):
    """For each event the number of the same moment of the other side. A turn is beside that of the
    same number. In it, first what prints the same goes together, then what does the same, and what
    is between is shared out. If the other side has no such turn, its last moment."""
    for t in range(len(turns.turn_list)):
        u, its = same_turn(turns, other, t), turns.part(turns.turn_list, t)
        if u is None:
            yield from [len(other.events) - 1] * len(its)
        else:
            start, theirs = other.turn_list[u][0], other.part(other.turn_list, u)
            yield from (start + n for n in same_lines(turns, other, its, theirs))


def same_lines(turns, other, its, theirs):
    prints = [[i for i, event in enumerate(part) if event['out'] + event['err']]
              for part in (its, theirs)]
    moments, i, j = [], 0, 0
    for a, b in [*zip(*prints), (len(its), len(theirs))]:
        sides = [[does(side, event) for event in part]
                 for side, part in ((turns, its[i:a]), (other, theirs[j:b]))]
        matcher = difflib.SequenceMatcher(None, *sides, autojunk=False)
        for k, l, size in matcher.get_matching_blocks():
            gap, to = i + k - len(moments), j + l
            since = moments[-1] + 1 if moments else 0
            moments += [since + n * (to - since) // gap if to > since else max(to - 1, 0)
                        for n in range(gap)] + list(range(to, to + size))
        moments += [b]
        i, j = a + 1, b + 1
    return moments[:-1]


def same_turn(turns, other, t):
    """The turn, or the poll after a turn, that the other side has in this place, or nothing."""
    mine, theirs = ([*accumulate(side.numbers_of_turns, lambda was, n: was if n == '' else n)]
                    for side in (turns, other))
    found = [u for u, number in enumerate(theirs) if number == mine[t]]
    return found[min(t - mine.index(mine[t]), len(found) - 1)] if found else None


def beside(turns, other, changed=False):
    """For each event the same moment of the twin: its place, the name that the player has for it,
    and the state of its body. Beside a run with another line, the other side is the original, and
    its turn and queue stand in the place of the state, if there is a scheduler."""
    place, found = list(places(other)), []
    for n in same_moments(turns, other):
        state = as_it_was(other, n) if changed and other.scheduled else place[n][1]
        found.append([*place[n][0], address(other, n), state])
    return found


def as_it_was(turns, n):
    """The turn of an event of the original, the task that has it, and the queue."""
    if n == len(turns.events) - 1:
        return ['not so far' if turns.more else 'had ended']
    t, last = turn_of(turns, n), number_of(turns, len(turns.turn_list) - 1)
    number = number_of(turns, t) if turns.more else ['of all', number_of(turns, t), last]
    queue = queue_of(turns.events[n]['now'])
    return ['was then', number, turns.turn_list[t][1], queue or ['empty']]


def queue_of(now, zh=False):
    """The queue, in words: the number of a task that is dead says so."""
    fates = {i: now.get(f'task {i}') for i in now['q']}
    dead = {i: f' ({text(fate, zh).split()[-1]})' for i, fate in fates.items()
            if isinstance(fate, str)}
    return ', '.join(f'{i}{dead.get(i, "")}' for i in now['q'])


def turn_of(turns, n):
    return max(t for t, (start, _) in enumerate(turns.turn_list) if start <= n)


def number_of(turns, t):
    """The number of a turn. A poll has that of the turn before it."""
    return max(number for number in turns.numbers_of_turns[:t + 1] if number != '')


def address(turns, n):
    """Where an event stands: turn-8.4 is the fourth line of turn 8, poll-8.2 the second one of the
    poll after it."""
    t = turn_of(turns, n)
    start, who = turns.turn_list[t]
    return f'{"poll" if who == "poll" else "turn"}-{number_of(turns, t)}.{n - start + 1}'


def outcomes(turns, other):
    """What the events of a run do to it, each with its number, and which lines run that the other
    run has, too. What the scheduler changes counts, and not in how many lines it does so."""
    code = {line.strip() for lines in other.text.values() for line in lines}
    for i, event in enumerate(turns.events):
        delta = {k: v for k, v in event['delta'].items() if k not in ('m', 'l', 'd', 'b')}
        line, kind = turns.line_of(event['stack'][-1]).strip(), event['kind']
        line = line if line in code else ''
        if event['who'] != 'sched':
            if delta or line:
                yield i, (event['who'], kind, line, delta)
            continue
        asked = line and kind == 'line' and event['stack'][-1][0] == 'lambda'  # a system call
        if asked or kind not in ('line', 'back'):
            yield i, (kind, line if asked else '')
        yield from ((i, change) for change in delta.items())


def leaves(turns, original):
    """The number of the first event of a run with another line that differs from the original run,
    or nothing."""
    now, same = list(outcomes(turns, original)), [its for _, its in outcomes(original, turns)]
    ends = len(now) < len(same) and not (turns.more and original.more)  # before the original
    return next((i for n, (i, its) in enumerate(now) if [its] != same[n:n + 1]),
                len(turns.events) - 1 if ends else None)
