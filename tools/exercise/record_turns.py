"""Records the turns of a program in gdb: which body is resumed, with which value, and what happens
until the next one.

A turn is one resume of a body. The program is compiled as it is, with -g. What is read has a name
that every solution has: resume(), Coroutine, Scheduler::new_task(). A queue of the scheduler is
read if there is one. Used by where_it_differs, which sets the variables OURS and YOURS (binaries),
OURS_IN and YOURS_IN (the folders of their headers), ARGS, OUTPUT and HERE.
"""
import contextlib
import itertools
import os
import re
import shutil
import sys
import time

import gdb

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.environ['HERE'], each) for each in ('', '../trace', '../learn')]
import tell  # noqa: E402
from in_gdb import (ERRORS, Printed, bare, children, fields, forget,  # noqa: E402
                    name_at, name_of_queue, outwards, prepare, referred)

TURNS = 150  # at most, in each run
SECONDS = 4  # for each run
PATIENCE = 2  # seconds without a turn, at full speed
TEXT = 'std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >'
CHANGES = ('push_back push_front emplace_back emplace_front pop_back pop_front insert emplace '
           'erase clear swap operator= ~deque ~list ~vector').split()


class Turn:
    def __init__(self, who=None, sent='', stack=(), queue=None):
        self.who, self.sent, self.stack, self.queue = who, sent, stack, queue
        self.ends = ''  # what the body yields
        self.said = []  # texts, and whether the body has written them
        # of the queue: words, line, the number of `lines` before, the queue afterwards
        self.changes = []
        self.lines = []  # of the reader's own, in the order in which they ran
        self.destroyed = []
        self.thrown = False


class At(gdb.Breakpoint):
    """Calls a function, and goes on; or stops, so that the run can call it, and it can set
    breakpoints."""

    def __init__(self, where, call, run=None):
        super().__init__(where, internal=True)
        self.silent, self.call, self.run = True, call, run

    def stop(self):
        if self.run:
            self.run.entered = self.call
            return True
        with contextlib.suppress(*ERRORS):
            self.call(gdb.newest_frame())
        return False


class Finish(gdb.FinishBreakpoint):
    """Calls a function with what the function of the frame returns."""

    def __init__(self, frame, call):
        super().__init__(frame, internal=True)
        self.call = call

    def stop(self):
        with contextlib.suppress(*ERRORS):
            self.call(self.return_value)
        return False


def is_body(kind):
    bases = [bare(f.type) for f in kind.fields() if f.is_base_class]
    return kind.name == 'Coroutine' or any(map(is_body, bases))


def place(frame):
    """The file and line of a frame; nothing if it isn't in the project."""
    sal = frame.find_sal()
    file = sal.symtab and os.path.relpath(sal.symtab.fullname())
    is_ours = file and os.path.exists(file) and '/usr/' not in os.path.realpath(file)
    return (file, sal.line) if is_ours else None


def stack(frame):
    """The places of the project from this frame outwards."""
    frames = itertools.takewhile(lambda each: each.name() != 'main', outwards(frame))
    return [*filter(None, map(place, itertools.islice(frames, 30)))]


def text_in(value):
    """A std::string."""
    size = int(value['_M_string_length'])
    memory = gdb.selected_inferior().read_memory(int(value['_M_dataplus']['_M_p']),
                                                 min(size, 200)) if size else b''
    return bytes(memory).decode(errors='replace')


def argument(frame):
    """The first argument, if the function has one."""
    for symbol in frame.block():
        if symbol.is_argument and symbol.name != 'this':
            return referred(symbol.value(frame))
    return None


def sent(value):
    """What is sent into a body, with its type."""
    words = str(value) if value is not None and bare(value.type).name == 'std::any' else ''
    inside = re.match(r'std::any containing (.*?) = \{\[contained value\] = (.*)\}$', words, re.S)
    if not inside:
        return ''
    kind = 'string' if 'basic_string' in inside[1] else re.sub(r'<.*', '', inside[1])
    return kind + ' ' + re.sub(r'0x[0-9a-f]+', '...', inside[2])[:40]


def pointer_in(stored, offset):
    """The pointer at this offset of what an alternative of a std::variant contains."""
    if '_M_storage' in fields(stored):
        stored = stored['_M_storage']
    return int.from_bytes(bytes(int(stored[i]) & 255 for i in range(offset, offset + 8)), 'little')


def alarm(seconds):
    """Stops the program after some time."""
    gdb.parse_and_eval(f'((unsigned(*)(unsigned))alarm)({seconds})')


class Run:
    """One run of a program. Its turns begin with one that stands for all that happens before the
    first one."""

    def __init__(self, binary, own):
        self.turns, self.bodies, self.others, self.callees = [Turn()], {}, 0, {}
        self.own, self.points = own, []
        self.scheduler = self.queue = self.queue_name = self.pending = None
        self.entered = self.slow = None
        self.end, self.loop = 'ended', []  # or 'limit', 'crash', 'stuck'
        self.signal = self.where = ''
        self.start(binary)
        self.go()

    @property
    def now(self):
        return self.turns[-1]

    # What is recorded

    def start(self, binary):
        self.output = Printed(os.environ['OUTPUT'])
        forget()  # both programs have classes of the same names
        gdb.execute(f'file {binary}', to_string=True)
        gdb.execute('tbreak main', to_string=True)
        gdb.execute(f'run {os.environ["ARGS"]} </dev/null >{self.output.file} 2>/dev/null',
                    to_string=True)
        functions = gdb.execute('info functions -q ^Scheduler::new_', to_string=True)
        for name in set(re.findall(r'Scheduler::new_\w*task\w*', functions)):
            self.stop_at(name, self.created, self)
        for name in 'resume', 'resume_with_exception':
            self.stop_at(name, self.resumed, self)
        self.stop_at('Coroutine::~Coroutine', self.destroyed)
        self.stop_at('__cxa_throw', self.thrown)
        self.stop_at(f'std::vector<{TEXT}, std::allocator<{TEXT} > >::push_back', self.logged)
        for file, lines in self.own.items():
            with contextlib.suppress(gdb.error, TypeError):
                file_at = os.path.abspath(file) if file.startswith('..') else file
                table = gdb.decode_line(f'{file_at}:1')[1][0].symtab.linetable()
                for n in filter(table.has_line, sorted(lines)):
                    self.stop_at(f'{file_at}:{n}', lambda _, at=(file, n): self.ran(at))
        alarm(SECONDS)

    def stop_at(self, where, call, run=None):
        """Sets a breakpoint, if the program has this place."""
        with contextlib.suppress(gdb.error):
            self.points.append(At(where, call, run))

    def created(self, frame):
        """A new task. The function returns its id."""
        self.note_queue()
        this = frame.read_var('this')
        if self.scheduler is None or int(this) != int(self.scheduler):
            self.bodies, self.queue, self.callees = {}, None, {}
            self.scheduler = this
            self.find_queue()
        at = int(argument(frame)['_M_ptr'])

        def returned(number):
            self.bodies[at] = f'task {int(number)}'
            self.note_queue()
        Finish(frame, returned)

    def resumed(self, frame):
        this = frame.read_var('this')
        this = this.cast(this.dynamic_type)
        if not is_body(bare(this.dereference().type)) or 'resume' in (frame.older().name() or ''):
            return  # another class; or the second entry point has called the first
        self.note_queue()
        self.read_output()
        at = int(this)
        if at not in self.bodies:
            self.others += 1
            its = re.sub('.*::', '', bare(this.dereference().type).name)
            self.bodies[at] = f'coroutine {self.others} ({its})'
        value = 'an exception' if 'resume_with' in frame.name() else sent(argument(frame))
        self.turns.append(Turn(self.bodies[at], value, stack(frame.older()), self.queue))
        turn = self.now
        with contextlib.suppress(*ERRORS):
            Finish(frame, lambda value: self.yielded(turn, value))

    def yielded(self, turn, value):
        self.read_output()
        turn.ends = self.what(value)
        self.note_queue()

    def what(self, value):
        """What a std::optional<Yielded> means, in the words of the table."""
        if not int(value['_M_payload']['_M_engaged']):
            return 'finishes'
        value = value['_M_payload']['_M_payload']['_M_value']
        if not str(bare(value.type)).startswith('std::variant<'):
            return 'yields'
        part = value['_M_u']
        for _ in range(int(value['_M_index'])):
            part = part['_M_rest']
        stored = part['_M_first']['_M_storage']
        name = re.sub(r'.*_Uninitialized<(.*), \w+>$', r'\1', str(bare(part['_M_first'].type)))
        if name == 'Call':
            task = re.sub(r'.* of ', '', self.now.who)
            self.callees[task] = self.callees.get(task, 0) + 1
            self.bodies[pointer_in(stored, 0)] = f'callee {self.callees[task]} of {task}'
            return 'calls'
        if name == 'ReturnValue':
            return 'returns a value'
        if 'std::function' not in name:
            return 'yields'
        invoker = name_at(pointer_in(stored, 24))
        maker = re.search(r'_Function_handler<[^;]*?, ?(\w+_\w+)\([^)]*\)::\{lambda', invoker)
        is_known = maker and 'C_A_T_C_H' not in maker[1]
        return f'yields {maker[1]}()' if is_known else 'yields a system call'

    def destroyed(self, frame):
        self.note_queue()
        who = self.bodies.pop(int(frame.read_var('this')), None)
        if who:
            self.now.destroyed.append(who)

    def thrown(self, _):
        self.now.thrown = True

    def logged(self, frame):
        """A text that a test has put into its log."""
        by = place(frame.older())
        if by and by[0].endswith('.cpp'):
            self.now.said.append((text_in(argument(frame)), not self.now.ends))

    def read_output(self):
        lines = filter(None, self.output.more().split('\n'))
        self.now.said += [(line, not self.now.ends) for line in lines]

    def ran(self, at):
        self.note_queue()
        self.now.lines.append(at)

    # The queue

    def find_queue(self):
        """Finds the queue of the first scheduler, and what changes it."""
        if self.queue_name is not None:
            return
        self.queue_name = name_of_queue(self.scheduler.dereference())
        for name in CHANGES if self.queue_name else ():
            self.stop_at(f'{bare(self.container().type)}::{name}',
                         lambda frame, name=name: self.changes(frame, name))

    def container(self):
        value = self.scheduler.dereference()[self.queue_name]
        return value['c'] if 'c' in fields(value) else value  # of a std::queue

    def changes(self, frame, function):
        """A function of the queue begins."""
        if self.scheduler is not None and int(frame.read_var('this')) == int(
                self.container().address):
            self.note_queue()
            self.pending = function, next(iter(stack(frame)), None)
            if function.startswith('~'):
                self.scheduler = self.queue = None  # the next one may have the same address

    def note_queue(self):
        """What has changed in the queue, and the line that has done it, if that is certain."""
        if not self.queue_name or self.scheduler is None:
            return
        try:
            queue = [self.number_of(each) for each in children(self.container(), 39)]
        except ERRORS:
            return
        if queue[:1] == [None]:  # between std::move(ready_.front()) and pop_front()
            queue[0] = self.number_of_local()
        if queue == self.queue:
            return
        if self.queue is not None:
            words, functions = tell.change(self.queue, queue)
            is_its = self.pending and self.pending[0] in functions.split()
            line = self.pending[1] if is_its else None
            self.now.changes.append((words, line, len(self.now.lines), queue))
        self.queue, self.pending = queue, None

    def number_of_local(self):
        """The id of the task that the loop has moved out of the queue; or nothing."""
        frame = gdb.selected_frame()
        while frame:
            with contextlib.suppress(*ERRORS):
                return self.number_of(frame.read_var('task'))
            frame = frame.older()
        return None

    def number_of(self, value, depth=2):
        """The id of the task that an element of the queue stands for; nothing if it isn't known."""
        kind, has = bare(value.type), fields(value)
        if kind.code == gdb.TYPE_CODE_INT:
            return int(value)
        if kind.code == gdb.TYPE_CODE_PTR or '_M_ptr' in has:
            name = self.bodies.get(int(value['_M_ptr'] if '_M_ptr' in has else value), '')
            return int(name[5:]) if name.startswith('task ') else None
        for name in 'id', 'id_':
            if name in has:
                return int(value[name])
        found = (self.number_of(value[name], depth - 1) for name in has if depth and name)
        return next((n for n in found if n is not None), None)

    # The run

    def go(self):
        begun, stopped = time.monotonic(), []
        gdb.events.stop.connect(stopped.append)
        while True:
            del stopped[:]
            self.entered = None
            gdb.execute('continue', to_string=True)
            if not gdb.selected_inferior().pid:
                break
            signal = next((e.stop_signal for e in stopped if isinstance(e, gdb.SignalEvent)), None)
            if self.entered and not self.slow and len(
                    self.turns) <= TURNS and time.monotonic() < begun + SECONDS:
                with contextlib.suppress(*ERRORS):
                    self.entered(gdb.newest_frame())
            elif self.entered:
                self.end = 'limit'
                break
            elif signal == 'SIGALRM' and not self.slow:
                self.slow = True  # or does nothing more happen?
                for point in self.points:
                    point.enabled = bool(point.run)
                alarm(PATIENCE)
            elif signal == 'SIGALRM':
                self.end = 'stuck'
                self.find_loop()
                break
            else:
                self.end, self.signal = 'crash', signal or 'a signal'
                self.loop = stack(gdb.newest_frame())
                break
        gdb.events.stop.disconnect(stopped.append)
        self.read_output()
        if gdb.selected_inferior().pid:
            gdb.execute('kill')
        for point in self.points:
            point.delete()

    def find_loop(self):
        """Nothing more happens: in which lines? The run goes on line by line, for a second at
        most."""
        for point in self.points:
            point.enabled = False
        frame = gdb.newest_frame()
        self.where = re.sub(r'^_*(GI_*)?', '', frame.name() or '')
        alarm(1)
        frame = next(filter(place, outwards(frame)), None)
        if not frame:
            return
        self.loop = [place(frame)]
        if frame != gdb.newest_frame():
            frame.newer().select()
            gdb.execute('finish', to_string=True)
            if not place(gdb.newest_frame()):
                return  # it waits
        self.where = ''
        while len(self.loop) <= 60 and self.loop[-1]:
            gdb.execute('next', to_string=True)
            self.loop.append(place(gdb.newest_frame()))
        self.loop = [*filter(None, self.loop)]


def main():
    prepare('breakpoint pending off', 'print object off', 'language c++', 'width 0')
    if shutil.which('stdbuf'):
        gdb.execute('set exec-wrapper stdbuf -o0')  # nothing is buffered
    gdb.execute('handle SIGALRM stop print nopass', to_string=True)
    own = tell.own_lines(os.environ['OURS_IN'], os.environ['YOURS_IN'])
    ours = Run(os.environ['OURS'], {})
    yours = Run(os.environ['YOURS'], {} if own.rewritten else own)
    lines = tell.Tell(ours, yours, own).lines()
    print('\n'.join(['differs:'] + lines))


main()
