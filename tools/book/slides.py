"""Cuts slides out of the chapters, made for a wall: code, drawings, outputs, tables, predictions,
mistakes and the recap.

A slide has at most 30 words of text, but the recap is whole, and a question above little code may
have 43. No sentence of a question has more than 30, and neither has the first one of an answer
without an output.
"""
import html
import re

from reader import PREDICTION, blocks, parse, plain, slug

LINES = 20  # of code on a slide
WORDS = 30  # of text
ASKED = 43  # words of a question with little code
NEVER = ('Exercises', 'Where you meet this')


def words(markup):
    """Returns how many words of text are on a slide. Code, drawings and tables are no text."""
    return len(plain(re.sub('<(pre|svg|table|figcaption).*?</\\1>', '', markup,
                            flags=re.S)).split())


def short(parts):
    """Cuts sentences and points that are too long for a slide, where a part of them ends."""
    return [each for part in parts
            for each in (re.split('(?<=[.?!:;]) ', part) if words(part) > WORDS else [part])]


def packed(parts, most=WORDS):
    """Groups sentences or points, so that a slide has room for each group. The last group is as
    large as possible."""
    groups = []
    for part in reversed(short(parts)):
        if not groups or words(part) + sum(map(words, groups[0])) > most:
            groups.insert(0, [])
        groups[0].insert(0, part)
    return groups


def paragraphs(sentences):
    return ''.join(f'<p>{sentence}</p>' for sentence in sentences)


def points(parts):
    """Returns lists with these points."""
    return ['<ul>' + ''.join(f'<li>{part}</li>' for part in group) + '</ul>'
            for group in packed(parts)]


def pieces(code):
    """Cuts code into pieces of at most 20 lines, at blank lines if there are any."""
    lines = code.rstrip('\n').split('\n')
    while len(lines) > LINES:
        cut = next((n for n in range(LINES, LINES // 2, -1) if not lines[n].strip()), LINES)
        yield '\n'.join(lines[:cut])
        lines = lines[cut + 1 if not lines[cut].strip() else cut:]
    yield '\n'.join(lines)


def lines(body):
    """Returns how many lines of code a slide has room for, at least: its code, whose long lines are
    wrapped, and its text."""
    code = [html.unescape(re.sub('<[^>]*>', '', line))
            for pre in re.findall('<pre>.*?</pre>', body, re.S) for line in pre.split('\n')[:-1]]
    return round(sum(1 + len(line) // 80
                     for line in code) + 1.6 * (
                             len(plain(re.sub('<(pre|svg).*?</\\1>', '', body, flags=re.S))) / 80
                             + 1))


def notes(text):
    """Returns the teaching notes of each step, as Markdown. The group sees them, so they have no
    tickets."""
    text = re.sub(r'^\*\*Ticket.*?(?=^## |\Z)', '', text, flags=re.M | re.S)
    return dict(re.findall(r'^## Step (\d)\n(.*?)(?=^## |\Z)', text, re.M | re.S))


def parts(md, text):
    """Yields each block, and nothing; and of each prediction, the blocks of its question and those
    of its answer."""
    for n, part in enumerate(PREDICTION.split(text)):
        found = [*blocks(parse(md, part))]
        if n % 3 == 0:
            yield from ((block, None) for block in found)
        elif n % 3 == 2:
            yield question, found
        question = found


class Cutter:
    """Cuts one page. Each slide is (topic, HTML, notes, place), and its place is the anchor of the
    heading above it.

    If there is more than one prediction below a heading, only the slides of the first one have a
    place.
    """

    def __init__(self, book, page):
        self.md, self.renderer = book.md, book.md.renderer
        self.text = page.text
        self.renderer.begin(page, folded=False)

    def show(self, *parts):
        return ''.join(self.renderer.render(block, self.md.options, {}) for block in parts)

    def sentences(self, block):
        """Returns the lines of a paragraph, each of which is a sentence."""
        return [self.md.renderInline(line) for line in block[1].content.split('\n')]

    def listing(self, block):
        """Yields the HTML of code, of a drawing or of an output, in pieces if it is long."""
        drawing = block[0].info == 'text' and '│' in block[0].content
        for piece in [block[0].content] if drawing else pieces(block[0].content):
            block[0].content = piece + '\n'
            yield self.show(block)

    def prediction(self, question, answer):
        """Yields the question, on several slides if it is long, and the first things that the
        answer shows and says."""
        said = [s for block in question if block[0].type == 'paragraph_open'
                for s in self.sentences(block)]
        code = ''.join(piece for block in question if block[0].type == 'fence'
                       for piece in self.listing(block))
        groups = packed([s for s in short(said) if words(s) <= WORDS or '?' in s],
                        ASKED if lines(code) <= LINES / 2 else WORDS)
        whole = '' if len(groups) == 1 and groups[0] == said else paragraphs(said)
        for n, group in enumerate(groups, 1):
            yield 'Predict', paragraphs(group) + (code if n == len(groups) else ''), whole
        whole = self.show(*(block for block in answer if block[0].type != 'fence'))
        for block in answer:
            if block[0].type == 'table_open' or block[0].type == 'fence' and block[0].info != 'sh':
                yield 'Answer', self.show(block) if block[0].type == 'table_open' else next(
                    self.listing(block)), whole
                break
            if block[0].type == 'html_block':
                self.show(block)  # remembers which program prints what follows
        said = short([s for block in answer if block[0].type == 'paragraph_open'
                      for s in self.sentences(block)])
        while len(said) > 1 and sum(map(words, said)) > WORDS:
            said.pop()
        if said and words(said[0]) <= WORDS:
            yield 'Answer', paragraphs(said), whole

    def slides(self):
        section = topic = lead = place = asked = ''
        wrong = []
        for block, answer in parts(self.md, self.text):
            if answer is not None:
                yield from ((*slide, asked) for slide in self.prediction(block, answer))
                asked = ''
                continue
            first = block[0]
            if first.type == 'heading_open':
                for group in points(wrong):
                    yield section, group, '', place
                topic, lead, wrong = block[1].content.replace('`', ''), '', []
                place = asked = slug(block[1].content)
                section = topic if first.tag == 'h2' else section
            elif section in NEVER:
                continue
            elif first.type == 'fence':
                for piece in self.listing(block) if first.info != 'sh' else []:
                    yield topic, lead + piece, '', place
                    lead = ''
            elif first.type == 'table_open':
                yield topic, lead + self.show(block), '', place
            elif first.type == 'html_block':
                self.show(block)  # remembers which program prints what follows
            elif section == 'What can go wrong':
                wrong += re.findall(r'<p>(<strong>.*?</strong>)', self.show(block))
            elif section == 'Recap' and first.type == 'bullet_list_open':
                yield section, self.show(block), '', place  # whole, however many words
            elif first.type.endswith('_list_open'):
                lead = ''  # of a list that isn't on a slide
            elif first.type == 'paragraph_open':
                last = self.sentences(block)[-1]
                lead = f'<p>{last}</p>' if last.endswith(':') and words(last) <= WORDS else ''


def slides(book):
    """Yields what templates/slides.html shows: the step, the topic, the HTML, the notes of the
    speaker, and where in the chapters it stands."""
    spoken = notes((book.pages['docs/workshop/teaching_notes.md']).text)
    pages = [page for page in book.way if page.step]
    for page, after in zip(pages, pages[1:] + [None]):
        step, said = int(page.step[5]), ''
        if page.number:
            book.md.renderer.page = book.pages['docs/workshop/teaching_notes.md']
            said = book.md.render(spoken.get(str(step), ''))
        yield {'step': step, 'title': page.name, 'id': 'step' + page.url[5:-5], 'body': '',
               'notes': said, 'at': (page.source, '')}
        for topic, body, more, place in Cutter(book, page).slides():
            body, more = (re.sub(r' id="[^"]*"', '', part).replace(
                'class="scroll"', 'class="scroll" tabindex="0"') for part in (body, more))
            yield {'step': step, 'title': topic, 'body': body, 'notes': more, 'lines': lines(body),
                   'at': (page.source, place)}
        if not after or after.step != page.step:
            for body in points([html.escape(p.title)
                                for p in book.section('stages') + book.section('exercises')
                                if p.step == page.step]):
                yield {'step': step, 'title': 'Now you', 'body': body, 'notes': '', 'at': ('', '')}
