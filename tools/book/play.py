#!/usr/bin/python3 -B
"""Makes one file that plays a program as it was and as it is now, and needs no other file:
play.py STEP_FOLDER PROGRAM. Prints its address.

Exit status: 0 made; 1 the program can't be played; 2 a wrong command line.
"""
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import jinja2

import runs
import says
from reader import ROOT

sys.path.append(str(ROOT / 'tools/learn'))
from say import CHINESE, say  # noqa: E402

KEPT = ROOT / 'build/docs'


def unchanged(step, program):
    """Returns the project as it was before the reader changed the program: as git has it, or as it
    was when a program of its step was played first."""
    committed, first = KEPT / 'committed', KEPT / 'first'
    shutil.rmtree(committed / step, ignore_errors=True)
    committed.mkdir(parents=True, exist_ok=True)
    archive = ['sh', '-c', 'git archive HEAD "$0" | tar -x -C "$1"', step, committed]
    git = subprocess.run(archive, cwd=ROOT, capture_output=True)
    if git.returncode and not (first / step).exists():
        shutil.copytree(ROOT / step, first / step)
    was = first if git.returncode else committed
    if not (was / step / f'{program}.cpp').exists():
        return ROOT
    if runs.sources(was / step, program) == runs.sources(ROOT / step, program):
        return ROOT
    for recorder in 'tools/trace', 'tools/learn':
        shutil.copytree(ROOT / recorder, was / recorder, dirs_exist_ok=True)
    return was


def record(step, program):
    """Returns the run as it was, the same with the reader's change (or, if nothing is changed, with
    the other line that the site has), and which one is shown first."""
    listed = runs.programs(ROOT)
    traced = next((traced for *found, traced in listed if found == [step, program]), None)
    if traced is None:
        sys.exit('error: ' + say('the player has no run of {0}; see ./learn help play',
                                 f'{step}/{program}.cpp'))
    was, folder = unchanged(step, program), KEPT / 'runs'
    run, other = runs.with_another(was, KEPT, step, program, traced)
    twins = [runs.described(ROOT, *found) for found in listed if found[1] == program
             and (found[0] == runs.STEP8) != (step == runs.STEP8)][-1:]
    if was != ROOT:
        folder, asks = KEPT / 'played', ['your change, ', f'{datetime.now():%H:%M}']
        files = (runs.sources(side / step, program) for side in (ROOT, was))
        other = runs.another(run, folder, asks, *files)
        run['what'] = [other['key'], other['asks']]
    played = [run, *filter(None, [other])]
    jobs = [(was, KEPT / 'runs', run), *((ROOT, KEPT / 'runs', twin) for twin in twins),
            *((ROOT, folder, changed) for changed in played[1:])]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        kept = pool.map(lambda job: runs.record(*job), jobs)
        turns = runs.complete(ROOT, [run, *twins, *played[1:]], kept)
    if was != ROOT and runs.is_unknown(turns[-1]):
        knows = say(
            'The player knows a scheduler by its queue, and by names that ours has, like {0}',
            'run_next()')
        sys.exit(f"error: {say('its scheduler runs coroutines, but no task has a turn.')} {knows}")
    return played, played[-1] if was != ROOT else run


def write(played, shown):
    """Writes the player with these runs, and the table of the one that it shows first. Returns the
    address."""
    address = f'#{shown["leaves"] or "turn-0"}-changed' if 'of' in shown else ''
    book = ROOT / 'tools/book'
    env = jinja2.Environment(loader=jinja2.FileSystemLoader(book / 'templates'),
                             trim_blocks=True, lstrip_blocks=True)
    styles, script = (''.join((book / 'static' / name).read_text() for name in names)
                      for names in (('style.css', 'player.css'), ('player.js',)))
    zh = bool(CHINESE)
    data = says.script('zh' if zh else 'en') + ''.join(map(runs.as_script, played))
    script += data.replace('</', '<\\/')
    file = ROOT / f'build/{played[0]["key"]}.html'
    file.write_text(env.get_template('alone.html').render(
        played=played, shown=shown, styles=styles, script=script, address=address[1:],
        zh=zh))
    return file.as_uri() + address


if __name__ == '__main__':
    if len(sys.argv) != 3:
        print('usage: tools/book/play.py STEP_FOLDER PROGRAM', file=sys.stderr)
        sys.exit(2)
    print(write(*record(*sys.argv[1:])))
