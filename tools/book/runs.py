"""The runs that the player shows: which programs have one, their recordings, and what the site says of them."""
import difflib
import html
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from itertools import accumulate
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / 'keep'))
import proved
from reader import painted
from sentences import quoted
from turns import FUNCTION, OF_STACK, Turns, lines_of

CALL = re.compile(r'!?[\w.:]*\w\((?:[^()]|\([^()]*\))*\)(?![^“]*”)')  # in a sentence
LEAVES = 'From here, the runs differ.'  # short: a phone has three lines for a sentence
STEP8 = 'step08_cpp20'  # its programs are shown beside those by hand


def programs(root):
    """Those of steps 1 to 8 that have a timeline, the servers for which there is a script of a network, and the scheduler without headers;
    and whether ./learn trace draws their turns."""
    listed = [(*line.split(), True) for line in subprocess.check_output([root / 'tools/trace/trace', '--list'], text=True).splitlines()]
    servers = [(next(root.glob(f'{file.name[:6]}_*')).name, file.stem[7:], False) for file in root.glob('tools/trace/runs/*.network')]
    return sorted(found for found in [*listed, *servers, (STEP8, 'mini_scheduler', False)] if found[0] < 'step09')


def sources(folder, program):
    """The texts of a program and of its step's headers."""
    return {file.name: file.read_text() for file in [*folder.glob('*.hpp'), folder / f'{program}.cpp']}


def data_of(root, step, program, kind):
    """The file with what the clients of a program do (network), or with another line (change), if there is one: the question,
    - and a text that its sources have once, + and the other text. It must not answer a prediction of the chapter."""
    return root / f'tools/trace/runs/{step[:6]}_{program}.{kind}'


def changed(root, step, program):
    """Returns what the program asks with another line, which a file NAME.change has, and the files of the step, one of which has the other line. Nothing, if the
    reader has changed this line."""
    question, old, new = (line.strip() for line in re.split(r'\n[-+]', data_of(root, step, program, 'change').read_text()))
    files = sources(root / step, program)
    found = sum(text.count(old) for text in files.values())
    if found != 1:
        print(f'{step}/{program}: "{old}" is in {found} places, and not in one, so its page has no other line.', file=sys.stderr)
        return None
    return question, {name: text.replace(old, new) for name, text in files.items()}


def inputs(root, step, program):
    """The files from which a recording is made."""
    return [*(root / step).glob('*.hpp'), root / step / f'{program}.cpp', *(root / 'tools/trace/runs').glob(f'{step[:6]}_{program}.*'), *filter(Path.is_file, (root / 'tools/trace').iterdir()), root / 'tools/learn/setup.sh']


def recording(root, folder, step, program):
    """Where the recording of a program is kept. Its name has the hash of what it is made from."""
    return folder / step[:6] / f'{program}.{proved.digest(root, inputs(root, step, program))}.json'


def changed_functions(before, now):
    """The functions of a class, one of whose lines has been changed."""
    lines, found = now.split('\n'), []
    for kind, _, _, start, end in difflib.SequenceMatcher(None, before.split('\n'), lines, autojunk=False).get_opcodes():
        for n in range(start, max(end, start + 1)) if kind != 'equal' else ():
            while n and lines[n - 1].strip():  # up to the blank line before it
                n -= 1
            found += re.findall(FUNCTION.format(r'(\w+)'), '\n'.join(lines[n:]).split('\n\n')[0], re.M)
    return list(dict.fromkeys(found))


def record(root, folder, run):
    """Returns the recording of a run, which is made again only if what it is made from has changed. Beside it, the sources are kept."""
    kept, step, program = recording(root, folder, run['folder'], run['program']), run['folder'], run['program']
    file = kept.with_name(f'changed_{kept.name}') if 'of' in run else kept
    its = file.with_suffix('') / step
    if not (file.exists() and its.exists()):
        for name, text in run.get('files', {}).items():
            (run['root'] / step).mkdir(parents=True, exist_ok=True)
            (run['root'] / step / name).write_text(text)
        also = ''.join(f'|{name}' for name in changed_functions(run['before'].get('scheduler.hpp', ''), run['files'].get('scheduler.hpp', ''))) if 'of' in run else ''
        made = subprocess.run([root / 'tools/trace/record_lines', step, program, *([run['root'] / step] if 'of' in run else [])], text=True, capture_output=True, env={**os.environ, 'FUNCTIONS': also})
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
    return file.read_text()


def is_changed(root, turns):
    """Does a recording print something else than the program must print, because the reader has changed it?"""
    file = root / turns.step / 'expected' / f'{turns.program}.txt'
    recipe = file.with_suffix('.make')
    if data_of(root, turns.step, turns.program, 'network').exists():
        return False  # a server, whose expected output is what its clients get
    expected = subprocess.check_output(['sh', recipe], text=True) if recipe.exists() else file.read_text()
    return not (expected.startswith(turns.printed) if turns.more else expected == turns.printed)


def script(text):
    """What the clients of a server do, from a file NAME.network."""
    found = []
    for tick, who, does, what in re.findall(r'^(\d+) +(\w+) +(\w+) ?(.*)', text, re.M):
        found.append(f'{int(tick) / 10:.1f} s: ' + quoted(f'{who} {does} {what}'.replace('\\r', '\r').replace('\\n', '\n')))
    return found


def twin(recorded, turns):
    """The same program in step 8, or by hand, if it has the same turns, as far as both are recorded."""
    others = [t for t in recorded if t.program == turns.program and (t.step == STEP8) != (turns.step == STEP8)]
    other = others[-1] if others else None
    if other is None:
        return None
    who = [[who if re.match('task|main|poll', who) else 'body' for _, who in t.turn_list] for t in (turns, other)]
    return other if who[0] == who[1] or turns.more and other.more and all(a == b for a, b in zip(*who)) else None


def places(turns):
    """For each event the number of the source and the line where the program is, whether this line runs (in the scheduler, the body waits in its line), and
    the state of the body."""
    at = {'main': [0, 1]}
    for t, (_, who) in enumerate(turns.turn_list):
        for event in turns.part(turns.turn_list, t):
            _, file, line, _ = event['stack'][-1]
            runs = file in turns.files
            if runs:
                at[event['who']] = [turns.files.index(file), line]
            body = event['now'].get(who)
            state = body[-1][1].split(' →')[0] if isinstance(body, list) and body else '-'
            yield [*at.get(event['who'] if runs else who, at['main']), int(runs)], '' if state == '-' else f'{"resume index" if state.isdigit() else "state_ ="} {state}'


def does(turns, event):
    """What an event does, in words that are the same by hand and by the compiler."""
    code = turns.line_of(event['stack'][-1])
    if event['kind'] == 'jump' or event['state'].get('resumed') or event['object'] and ' goes on in ' in event['words']:
        return 'is resumed'
    if re.search(r'^}|\b(co_return|ReturnValue|nullopt)\b', code):
        return 'returns'
    return 'suspends' if re.search(r'\bco_(yield|await)\b|// .*\byield\b', code) else re.sub(r'_\b| *//.*', '', code.strip())


def same_moments(turns, other):
    """For each event the number of the same moment of the other side. A turn is beside that of the same number. In it, first what prints the same goes together,
    then what does the same, and what is between is shared out. If the other side has no such turn, its last moment."""
    for t in range(len(turns.turn_list)):
        u, its = same_turn(turns, other, t), turns.part(turns.turn_list, t)
        if u is None:
            yield from [len(other.events) - 1] * len(its)
            continue
        start, theirs = other.turn_list[u][0], other.part(other.turn_list, u)
        prints = [[i for i, event in enumerate(part) if event['out'] + event['err']] for part in (its, theirs)]
        moments, i, j = [], 0, 0
        for a, b in [*zip(*prints), (len(its), len(theirs))]:
            matcher = difflib.SequenceMatcher(None, [does(turns, event) for event in its[i:a]], [does(other, event) for event in theirs[j:b]], autojunk=False)
            for k, l, size in matcher.get_matching_blocks():
                gap, to = i + k - len(moments), j + l
                since = moments[-1] + 1 if moments else 0
                moments += [since + n * (to - since) // gap if to > since else max(to - 1, 0) for n in range(gap)] + list(range(to, to + size))
            moments += [b]
            i, j = a + 1, b + 1
        yield from (start + n for n in moments[:-1])


def same_turn(turns, other, t):
    """The turn, or the poll after a turn, that the other side has in this place, or nothing."""
    mine, theirs = ([*accumulate(side.numbers_of_turns, lambda before, number: before if number == '' else number)] for side in (turns, other))
    places = [u for u, number in enumerate(theirs) if number == mine[t]]
    return places[min(t - mine.index(mine[t]), len(places) - 1)] if places else None


def beside(turns, other, changed=False):
    """For each event the same moment of the twin: its place, the name that the player has for it, and the state of its body. Beside a run with another line, the
    other side is the original, and who had the turn and the queue stand in the place of the state, if there is a scheduler."""
    place = list(places(other))
    return [[*place[n][0], address(other, n), as_it_was(other, n) if changed and other.scheduled else place[n][1]] for n in same_moments(turns, other)]


def as_it_was(turns, n):
    """The turn of an event of the original, who has it, and the queue."""
    if n < len(turns.events) - 1:
        t, last = turn_of(turns, n), len(turns.turn_list) - 1
        return f'as it was, turn {number_of(turns, t)}{"" if turns.more else f" of {number_of(turns, last)}"}: {turns.turn_list[t][1]}, queue: {turns.listing(turns.events[n]["now"]) or "empty"}'
    return f'as it was: {"not recorded so far" if turns.more else "it has ended"}'


def outcome(event):
    """What an event does to the run, and what it asks for: not its other words, which quote the code, and no numbers of lines."""
    answer = re.search(r'[?] (Yes|No)\b', event['words'])
    asks = re.search(r'\b(?:yields|asks for|awaits(?! what)|calls|has returned the request|returns, a) ([\w:]+(?:\([^)]*\))?)', event['words'])
    return event['who'], '' if event['who'] == 'sched' and event['kind'] in ('line', 'back') else event['kind'], answer and answer[1], asks and asks[1], {key: value for key, value in event['delta'].items() if key not in ('m', 'l', 'd')}


def turn_of(turns, n):
    return max(t for t, (start, _) in enumerate(turns.turn_list) if start <= n)


def address(turns, n):
    """Where an event stands: turn-8.4 is the fourth line of turn 8, poll-8.2 the second one of the poll after it."""
    t = turn_of(turns, n)
    start, who = turns.turn_list[t]
    return f'{"poll" if who == "poll" else "turn"}-{number_of(turns, t)}.{n - start + 1}'


def number_of(turns, t):
    """The number of a turn. A poll has that of the turn before it."""
    return max(number for number in turns.numbers_of_turns[:t + 1] if number != '')


def outcomes(turns):
    """The outcomes of a run, each with the number of its event. What the scheduler changes counts, and not in how many lines it does so."""
    found = []
    for i, event in enumerate(turns.events):
        *its, delta = outcome(event)
        if its[0] != 'sched':
            found.append((i, [*its, delta]))
            continue
        if any(its[1:]) and not turns.is_called(event['by'] if event['kind'] == 'back' else event['stack'][-1][0]):
            found.append((i, its))
        found += [(i, change) for change in delta.items() if change[0] != 'b']
    return found


def leaves(turns, original):
    """The number of the first event of a run with another line that differs from the original run, or nothing."""
    now, same = outcomes(turns), [its for _, its in outcomes(original)]
    ends = len(now) < len(same) and not (turns.more and original.more)  # before the original
    return next((i for n, (i, its) in enumerate(now) if [its] != same[n:n + 1]), len(turns.events) - 1 if ends else None)


def mark_where_it_leaves(data, first):
    """Says so in the sentence of this event, and of its turn."""
    words = re.sub(r'^(The body begins|Resumed at index \d+)[.] ', '', data['ev'][first][-1]).replace(': await_suspend() asks', ', and asks').replace(' until it returns.', '.')  # all of it would be too long for a phone
    data['ev'][first][-1] = f'{words} {LEAVES}'
    next(turn for turn in reversed(data['turns']) if turn[0] <= first).append(LEAVES)


def as_script(run):
    """The data of a run, which the player loads."""
    return f'runData({json.dumps(run["key"])}, {run["data"]})\n'


def key(turns):
    return f'{turns.step[:6]}_{turns.program}'


def tells(event, before, following):
    """Does this event change something that one wants to read of, or end the turn of a body?"""
    if event.get('ends'):
        return True
    if not plain(event['words']) or re.fullmatch(r'Has \w+ yielded[?] Yes[.]|The scheduler gives task \d+ its turn\b.*', event['words']):  # what was sent to a body is gone then
        return False
    if event['kind'] in ('throw', 'catch', 'leaves', 'net') or event['out'] or event['err'] or 'w' in event['delta'] or re.search('will get the answer|has no turn', event['words']):
        return True
    stops = event['who'] not in ('sched', 'main') and (not following or following['who'] != event['who'] or 'switch (state_)' in event['next'])
    return stops or len(event['now']['q']) > len(before['q']) or any(len(key) > 1 and key != 'main' for key in event['delta'])


def plain(words):
    """A sentence without what needs the line before it."""
    return re.sub(r'^No: t(?=ask)', 'T', re.sub(r'^Back in line \d+ of the scheduler(: run\(\) has returned .*?)?[.]( |$)', '', words))


def table(turns):
    """What happens in each turn, for paper and for readers without JavaScript."""
    told = [event for before, event, following in zip([{'now': {'q': []}}, *turns.events], turns.events, [*turns.events[1:], None]) if tells(event, before['now'], following)]
    for n, (_, who) in enumerate(turns.turn_list):
        part = turns.part(turns.turn_list, n)
        now, words = turns.after(part, who), [plain(event['words']) for event in part if event in told] + [turns.result(n).strip()] * (who == 'poll')
        once = [after for before, after in zip(['', *words], words) if before != after or 'has no turn' not in after]  # an endless loop says so again and again
        yield (turns.numbers_of_turns[n], who, ' '.join(once), ', then '.join(dict.fromkeys(turns.listing(side).replace(',', '') for side in (now, part[-1]['now']) if side['q'])),
               ', '.join(f'task {i} {turns.wait(now, what)}' for i, what in now['w'].items()), values(now.get(who)))


def values(frames):
    """The state and the members of each body of a task, or how it has ended."""
    return frames if isinstance(frames, str) else '; '.join(f'{name}: ' + ', '.join([*([state] if state != '-' else []), *(f'{key} = {value}' for key, value in held.items() if key != 'frame')]) for name, state, held, _ in frames or [] if state != '-' or held)


def bodies(root, step, program):
    """What the comment of each body says that it does: its name, and the rest of a sentence."""
    text = ''.join(file.read_text() for file in sorted((root / step).glob(f'{program}.[ch]pp')))
    for comment, *names in re.findall(r'^((?:///.*\n)+)(?:inline )?(?:class (\w+) final : public (?:Coroutine|Generator)\b|(?:Coroutine|Generator)<[^(]*> (\w+)\()', text, re.M):
        sentence = re.match('.*?[.](?= |$)', ' '.join(re.findall('/// (.*)', comment)))[0].replace('`', '')
        yield ''.join(names), sentence[0].lower() + sentence[1:]


def described(root, step, program, traced):
    """What is known of a run before it is recorded."""
    key = f'{step[:6]}_{program}'
    return {'key': key, 'root': root, 'folder': step, 'step': step[:6], 'program': program, 'url': f'run_{key}.html', 'title': f'{program}, turn by turn',
            'bodies': list(bodies(root, step, program)), 'traced': traced}


def listed(root, folder):
    """The runs, and what is known of them before they are recorded, and those with another line. Without gdb, there are none."""
    if not shutil.which('gdb'):
        print('The site has no player: gdb, which records the runs, is not installed.', file=sys.stderr)
        return [], []
    found = [with_another(root, folder, *program) for program in programs(root)]
    return [run for run, _ in found], [other for _, other in found if other]


def with_another(root, folder, step, program, traced):
    """What is known of a run before it is recorded, and of the same run with another line, if there is one."""
    run, other = described(root, step, program, traced), None
    if data_of(root, step, program, 'change').exists() and (found := changed(root, step, program)):
        other = another(run, folder, *found, sources(root / step, program))
        run['what'] = [other['key'], other['asks']]
    return run, other


def another(run, folder, asks, files, before):
    """A run with other files than before."""
    return {**run, 'before': before, 'key': f'{run["key"]}_changed', 'root': folder / 'changed' / run['program'], 'of': run['key'], 'files': files, 'asks': asks, 'what': [run['key'], 'as it was']}


def is_unknown(turns):
    """Does a scheduler run bodies, but no task, because the reader has changed the names by which it is known?"""
    return turns.scheduled and len(turns.turn_list) == 1 and any(event['object'] and event['who'] not in ('main', 'sched') and not event['who'].startswith('task') for event in turns.events)


def complete(root, runs, recordings):
    """Adds to the runs what their recordings tell, and returns these."""
    recorded = [Turns(run['root'], run['folder'], run['program'], recording) for run, recording in zip(runs, recordings)]
    for turns in filter(is_unknown, recorded):
        for event in turns.events:
            event['words'] = f'Line {event["stack"][-1][2]} of {event["stack"][-1][1]}.'  # no other sentence may be true
    originals = [turns for run, turns in zip(runs, recorded) if 'of' not in run]
    for turns in originals:
        if turns.more and (other := twin(originals, turns)):
            turns.cut(len(other.turn_list))
    original = {run['key']: run for run in runs if 'of' not in run}
    left = [leaves(turns, next(t for t in originals if key(t) == run['of'])) if 'of' in run else None for run, turns in zip(runs, recorded)]
    played = [turns.data() for turns in recorded]
    code = {key(turns): data['src'] for turns, data in zip(originals, played)}  # those with another line are the last
    for run, turns, first, data in zip(runs, recorded, left, played):
        other = None
        runs_in = Counter(event['stack'][-1][1] for event in turns.events if event['object'])
        edit = f'{turns.step}/{turns.files[0] if turns.files[0] in runs_in or not runs_in else max(runs_in, key=runs_in.get)}'  # where the bodies are
        run['leaves'] = None
        if first is not None:
            mark_where_it_leaves(data, first)
            run['leaves'] = address(turns, first)
        elif 'of' in run:
            data['ev'][(turns.turn_list[1:] or [[0]])[0][0] - 1][-1] += ' Each turn is as it was.'  # where its address leads
        if 'of' in run:
            other = next(t for t in originals if key(t) == run['of'])
            edit = show_change(data, sources(original[run['of']]['root'] / run['folder'], run['program']), run['files']) or edit
            elsewhere = not run['asks'].endswith('?') and not edit.startswith(data['src'][0][0])  # a question leads to its line
            where = ' in ' + re.sub(r'step0\d\w*/', '', edit)
            data['src'][0][0] = f'{run["program"]}.cpp: your change{where}' if elsewhere else f'{data["src"][0][0]}: {run["asks"]}'
        else:
            run['now'] = is_changed(root, turns) or is_unknown(turns)
            if run['now']:
                how = 'prints something else than expected' if is_changed(root, turns) else 'has a scheduler with other names than ours'
                print(f'{turns.step}/{turns.program} {how}: its page plays it as it is now.', file=sys.stderr)
            other = twin(originals, turns)
        run.update(twin='of' not in run and other and key(other), turns=list(table(turns)), scheduler=any(event['now']['q'] for event in turns.events), waits=data['waits'],
                   sources=[(f'{turns.step}/{file}', painted('\n'.join(text), 'cpp', numbered=True)) for file, text in turns.text.items() if text and (file in turns.files or data['loop'])])
        network = data_of(root, run['folder'], run['program'], 'network')
        run['script'] = script(network.read_text()) if network.exists() else []
        keys = '← → a line · Shift ← → a turn · Space plays, Shift Space by turns · O: next output · Home, End' + (' · T: both' if 'of' in run else ' · T: side by side' * bool(other))
        foot = f'<span>{keys}</span><span>Edit <code>{edit}</code>, then <code>./learn run {int(run["step"][4:])} {run["program"]}</code>' + ', or <code>trace</code>' * run['traced'] + ', or <code>play</code></span>'
        for event in data['ev']:
            event[-1] = CALL.sub(r'<code>\g<0></code>', html.escape(event[-1], False))
        data |= {'foot': foot, 'script': run['script'], 'twin': other and [key(other), code[key(other)], beside(turns, other, 'of' in run), 'both runs' if 'of' in run else f'step {other.step[5]}'], **{name: run[name] for name in ('what', 'of') if name in run}}
        run['data'] = json.dumps(data, ensure_ascii=False, separators=(',', ':'))
    return recorded


def show_change(data, before, now):
    """Shows the lines that differ, in the sources and in the scheduler's loop, as they were and as they are. Returns where they are."""
    places = {}
    for name in sorted(now, key=lambda name: name.endswith('.hpp')):
        place = f"{data['src'][0][0].split('/')[0]}/{name}"
        lines = next((lines for source, lines in data['src'] if source == place), None)
        pairs = data['loop'] if name == 'scheduler.hpp' else data.get('stack', []) if name == 'task.hpp' else []
        rows, indent = ({n: (lines, n - 1) for n in range(1, len(lines) + 1)}, 0) if lines else ({pair[0] % OF_STACK: (pair, 1) for pair in pairs if pair[0]}, 2)
        old, new = before.get(name, '').split('\n'), now[name].split('\n')
        for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == 'equal':
                continue
            if pairs and c < len(new) and c + 1 not in rows:  # a function of the scheduler that is no part of its loop: it is shown below
                start, end = (next(n for n in order if not 0 <= n < len(new) or not new[n].strip()) for order in (range(c - 1, -2, -1), range(d, len(new) + 1)))
                shown = [[n + 1 + OF_STACK * (name == 'task.hpp'), html] for n, html in zip(range(start + 1, end), lines_of('\n'.join(line[2:] for line in new[start + 1:end])))]
                pairs += [[0, ''], *shown]
                rows |= {pair[0] % OF_STACK: (pair, 1) for pair in shown}
            places.setdefault(place, []).append(str(c + 1))
            for row, n in (rows[n] for n in range(c + 1, d + 1) if n in rows):
                row[n] = f'<ins>{row[n]}</ins>'
            if c + 1 in rows:
                row, n = rows[c + 1]
                row[n] = ''.join(f'<del>{html.escape(line[indent:], False) or " "}</del>' for line in old[a:b]) + row[n]
    return '; '.join(f'{place}, line{"s" * (len(lines) > 1)} {", ".join(lines[:-1])}{" and " * (len(lines) > 1)}{lines[-1]}' for place, lines in places.items())


def proofs(root):
    """The hash of all that decides what the player shows in each line of a run, and beside it, and whether that is right."""
    player = [root / 'tools/book' / file for file in ('runs.py', 'turns.py', 'sentences.py', 'reader.py', 'static/player.js', 'static/player.css', 'static/style.css', 'static/site.js', 'templates/run.html', 'templates/base.html')]
    found = programs(root)
    return {f'{step[:6]}_{program}': proved.digest(root, {*player, root / 'tests/site/player.mjs', *(file for other, same, _ in found if same == program for file in inputs(root, other, program))}) for step, program, _ in found}


if __name__ == '__main__':  # runs.py new: the runs that aren't proved; runs.py add KEY...: notes that these are
    found = proofs(proved.ROOT)
    if sys.argv[1:] == ['new']:
        print(*(key for key, hash in found.items() if proved.is_new(key, hash)))
    else:
        proved.add({key: found[key] for key in sys.argv[2:]})
