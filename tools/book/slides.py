"""Cuts slides out of the chapters: the idea, the predictions, the code, the outputs, the mistakes and the recap."""
import html
import re

from reader import blocks, plain

LINES = 20  # of code on a slide
WHOLE = ('The idea', 'Predict', 'Recap')
NEVER = ('Exercises', 'Compared with the article', 'Files and build lines', 'Where you meet this')


def pieces(code):
    """Cuts code into pieces of at most 20 lines, at blank lines if there are any."""
    lines = code.rstrip('\n').split('\n')
    while len(lines) > LINES:
        cut = next((n for n in range(LINES, LINES // 2, -1) if not lines[n].strip()), LINES)
        yield '\n'.join(lines[:cut])
        lines = lines[cut + 1 if not lines[cut].strip() else cut:]
    yield '\n'.join(lines)


def room(tokens):
    """Returns how many lines the text of the tokens takes on a slide."""
    return sum(len(token.content) / 80 + 1 for token in tokens if token.type == 'inline')


def lines(body):
    """Returns how many lines of code a slide has room for, at least: its code, and its text."""
    code = ''.join(re.findall('<pre>.*?</pre>', body, re.S))
    return round(code.count('\n') + 1.6 * (len(plain(re.sub('<(pre|svg).*?</\\1>', '', body, flags=re.S))) / 80 + 1))


def notes(text):
    """Returns the teaching notes of each step, as Markdown."""
    return dict(re.findall(r'^## Step (\d)\n(.*?)(?=^## |\Z)', text, re.M | re.S))


def of_chapter(book, page):
    """Yields (topic, HTML) for each slide of a chapter."""
    md, renderer = book.md, book.md.renderer
    renderer.page, renderer.mark, renderer.slugs, renderer.heading, renderer.folded = page, None, {}, page.title, False

    def show(tokens):
        return renderer.render(tokens, md.options, {})

    section = topic = ''
    kept, lead, wrong = [], [], []
    for block in blocks(md.parse(page.text)):
        first, text = block[0], block[1].content if len(block) > 1 else block[0].content
        if first.type == 'heading_open':
            if kept:
                yield section, show(kept)
            if wrong:
                yield section, '<ul>' + ''.join(f'<li>{w}</li>' for w in wrong) + '</ul>'
            kept, lead, wrong = [], [], []
            topic = text.replace('`', '')
            section = topic if first.tag == 'h2' else section
        elif section in NEVER or first.type == 'table_open' or text.startswith('*Time:'):
            continue
        elif first.type == 'fence':
            if first.info == 'sh' and section != 'Run it':
                continue
            drawing = first.info == 'text' and '│' in first.content
            for piece in [first.content] if drawing else pieces(first.content):
                first.content = piece + '\n'
                if 1.6 * room(kept or lead) + piece.count('\n') * (1.2 if drawing else 1) > 23:  # a slide would overflow
                    announced = kept[-3:] if kept and kept[-2].content.endswith(':') else []
                    if kept := kept[:len(kept) - len(announced)]:
                        yield topic, show(kept)
                    kept, lead = announced, []
                yield topic, show((kept or lead) + block)
                kept, lead = [], []
        elif first.type == 'html_block':
            show(block)  # remembers where the code is from
        elif section == 'What can go wrong':
            wrong += re.findall(r'<p><strong>(.*?)</strong>', show(block))
        elif section in WHOLE:
            kept += block
        elif first.type == 'paragraph_open':
            lead = block
            if text.startswith('**Predict.**'):
                yield 'Predict', show(block)
                lead = []
    if kept:
        yield section, show(kept)


def slides(book):
    """Yields what templates/slides.html shows: the step, the topic, the HTML, and the notes of the speaker."""
    spoken = notes((book.pages['docs/workshop/teaching_notes.md']).text)
    for page in book.section('chapters'):
        book.md.renderer.page = book.pages['docs/workshop/teaching_notes.md']
        said = book.md.render(spoken.get(str(page.number), ''))
        yield {'step': page.number, 'title': page.name, 'body': '', 'notes': said}
        for topic, body in of_chapter(book, page):
            yield {'step': page.number, 'title': topic, 'body': re.sub(r' id="[^"]*"', '', body), 'notes': '', 'lines': lines(body)}
        exercises = [p for p in book.section('exercises') if p.step == page.step]
        yield {'step': page.number, 'title': 'Exercises', 'body': '<ul>' + ''.join(f'<li>{html.escape(p.title)}</li>' for p in exercises) + '</ul>', 'notes': ''}
