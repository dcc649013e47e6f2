#!/usr/bin/python3 -B
"""What has been proved, and with which files: tests/proved has a line for each stage, exercise and
run of the player. Only what is new is proved again.

    tools/keep/proved.py new NAME FOLDER   if NAME was proved with the files of FOLDER, says so,
                                           and ends with 3
    tools/keep/proved.py add NAME FOLDER   notes that it is proved with them
    tools/keep/proved.py check             ends with 1 if a line names nothing

If the environment variable PROVED is `nothing`, everything is new, and nothing is noted.
"""
import fcntl
import hashlib
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / 'tests/proved'


def digest(root, files):
    """A hash of what these files contain, and of their paths below root."""
    found = hashlib.sha256()
    for file in sorted(files):
        data = file.read_bytes()
        found.update(f'{file.relative_to(root)} {len(data)}\n'.encode() + data)
    return found.hexdigest()[:16]


def of_folder(folder):
    return digest(folder, [file for file in folder.rglob('*') if file.is_file()])


def is_new(name, hash):
    known = FILE.read_text().split('\n')
    return os.environ.get('PROVED') == 'nothing' or f'{hash} {name}' not in known


def add(hashes):
    """Notes the hash of each of these names. Several commands may do so at the same time."""
    if os.environ.get('PROVED') == 'nothing':
        return
    with FILE.open('r+') as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        known = dict(reversed(line.split()) for line in file) | hashes
        file.seek(0)
        file.truncate()
        file.writelines(f'{known[name]} {name}\n'
                        for name in sorted(known,
                                           key=lambda name: [int(part) if part.isdigit() else part
                                                             for part in re.split(r'(\d+)', name)]))


def names_something(name):
    run = re.fullmatch(r'(step0\d)_(\w+)', name)
    folder = (f'your_scheduler/m{int(name[1:]):02}_*' if name[0] == 'm'
              else f'step0*/exercises/{name}')
    return bool([*ROOT.glob(f'{run[1]}_*/{run[2]}.cpp' if run else f'{folder}/facts')])


if __name__ == '__main__':
    match sys.argv[1:]:
        case ['new', name, folder]:
            if not is_new(name, of_folder(Path(folder))):
                print(f'{name} was proved with the same files')
                sys.exit(3)
        case ['add', name, folder]:
            add({name: of_folder(Path(folder))})
        case ['check']:
            lost = [name for _, name in map(str.split, FILE.read_text().splitlines())
                    if not names_something(name)]
            if lost:
                sys.exit(f'error: tests/proved has lines that name nothing: {" ".join(lost)}')
        case _:
            sys.exit(__doc__)
