"""The runs that the player shows: which programs have one, their recordings, and what is known of
them."""
import difflib
import html
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / 'keep'))
import proved
from beside import STEP8, address, beside, key, leaves, queue_of, twin
from reader import painted
from says import PLAIN, sentences, tell, text, wait_of
from turns import OF_STACK, Turns, block, happens, lines_of

PLAYER = ('runs.py', 'stops.py', 'turns.py', 'questions.py', 'says.py', 'beside.py', 'reader.py',
          'says.tsv', 'words.tsv', 'words.js', 'static/player.js', 'static/player.css',
          'static/style.css', 'static/site.js', 'templates/run.html', 'templates/base.html')


def programs(root):
    """Those of steps 1 to 8 that have a timeline, the servers for which there is a script of a
    network, and the scheduler without headers; and whether ./learn trace draws their turns."""
    listed = subprocess.check_output([root / 'tools/trace/trace', '--list'], text=True)
    found = [(*line.split(), True) for line in listed.splitlines()]
    found += [(next(root.glob(f'{file.name[:6]}_*')).name, file.stem[7:], False)
              for file in root.glob('tools/trace/runs/*.network')]
    found += [(STEP8, 'mini_scheduler', False)]
    return sorted(program for program in found if program[0] < 'step09')


def sources(folder, program):
    """The texts of a program and of its step's headers."""
    files = [*folder.glob('*.hpp'), folder / f'{program}.cpp']
    return {file.name: file.read_text() for file in files}


def data_of(root, step, program, kind):
    """The file with what the clients of a program do (network), or with another line (change), if
    there is one: the question, - and a text that its sources have once, + and the other text. It
    must not answer a prediction of the chapter."""
    return root / f'tools/trace/runs/{step[:6]}_{program}.{kind}'


def changed(root, step, program):
    """Returns what the program asks with another line, which a file NAME.change has, and the files
    of the step, one of which has the other line. Nothing, if the reader has changed this line."""
    change = data_of(root, step, program, 'change')
    named = subprocess.check_output([Path(__file__).parents[1] / 'keep/named', change], text=True)
    question, old, new = (line.strip() for line in re.split(r'\n[-+]', named))
    files = sources(root / step, program)
    found = sum(text.count(old) for text in files.values())
    if found != 1:
        print(f'{step}/{program}: "{old}" is in {found} places, and not in one, '
              'so its page has no other line.', file=sys.stderr)
        return None
    return question, {name: text.replace(old, new) for name, text in files.items()}


def inputs(root, step, program):
    """The files from which a recording is made."""
    folder, tools = root / step, root / 'tools'
    return [*folder.glob('*.hpp'), folder / f'{program}.cpp',
            *(tools / 'trace/runs').glob(f'{step[:6]}_{program}.*'),
            *filter(Path.is_file, (tools / 'trace').iterdir()), tools / 'learn/setup.sh']


def recording(root, folder, step, program):
    """Where the recording of a program is kept. Its name has the hash of what it is made from."""
    made_from = proved.digest(root, inputs(root, step, program))
    return folder / step[:6] / f'{program}.{made_from}.json'


def changed_functions(before, now):
    """The functions of a class, one of whose lines has been changed."""
    lines, found = now.split('\n'), []
    matcher = difflib.SequenceMatcher(None, before.split('\n'), lines, autojunk=False)
    for kind, _, _, start, end in matcher.get_opcodes():
        for n in range(start, max(end, start + 1)) if kind != 'equal' else ():
            its = '\n'.join(lines[row - 1] for row in block(lines, min(n + 1, len(lines))))
            found += re.findall(r'^  [\w:<>*&]+ (\w+)\(', its, re.M)
    return list(dict.fromkeys(found))


def record(root, folder, run):
    """Returns the recording of a run, which is made again only if what it is made from has changed.
    Beside it, the sources are kept."""
    step, program, is_changed = run['folder'], run['program'], 'of' in run
    file = recording(root, folder, step, program)
    file = file.with_name(f'changed_{file.name}') if is_changed else file
    its = file.with_suffix('') / step
    if file.exists() and its.exists():
        return file.read_text()
    for name, text in run.get('files', {}).items():
        (run['root'] / step).mkdir(parents=True, exist_ok=True)
        (run['root'] / step / name).write_text(text)
    also = changed_functions(*(run[side].get('scheduler.hpp', '') for side in ('before', 'files'))
                             ) if is_changed else []
    command = [root / 'tools/trace/record_lines', step, program]
    command += [os.path.relpath(run['root'] / step, root)] if is_changed else []
    made = subprocess.run(command, text=True, capture_output=True,
                          env={**os.environ, 'FUNCTIONS': ''.join(f'|{name}' for name in also)})
    if made.returncode:
        raise SystemExit(f'error: {made.stderr}')
    file.parent.mkdir(parents=True, exist_ok=True)
    for old in file.parent.glob(f'{file.name.split(".")[0]}.*'):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    its.mkdir(parents=True)
    for name, text in sources(run['root'] / step, program).items():
        (its / name).write_text(text)
    file.with_suffix('.part').write_text(made.stdout)
    file.with_suffix('.part').rename(file)
    return made.stdout


def is_changed(root, turns):
    """Does a recording print something else than the program must print, because the reader has
    changed it?"""
    file = root / turns.step / 'expected' / f'{turns.program}.txt'
    recipe = file.with_suffix('.make')
    if data_of(root, turns.step, turns.program, 'network').exists():
        return False  # a server, whose expected output is what its clients get
    command = ['sh', recipe] if recipe.exists() else ['cat', file]
    its = subprocess.check_output(command, text=True)
    return not (its.startswith(turns.printed) if turns.more else its == turns.printed)


def script(text):
    """What the clients of a server do, from a file NAME.network."""
    found = []
    for tick, line in re.findall(r'^(\d+) +(\w.*)', text, re.M):
        line = re.sub(' +', ' ', line, count=2).replace('\\r', '\r').replace('\\n', '\n')
        found.append(['at time', f'{int(tick) / 10:.1f}', happens(line)])
    return found


def as_script(run):
    """The data of a run, which the player loads."""
    return f'runData({json.dumps(run["key"])}, {run["data"]})\n'


def table(turns, zh=False):
    """What happens in each turn, for paper and for readers without JavaScript."""
    for n, (_, who) in enumerate(turns.turn_list):
        part = turns.part(turns.turn_list, n)
        now = turns.after_turn(part, who)
        told = [sentences([words], zh) for event in part for words in event['says']
                if words[0] not in PLAIN]
        sides = [side for side in (now, part[-1]['now']) if side['q']]
        queues = dict.fromkeys(queue_of(side, zh).replace(',', '') for side in sides)
        waits = [f'{tell(f"task {i}", zh)} {tell(wait_of(now, what), zh)}'
                 for i, what in now['w'].items()]
        space = '' if zh else ' '
        yield (turns.numbers_of_turns[n], tell(who, zh), space.join(dict.fromkeys(told)),
               text(', then ', zh).join(queues), text(', ', zh).join(waits),
               values(now.get(who), zh))


def values(frames, zh=False):
    """The state and the members of each body of a task, or how it has ended."""
    if isinstance(frames, str):
        return tell([frames], zh)
    return '; '.join(f'{name}: ' + ', '.join([state] * (state != '-') + [
        tell([key, held[key]], zh) if key == 'awaited by' else f'{key} = {held[key]}'
        for key in held if key != 'frame'])
        for name, state, held, _ in frames or [] if state != '-' or held)


BODY = (r'^((?:///.*\n)+)(?:inline )?(?:class (\w+) final : public (?:Coroutine|Generator)\b'
        r'|(?:Coroutine|Generator)<[^(]*> (\w+)\()')


def bodies(root, step, program):
    """What the comment of each body says that it does: its name, and the rest of a sentence."""
    text = ''.join(file.read_text() for file in sorted((root / step).glob(f'{program}.[ch]pp')))
    for comment, *names in re.findall(BODY, text, re.M):
        text = ' '.join(re.findall('/// (.*)', comment)).replace('`', '')
        sentence = re.match('.*?[.](?= |$)', text)[0]
        yield ''.join(names), sentence[0].lower() + sentence[1:]


def described(root, step, program, traced):
    """What is known of a run before it is recorded."""
    name = f'{step[:6]}_{program}'
    return {'key': name, 'root': root, 'folder': step, 'step': step[:6], 'program': program,
            'url': f'run_{name}.html', 'title': f'{program}, turn by turn',
            'bodies': list(bodies(root, step, program)), 'traced': traced,
            'place': {}}  # where a page plays it, for each language


def listed(root, folder):
    """The runs, and what is known of them before they are recorded, and those with another line.
    Without gdb, there are none."""
    if not shutil.which('gdb'):
        print('The site has no player: gdb, which records the runs, is not installed.',
              file=sys.stderr)
        return [], []
    found = [with_another(root, folder, *program) for program in programs(root)]
    return [run for run, _ in found], [other for _, other in found if other]


def with_another(root, folder, step, program, traced):
    """What is known of a run before it is recorded, and of the same run with another line, if there
    is one."""
    run, other = described(root, step, program, traced), None
    change = data_of(root, step, program, 'change')
    if change.exists() and (found := changed(root, step, program)):
        other = another(run, folder, [found[0]], found[1], sources(root / step, program))
        run['what'] = [other['key'], other['asks']]
    return run, other


def another(run, folder, asks, files, before):
    """A run with other files than before."""
    return {**run, 'before': before, 'key': f'{run["key"]}_changed', 'of': run['key'], 'asks': asks,
            'root': folder / 'changed' / run['program'], 'files': files,
            'what': [run['key'], ['as it was']]}


def is_unknown(turns):
    """Does a scheduler run bodies, but no task, because the reader has changed the names by which
    it is known?"""
    return turns.scheduled and len(turns.turn_list) == 1 and any(
        event['object'] and not re.match('main|sched|task', event['who']) for event in turns.events)


def complete(root, runs, recordings):
    """Adds to the runs what their recordings tell, and returns these."""
    recorded = [Turns(run['root'], run['folder'], run['program'], recording)
                for run, recording in zip(runs, recordings)]
    for turns in filter(is_unknown, recorded):
        for event in turns.events:  # no other words may be true
            event['says'] = [['back', turns.at(event['stack'][-1])]]
    originals = {run['key']: turns for run, turns in zip(runs, recorded) if 'of' not in run}
    for turns in originals.values():
        if turns.more and (other := twin([*originals.values()], turns)):
            turns.cut(len(other.turn_list))
    left = [leaves(turns, originals[run['of']]) if 'of' in run else None
            for run, turns in zip(runs, recorded)]
    for run, turns in zip(runs, recorded):
        run['data'] = turns.data()
    code = {run['key']: run['data']['src'] for run in runs if 'of' not in run}
    its = {run['key']: sources(run['root'] / run['folder'], run['program']) for run in runs}
    for run, turns, first in zip(runs, recorded, left):
        if 'of' in run:
            other = originals[run['of']]
            edit = show_other_line(run, turns, first, its[run['of']])
        else:
            other, edit = twin([*originals.values()], turns), edited(turns)
            run['now'] = has_changed(root, turns)
        finish(run, turns, other, edit, code)
    return recorded


def edited(turns):
    """The file that a reader edits: where the bodies are."""
    count = Counter(event['stack'][-1][1] for event in turns.events if event['object'])
    own = turns.files[0] in count or not count
    return f'{turns.step}/{turns.files[0] if own else max(count, key=count.get)}'


def has_changed(root, turns):
    """Has the reader changed the program? Says so."""
    how = ('prints something else than expected' if is_changed(root, turns) else
           'has a scheduler that the player does not know' if is_unknown(turns) else '')
    if how:
        print(f'{turns.step}/{turns.program} {how}: its page plays it as it is now.',
              file=sys.stderr)
    return bool(how)


def show_other_line(run, turns, first, before):
    """Shows the line of a run that is another one, and from where the run differs. Returns the
    places of the change."""
    data = run['data']
    run['leaves'] = None if first is None else address(turns, first)
    if first is None:
        data['ev'][(turns.turn_list[1:] or [[0]])[0][0] - 1][-1].append(['same'])
    else:
        data['ev'][first][-1].append(['leaves'])
        next(turn for turn in reversed(data['turns']) if turn[0] <= first).append(1)
    edit = show_change(data, before, run['files']) or edited(turns)
    source = data['src'][0]
    run['where'] = re.sub(r'step0\d\w*/', '', edit)
    if run['asks'][0].endswith('?') or edit.startswith(source[0]):  # a question leads to its line
        source[0] = ['other line', source[0], run['asks']]
    else:
        source[0] = ['your change in', f'{run["program"]}.cpp', run['where']]
    return edit


def finish(run, turns, other, edit, code):
    """Adds the rest of what the page and the player get."""
    data = run['data']
    other_key, is_other = other and key(other), 'of' in run
    plays = [name for name, text in turns.text.items()
             if text and (name in turns.files or data['loop'])]
    network = data_of(proved.ROOT, run['folder'], run['program'], 'network')
    events = script(network.read_text()) if network.exists() else []
    run.update(twin=not is_other and other_key, waits=data['waits'],
               turns=[list(table(turns, zh)) for zh in (False, True)],
               scheduler=any(event['now']['q'] for event in turns.events),
               script=[[tell(line, zh) for line in events] for zh in (False, True)],
               sources=[(f'{turns.step}/{name}',
                         painted('\n'.join(turns.text[name]), 'cpp', numbered=f'{name}:'))
                        for name in plays])
    side = ['both runs'] if is_other else ['step', other.step[5]] if other else ''
    data['twin'] = other and [other_key, code[other_key], beside(turns, other, is_other), side]
    keys = ['keys', ['keys both' if is_other else 'keys beside'] if other else '']
    data['foot'] = [keys, ['edit', edit, f'{int(run["step"][4:])} {run["program"]}',
                           ['or trace'] if run['traced'] else '']]
    data['script'] = events
    data |= {name: run[name] for name in ('what', 'of') if name in run}
    run['data'] = json.dumps(data, ensure_ascii=False, separators=(',', ':'))


def show_change(data, before, now):
    """Shows the lines that differ, in the sources and in the scheduler's loop, as they were and as
    they are. Returns where they are."""
    places = {}
    for name in sorted(now, key=lambda name: name.endswith('.hpp')):
        place = f"{data['src'][0][0].split('/')[0]}/{name}"
        panes = {'scheduler.hpp': data['loop'], 'task.hpp': data.get('stack', [])}
        lines = next((lines for source, lines in data['src'] if source == place), None)
        pairs = panes.get(name, [])
        rows = {pair[0] % OF_STACK: (pair, 1) for pair in pairs if pair[0]}
        if lines:
            rows = {n: (lines, n - 1) for n in range(1, len(lines) + 1)}
        old, new = before.get(name, '').split('\n'), now[name].split('\n')
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        for kind, a, b, c, d in matcher.get_opcodes():
            if kind == 'equal':
                continue
            if pairs and c < len(new) and c + 1 not in rows:
                shown = block(new, c + 1)
                html_of = lines_of('\n'.join(new[n - 1][2:] for n in shown))
                of_file = [[n + OF_STACK * (name == 'task.hpp'), line]
                           for n, line in zip(shown, html_of)]
                pairs += [[0, ''], *of_file]
                rows |= {n: (pair, 1) for n, pair in zip(shown, of_file)}
            places.setdefault(place, []).append(str(c + 1))
            for row, n in (rows[n] for n in range(c + 1, d + 1) if n in rows):
                row[n] = f'<ins>{row[n]}</ins>'
            if c + 1 in rows:
                row, n = rows[c + 1]
                gone = [html.escape(line[0 if lines else 2:], False) or ' ' for line in old[a:b]]
                row[n] = ''.join(f'<del>{line}</del>' for line in gone) + row[n]
    return '; '.join(f'{place}:{",".join(lines)}' for place, lines in places.items())


def proofs(root):
    """The hash of all that decides what the player shows in each line of a run, and beside it, and
    whether that is right."""
    player = {root / 'tools/book' / file for file in PLAYER} | {root / 'tests/site/player.mjs'}
    found, hashes = programs(root), {}
    for step, program, _ in found:
        both = [file for other, same, _ in found if same == program
                for file in inputs(root, other, program)]
        hashes[f'{step[:6]}_{program}'] = proved.digest(root, {*player, *both})
    return hashes


if __name__ == '__main__':  # runs.py new: runs that aren't proved; add KEY...: these are now
    found = proofs(proved.ROOT)
    if sys.argv[1:] == ['new']:
        print(*(name for name, hash in found.items() if proved.is_new(name, hash)))
    else:
        proved.add({name: found[name] for name in sys.argv[2:]})
