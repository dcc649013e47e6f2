"""Draws the table of a group of benchmarks as bars: a drawing for each column of ratios, or for
each ratio of two columns."""
import html
import re
import statistics

# a drawing fits on a phone, and a number has room beside the longest bar
WIDTH, END, BAR = 356, 46, 12


def table(tokens):
    """Returns the cells of the table that begins with the first token."""
    rows = []
    for token in tokens:
        if token.type == 'table_close':
            return rows
        if token.type == 'tr_open':
            rows.append([])
        if token.type == 'inline':
            rows[-1].append(token.content)


def number(cell):
    return float(re.sub('[^0-9.]', '', cell))


def figure(plan, rows):
    """Returns the bars of a table as a <figure>, or nothing if this plan, a file `table`, isn't
    that of the table."""
    lines = [[word.strip() for word in line.split('|')] for line in plan.splitlines()]
    columns = [line[1:] for line in lines if line[0] == 'column']
    if rows[0][1:] != [column[0] for column in columns]:
        return ''
    at = {column[1]: n for n, column in enumerate(columns, 1)}
    targets = [[*line[1:], ''][:4] for line in lines if line[0] == 'target']
    plots = {}  # of each title: the name, the value, its text and the target of each bar
    for case, of in dict.fromkeys([(column[1], '')
                                   for column in columns if column[2]] + [(case, of)
                                           for _, case, _, of in targets if of]):
        limits = {row: float(limit) for row, *what, limit, other in targets
                  if (*what, other) == (case, of)}
        plots[rows[0][at[case]] + (f' compared with {rows[0][at[of]]}' if of else '')] = bars = []
        for name, *cells in rows[1:]:
            if cell := cells[at[case] - 1]:
                value = number(cell) / number(cells[at[of] - 1]) if of else 1 if name == rows[1][
                    0] else number(cell)
                limit = limits.get(name, limits.get('*'))  # of this row, or of every row
                bars.append((name, value, f'{value:.2g}' if of else cell, limit))
    # All drawings have the same scale. Bars that are many times as long as most others are cut, so
    # that these can be compared.
    values = [value for bars in plots.values() for _, value, *_ in bars]
    scale = max([value for value in values
                 if value <= 4 * statistics.median(values)] + [float(limit)
                                                               for *_, limit, _ in targets])
    caption = [f'Times as long as “{rows[1][0]}”.'] * (not any(of
        for *_, of in targets)) + ['A thin line is a target.'] * bool(targets)
    caption += ['A bar with an open end is too long for the drawing.'] * (max(values) > scale)
    drawings = [drawing(title, bars, scale) for title, bars in plots.items()]
    return (f'<figure class="plots"><figcaption>{" ".join(caption)}</figcaption>'
            f'{"".join(drawings)}</figure>\n')


def drawing(title, bars, scale):
    """Draws bars that begin at 0."""
    # the name of a bar is above it, and else beside it
    above = max(len(name) for name, *_ in bars) > 20
    left, step = (1, 36) if above else (142, 21)
    parts = [f'<text class="title" y="13">{html.escape(title)}</text>']
    for n, (name, value, text, limit) in enumerate(bars):
        y, target, end = 26 + n * step + 16 * above, *(left
            + round((WIDTH - left - END) * min(v / scale, 1), 1) for v in (limit or 0, value))
        open_end = 'l-5 3 5 3-5 3 5 3' if value > scale else f'v{BAR}'
        place = (f'x="{left + 5}" y="{y - 5}"' if above
                 else f'class="name" x="{left - 8}" y="{y + 11}"')
        after = (target if end <= target < end + 40 else end) + 6  # no line crosses the number
        ours = ' class=ours' * name.startswith('step ')
        parts.append(f'<text {place}>{html.escape(name)}</text>'
                     f'<path{ours} d="M{left} {y}H{end}{open_end}H{left}z"/>'
                     f'<text x="{after}" y="{y + 11}">{text}</text>'
                     + (f'<path class="lines" d="M{target} {y - 3}v{BAR + 6}"/>' if limit else ''))
    height = 26 + len(bars) * step
    said = html.escape(f'{title}: ' + ', '.join(f'{name} {text}' for name, _, text, _ in bars))
    return (f'<svg role="img" aria-label="{said}" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}">{"".join(parts)}'
            f'<path class="lines" d="M{left} 22V{height - 4}"/></svg>')
