"""Records each line of a run, in gdb: where the program is, and what the scheduler and its tasks
hold then.

    PROGRAM=two_tasks.cpp RECORDING=file PRINTED=prefix [FUNCTIONS="|schedule"] gdb -nx -batch -x
    record_lines.py BINARY

The program is compiled as it is, with -g -O0. A breakpoint stands at the first instruction of each
line of the program, of the headers in ALSO and of the scheduler's loop (and of other FUNCTIONS of
the scheduler, when the loop calls them), where a loop in one line decides, and where a coroutine is
resumed or returns. Of task.hpp, if it is in ALSO, only Task::run() is recorded, which has the stack
of coroutines. The rest runs at full speed. No function of the program is called.

A recording has a JSON object a line, for each stop: its `kind` (line, throw, catch, net, end, crash
or goes on), the `stack` of [function, file, line, object], the `queue`, the `tasks` with their
bodies, the outermost first, what each one `waits` for, which one `runs`, the `answers` and
exceptions (`errors`) that they will get, the mailboxes of actors (`mail`: the messages and the
receiver of each), the variables of `main` and what it has `made`, how many `turns` the round of the
scheduler has left, a `limit` of all deadlines; and what was printed since the stop before (`out`,
`err`), or is returned (`value`). A run that goes on without another stop says so (`what`).
"""
import contextlib
import json
import os
import re
import resource
import signal
import sys

import gdb
import gdb.types

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from in_gdb import (BODIES, BODY, ERRORS, PROMISE, TASKS, TIME, WAITS, Printed,  # noqa: E402
                    bare, children, contained, fields, member, name_at, name_of_queue, of_type,
                    outwards, pointed, prepare, referred)

# of these files, only these functions are recorded
FUNCTIONS = 'run|run_next|poll_sockets|kill_task' + os.environ.get('FUNCTIONS', '')
LOOP = {'scheduler.hpp': f'Scheduler::({FUNCTIONS})', 'task.hpp': 'Task::run'}
# the system calls: of these, what the scheduler calls is recorded, and coroutines
CALLS = ('process.hpp', 'small_unix.hpp', 'mailbox.hpp', 'wait.hpp')
NETWORK = os.environ.get('NETWORK')
LONGEST = 1300 if NETWORK else 600  # stops
MOST = 1000  # values of a container
SECONDS = 5  # of processor time
SPECIAL = {'__cxa_throw': 'throw', 'std::rethrow_exception': 'throw', '__cxa_begin_catch': 'catch',
           'net_event': 'net'}
# by a coroutine, whose line is recorded then
CALLED = ('return_void', 'return_value', 'await_resume')
FOREVER = 2 ** 63 - 1  # no deadline
OWN = re.compile(r'_Coro|Aw\d|T\d{3}_|[IF]s_|D\.')  # the compiler's own members of a frame
STATE = r'(.*::)?State$'  # of a body by hand
NUMBERED = r'_\d+_\d+$'  # the end of the name of a variable in a frame


def elements(value):
    found = children(value, MOST)
    if len(found) > MOST:
        # who takes a value out of an empty queue seems to have billions
        raise ValueError('a container that is no longer valid')
    return found


def pairs(value):
    flat = elements(value) if value is not None else []
    return zip(flat[::2], flat[1::2])


def handle(value):
    return int(value['_M_fr_ptr'])


def first_word(memory):
    return int.from_bytes(gdb.selected_inferior().read_memory(memory, 8), 'little')


# A value in a few words

def plain(value):
    """A number, a text or a socket in a few words, or None."""
    words = value is not None and words_for(value)
    return words(value) if words else None


@of_type
def words_for(kind):
    """The function for the values of a type."""
    if kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL):
        return text
    return next((words for begin, words in WORDS.items() if re.match(begin, str(kind))), None)


def text(value):
    words = str(value)
    return words if len(words) < 40 else words[:36] + '..."'


def socket(value):
    descriptor = pointed(member(value, 'std::shared_ptr<'))
    return 'moved away' if descriptor is None else f'fd {int(descriptor["fd"])}'


def co_socket(value):
    until = plain(member(value, TIME))
    return plain(member(value, 'Socket$')) + (f', until {until}' if until else '')


def point_in_time(value):
    return time_of(value) if NETWORK and 0 < since_boot(value) < FOREVER else None


def since_boot(value):
    return int(value['__d']['__r'])


def time_of(value):
    """A time of the clock of a scripted network, which begins at 1000 s."""
    return f'{since_boot(value) / 1e9 - 1000:.1f} s'


def optional(value):
    held = contained(value)
    is_object = held is not None and bare(held.type).code == gdb.TYPE_CODE_STRUCT
    return 'nullopt' if held is None else plain(held) if is_object else text(held)


WORDS = {'Socket$': socket, 'CoSocket$': co_socket, TIME: point_in_time, 'std::optional': optional,
         'std::any': lambda value: plain(contained(value)), '.{0,28}basic_string': text}


def exception(at):
    """The type and the message of an exception, from memory, since no function is called."""
    kind = name_at(at.dereference())
    if 'No symbol' in kind:
        return 'an exception'
    kind = re.sub(r'.*vtable for ([\w:]+).*', r'\1', kind.strip()).split('::')[-1]
    try:
        texts = gdb.lookup_type('char').pointer().pointer()
        return f'{kind}: {(at + 1).cast(texts).dereference().string()[:80]}'
    except (gdb.error, UnicodeDecodeError):
        return kind


def stored(error):
    """The exception of a std::exception_ptr, or nothing."""
    at = error['_M_exception_object'] if '_M_exception_object' in fields(error) else 0
    return exception(at.cast(at.type.pointer())) if at else None


# Bodies

@of_type
def shown(kind):
    """The members of a type that may be shown."""
    return [f for f in kind.fields() if not f.is_base_class and not OWN.match(f.name)
            and not re.match(STATE, str(bare(f.type)))]


def members(value):
    found = {f.name: plain(value[f]) for f in shown(value)}
    return {name: words for name, words in found.items() if words}


def machine(value):
    """A body by hand: its name, its state and its members."""
    at = value.address.cast(bare(value.type).pointer())
    value = at.cast(at.dynamic_type).dereference()
    state = member(value, STATE)
    return {'id': hex(int(at)), 'name': bare(value.type).name.split('<')[0].split('::')[-1],
            'state': '-' if state is None else str(state).split('::')[-1], 'has': members(value)}


kinds, fresh, begins, handles = {}, {}, {}, {}  # of the compiler's frames, by address
# variables by the place in the code, and the places of the conditions of loops in one line
passed_at, conditions = {}, set()


def promised(promise):
    """What the promise of a generator holds: the value that it has yielded last, and what its next
    resume returns or throws."""
    if 'current' not in fields(promise):
        return {}
    sent = plain(promise['sent'])  # an empty text was moved away, or never sent
    held = {'current': plain(promise['current']) or 'nothing', 'sent': sent if sent != '""'
            else None, 'error': stored(promise['error'])}
    return {f'promise.{name}': words for name, words in held.items() if words}


def compiled(address):
    """The same of a frame that the compiler has made. Its state is the resume index."""
    try:
        function = first_word(address)
    except gdb.MemoryError:
        return None  # the object that has the pointer isn't made yet
    if function:  # of a finished coroutine, it is null
        block = function_at(function)
        if not block:
            return None
        kinds[address] = block.function.name, next(symbol.type for symbol in block
                                                   if symbol.name == 'frame_ptr')
    name, kind = kinds[address]
    value = gdb.Value(address).cast(kind).dereference()
    if '_Coro_resume_index' not in fields(value):  # a lambda: gdb does not find its type
        return None
    index = int(value['_Coro_resume_index'])
    held = {**promised(value['_Coro_promise']), **members(value)}
    # not started: a local variable has no value until that changes
    if index in (0, 2) and begins.get(address) != function:
        fresh[address] = {k: v for k, v in held.items() if re.search(NUMBERED, k)}
    begins[address] = function if index in (0, 2) else 0
    begun = fresh[address] = {k: v for k, v in fresh.get(address, {}).items()
                              if held.get(k, v) == v}
    has = {re.sub(NUMBERED, '', k): v for k, v in held.items() if k not in begun}
    return {'id': hex(address), 'name': re.sub(r'\(.*|<.*', '', name).split('::')[-1],
            'state': str(index), 'has': {'frame': f'{value.type.sizeof} bytes', **has},
            **({} if function else {'done': True})}


def function_at(pc):
    """The outermost block of the function that has this instruction."""
    block = gdb.block_for_pc(pc)
    while block and not block.function:
        block = block.superblock
    return block


def bodies(task):
    """The bodies of a task, the outermost first."""
    if (promise := member(task, PROMISE)) is not None:
        found = []
        while int(promise):
            found.insert(0, compiled(handle(promise['handle'])))
            promise = promise['caller']
    elif (stack := member(task, BODIES)) is not None:
        found = [machine(pointed(body)) for body in elements(stack)]
    else:
        body = pointed(member(task, BODY))
        found = [] if body is None else [machine(body)]  # it was moved away
    return [body for body in found if body]


def body_in(value):
    """The body that an object is, or that it owns."""
    if member(value, STATE) is not None:
        return machine(value)
    # the promise stands behind the two functions of the frame; a small number is of an object
    # that isn't made yet
    promise = member(value, 'std::unique_ptr<.*promise_type')
    at = 0 if promise is None else first_word(int(promise.address))
    return compiled(at - 16) if at > 16 else None


def pending(task):
    """The exception that is thrown into a task in its next turn."""
    if 'exception' in fields(task):
        return stored(task['exception'])
    promise = member(task, PROMISE)
    return stored(promise['error']) if promise is not None and int(promise) else None


def answered(task):
    """What the scheduler has answered to a request: in step 8, it is in the awaiter, to which the
    function of the request points."""
    if 'answer' in fields(task):
        return plain(task['answer'])
    request = task['request'] if 'request' in fields(task) else None
    kind = request is not None and re.search(r'(SystemCall<[^<>]+>)::await_suspend',
                                             name_at(request['_M_invoker']))
    if not kind or kind[1] == 'SystemCall<void>':
        return None
    at = request['_M_functor'].address.cast(gdb.lookup_type(kind[1]).pointer().pointer())
    answer = plain(member(at.dereference().dereference(), 'std::optional<'))
    return None if answer == 'nullopt' else answer


# Frames

def local(frame, variable):
    """A variable of a frame, if it has it."""
    with contextlib.suppress(ValueError, gdb.error):
        return frame.read_var(variable)


def variables(frame):
    """The local variables whose declaration has been passed, the innermost first."""
    block, line = frame.block(), frame.find_sal().line
    while block and not block.is_global:
        yield from ((symbol.name, symbol.value(frame)) for symbol in block if symbol.is_variable
                    and symbol.line < line or symbol.is_argument)
        block = None if block.function else block.superblock


def passed(frame):
    """The names of these variables. What has been passed in a coroutine stays so."""
    if frame.pc() not in passed_at:
        block, line, found = frame.block(), frame.find_sal().line, set()
        while block:
            found.update(symbol.name for symbol in block if symbol.is_variable
                         and 0 < symbol.line < line)
            block = None if block.function else block.superblock
        passed_at[frame.pc()] = found
    return passed_at[frame.pc()]


def turns_left(frame):
    """How many turns the round of the scheduler still has."""
    decides = frame != gdb.newest_frame() or frame.pc() in conditions
    turns = local(frame, 'turns') if decides else None
    return None if turns is None else int(turns)  # it has no rounds, or none has begun


def is_coroutine(frame):
    return bool(local(frame, 'frame_ptr'))


def object_of(frame):
    """The address of the body that runs: a frame of the compiler, or an object. A promise or an
    awaiter is none."""
    if re.search(r'::(get_return_object|return_void|(initial|final)_suspend|await_\w+)\b',
                 frame.name() or ''):
        return ''
    for name in 'frame_ptr', 'this':
        if (found := local(frame, name)) is not None:
            with contextlib.suppress(gdb.error):
                return hex(int(found.cast(found.dynamic_type)))
    return ''


class Now:
    """All that exists at a stop."""

    def __init__(self, frames, resumed=False):  # a coroutine that is just resumed is in no line yet
        self.queue, self.runs, self.limit = [], None, None
        self.tasks, self.waits, self.made, self.answers = {}, {}, {}, {}
        self.errors, self.mail, self.main = {}, {}, {}
        scheduler, self.turns = None, None
        for frame in filter(is_coroutine, () if resumed else frames):
            begun = fresh.get(int(local(frame, 'frame_ptr')), {})
            for k in [k for k in begun if re.sub(NUMBERED, '', k) in passed(frame)]:
                del begun[k]
        for frame in frames:
            name = frame.name() or ''
            of_body = '::' in name or is_coroutine(frame)
            if of_body:
                self.main = {}  # these were variables of a function that a body calls
            if name.startswith('Scheduler::'):
                scheduler = scheduler or local(frame, 'this').dereference()
                self.read_loop(frame, name)
            elif not of_body:
                scheduler = self.read_main(frame, scheduler)
        if scheduler is not None:
            self.read(scheduler)
        elif ready := gdb.lookup_global_symbol('ready'):
            self.read_handles(ready.value(), frames)
        for frame in frames:
            if (frame.name() or '').endswith(('::resume', '::resume_with_exception')):
                self.add_sent(frame)

    def read_loop(self, frame, name):
        """Reads which task runs, from the variables of the scheduler's loop."""
        its = dict(variables(frame))
        if name == 'Scheduler::run_next' and 'id' in its:
            self.runs = int(its['id'])
        elif name in ('Scheduler::run', 'Scheduler::run_next') and 'task' in its:
            self.add(its['task'], True)
        if name == 'Scheduler::run':
            self.turns = turns_left(frame)

    def read_main(self, frame, scheduler):
        """Reads the variables of main, or of a function that it calls. Returns the scheduler."""
        for variable, value in variables(frame):
            its = referred(value)
            # the object of a range-based loop has no name
            if its is not value and variable != '__for_range':
                continue
            if bare(its.type).name == 'Scheduler':
                scheduler = scheduler or its
            elif re.match(r'std::map<.* Mailbox\b', str(bare(its.type))):
                self.mail = {plain(name).strip('"'): [[*map(plain, elements(box['messages']))],
                                                      int(box['receiver'])]
                             for name, box in pairs(its)}
            elif body := body_in(its):
                self.made[variable] = body
            elif variable != 'argc' and not OWN.match(variable) and '.' not in variable and (
                    words := plain(its)):
                self.main[variable] = words
        return scheduler

    def read_handles(self, ready, frames):
        """A queue of coroutine handles, which is a whole scheduler in step 8. Its coroutines are
        numbered as it meets them."""
        running = [local(frame, 'frame_ptr') for frame in frames if is_coroutine(frame)]
        taken = [value for frame in frames for _, value in variables(frame)
                 if 'coroutine_handle<' in str(value.type) and frame.name() == 'main']
        queued = [*map(handle, elements(ready))]
        # each was in the queue before
        known = [at for at in map(handle, taken) if at in handles]
        for at in [*map(int, running), *known, *queued]:
            self.tasks[handles.setdefault(at, len(handles) + 1)] = [compiled(at)]
        self.queue = [handles[at] for at in queued]
        # before, it is only being created
        if running and running[0]['_Coro_initial_await_resume_called']:
            self.runs = handles[int(running[0])]

    def add_sent(self, frame):
        """What was sent to the body that runs."""
        said = {name: plain(value) if name == 'sent' else stored(value)
                for name, value in variables(frame) if name in ('sent', 'error')}
        said = {name: words for name, words in said.items() if words}
        for body in [*sum(self.tasks.values(), []), *filter(None, self.made.values())]:
            if body['id'] == object_of(frame):
                body['has'].update(said)

    def add(self, task, runs=False):
        """A task, unless it was moved away or its bodies are gone."""
        task = pointed(task)
        if task is None:
            return None
        found = bodies(task)
        if 'id' in fields(task):
            number = int(task['id'])
        else:  # in step 3, as the recorder meets it
            number = found and handles.setdefault(found[0]['id'], len(handles) + 1)
        if found:
            self.tasks[number] = found
        if runs and (found or member(task, PROMISE) is not None):
            self.runs = number
        return number

    def read(self, scheduler):
        self.limit = plain(member(scheduler, TIME))
        for item in elements(scheduler[name_of_queue(scheduler)]):
            # it has moved what it runs
            self.queue.append(int(item) if bare(item.type).code == gdb.TYPE_CODE_INT
                              else self.add(item) or self.runs)
        if (tasks := member(scheduler, TASKS)) is not None:
            tasks = {int(number): pointed(task) for number, task in pairs(tasks)}
            for number, task in tasks.items():
                self.read_task(number, task)
            self.tasks = {number: found for number, found in self.tasks.items() if number in tasks}
        for number, wait in pairs(member(scheduler, WAITS)):
            self.read_wait(int(number), wait)

    def read_task(self, number, task):
        self.tasks[number] = bodies(task)
        if answer := answered(task):
            self.answers[number] = answer
        if error := pending(task):
            self.errors[number] = error
        waiters = [int(waiter) for waiter in elements(task['waiters'])]
        self.waits.update(dict.fromkeys(waiters, f'the end of task {number}'))
        if waiters and self.tasks[number]:
            self.tasks[number][0]['has']['awaited by'] = ', '.join(f'task {waiter}'
                                                                   for waiter in waiters)

    def read_wait(self, number, wait):
        """A task waits for a socket, or until a deadline."""
        socket, deadline = member(wait, 'pollfd$'), member(wait, TIME)
        socket = wait if socket is None else socket
        has_end = deadline is not None and since_boot(deadline) != FOREVER
        until = f'until {time_of(deadline)}' if has_end else ''
        how = 'read' if int(socket['events']) & 1 else 'write'
        fd = int(socket['fd'])
        self.waits[number] = [fd, how, until] if fd >= 0 else until or 'the clock'


class Recorder:
    def __init__(self):
        self.files = [os.environ['PROGRAM'], *os.environ.get('ALSO', '').split(), *CALLS,
                      'scheduler.hpp']
        self.printed = {end: Printed(f'{os.environ["PRINTED"]}.{end}') for end in ('out', 'err')}
        self.held = vars(Now([]))

    def record(self):
        # these only shorten the names of types, and are slow
        gdb.types.get_type_recognizers = lambda: []
        prepare('breakpoint pending on', 'breakpoint always-inserted on', 'print object on',
                'debug-file-directory')  # no debug information of libraries
        gdb.execute(f'set environment LD_PRELOAD {os.environ["PRELOAD"]}')
        gdb.execute('set environment _STDBUF_O 0')  # what is printed can be read at once
        gdb.execute('break main')
        gdb.execute('run </dev/null >{0.file} 2>{1.file}'.format(*self.printed.values()),
                    to_string=True)
        gdb.execute('delete')
        resource.prlimit(gdb.selected_inferior().pid, resource.RLIMIT_CPU, (SECONDS, 2 * SECONDS))
        signals = []
        gdb.events.stop.connect(lambda event: signals.append(getattr(event, 'stop_signal', '')))
        lines = [f'*{pc}' for file in self.files for pc in self.lines_of(file)]
        for place in [*lines, *SPECIAL, *CALLED]:
            gdb.Breakpoint(place, internal=True).silent = True
        stops = 0
        # after SIGXCPU, it runs on and on, without a line at which it can be recorded
        while gdb.selected_inferior().pid and stops < LONGEST and 'SIGXCPU' not in signals:
            # after a command, gdb forgets all values, and a list of many is slow
            gdb.execute('python recorder.stop()')
            stops += 1
            gdb.execute('continue', to_string=True)
        self.end('SIGXCPU' in signals)

    def end(self, is_busy):
        crash = gdb.convenience_variable('_exitsignal')
        goes_on = bool(gdb.selected_inferior().pid)
        event = {'kind': 'goes on' if goes_on else 'crash' if crash else 'end', 'stack': [],
                 **self.said()}
        if crash or is_busy:
            event['what'] = signal.Signals(int(crash)).name if crash else 'in its last line'
        self.write(event)
        if goes_on:
            gdb.execute('kill')

    def lines_of(self, file):
        """The addresses at which a line of code begins."""
        table = self.table_of(file)
        if not table:
            return []
        with open(table.fullname()) as source:
            lines = ['', *source.read().split('\n')]
        found = []
        entries = sorted(table.linetable(), key=lambda entry: entry.pc)
        for before, entry in zip([None, *entries], entries):
            code = re.sub(r'\s*//.*', '', lines[entry.line] if entry.line < len(lines) else '')
            code = code.strip()
            if not self.does_something(code) or not self.is_recorded(file, entry.pc):
                continue
            if not before or entry.line != before.line or self.instruction(before.pc) == ('nop',
                                                                                          entry.pc):
                found.append(entry.pc)
            if file == 'scheduler.hpp' and re.match(r'(while|for) .*;', code):
                jump = re.match(r'(?:jmp|b)\s+(0x[0-9a-f]+)', self.instruction(entry.pc)[0])
                conditions.update([int(jump[1], 16)] if jump else [])
                found += [int(jump[1], 16)] if jump else []
        return found

    @staticmethod
    def is_recorded(file, pc):
        """Does this instruction belong to one of the functions that are recorded?"""
        block = function_at(pc)
        name = block.function.name if block else ''
        if file in LOOP:
            return re.fullmatch(LOOP[file], re.sub(r'[<(].*', '', name))
        in_call = re.search(r'lambda.*operator|[.]Frame \*|^Mailbox::deliver', name)
        return in_call or file not in CALLS

    @staticmethod
    def table_of(file):
        """What gdb knows of a file, if the program has code of it. By a line without code, gdb 16
        does not find it."""
        for n in range(1, 1000):
            try:
                return gdb.decode_line(f'{file}:{n}')[1][0].symtab
            except (gdb.error, TypeError) as error:
                if 'No compiled code' not in str(error):
                    break
        return None

    @staticmethod
    def instruction(pc):
        """The instruction at this address, and the address of the next one. A jump may lead behind
        one that does nothing."""
        code = gdb.selected_frame().architecture().disassemble(pc)[0]
        return code['asm'].strip(), pc + code['length']

    @staticmethod
    def does_something(code):
        """Not a brace, a declaration, or the head of a function."""
        if re.search(r'\) *(const *)?(override *)?(noexcept *)?\{$', code):
            return re.match(r'(for|while|if|switch|\} catch|\} else)', code)
        return not re.fullmatch(r'|\};?|((try|do) )?\{|(class|struct|explicit|template)\b.*', code)

    def stack(self):
        """Our own frames, the innermost first, each with its place and the object whose body
        runs."""
        found = []
        for frame in outwards(gdb.newest_frame()):
            sal, name = frame.find_sal(), frame.name() or ''
            file = os.path.basename(sal.symtab.filename) if sal.symtab else ''
            if file in self.files and (file != 'task.hpp' or name == 'Task::run') or name == 'main':
                own = 'lambda' if 'lambda' in name else re.sub(r'\(.*', '', name)
                found.append((frame, [own, file, sal.line, object_of(frame)]))
        return found

    def said(self):
        """What was printed since the stop before."""
        found = {name: printed.more() for name, printed in self.printed.items()}
        return {name: words for name, words in found.items() if words}

    def stop(self):
        name = gdb.newest_frame().name() or ''
        if re.search(r'\bsuspend_(always|never)::', name):
            return
        if name.startswith('Scheduler::') and not any(
                frame.name() == 'Scheduler::run' for frame in outwards(gdb.newest_frame())):
            return  # main adds a task
        kind = next((kind for function, kind in SPECIAL.items()
                     if function.split('::')[-1] in name), 'line')
        frames = self.stack()
        event = {'kind': kind, 'stack': [place for _, place in frames][::-1], **self.said()}
        if kind == 'throw':
            event['what'] = self.thrown(name)
        elif kind == 'catch':
            event['by'] = re.sub(r'[(<].*', '', gdb.newest_frame().older().name() or '')
        elif 'await_resume' in name and frames and frames[0][0] != gdb.newest_frame():
            event['resumed'] = True
        elif re.search(r'\breturn_value\b', name):
            event['value'] = plain(gdb.newest_frame().read_var('value')) or ''
        # gdb stands in the library of the network, and the program has not gone on
        elif kind == 'net':
            event['what'] = gdb.newest_frame().read_var('what').string()
        if kind != 'net':
            try:
                self.held = vars(Now([frame for frame, _ in frames], 'resumed' in event))
            except ERRORS as error:  # half an object, while it is made or destroyed
                event['error'] = str(error)
        event.update(self.held)
        if NETWORK:
            event['net'] = gdb.parse_and_eval('(char*)net_state').string()
        self.write(event)

    @staticmethod
    def thrown(name):
        """What is thrown, from the argument of the function that throws it."""
        is_arm = 'aarch64' in gdb.execute('show architecture', to_string=True)
        at = gdb.parse_and_eval(f'(void**)${"x0" if is_arm else "rdi"}')
        return exception(at.dereference().cast(at.type) if 'rethrow' in name else at)

    def write(self, event):
        print(json.dumps(event, ensure_ascii=False), file=self.recording)


recorder = Recorder()
with open(os.environ['RECORDING'], 'w') as recorder.recording:
    recorder.record()
