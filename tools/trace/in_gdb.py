"""What gdb knows of a program: for record_lines.py, and for record_turns.py.

No private name of a step's header is in here, or in these two: a member is found by its type.
"""
import contextlib
import itertools
import re

import gdb

ERRORS = (gdb.error, RuntimeError, ValueError, KeyError)
QUEUE = r'std::(__cxx11::)?(deque|list|vector|queue)<'
TASKS = r'std::(unordered_)?map<.*\bTask\b'
WAITS = r'std::(unordered_)?map<(?!.*\bTask\b)'
TIME = 'std::chrono::time_point<'
BODY = r'std::shared_ptr<Coroutine>$'
BODIES = r'std::vector<std::shared_ptr<Coroutine>'
PROMISE = r'Promise \*$'


def prepare(*settings):
    """Makes gdb ask nothing, and load nothing. An older one doesn't know each setting."""
    for setting in ('confirm off', 'pagination off', 'disable-randomization off',
                    'print elements 60', 'debuginfod enabled off', *settings):
        with contextlib.suppress(gdb.error):
            gdb.execute(f'set {setting}', to_string=True)


def bare(kind):
    return kind.strip_typedefs().unqualified()


known_types = []


def forget():
    """Forgets the types of a program, before another one."""
    for found in known_types:
        found.clear()


def of_type(find):
    """Finds something out of the type of a value, once for each type."""
    found = {}
    known_types.append(found)

    def known(value):
        kind = bare(value.type)
        name = kind.name or str(kind)
        if name not in found:
            found[name] = find(kind)
        return found[name]
    return known


def fields_of(kind):
    """The members of a class and of its bases, and their types, as texts."""
    found = {}
    for f in kind.fields() if kind.code == gdb.TYPE_CODE_STRUCT else ():
        if f.is_base_class:
            found.update(fields_of(bare(f.type)))
        elif hasattr(f, 'bitpos'):  # it isn't static
            found[f.name] = str(bare(f.type))
    return found


fields = of_type(fields_of)


def member(value, pattern):
    """The first member of a value whose type begins like this, or None."""
    return next((value[name] for name, kind in fields(value).items() if re.match(pattern, kind)),
                None)


def name_of_queue(scheduler):
    """The member that is the queue: the only container, or the only one with such a name."""
    found = [name for name, kind in fields(scheduler).items() if re.match(QUEUE, kind)]
    found = [name for name in found if re.search('ready|queue|runn', name)] or found
    return found[0] if len(found) == 1 else ''


def children(value, most):
    """The elements of a container, and one more if it has more than that."""
    printer = gdb.default_visualizer(value)
    found = printer.children() if hasattr(printer, 'children') else ()
    return [child for _, child in itertools.islice(found, most + 1)]


def contained(value):
    """What an optional, an any or a variant contains, or None."""
    return getattr(gdb.default_visualizer(value), 'contained_value', None)


def pointed(value):
    """What a pointer of any kind points to, or the value itself; nothing for a null pointer."""
    pointer = value['_M_ptr'] if '_M_ptr' in fields(value) else value
    if bare(pointer.type).code != gdb.TYPE_CODE_PTR:
        return value
    return pointer.dereference() if int(pointer) else None


def referred(value):
    is_reference = bare(value.type).code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
    return value.referenced_value() if is_reference else value


def name_at(address):
    """What gdb calls this address."""
    return gdb.execute(f'info symbol {int(address)}', to_string=True)


def outwards(frame):
    """A frame, and those that called it."""
    while frame:
        yield frame
        frame = frame.older()


class Printed:
    """What a program has printed into a file."""

    def __init__(self, file):
        self.file, self.read = file, 0

    def more(self):
        """What it has printed since the last time."""
        with open(self.file, 'rb') as text:
            text.seek(self.read)
            data = text.read()
        self.read += len(data)
        return data.decode(errors='replace')
