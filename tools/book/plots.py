"""Draws the figures of a benchmark as SVG: a row for each contestant, a dot for each argument, on a logarithmic axis."""
import html, math

WIDTH, ROW, TOP, LEFT = 300, 38, 38, 28  # of the plot; the figures are to its right
MARKS = ['M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0Z', 'M-5-5H5V5H-5Z', 'M0-6L6 5H-6Z', 'M0-6.5L6.5 0L0 6.5L-6.5 0Z', 'M-5-5H5L0 6Z', 'M-2-5H2V5H-2Z']


def figure(value):
    """Returns a number with three digits that count, and blanks between thousands."""
    if value >= 100:
        return f'{round(value):,}'.replace(',', ' ')
    return f'{float(f"{value:.3g}"):g}'


def rows_of(results, family):
    """Returns the arguments of a family, and for each contestant that was measured its values."""
    cases = [(m['contestant'], m['cases']) for m in results['medians']]
    arguments = sorted({int(case.split('/')[1]) for _, own in cases for case in own if case.startswith(family + '/')})
    names = [f'{family}/{a}' for a in arguments] or [family]
    rows = [(who, [own[name]['value'] if name in own else None for name in names]) for who, own in cases]
    return arguments, [row for row in rows if any(v is not None for v in row[1])]


def svg(results, family, what):
    arguments, rows = rows_of(results, family)
    values = [v for _, row in rows for v in row if v]
    if not values:
        return ''  # the page says so
    low, high = math.floor(math.log10(min(values)) - .05), math.ceil(math.log10(max(values)) + .05)

    def x(value):
        return round(LEFT + WIDTH * (math.log10(value) - low) / (high - low), 1)

    bottom = TOP + ROW * len(rows)
    out = [f'<path class="grid" d="M{x(10 ** n)} {TOP - 8}V{bottom}"/>'
           + (f'<text class="tick" x="{x(10 ** n)}" y="{bottom + 18}">{figure(10 ** n)}</text>' if high - low < 6 or (n - low) % 2 == 0 else '')
           for n in range(low, high + 1)]
    out += [f'<path class="minor" d="M{x(k * 10 ** n)} {bottom - 4}V{bottom}"/>' for n in range(low, high) for k in range(2, 10)]
    at = LEFT
    for i, argument in enumerate(arguments):
        out.append(f'<path class="dot{i}" d="{MARKS[i]}" transform="translate({at + 6} 10)"/><text x="{at + 18}" y="15">{figure(argument)}</text>')
        at += 38 + 8 * len(figure(argument))
    for n, (who, row) in enumerate(rows):
        y = TOP + ROW * n + 24
        known = [x(v) for v in row if v]
        out.append(f'<text x="0" y="{y - 12}">{html.escape(who)}</text><path class="span" d="M{min(known)} {y}H{max(known)}"/>')
        out += [f'<path class="dot{i}" d="{MARKS[i]}" transform="translate({x(v)} {y})"><title>{figure(v)}</title></path>' for i, v in enumerate(row) if v]
        if len(row) == 1:
            out.append(f'<text x="{LEFT + WIDTH + 20}" y="{y + 5}">{figure(row[0])}</text>')
    title, width = html.escape(what), max(LEFT + WIDTH + 90, at)
    return (f'<figure class="plot"><figcaption>{title} (logarithmic axis)</figcaption><svg role="img" aria-label="{title}; the table below has the figures" '
            f'viewBox="0 0 {width} {bottom + 26}" width="{width}">{"".join(out)}</svg></figure>\n')
