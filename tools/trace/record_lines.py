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
import itertools
import json
import os
import re
import resource
import signal

import gdb
import gdb.types

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


def bare(kind):
    return kind.strip_typedefs().unqualified()


def of_type(find):
    """Finds something out of the type of a value, once for each type."""
    found = {}

    def known(value):
        kind = bare(value.type)
        name = kind.name or str(kind)
        if name not in found:
            found[name] = find(kind)
        return found[name]
    return known


@of_type
def names(kind):
    return [f.name for f in kind.fields()] if kind.code == gdb.TYPE_CODE_STRUCT else []


def children(value):
    printer = gdb.default_visualizer(value)
    found = [child for _, child in itertools.islice(printer.children(),
                                                    MOST + 1)] if printer else []
    if len(found) > MOST:
        # who takes a value out of an empty queue seems to have billions
        raise ValueError('a container that is no longer valid')
    return found


def pairs(value):
    flat = children(value)
    return zip(flat[::2], flat[1::2])


@of_type
def is_shared(kind):
    return str(kind).startswith('std::shared_ptr<')


def pointed(value):
    """What a pointer of any kind points to, or the value itself; nothing for a null pointer."""
    pointer = value['_M_ptr'] if is_shared(value) else value
    if bare(pointer.type).code != gdb.TYPE_CODE_PTR:
        return value
    return pointer.dereference() if int(pointer) else None


def short(text):
    return text if len(text) < 40 else text[:36] + '..."'


def plain(value):
    """A number, a text or a socket in a few words, or None."""
    words = words_for(value)
    return words and words(value)


@of_type
def words_for(kind):
    """The function for the values of a type."""
    name = str(kind)
    if name == 'Socket':
        return socket
    if name == 'CoSocket':
        return co_socket
    if name.startswith('std::chrono::time_point') and NETWORK:
        return point_in_time
    if name.startswith('std::optional'):
        return optional
    if name.startswith('std::any'):
        return anything
    is_simple = 'basic_string' in name[:40] or kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL)
    return (lambda value: short(str(value))) if is_simple else None


def socket(value):
    descriptor = pointed(value['descriptor_'])
    return 'moved away' if descriptor is None else f'fd {int(descriptor["fd"])}'


def co_socket(value):
    until = 'deadline_' in names(value) and plain(value['deadline_'])
    return plain(value['socket_']) + (f', until {until}' if until else '')


def point_in_time(value):
    return time_of(value) if 0 < int(value['__d']['__r']) < FOREVER else None


def optional(value):
    inside = re.search(r'contained value\] = (.*)\}$', str(value), re.S)
    if inside and inside[1].startswith('{'):
        return plain(value['_M_payload']['_M_payload']['_M_value'])
    return short(inside[1]) if inside else 'nullopt'


def anything(value):
    inside = re.match(r'std::any containing .*\[contained value\] = ("[^"]*"|-?\d+|true|false)',
                      str(value))
    return inside and inside[1]


def time_of(value):
    """A time of the clock of a scripted network, which begins at 1000 s."""
    return f'{int(value["__d"]["__r"]) / 1e9 - 1000:.1f} s'


@of_type
def shown(kind):
    """The members of a type that may be shown."""
    return [f for f in kind.fields() if not f.is_base_class and f.name != 'state_'
            and not OWN.match(f.name)]


def members(value):
    found = {f.name: plain(value[f]) for f in shown(value)}
    return {name: text for name, text in found.items() if text}


@of_type
def name_of(kind):
    return kind.name.split('<')[0].split('::')[-1]


def machine(value):
    """A body by hand: its name, its state and its members."""
    at = value.address.cast(bare(value.type).pointer())
    value = at.cast(at.dynamic_type).dereference()
    state = str(value['state_']).split('::')[-1] if 'state_' in names(value) else '-'
    return {'id': hex(int(at)), 'name': name_of(value), 'state': state, 'has': members(value)}


types, fresh, begins, handles = {}, {}, {}, {}  # of the compiler's frames, by address
# variables by the place in the code, and the places of the conditions of loops in one line
passed_at, conditions = {}, set()


def promised(promise):
    """What the promise of a generator holds: the value that it has yielded last, and what its next
    resume returns or throws."""
    if 'current' not in names(promise):
        return {}
    sent = plain(promise['sent'])  # an empty text was moved away, or never sent
    held = {'current': plain(promise['current']) or 'nothing', 'sent': sent if sent != '""'
            else None, 'error': stored(promise['error'])}
    return {f'promise.{name}': text for name, text in held.items() if text}


def compiled(address):
    """The same of a frame that the compiler has made. Its state is the resume index."""
    try:
        function = int.from_bytes(gdb.selected_inferior().read_memory(address, 8), 'little')
    except gdb.MemoryError:
        return None  # the object that has the pointer isn't made yet
    if function:  # of a finished coroutine, it is null
        block = gdb.block_for_pc(function)
        while block and not block.function:
            block = block.superblock
        if not block:
            return None
        types[address] = block.function.name, next(symbol.type
            for symbol in block if symbol.name == 'frame_ptr')
    name, kind = types[address]
    value = gdb.Value(address).cast(kind).dereference()
    if '_Coro_resume_index' not in names(value):  # a lambda: gdb does not find its type
        return None
    index, held = int(value['_Coro_resume_index']), {**promised(value['_Coro_promise']),
                                                     **members(value)}
    # not started: a local variable has no value until that changes
    if index in (0, 2) and begins.get(address) != function:
        fresh[address] = {k: v for k, v in held.items() if re.search(r'_\d+_\d+$', k)}
    begins[address] = function if index in (0, 2) else 0
    begun = fresh.setdefault(address, {})
    for k in [k for k, v in held.items() if begun.get(k, v) != v]:
        del begun[k]
    return {'id': hex(address), 'name': re.sub(r'\(.*|<.*', '', name).split('::')[-1],
            'state': str(index),
            'has': {'frame': f'{value.type.sizeof} bytes'} | {re.sub(r'_\d+_\d+$', '', k): v
                for k, v in held.items() if k not in begun}, **({} if function else {'done': True})}


def bodies(task):
    """The bodies of a task, the outermost first."""
    has = names(task)
    if 'innermost_' in has:
        found, promise = [], task['innermost_']
        while int(promise):
            found.insert(0, compiled(int(promise['handle']['_M_fr_ptr'])))
            promise = promise['caller']
    elif 'stack_' in has:
        found = [machine(pointed(body)) for body in children(task['stack_'])]
    else:
        body = pointed(task['coroutine_' if 'coroutine_' in has else 'coroutine'])
        found = [] if body is None else [machine(body)]  # it was moved away
    return [body for body in found if body]


def exception(at):
    """The type and the message of an exception, from memory, since no function is called."""
    kind = re.sub(r'.*vtable for ([\w:]+).*', r'\1',
                  gdb.execute(f'info symbol {int(at.dereference())}',
                              to_string=True).strip()).split('::')[-1]
    if 'No symbol' in kind:
        return 'an exception'
    try:
        return f'{kind}: ' + (at
                              + 1).cast(gdb.lookup_type(
                                  'char').pointer().pointer()).dereference().string()[:80]
    except (gdb.error, UnicodeDecodeError):
        return kind


def stored(error):
    """The exception of a std::exception_ptr, or nothing."""
    at = error['_M_exception_object'] if '_M_exception_object' in names(error) else 0
    return exception(at.cast(at.type.pointer())) if at else None


def pending(task):
    """The exception that is thrown into a task in its next turn."""
    has = names(task)
    holder = task if 'exception' in has else pointed(
        task['innermost_']) if 'innermost_' in has else None
    return holder is not None and stored(holder['exception' if 'exception' in has
                                                else 'error']) or None


def answered(request):
    """What the scheduler has answered to a request of step 8: it is in the awaiter, to which the
    function of the request points."""
    kind = re.search(r'(SystemCall<[^<>]+>)::await_suspend',
                     gdb.execute(f'info symbol {int(request["_M_invoker"])}', to_string=True))
    if not kind or kind[1] == 'SystemCall<void>':
        return None
    at = request['_M_functor'].address.cast(gdb.lookup_type(kind[1]).pointer().pointer())
    answer = plain(at.dereference()['result_'])
    return None if answer == 'nullopt' else answer


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
        block, line, found = frame.block(), frame.find_sal().line, passed_at.setdefault(frame.pc(),
                                                                                        set())
        while block:
            found.update(symbol.name for symbol in block if symbol.is_variable
                         and 0 < symbol.line < line)
            block = None if block.function else block.superblock
    return passed_at[frame.pc()]


def turns_left(frame):
    """How many turns the round of the scheduler still has."""
    try:
        return None if frame == gdb.newest_frame() and frame.pc() not in conditions else int(
            frame.read_var('turns'))
    except ValueError:
        return None  # it has no rounds, or none has begun


def is_coroutine(frame):
    try:
        return bool(frame.read_var('frame_ptr'))
    except ValueError:
        return False


class Now:
    """All that exists at a stop."""

    def __init__(self, frames, resumed=False):  # a coroutine that is just resumed is in no line yet
        self.queue, self.runs, self.limit = [], None, None
        self.tasks, self.waits, self.made, self.answers = {}, {}, {}, {}
        self.errors, self.mail, self.main = {}, {}, {}
        scheduler, self.turns = None, None
        for frame in filter(is_coroutine, () if resumed else frames):
            begun = fresh.get(int(frame.read_var('frame_ptr')), {})
            for k in begun and [k for k in begun if re.sub(r'_\d+_\d+$', '', k) in passed(frame)]:
                del begun[k]
        for frame in frames:
            name = frame.name() or ''
            of_body = '::' in name or is_coroutine(frame)
            if of_body:
                self.main = {}  # these were variables of a function that a body calls
            if name.startswith('Scheduler::'):
                scheduler = scheduler or frame.read_var('this').dereference()
                local = dict(variables(frame))
                if name == 'Scheduler::run_next' and 'id' in local:
                    self.runs = int(local['id'])
                elif name in ('Scheduler::run', 'Scheduler::run_next') and 'task' in local:
                    self.add(local['task'], True)
                if name == 'Scheduler::run':
                    self.turns = turns_left(frame)
            elif not of_body:
                scheduler = self.read_main(frame, scheduler)
        if scheduler is not None:
            self.read(scheduler)
        elif ready := gdb.lookup_global_symbol('ready'):
            self.read_handles(ready.value(), frames)
        self.add_sent([frame for frame in frames
                       if (frame.name() or '').endswith(('::resume', '::resume_with_exception'))])

    def read_main(self, frame, scheduler):
        """Reads the variables of main, or of a function that it calls. Returns the scheduler."""
        for variable, value in variables(frame):
            if bare(value.type).code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
                # the object of a range-based loop has no name
                if variable != '__for_range':
                    continue
                value = value.referenced_value()
            if bare(value.type).name == 'Scheduler':
                scheduler = scheduler or value
            elif re.match(r'std::map<.* Mailbox\b', str(bare(value.type))):
                self.mail = {plain(name).strip('"'): [[*map(plain, children(box['messages']))],
                                                      int(box['receiver'])]
                             for name, box in pairs(value)}
            elif body := self.body_in(value):
                self.made[variable] = body
            elif variable == 'argc' or OWN.match(variable) or '.' in variable:
                continue
            elif text := plain(value):
                self.main[variable] = text
        return scheduler

    def read_handles(self, ready, frames):
        """A queue of coroutine handles, which is a whole scheduler in step 8. Its coroutines are
        numbered as it meets them."""
        running = [frame.read_var('frame_ptr') for frame in frames if is_coroutine(frame)]
        taken = [value for frame in frames for _, value in variables(frame)
                 if 'coroutine_handle<' in str(value.type) and frame.name() == 'main']
        queued = children(ready)
        # each was in the queue before
        known = [at for at in (int(handle['_M_fr_ptr']) for handle in taken) if at in handles]
        for at in [*map(int, running), *known, *(int(handle['_M_fr_ptr']) for handle in queued)]:
            self.tasks[handles.setdefault(at, len(handles) + 1)] = [compiled(at)]
        self.queue = [handles[int(handle['_M_fr_ptr'])] for handle in queued]
        # before, it is only being created
        if running and running[0]['_Coro_initial_await_resume_called']:
            self.runs = handles[int(running[0])]

    def add_sent(self, resumed):
        """What was sent to the bodies that run."""
        for frame in resumed:
            said = {name: plain(value) if name == 'sent' else stored(value)
                    for name, value in variables(frame) if name in ('sent', 'error')}
            said = {name: text for name, text in said.items() if text}
            for body in [body for task in self.tasks.values() for body in task] + [body
                    for body in self.made.values() if body]:
                if body['id'] == Recorder.object_of(frame):
                    body['has'].update(said)

    def add(self, task, runs=False):
        """A task, unless it was moved away or its bodies are gone."""
        task = pointed(task)
        if task is None:
            return None
        number, found = int(task['id']), bodies(task)
        if found:
            self.tasks[number] = found
        if runs and (found or 'coroutine' not in names(task)):
            self.runs = number
        return number

    def body_in(self, value):
        has = names(value)
        if 'state_' in has:
            return machine(value)
        if 'promise_' in has and (
                at := int.from_bytes(
                    gdb.selected_inferior().read_memory(int(value['promise_'].address), 8),
                    'little')) > 16:
            # the promise stands behind the two functions of the frame; a small number is of an
            # object that isn't made yet
            return compiled(at - 16)
        return None

    def read(self, scheduler):
        has = names(scheduler)
        self.limit = 'last_deadline_' in has and plain(scheduler['last_deadline_']) or None
        for item in children(scheduler['ready_']):
            # it has moved what it runs
            self.queue.append(int(item) if bare(item.type).code == gdb.TYPE_CODE_INT
                              else self.add(item) or self.runs)
        tasks = list(pairs(scheduler['tasks_'])) if 'tasks_' in has else []
        for number, task in tasks:
            task = pointed(task)
            self.tasks[int(number)] = bodies(task)
            if 'answer' in names(task) and (answer := plain(task['answer'])):
                self.answers[int(number)] = answer
            if 'request' in names(task) and (answer := answered(task['request'])):
                self.answers[int(number)] = answer
            if error := pending(task):
                self.errors[int(number)] = error
            waiters = [int(waiter) for waiter in children(task['waiters'])]
            self.waits.update(dict.fromkeys(waiters, f'the end of task {int(number)}'))
            if waiters and self.tasks[int(number)]:
                self.tasks[int(number)][0]['has']['awaited by'] = ', '.join(f'task {waiter}'
                                                                            for waiter in waiters)
        if 'tasks_' in has:
            known = {int(number) for number, _ in tasks}
            self.tasks = {number: found for number, found in self.tasks.items() if number in known}
        for number, wait in pairs(scheduler['waits_']) if 'waits_' in has else []:
            socket = wait['socket'] if 'socket' in names(wait) else wait
            deadline = int(wait['deadline']['__d']['__r']) if 'deadline' in names(wait) else FOREVER
            until = f'until {time_of(wait["deadline"])}' if deadline != FOREVER else ''
            reads = int(socket['events']) & 1
            self.waits[int(number)] = [int(socket['fd']), 'read' if reads else 'write',
                                       until] if int(socket['fd']) >= 0 else until or 'the clock'


class Recorder:
    def __init__(self):
        self.files = [os.environ['PROGRAM'], *os.environ.get('ALSO', '').split(), *CALLS,
                      'scheduler.hpp']
        self.printed = [os.environ['PRINTED'] + end for end in ('.out', '.err')]
        self.read = [0, 0]
        self.held = vars(Now([]))

    def record(self):
        # these only shorten the names of types, and are slow
        gdb.types.get_type_recognizers = lambda: []
        for setting in ('confirm off', 'pagination off', 'disable-randomization off',
                        'breakpoint pending on', 'breakpoint always-inserted on', 'print object on',
                        # no debug information of libraries
                        'print elements 60', 'debug-file-directory', 'debuginfod enabled off'):
            try:
                gdb.execute(f'set {setting}', to_string=True)
            except gdb.error:
                pass  # an older gdb
        gdb.execute(f'set environment LD_PRELOAD {os.environ["PRELOAD"]}')
        gdb.execute('set environment _STDBUF_O 0')  # what is printed can be read at once
        gdb.execute('break main')
        gdb.execute(f'run </dev/null >{self.printed[0]} 2>{self.printed[1]}', to_string=True)
        gdb.execute('delete')
        resource.prlimit(gdb.selected_inferior().pid, resource.RLIMIT_CPU, (SECONDS, 2 * SECONDS))
        signals = []
        gdb.events.stop.connect(lambda event: signals.append(getattr(event, 'stop_signal', '')))
        for place in [f'*{pc}' for file in self.files for pc in self.lines_of(file)] + [*SPECIAL,
                                                                                        *CALLED]:
            gdb.Breakpoint(place, internal=True).silent = True
        stops = 0
        while gdb.selected_inferior().pid and stops < LONGEST:
            # after a command, gdb forgets all values, and a list of many is slow
            gdb.execute('python recorder.stop()')
            stops += 1
            gdb.execute('continue', to_string=True)
            if 'SIGXCPU' in signals:
                break  # it runs on and on, without a line at which it can be recorded
        crash = gdb.convenience_variable('_exitsignal')
        self.write({'kind': 'goes on' if gdb.selected_inferior().pid else 'crash' if crash
                    else 'end', 'stack': [], **self.said(),
                    **({'what': signal.Signals(int(crash)).name} if crash
                       else {'what': 'in its last line'} if 'SIGXCPU' in signals else {})})
        if gdb.selected_inferior().pid:
            gdb.execute('kill')

    def lines_of(self, file):
        """The addresses at which a line of code begins."""
        table = self.table_of(file)
        if not table:
            return []
        with open(table.fullname()) as source:
            text = source.read().split('\n')
        found = []
        entries = sorted(table.linetable(), key=lambda entry: entry.pc)
        for before, entry in zip([None, *entries], entries):
            code = re.sub(r'\s*//.*', '',
                          text[entry.line - 1]).strip() if 0 < entry.line <= len(text) else ''
            block = gdb.block_for_pc(entry.pc)
            while block and not block.function:
                block = block.superblock
            name = block.function.name if block else ''
            function = re.sub(r'[<(].*', '', name)
            in_call = re.search(r'lambda.*operator|[.]Frame \*|^Mailbox::deliver', name)
            if not self.does_something(code) or not (re.fullmatch(LOOP[file], function)
                    if file in LOOP else in_call or file not in CALLS):
                continue
            if not before or entry.line != before.line or self.instruction(before.pc) == ('nop',
                                                                                          entry.pc):
                found.append(entry.pc)
            if file == 'scheduler.hpp' and re.match(r'(while|for) .*;',
                    code) and (jump := re.match(r'(?:jmp|b)\s+(0x[0-9a-f]+)',
                                                self.instruction(entry.pc)[0])):
                found.append(int(jump[1], 16))
                conditions.add(found[-1])
        return found

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
        head = re.search(r'\) *(const *)?(override *)?(noexcept *)?\{$',
                         code) and not re.match(r'(for|while|if|switch|\} catch|\} else)', code)
        return not head and code not in ('', '}', '};', '{', 'try {',
                                         'do {') and not re.match(
                                             r'(class|struct|explicit|template)\b', code)

    def stack(self):
        """Our own frames, the innermost first, each with its place and the object whose body
        runs."""
        found, frame = [], gdb.newest_frame()
        while frame:
            sal, name = frame.find_sal(), frame.name() or ''
            file = os.path.basename(sal.symtab.filename) if sal.symtab else ''
            if file in self.files and (file != 'task.hpp' or name == 'Task::run') or name == 'main':
                own = 'lambda' if 'lambda' in name else re.sub(r'\(.*', '', name)
                found.append((frame, [own, file, sal.line, self.object_of(frame)]))
            frame = frame.older()
        return found

    @staticmethod
    def is_in_loop():
        frame = gdb.newest_frame()
        while frame and frame.name() != 'Scheduler::run':
            frame = frame.older()
        return bool(frame)

    @staticmethod
    def object_of(frame):
        """The address of the body that runs: a frame of the compiler, or an object. A promise or an
        awaiter is none."""
        if re.search(r'::(get_return_object|return_void|(initial|final)_suspend|await_\w+)\b',
                     frame.name() or ''):
            return ''
        for name in 'frame_ptr', 'this':
            try:
                found = frame.read_var(name)
                return hex(int(found.cast(found.dynamic_type)))
            except (ValueError, gdb.error):
                pass
        return ''

    def said(self):
        """What was printed since the stop before."""
        found = {}
        for i, name in enumerate(('out', 'err')):
            with open(self.printed[i], 'rb') as text:
                text.seek(self.read[i])
                data = text.read()
            self.read[i] += len(data)
            if data:
                found[name] = data.decode(errors='replace')
        return found

    def stop(self):
        name = gdb.newest_frame().name() or ''
        if re.search(r'\bsuspend_(always|never)::', name):
            return
        if name.startswith('Scheduler::') and not self.is_in_loop():
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
            # half an object, while it is made or destroyed
            except (gdb.error, RuntimeError, ValueError, KeyError) as error:
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
