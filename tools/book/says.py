"""What the player says of a line, in words of says.tsv, made of what was recorded."""
import json
import re
from collections import Counter
from pathlib import Path

from stops import AWAITS, PLAYED

TABLES = [Path(__file__).with_name(name).read_text() for name in ('says.tsv', 'words.tsv')]
WORDS = {key: texts for key, *texts in (line.split('\t') for line in ''.join(TABLES).splitlines())}
# These need the line before them, or say nothing that a table has not.
PLAIN = {'runs', 'loop runs', 'back', 'compiler', 'performs', 'next', 'turn', 'jump', 'begin',
         'begins', 'resumed', 'suspended', 'queued'}
FATES = {'has finished': 'ended', 'was killed': 'killed', 'has failed': 'failed',
         'was destroyed': 'destroyed'}


def script(language):
    """The words of a language, and how they are put together, as a script for the player."""
    words = {key: texts[language == 'zh'] for key, texts in WORDS.items()}
    code = Path(__file__).with_name('words.js').read_text()
    return f'const words = {json.dumps(words, ensure_ascii=False, separators=(",", ":"))};\n{code}'


def tell(said, zh=False):
    """Words in a language: a text, [key, what it speaks of, ...] or a list of such words."""
    if not isinstance(said, list):
        return re.sub(r'^task (\d+)$', lambda task: text('task {1}', zh, task[1]), str(said))
    if not said or isinstance(said[0], list):
        return text(', ', zh).join(tell(words, zh) for words in said)
    return text(said[0], zh, *(tell(words, zh) for words in said[1:]))


def text(key, zh, *words):
    found = WORDS[key][zh] if key in WORDS else str(key)
    told = re.sub(r'\{(\d)\}', lambda n: words[int(n[1]) - 1], found)
    return re.sub(r'(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])', '', told)


def sentences(said, zh=False):
    told = [re.sub('([^.!?。])”$', lambda end: end[0] + text('full stop', zh),
                   tell(words, zh).replace('`', '')) for words in said]
    begun = (re.sub(r'^(task \d|the |line \d)', lambda start: start[0].capitalize(), words)
             for words in told)
    return ('' if zh else ' ').join(begun)


def says(turns, i):
    """What is said of an event: a list."""
    event, following = turns.events[i], (turns.events[i + 1:] or [None])[0]
    if event['kind'] in SPECIAL:
        return [SPECIAL[event['kind']](turns, event)]
    called = list(calls(event))
    said = [*resumed(turns, event), *printed(turns, event), *sets(turns, event), *changes(turns, i),
            *polled(event), *called]
    if len(said) > 1:  # a phone has three lines, and the cards show what is set
        said = [words for words in said if words[0] != 'sets']
    top = event['stack'][-1]
    if event['kind'] == 'line' and event['object'] and [its[0] for its in called] != ['calls']:
        other = following and following['object'] not in (0, event['object'])
        if other or following and len(following['stack']) < len(event['stack']):
            said.append([fate(turns, i), name_of(turns, event)])
    if top[0] == 'Scheduler::run' and (following['who'] == 'main' if following else not turns.more):
        said.append(['loop ends'])
        if event['now']['w']:
            said.append(['forever', [[f'task {task}'] for task in event['now']['w']]])
    if str(event['state'].get('error')).startswith('a container'):
        said.append(['undefined'])
    return said or [plain(turns, event)]


def plain(turns, event):
    """Who runs, if there is nothing else to say."""
    name, place = event['stack'][-1][0], turns.at(event['stack'][-1])
    function = name.split('::')[-1]
    if event['kind'] == 'back':
        return ['back', place]
    if re.search(AWAITS, name):
        return ['compiler', function]
    if event['who'] != 'sched':
        return ['runs', name_of(turns, event), place]
    if not name.startswith(('Scheduler::', 'Task::run')):
        return ['performs', f'task {event["state"]["runs"]}']
    return ['loop runs', place] if function in PLAYED else ['changed', function]


def frames(side, who):
    """The bodies of somebody who has not ended, the outermost first."""
    found = side.get(who)
    return found if isinstance(found, list) else []


def name_of(turns, event):
    """The body that runs this line, or its task, if that never has another one."""
    if event['who'] not in turns.callers:
        return event['who']
    its = [frame[0] for frame in frames(event['old'], event['who'])]
    return event['body']['name'] if event['body'] else [event['who'], *its][-1]


def throws(turns, event):
    its = frames(event['now'], f'task {event["now"]["r"]}')
    if event['stack'][-1][0] != 'Task::run':
        return ['throws', event['what'].strip()]
    return ['thrown into', its[-1][0]] if its else ['thrown on']


def escapes(turns, event):
    names = [frame[0] for frame in frames(event['old'], f'task {event["now"]["r"]}')]
    if event['by'] == 'Task::run' and names:
        return ['escapes to', *names[:-3:-1]] if names[1:] else ['escapes', *names]
    if event['object']:
        return ['stored' if turns.step >= 'step08' else 'escapes', name_of(turns, event)]
    return ['thrown on']


SPECIAL = {
    'throw': throws, 'leaves': escapes,
    'catch': lambda turns, event: ['caught in', event['by']] if event['by'] else ['caught here'],
    'net': lambda turns, event: ['network', event['what']],
    'jump': lambda turns, event: ['begin', name_of(turns, event)] if event['what'] == 'start' else
    ['jump', event['what'], name_of(turns, event)]}


def resumed(turns, event):
    """Where a coroutine of the compiler has been resumed, if this is its first line since then."""
    again = event['object'] != event['ran'] or event['state'].get('resumed')
    if turns.step >= 'step08' and event['kind'] == 'line' and event['object'] and again:
        index = event['body']['state']
        if index in ('0', '2'):
            yield ['begins', name_of(turns, event)]
        elif index:
            yield ['resumed', name_of(turns, event), index]


def printed(turns, event):
    for key, text in ('prints', event['out']), ('reports', event['err']):
        if lines := [line for line in text.split('\n') if line.strip()]:
            who = ['sched'] if event['who'] == 'sched' else name_of(turns, event)
            yield [key, who, '”, “'.join(lines)]


def sets(turns, event):
    """Which variables of the actor are others now."""
    for a, b in zip(frames(event['old'], event['who']), frames(event['now'], event['who'])):
        new = [f'{key} = {value}' for key, value in b[2].items() if a[2].get(key) != value]
        new += [f'state_ = {b[1]}'] if a[1] != b[1] and not b[1].isdigit() else []
        if a[3] == b[3] and new:
            yield ['sets', b[0] if event['who'] in turns.callers else event['who'], ', '.join(new)]


def changes(turns, i):
    """What is new in the tasks, the queue, the waits and the answers."""
    event = turns.events[i]
    old, now, delta = event['old'], event['now'], event['delta']
    waited = old.get('w', {})
    for task, its in delta.items():
        if isinstance(its, str) and task.startswith('task '):
            yield [FATES[its], task]
            later = [event['now'] for event in rest_of_turn(turns, i)][-1]
            yield from (['not woken', f'task {ident}', task] for ident, what in later['w'].items()
                        if what == ['the end of', task])
        elif task.startswith('task ') and task not in old:
            yield ['copied' if 'd' in delta else 'new', task]
        elif len(task) > 1 and task not in old and task != 'main':
            yield ['created', task]
    for i, what in now['w'].items():
        if waited.get(i) != what:
            yield ['waits', f'task {i}', wait_of(now, what)]
    for i in (Counter(now['q']) - Counter(old.get('q', []))).elements():
        if f'task {i}' in old:
            key = 'woken' if str(i) in waited and str(i) not in now['w'] else 'queued'
            yield [key, f'task {i}', ['front' if now['q'][-1] != i else 'end']]
    for i, answer in now['a'].items():
        if old.get('a', {}).get(i) != answer:
            yield ['answer', f'task {i}', answer]
    if task := delta.get('r'):
        queued, its = task in now['q'] and not now['h'], now.get(f'task {task}')
        dead = [] if isinstance(its, list) else [[its or 'is gone']]
        yield ['dead' if dead else 'next' if queued else 'turn', f'task {task}', *dead]


def polled(event):
    """Why poll() sleeps, or doesn't."""
    old, now = event['old'], event['now']
    if event['stack'][-1][0].endswith('poll_sockets') and 't' in event['delta'] and 't' in old:
        slept = float(now['t']) - float(old['t']) > .15  # a call without sleep takes 0.1 s
        keys = ('sleeps anyway', 'looks') if old['q'] else ('sleeps', 'asks')
        yield [keys[0 if slept else 1], now['t']]


def calls(event):
    """Which coroutine is innermost now."""
    who = event['who'] if event['who'] in event['now'] else f'task {event["now"]["r"]}'
    was, held = ([f[0] for f in frames(event[side], who)] for side in ('old', 'now'))
    if was and len(was) != len(held) and isinstance(event['now'].get(who), list):
        calls = len(was) < len(held)
        yield ['calls' if calls else 'returns' if held else 'popped', was[-1], *held[-1:]]


def fate(turns, i):
    """Is a body suspended in its line, or has it reached its end?"""
    number, who, before = (turns.events[i][key] for key in ('object', 'who', 'old'))
    for n, event in enumerate(rest_of_turn(turns, i)):
        if n and event['object'] == number:
            break
        if number not in {frame[3] for frame in turns.bodies(event['now'])}:
            its = event['now'].get(who)
            if not isinstance(its, list):
                return 'ends' if str(its).startswith('has finished') else 'suspended'
            # another body may have taken its place
            popped = {frame[3] for frame in its} <= {frame[3] for frame in before.get(who, [])}
            return 'ends' if popped else 'suspended'
    return 'suspended'


def rest_of_turn(turns, i):
    """An event, and those that follow before another turn begins."""
    yield turns.events[i]
    for event in turns.events[i + 1:]:
        if event['delta'].get('r'):
            break
        yield event


def wait_of(now, what):
    """What a task waits for."""
    if not isinstance(what[0], int):
        return what if what[0] == 'until' else ['for', what]
    names = [end[0] for end in now.get('n', []) if end[1] == what[0] and end[3] != 'closed']
    its = [what[1], names[-1] if names else what[0]]
    return ['with deadline', its, what[2]] if what[2:] and what[2] else its
