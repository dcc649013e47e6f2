"""Draws the first turns of a recording of tools/trace/record_lines: a lane for each task.

  tools/trace/record_lines step03_scheduler two_tasks | python3 tools/trace/picture.py 6 >turns.svg

Time runs downwards. In a turn stands what the task prints, or what it then waits for. A wide bar
is a poll(2), with what has happened meanwhile. On the right is the queue then, its front first.
"""
import itertools
import json
import sys
from html import escape

ROW, LEFT, LANES, QUEUE = 44, 12, 560, 150
STYLE = '''
text{font:13px system-ui,sans-serif;fill:#1f2a37}
.head,.small{fill:#566371}
.small{font-size:12px}
.lane{stroke:#d5dce3;stroke-width:2}
.turn{fill:#d9e8f8;stroke:#0b5cad}
.poll{fill:#f5f7f9;stroke:#8a96a3}
.queue{fill:none;stroke:#0b5cad}
.way{fill:none;stroke:#0b5cad;stroke-width:1.5;marker-end:url(#tip)}
#tip path{fill:#0b5cad}
@media (prefers-color-scheme:dark){
text{fill:#dbe3ea}
.head,.small{fill:#a3b0bb}
.lane{stroke:#36414c}
.turn{fill:#17324d;stroke:#7ab8ff}
.poll{fill:#1c2229;stroke:#a3b0bb}
.queue,.way{stroke:#7ab8ff}
#tip path{fill:#7ab8ff}
}
'''


def then(event, task):
    """What becomes of a task after its turn."""
    if task in event['waits']:
        fd, what = event['waits'][task][:2]
        return f'waits to {what} {fd}'
    return 'yields' if int(task) in event['queue'] else 'ends'


def happened(before, after):
    """What the clients have done in a poll."""
    was, states = ([line.split('|') for line in event.get('net', '').splitlines()[1:]]
                   for event in (before, after))
    return [f'{new[0]} {does}' for old, new in itertools.zip_longest(was, states, fillvalue=[])
            for does, is_so in (('connects', not old), ('sends', old and new[3] > old[3]),
                                ('hangs up', new[2] == 'gone')) if is_so and old != new]


def rows(events):
    """The turns and the polls of a run: who, its text, the queue afterwards."""
    before = events[0]
    for task, part in itertools.groupby(events, lambda event: event.get('runs')):
        part = list(part)
        if task is not None:
            after = events[events.index(part[-1]) + 1]
            printed = ''.join(event.get('out', '') for event in part).rstrip('\n')
            new = after['tasks'].keys() - part[0]['tasks']
            starts = ' '.join(f'starts task {started}' for started in new)
            yield str(task), printed or starts or then(after, str(task)), after['queue']
            before = after
        elif woken := sorted(before['waits'].keys() - part[-1]['waits']):
            news = [*happened(before, part[-1]), 'wakes task ' + ', '.join(woken)]
            yield None, 'poll(2): ' + ', '.join(news), part[-1]['queue']
            before = part[-1]


def drawn(turns):
    """The picture."""
    tasks = sorted({task for task, *_ in turns if task}, key=int)
    wide = LANES / len(tasks)
    middle = {task: LEFT + wide * (i + .5) for i, task in enumerate(tasks)}
    high = ROW * (len(turns) + 1) + 12
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + LANES + QUEUE} {high}">'
           f'<style>{STYLE.replace(chr(10), "")}</style>'
           '<marker id="tip" orient="auto" markerWidth="7" markerHeight="6" refX="6" refY="3">'
           '<path d="M0 0 7 3 0 6"/></marker>')
    for task, x in middle.items():
        yield f'<text class="head" x="{x:g}" y="20" text-anchor="middle">task {task}</text>'
        yield f'<path class="lane" d="M{x:g} 28V{high - 8}"/>'
    yield f'<text class="head" x="{LEFT + LANES + 20}" y="20">the queue then</text>'
    came = None
    for i, (task, text, queue) in enumerate(turns):
        y = ROW * (i + 1)
        x, width = (middle[task], wide - 24) if task else (LEFT + LANES / 2, LANES)
        if came is not None:
            yield f'<path class="way" d="M{came:g} {y - 10}L{x:g} {y - 1}"/>'
        came = x
        yield (f'<rect class="{"turn" if task else "poll"}" x="{x - width / 2:g}" y="{y}" '
               f'width="{width:g}" height="30" rx="6"/>')
        yield f'<text x="{x:g}" y="{y + 20}" text-anchor="middle">{escape(text)}</text>'
        for place, waiting in enumerate(queue):
            at = LEFT + LANES + 32 + 28 * place
            yield f'<circle class="queue" cx="{at}" cy="{y + 15}" r="11"/>'
            yield f'<text class="small" x="{at}" y="{y + 19}" text-anchor="middle">{waiting}</text>'
    yield '</svg>'


if __name__ == '__main__':
    recording = [json.loads(line) for line in sys.stdin]
    print(''.join(drawn(list(itertools.islice(rows(recording), int(sys.argv[1]))))))
