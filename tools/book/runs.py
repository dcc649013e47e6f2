"""The runs that the player shows: which programs have one, their recordings, and what the site says of them."""
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from turns import Turns

STEP8 = 'step08_cpp20'  # its programs are shown beside those by hand


def programs(root):
    """Those of steps 1 to 8 that have a timeline, and the servers for which there is a script of a network."""
    listed = [tuple(line.split()) for line in subprocess.check_output([root / 'tools/trace/trace', '--list'], text=True).splitlines()]
    servers = [(file.parts[-3], file.stem) for file in root.glob('step0*/expected/*.network')]
    return sorted(pair for pair in listed + servers if pair[0] < 'step09')


def record(root, folder):
    """Records all programs again whose step, or the recorder, has changed. Without gdb, nothing is recorded."""
    if not shutil.which('gdb'):
        print('The site has no player: gdb, which records the runs, is not installed.', file=sys.stderr)
        return []
    tools = [p.stat().st_mtime for p in [*(root / 'tools/trace').glob('record_lines*'), root / 'tools/trace/scripted_network.cpp']]

    def one(pair):
        step, program = pair
        file = folder / step[:6] / f'{program}.json'
        newest = max(tools + [p.stat().st_mtime for p in [*(root / step).glob('*.[hc]pp'), *(root / step).glob(f'expected/{program}.network')]])
        if not file.exists() or file.stat().st_mtime < newest:
            made = subprocess.run([root / 'tools/trace/record_lines', step, program], text=True, capture_output=True)
            if made.returncode:
                sys.exit(f'error: {made.stderr}')
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(made.stdout)
        turns = Turns(root, step, program, file.read_text())
        check(root, turns)
        return turns

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, programs(root)))


def check(root, turns):
    """A recording prints what the program must print, or the beginning of that."""
    file = root / turns.step / 'expected' / f'{turns.program}.txt'
    recipe = file.with_suffix('.make')
    if file.with_suffix('.network').exists():
        return  # a server, whose expected output is what its clients get
    expected = subprocess.check_output(['sh', recipe], text=True) if recipe.exists() else file.read_text()
    if not (expected.startswith(turns.printed) if turns.more else expected == turns.printed):
        sys.exit(f'error: {turns.step}/{turns.program}: the recording does not print the expected output')


def twin(recorded, turns):
    """The same program in step 8, or by hand, if it has the same turns."""
    others = [t for t in recorded if t.program == turns.program and (t.step == STEP8) != (turns.step == STEP8)]
    other = others[-1] if others else None
    who = [[who if re.match('task|main|poll', who) else 'body' for _, who in t.turn_list] for t in (turns, other) if t]
    return other if other and who[0] == who[1] else None


def key(turns):
    return f'{turns.step[:6]}_{turns.program}'


def tells(event, before, following):
    """Does this event change something that one wants to read of, or end the turn of a body?"""
    if event['kind'] in ('throw', 'catch', 'net') or event['out'] or event['err'] or 'w' in event['delta']:
        return True
    stops = event['who'] not in ('sched', 'main') and (not following or following['who'] != event['who'] or 'switch (state_)' in event['next'])
    return stops or len(event['now']['q']) > len(before['q']) or any(len(key) > 1 for key in event['delta'])


def table(turns):
    """What happens in each turn, for paper and for readers without JavaScript."""
    told = [event for before, event, following in zip([{'now': {'q': []}}, *turns.events], turns.events, [*turns.events[1:], None]) if tells(event, before['now'], following)]
    for n, (_, who) in enumerate(turns.turn_list):
        part = turns.part(turns.turn_list, n)
        yield turns.first_turn + n, who, ' '.join(event['words'] for event in part if event in told), ' '.join(map(str, part[-1]['now']['q']))


def all(root, folder):
    recorded = record(root, folder)
    for turns in recorded:
        other = twin(recorded, turns)
        about = re.search(r'^/// (.*?[.])(?:\s|$)', '\n'.join(turns.text[turns.files[0]]), re.M)
        yield {'key': key(turns), 'step': turns.step[:6], 'program': turns.program, 'url': f'run_{key(turns)}.html', 'title': f'{turns.program}, turn by turn',
               'about': about[1] if about else '', 'twin': other and key(other), 'turns': list(table(turns)), 'scheduler': bool(turns.loop()),
               'data': json.dumps({**turns.data(), 'twin': other and key(other)}, ensure_ascii=False, separators=(',', ':'))}
