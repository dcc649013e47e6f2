"""Programs with numbers that the reader can change, compiled to WebAssembly. Without the compiler, the site has none.

It needs Debian's clang-19 lld-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32.
"""
import base64
import gzip
import html
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# For each program, a sentence with its numbers, and the code in which each of them is.
PROGRAMS = {
    'step01_generators/interruptible': ('The generator yields the numbers from 1 to {2}.', ['i_ <= 2']),
    'step03_scheduler/two_tasks': ('Task 1 counts to {10}, and task 2 counts to {5}.', ['i_ <= 10', 'i_ <= 5']),
    'step04_syscalls/parent_child': ('The parent counts to {6}, and kills the child after iteration {3}.',
                                     ['i_ <= 6', 'i_ == 3']),
    'step04_syscalls/fork': ('Each task counts to {3}.', ['count_ < 3']),
    'step06_stacked/echo_times': ('The task prints "foo" {10} times, and "bar" {5} times.',
                                  ['EchoTimes>("foo", 10', 'EchoTimes>("bar", 5']),
}
COMPILE = ['clang++-19', '--target=wasm32-wasi', '-std=c++17', '-Os', '-Wl,-s', '-x', 'c++']
# The numbers come from the page. WebAssembly has no exceptions, and these programs throw none.
BEFORE = 'extern "C" [[clang::import_module("live"), clang::import_name("number")]] int live_number(int which);\n'
AFTER = '''
#include <cstdlib>
extern "C" {
void* __cxa_allocate_exception(size_t) { std::abort(); }
void __cxa_throw(void*, void*, void*) { std::abort(); }
void __cxa_rethrow() { std::abort(); }
void* __cxa_begin_catch(void*) { std::abort(); }
void __cxa_end_catch() { std::abort(); }
}
'''


def changeable(code, places):
    """Returns the program with each number replaced by a call that asks the page for it."""
    for which, place in enumerate(places):
        if code.count(place) != 1:
            raise ValueError(f'"{place}" occurs {code.count(place)} times')
        code = code.replace(place, re.sub(r'\d+$', f'live_number({which})', place))
    return BEFORE + code + AFTER


def can_compile():
    """Returns true if the compiler and the libraries for WebAssembly are installed."""
    try:
        return not subprocess.run([*COMPILE, '-', '-o', '/dev/null'], input='#include <iostream>\nint main() {}\n',
                                  text=True, capture_output=True).returncode
    except FileNotFoundError:
        return False


def make(root, out):
    """Compiles the programs that have changed, and puts them into out/live/stepNN_NAME.js. Returns their names."""
    work = root / 'build/docs/live'
    work.mkdir(parents=True, exist_ok=True)
    if not can_compile():
        return set()

    def compile(program):
        folder, name = program.split('/')
        key = f'{folder[:6]}_{name}'
        file = work / f'{key}.js'
        sources = [Path(__file__), root / f'{program}.cpp', *(root / folder).glob('*.hpp')]
        if not file.exists() or file.stat().st_mtime < max(source.stat().st_mtime for source in sources):
            wasm = work / f'{key}.wasm'
            try:
                code = changeable((root / f'{program}.cpp').read_text(), PROGRAMS[program][1])
                subprocess.run([*COMPILE, '-I', root / folder, '-', '-o', wasm], input=code, text=True, check=True)
            except (ValueError, subprocess.CalledProcessError) as error:
                sys.exit(f'error: {program}.cpp as WebAssembly: {error}')
            zipped = base64.b64encode(gzip.compress(wasm.read_bytes(), mtime=0)).decode()
            file.write_text(f'livePrograms[{json.dumps(key)}] = "{zipped}";\n')
        return key

    with ThreadPoolExecutor(2) as pool:
        made = set(pool.map(compile, PROGRAMS))
    (out / 'live').mkdir()
    for key in made:
        shutil.copy(work / f'{key}.js', out / 'live')
    return made


def form(made, folder, name):
    """Returns the form for the numbers of a program, or nothing if it has not been made."""
    key = f'{folder[:6]}_{name}'
    if key not in made:
        return ''
    words = html.escape(PROGRAMS[f'{folder}/{name}'][0], False)
    fields = re.sub(r'\{(\d+)\}', r'<input type="number" min="0" max="99" required value="\1" aria-label="instead of \1">', words)
    numbers = ' and '.join(re.findall(r'\{(\d+)\}', words))
    return f'<form class="live" data-live="{key}" hidden>{fields} <button>Run</button> <small>The text and the recording use {numbers}.</small></form>'
