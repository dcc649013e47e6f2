"""Runs a recorded program in gdb and writes into its recorder what its bodies hold; used by tools/trace.

gdb stops the program in recorder::inspect(). The body is a class with a `state_`, or a frame that the
compiler has made: then its state is the number `_Coro_resume_index`.
"""
import re

import gdb

OWN = re.compile(r'_Coro|Aw\d|T\d{3}_|[IF]s_|D\.')  # the compiler's own members of a frame
types, fresh = {}, {}  # of the frames, by address


def plain(value):
    """A number or a text in one word, or None."""
    kind, words = value.type.strip_typedefs().code, str(value)
    if 'basic_string' in str(value.type.strip_typedefs().unqualified())[:40] or kind in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL):
        return words if len(words) < 40 else words[:36] + '..."'
    inside = re.match(r'std::any containing .*\[contained value\] = ("[^"]*"|-?\d+)', words)
    return inside and inside.group(1)


def members(value):
    found = {f.name: plain(value[f]) for f in value.type.fields() if not f.is_base_class and f.name != 'state_' and not OWN.match(f.name)}
    return {name: text for name, text in found.items() if text}


def body(value):
    value = value.cast(value.dynamic_type).referenced_value()
    names = [f.name for f in value.type.fields()]
    state = str(value['state_']).split('::')[-1] if 'state_' in names else '-'
    return value.type.name.split('<')[0].split('::')[-1], state, members(value)


def frame(address):
    function = int.from_bytes(gdb.selected_inferior().read_memory(address, 8), 'little')
    if function:  # of a finished coroutine, it is null
        block = gdb.block_for_pc(function)
        while not block.function:
            block = block.superblock
        types[address] = block.function.name, next(symbol.type for symbol in block if symbol.name == 'frame_ptr')
    name, kind = types[address]
    value = gdb.Value(address).cast(kind).dereference()
    if not any(f.name == '_Coro_resume_index' for f in value.type.fields()):  # a lambda: gdb does not find its type
        return None
    index, held = int(value['_Coro_resume_index']), members(value)
    if index == 2:  # not started: a local variable has no value until that changes
        fresh[address] = {k: v for k, v in held.items() if re.search(r'_\d+_\d+$', k)}
    begun = fresh.setdefault(address, {})
    for k in [k for k, v in held.items() if begun.get(k, v) != v]:
        del begun[k]
    return re.sub(r'\(.*|<.*', '', name).split('::')[-1], index, {re.sub(r'_\d+_\d+$', '', k): v for k, v in held.items() if k not in begun}


def sent(caller):
    """What the yield returns: the parameter `sent` of the generator's run()."""
    for _ in range(4):
        caller = caller and caller.older()
        try:
            return plain(caller.read_var('sent'))
        except (ValueError, AttributeError):
            pass


class Inspect(gdb.Breakpoint):
    def stop(self):
        inspect = gdb.newest_frame()
        caller = inspect.older()
        value = caller.read_var('body').referenced_value()
        in_frame = any(f.name == '_M_fr_ptr' for f in value.type.fields())
        found = frame(int(value['_M_fr_ptr'])) if in_frame else body(caller.read_var('body'))
        if not found:
            return False
        name, state, held = found
        if answer := sent(caller):
            held['sent'] = answer
        text = ' '.join([name, str(state)] + [f'{k}={v}' for k, v in held.items()])
        gdb.selected_inferior().write_memory(int(inspect.read_var('text')), text.encode()[:499] + b'\0')
        return False


gdb.execute('set confirm off')
gdb.execute('set disable-randomization off')
Inspect('recorder::inspect')
gdb.execute('run </dev/null >"$RECORDING"')
gdb.execute('quit $_exitcode')
