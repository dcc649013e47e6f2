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
import signal
import sys
import threading
import time

import gdb

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ['HERE'])
import tell  # noqa: E402

TURNS = 150  # at most, in each run
SECONDS = 4  # for each run
PATIENCE = 2  # seconds without a turn, at full speed
ERRORS = (gdb.error, RuntimeError, ValueError, KeyError)
TEXT = 'std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >'
QUEUE = re.compile(r'std::(__cxx11::)?(deque|list|vector|queue)<')
CHANGES = ('push_back', 'push_front', 'emplace_back', 'emplace_front', 'pop_back', 'pop_front',
           'insert', 'emplace',
           'erase', 'clear', 'swap', 'operator=', '~deque', '~list', '~vector')


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
    """Calls a function, and goes on."""

    def __init__(self, where, call):
        super().__init__(where, internal=True)
        self.silent, self.call = True, call

    def stop(self):
        with contextlib.suppress(*ERRORS):
            self.call(gdb.newest_frame())
        return False


class Entry(gdb.Breakpoint):
    """Stops, so that the run can call a function that sets breakpoints."""

    def __init__(self, where, run, call):
        super().__init__(where, internal=True)
        self.silent, self.run, self.call = True, run, call

    def stop(self):
        self.run.entered = self.call
        return True


class Finish(gdb.FinishBreakpoint):
    """Calls a function with what the function of the frame returns."""

    def __init__(self, frame, call):
        super().__init__(frame, internal=True)
        self.call = call

    def stop(self):
        with contextlib.suppress(*ERRORS):
            self.call(self.return_value)
        return False


def plain(value_type):
    return value_type.strip_typedefs().unqualified()


def fields(value):
    kind = plain(value.type)
    return {f.name: f for f in kind.fields()} if kind.code == gdb.TYPE_CODE_STRUCT else {}


def children(value):
    printer = gdb.default_visualizer(value)
    return [v for _, v in itertools.islice(printer.children(), 40)] if hasattr(printer,
                                                                               'children') else []


def is_body(kind):
    return kind.name == 'Coroutine' or any(f.is_base_class and is_body(plain(f.type))
                                           for f in kind.fields())


def place(frame):
    """The file and line of a frame; nothing if it isn't in the project."""
    sal = frame.find_sal()
    file = sal.symtab and os.path.relpath(sal.symtab.fullname())
    return (file, sal.line) if file and os.path.exists(file) and '/usr/' not in os.path.realpath(
        file) else None


def stack(frame):
    """The places of the project from this frame outwards."""
    found = []
    while frame and len(found) < 30 and frame.name() != 'main':
        found.append(place(frame))
        frame = frame.older()
    return [each for each in found if each]


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
            value = symbol.value(frame)
            is_reference = plain(value.type).code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
            return value.referenced_value() if is_reference else value
    return None


def sent(value):
    """What is sent into a body, with its type."""
    words = str(value) if value is not None and plain(value.type).name == 'std::any' else ''
    inside = re.match(r'std::any containing (.*?) = \{\[contained value\] = (.*)\}$', words, re.S)
    if not inside:
        return ''
    kind = 'string' if 'basic_string' in inside.group(1) else re.sub(r'<.*', '', inside.group(1))
    return kind + ' ' + re.sub(r'0x[0-9a-f]+', '...', inside.group(2))[:40]


def pointer_in(stored, offset):
    """The pointer at this offset of what an alternative of a std::variant contains."""
    if '_M_storage' in fields(stored):
        stored = stored['_M_storage']
    return int.from_bytes(bytes(int(stored[i]) & 255 for i in range(offset, offset + 8)), 'little')


def alarm(seconds):
    """Stops the program after some time, and returns what cancels that. It rings from outside, so
    gdb needs no call in it."""
    def ring(process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGALRM)
    timer = threading.Timer(seconds, ring, [gdb.selected_inferior().pid])
    # gdb's own thread waits for signals
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    timer.start()
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return timer.cancel


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
        self.read = 0
        self.start(binary)
        self.go()

    @property
    def now(self):
        return self.turns[-1]

    # What is recorded

    def start(self, binary):
        self.output = os.environ['OUTPUT']
        gdb.execute(f'file {binary}', to_string=True)
        gdb.execute('tbreak main', to_string=True)
        gdb.execute(f'run {os.environ["ARGS"]} </dev/null >{self.output} 2>/dev/null',
                    to_string=True)
        for name in ('resume', 'resume_with_exception'):
            with contextlib.suppress(gdb.error):
                self.points.append(Entry(name, self, self.resumed))
        functions = gdb.execute('info functions -q ^Scheduler::new_', to_string=True)
        for name in set(re.findall(r'Scheduler::new_\w*task\w*', functions)):
            self.points.append(Entry(name, self, self.created))
        calls = [('Coroutine::~Coroutine', self.destroyed), ('__cxa_throw', self.thrown),
                 (f'std::vector<{TEXT}, std::allocator<{TEXT} > >::push_back', self.logged)]
        for file, lines in self.own.items():
            with contextlib.suppress(gdb.error, TypeError):
                file_at = os.path.abspath(file)
                table = gdb.decode_line(f'{file_at}:1')[1][0].symtab.linetable()
                calls += [(f'{file_at}:{n}', lambda f, at=(file, n): self.ran(at))
                          for n in sorted(lines) if table.has_line(n)]
        for where, call in calls:
            with contextlib.suppress(gdb.error):
                self.points.append(At(where, call))
        self.cancel = alarm(SECONDS)

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
        if not is_body(plain(this.dereference().type)) or 'resume' in (frame.older().name() or ''):
            return  # another class; or the second entry point has called the first
        self.note_queue()
        self.read_output()
        at = int(this)
        if at not in self.bodies:
            self.others += 1
            self.bodies[at] = (f'coroutine {self.others} '
                               f'({re.sub(r".*::", "", plain(this.dereference().type).name)})')
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
        kind = plain(value.type)
        if not str(kind).startswith('std::variant<'):
            return 'yields'
        part = value['_M_u']
        for _ in range(int(value['_M_index'])):
            part = part['_M_rest']
        stored = part['_M_first']['_M_storage']
        name = re.sub(r'.*_Uninitialized<(.*), \w+>$', r'\1', str(plain(part['_M_first'].type)))
        if name == 'Call':
            task = re.sub(r'.* of ', '', self.now.who)
            self.callees[task] = self.callees.get(task, 0) + 1
            self.bodies[pointer_in(stored, 0)] = f'callee {self.callees[task]} of {task}'
            return 'calls'
        if name == 'ReturnValue':
            return 'returns a value'
        if 'std::function' not in name:
            return 'yields'
        invoker = gdb.execute(f'info symbol {pointer_in(stored, 24)}', to_string=True)
        maker = re.search(r'_Function_handler<[^;]*?, ?(\w+_\w+)\([^)]*\)::\{lambda', invoker)
        return f'yields {maker.group(1)}()' if maker and 'C_A_T_C_H' not in maker.group(
            1) else 'yields a system call'

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
        with open(self.output, errors='replace') as output:
            output.seek(self.read)
            text = output.read()
            self.read = output.tell()
        self.now.said += [(line, not self.now.ends) for line in text.split('\n') if line]

    def ran(self, at):
        self.note_queue()
        self.now.lines.append(at)

    # The queue

    def find_queue(self):
        """The queue of the scheduler: the only container, or the only one with such a name."""
        value = self.scheduler.dereference()
        found = [n for n, f in fields(value).items() if QUEUE.match(str(plain(f.type)))]
        found = [n for n in found if re.search('ready|queue|runn', n)] or found
        if self.queue_name is None:
            self.queue_name = found[0] if len(found) == 1 else ''
            if self.queue_name:
                for name in CHANGES:
                    with contextlib.suppress(gdb.error):
                        self.points.append(At(f'{plain(self.container().type)}::{name}',
                                              lambda f, name=name: self.changes(f, name)))

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
            queue = [self.number_of(each) for each in children(self.container())]
        except ERRORS:
            return
        if queue == self.queue:
            return
        if self.queue is not None:
            words, functions = tell.change(self.queue, queue)
            line = self.pending[1] if self.pending and self.pending[0] in functions else None
            self.now.changes.append((words, line, len(self.now.lines), queue))
        self.queue, self.pending = queue, None

    def number_of(self, value, depth=2):
        """The id of the task that an element of the queue stands for; nothing if it isn't known."""
        kind, has = plain(value.type), fields(value)
        if kind.code == gdb.TYPE_CODE_INT:
            return int(value)
        if kind.code == gdb.TYPE_CODE_PTR or '_M_ptr' in has:
            name = self.bodies.get(int(value if kind.code == gdb.TYPE_CODE_PTR
                                       else value['_M_ptr']), '')
            return int(name[5:]) if name.startswith('task ') else None
        if 'id' in has or 'id_' in has:
            return int(value['id' if 'id' in has else 'id_'])
        found = [self.number_of(value[n], depth - 1) for n, f in has.items() if depth and n
                 and QUEUE.match(n) is None]
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
                    point.enabled = isinstance(point, Entry)
                self.cancel = alarm(PATIENCE)
            elif signal == 'SIGALRM':
                self.end = 'stuck'
                self.find_loop()
                break
            else:
                self.end, self.signal, self.loop = 'crash', signal or 'a signal', stack(
                    gdb.newest_frame())
                break
        self.cancel()
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
        self.cancel = alarm(1)
        while frame and not place(frame):
            frame = frame.older()
        if not frame:
            return
        self.loop = [place(frame)]
        if frame != gdb.newest_frame():
            frame.newer().select()
            gdb.execute('finish', to_string=True)
            if not place(gdb.newest_frame()):
                return  # it waits
        self.where = ''
        for _ in range(60):
            gdb.execute('next', to_string=True)
            at = place(gdb.newest_frame())
            if not at:
                break
            self.loop.append(at)


def main():
    for setting in ('confirm off', 'pagination off', 'breakpoint pending off', 'print object off',
                    'language c++',
                    'print elements 60', 'width 0', 'disable-randomization off',
                    'debuginfod enabled off'):
        with contextlib.suppress(gdb.error):
            gdb.execute(f'set {setting}', to_string=True)
    if shutil.which('stdbuf'):
        gdb.execute('set exec-wrapper stdbuf -o0')  # nothing is buffered
    gdb.execute('handle SIGALRM stop print nopass', to_string=True)
    own = tell.own_lines(os.environ['OURS_IN'], os.environ['YOURS_IN'])
    ours = Run(os.environ['OURS'], {})
    yours = Run(os.environ['YOURS'], {} if own.rewritten else own)
    lines = tell.Tell(ours, yours, own).lines()
    print('\n'.join(['differs:'] + lines))


main()
