"""The recorded runs: turns with output, places, what each coroutine holds, the queue, and what follows from them."""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from reader import painted

ENDS = {'returns': 'has returned', 'ends': 'has finished', 'throws': 'has thrown', 'leaves': 'has finished'}
STEP8 = 'step08_cpp20'  # the compiler's machines, shown next to those by hand


def record(root, folder):
    """Records all programs again whose step, or the recorder, has changed."""
    trace = root / 'tools/trace'
    tools = [p.stat().st_mtime for p in trace.parent.glob('trace*')]

    def one(step, program):
        file = folder / step[:6] / f'{program}.txt'
        newest = max(tools + [p.stat().st_mtime for p in (root / step).rglob('*.[hc]pp')])
        if not file.exists() or file.stat().st_mtime < newest:
            made = subprocess.run([trace, '--members', step, program], text=True, capture_output=True)
            if made.returncode:
                sys.exit(f'error: {step}/{program}.cpp: {made.stderr}')
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(made.stdout)
        check(root, step, program, file.read_text())

    pairs = [line.split() for line in subprocess.check_output([trace, '--list'], text=True).splitlines()]
    for file in folder.rglob('*.txt'):
        if [file.parent.name, file.stem] not in [[step[:6], program] for step, program in pairs]:
            file.unlink()  # the program no longer exists
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda pair: one(*pair), pairs))


def check(root, step, program, text):
    """A recording prints what the program must print, or the beginning of that."""
    file = root / step / 'expected' / f'{program}.txt'
    recipe = file.with_suffix('.make')
    expected = subprocess.check_output(['sh', recipe], text=True) if recipe.exists() else file.read_text()
    printed = ''.join(line + '\n' for line in re.findall(r'^out (.*)', text, re.M))
    if not (expected.startswith(printed) if text.endswith('and so on\n') else expected == printed):
        sys.exit(f'error: {step}/{program}: the recording does not print the expected output')


def path(root, step, file):
    return f'{step}/{file}' if (root / step / file).exists() else f'{step}/programs/{file}'


def entrances(file, lines):
    """Where a body continues: (class, state) or (function, '2') to FILE:LINE."""
    found, name = {}, None
    for n, line in enumerate(lines, 1):
        if m := re.match(r'(?:class|struct) (\w+)', line):
            name = m.group(1)
        if m := re.search(r'case State::(\w+):', line):
            found[name, m.group(1)] = f'{file}:{n}'
        if m := re.match(r'[\w:<>, ]+ (\w+)\(.*\{$', line):
            found[m.group(1), '2'] = f'{file}:{n}'
    return found


def held(words):
    """'Task1 yielded i_=1' as a name, a state and members."""
    name, state, *rest = words.split(' ', 2)
    members = dict(re.findall(r'([\w.]+)=("(?:[^"\\]|\\.)*"|\S+)', rest[0] if rest else ''))
    return {'name': name, 'state': state, 'sent': members.pop('sent', ''), 'members': members}


def said(what):
    """A stop in the words of the chapters. In a header, the recording has no text for a request or a call."""
    whole = {'ends': 'finishes', 'asks': 'yields a request', 'asks and waits': 'yields a request and waits',
             'calls ': 'calls a coroutine'}
    return whole.get(what) or re.sub('^asks ', 'yields ', what)


class Reader:
    """Reads a recording. The frames of each task follow from `calls` and `returns`, the innermost is the last."""

    def __init__(self, root, step, program, text):
        self.stacks, self.last, self.turns = {}, {}, []
        files = [path(root, step, file) for file in dict.fromkeys([f'{program}.cpp'] + re.findall(r'^stop ([^:\s]+):', text, re.M))]
        self.place = lambda where: None if where == '-' else path(root, step, where.split(':')[0]) + ':' + where.split(':')[1]
        self.sources = [(file, (root / file).read_text()) for file in files]
        self.entrances = {}
        for file, source in self.sources:
            self.entrances.update(entrances(file, source.splitlines()))
        for block in text.strip().split('\n\n'):
            if block.startswith('turn'):
                self.turn(block)
        self.goes_on = text.endswith('and so on\n')

    def turn(self, block):
        turn = {'events': [], 'queue': None, 'ready': None}
        held_at = {}  # the number of an event to what its frame holds before and after
        for line in block.split('\n'):
            kind, _, rest = line.partition(' ')
            if kind == 'who':
                turn['who'] = rest
            elif kind in ('queue', 'ready'):
                turn[kind] = rest.split()
            elif kind == 'out':
                turn['events'].append({'what': f'prints “{rest}”', 'out': rest})
            elif kind == 'stop':
                where, what = rest.split(' ', 1)
                turn['events'].append({'what': what, 'at': self.place(where)})
            elif kind == 'frame':
                held_at[len(turn['events']) - 1] = [held(words) for words in rest.split(' | ')]
        for stack in self.stacks.values():
            for frame in stack:
                frame.pop('old', None)
                frame.update(sent='', state=[frame['state'][1]] * 2)
        stack = self.stacks.setdefault(turn['who'], [])
        frames = list(stack)
        for n, event in enumerate(turn['events']):
            if 'at' in event:
                self.stop(stack, frames, event, *held_at.get(n, [None, None]))
                self.last[turn['who']] = event['what']
                event['what'] = said(event['what'])
        shown = {**self.stacks, turn['who']: frames}
        for who in [w for w in self.stacks if w.startswith('task') and self.gone(w, turn['ready'] or [])]:
            for frame in self.stacks.pop(who) if turn['ready'] is not None else []:
                frame['end'] = 'was killed'
            if turn['ready'] is None:
                shown.pop(who)
        turn['frames'] = {who: [dict(frame) for frame in frames] for who, frames in shown.items() if frames}
        turn['waits'] = {who: re.sub('^asks ?| ?and waits$|^waits for ', '', self.last[who]).strip() or 'a request' for who in self.stacks
                         if who.startswith('task') and who[5:] not in (turn['ready'] or [])}
        self.turns.append(turn)

    def gone(self, who, ready):
        """A task that is neither ready nor waits has finished, or was killed."""
        return who[5:] not in ready and ('waits' not in self.last[who] or f'({who[5:]})' in ready)

    def stop(self, stack, frames, stop, before, after):
        if stack and before and stack[-1]['name'] not in ('', before['name']):
            replaced = stack.pop()  # by exec_task()
            frames[:] = [frame for frame in frames if frame is not replaced]
        if not stack:
            stack.append({'name': '', 'state': ['', ''], 'new': {}, 'sent': '', 'at': None})
            frames.append(stack[-1])
        frame = stack[-1]
        if before:
            stop['from'] = self.entrances.get((before['name'], before['state'])) or frame['at']
            if 'old' not in frame:  # the first time in this turn
                frame.update(name=before['name'], old=before['members'], state=[before['state'], ''])
            frame.update(new=after['members'], state=[frame['state'][0], after['state']],
                         sent=', '.join(sent for sent in (frame['sent'], before['sent']) if sent not in ('', '""')))
        frame['at'] = stop['at']
        if end := ENDS.get(stop['what'].split()[0]):
            stack.pop()['end'] = end
        elif stop['what'].startswith('calls'):
            stack.append({'name': re.sub(r'calls (\w*).*', r'\1', stop['what']), 'state': ['', ''], 'new': {}, 'sent': '', 'at': None})
            frames.append(stack[-1])


def earlier(runs, run):
    """The same program, written by hand, for a program of step 8."""
    return next((r for r in reversed(runs) if run['step'] == STEP8 and r['program'] == run['program'] and r['step'] < STEP8), None)


def by_hand(runs, run):
    """The earlier program, if it has the same turns."""
    other = earlier(runs, run)
    who = lambda r: [t['who'] if re.match('task|main', t['who']) else 'generator' for t in r['read'].turns]
    return other if other and who(other) == who(run) and any(f['state'][1] for t in run['read'].turns for s in t['frames'].values() for f in s) else None


def pane(run):
    read = run['read']
    return {'step': run['step'], 'turns': read.turns, 'more': read.goes_on,
            'sources': [[file, painted(text, 'cpp')[len('<pre><code>'):-len('\n</code></pre>')].split('\n')] for file, text in read.sources]}


def all(root, folder):
    runs = []
    for file in sorted(folder.rglob('*.txt')):
        step = next(root.glob(file.parent.name + '_*')).name
        runs.append({'step': step, 'program': file.stem, 'read': Reader(root, step, file.stem, file.read_text())})
    done = []
    for run in runs:
        before, other = earlier(runs, run), by_hand(runs, run)
        about = re.search(r'^/// (.*?[.])(?:\s|$)', run['read'].sources[0][1], re.M)
        done.append({'step': run['step'][:6], 'program': run['program'], 'url': f'run_{run["step"][:6]}_{run["program"]}.html',
                     'title': f'{run["program"]}, turn by turn', 'about': about.group(1) if about else '',
                     'page': {'turns': run['read'].turns, 'apart': before and not other and before['step'][:6]},
                     'data': json.dumps([pane(r) for r in (other, run) if r], ensure_ascii=False, separators=(',', ':'))})
    return done
