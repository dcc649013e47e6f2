"""Draws the boxes and arrows of a text drawing as SVG: lines become paths, and words stay in their
places."""
import html
import re

W, H = 8, 18  # the size of a character
# The lines of a character, from the upper left corner of its cell. The shaft of an arrow ends in
# the middle.
LINES = {'─': 'm0 9h8', '│': 'm4 0v18', '┌': 'm8 9h-4v9', '┐': 'm0 9h4v9', '└': 'm4 0v9h4',
         '┘': 'm4 0v9h-4', '├': 'm4 0v18m0-9h4', '┤': 'm4 0v18m0-9h-4',
         '┬': 'm0 9h8m-4 0v9', '┴': 'm0 9h8m-4 0v-9', '┼': 'm0 9h8m-4-9v18', '╴': 'm0 9h4',
         '╶': 'm8 9h-4',
         '▲': 'm4 18v-9', '▼': 'm4 0v9', '◀': 'm8 9h-4', '▶': 'm0 9h4'}
HEADS = {'▲': 270, '▼': 90, '◀': 180, '▶': 0}  # how far the head is turned
PARTS = re.compile('(─+)|([' + ''.join(LINES) + '])|([^ ' + ''.join(LINES) + ']+(?: [^ '
                   + ''.join(LINES) + ']+)*)')


def svg(text, label):
    """Returns the drawing as a <figure>. The label describes it for readers who can't see it."""
    rows = text.rstrip('\n').split('\n')
    lines, heads, words = [], [], []
    for y, row in enumerate(rows):
        for part in PARTS.finditer(row):
            x, (line, one, word) = part.start() * W, part.groups()
            if line:
                lines.append(f'M{x} {y * H + 9}h{len(line) * W}')
            elif one:
                lines.append(f'M{x} {y * H}{LINES[one]}')
                if one in HEADS:
                    heads.append(f'<path d="M-5-4L4 0L-5 4Z" transform="translate({x + 4} '
                                 f'{y * H + 9}) rotate({HEADS[one]})"/>')
            else:
                words.append(f'<text x="{x}" y="{y * H + 13}" '
                             f'textLength="{len(word) * W}">{html.escape(word, False)}</text>')
    width, height = max(map(len, rows)) * W + 8, len(rows) * H + 8
    return (f'<figure class="drawing"><svg role="img" aria-label="{html.escape(label)}" '
            f'viewBox="-4 -4 {width} {height}" width="{width}" height="{height}">'
            f'<g color="var(--link)"><path class="lines" '
            f'd="{"".join(lines)}"/>{"".join(heads)}</g>{"".join(words)}</svg></figure>\n')
