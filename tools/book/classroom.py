"""What a classroom needs: sheets with the predictions and the tickets, and for each plan its script
and its slides."""
import re
from collections import namedtuple

from reader import PREDICTION, Page, plain, slug

TICKET = re.compile(r'^\*\*Ticket\.\*\* (.*)\n\n((?:- \w\) .*\n)+)\n\*(\w)\.\* (.*)\n', re.M)
PLAN = re.compile(r'^<!-- plan [^|\n]*\| (.*) -->\n.*\n.*\n((?:\|.*\n)*)<!-- end -->\n', re.M)
PLACE = re.compile(r'\[([^]]*)\]\((?:\.\./)*(step0[^)#]*\.md)#([^)]*)\)')
ROOM = 16  # lines of a question with what stands before it
ASKED = ('Predict', 'Answer')
QUOTED = re.compile('"([^"]*)"')
NOT_TOLD = re.compile('At the end|Minutes|To remember|Leave out|Stage|Exercise|Ticket')
STEP = re.compile(r'^## (Step [^\n]*)\n(.*?)(?=^## |\Z)', re.M | re.S)
NOTES = 'docs/workshop/teaching_notes.md'
LINES = '<div class="to-write-on"><i></i><i></i><i></i></div>\n\n'  # to write on
LINKS = {'en': 'The script of this plan is `workshop_{0}.html`, and its slides are '
               '`slides_{0}.html`.',
         'zh': '这份教案的讲稿是 `workshop_{0}.html`，幻灯片是 `slides_{0}.html`。'}
INTRO = {
    'predictions': ('Prediction sheet',
                    'Name:\n\nWrite down what you expect before you see it.\nA wrong prediction '
                    'costs nothing, and you will remember it.\n'),
    'answers': ('The answers to the predictions',
                'For the teacher: the numbers are those of the prediction sheet.\n'),
    'ticket': ('Exit ticket',
               'Name:\n\nTick one answer for each question, and hand in the sheet.\nIt is for the '
               'teacher, who learns from it what to explain once more.\n'),
    'ticket_key': ('The key to the exit ticket',
                   'For the teacher: a wrong answer says what somebody believes.\n')}


def paper(text):
    """Text as it is on paper: no commands, no players, no links."""
    text = re.sub(r'^```sh\n.*?^```\n', '', text, flags=re.M | re.S)
    text = re.sub(r'^<!--.*-->\n|^\[[^]]*\]\([^)]*\)\n(?=\n```)', '', text, flags=re.M)
    return re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', text).strip()


def predictions(text):
    """Yields each prediction: the heading above it, the question, and the answer."""
    for found in PREDICTION.finditer(text):
        heading = re.findall(r'^##+ (.*)', text[:found.start()], re.M)[-1]
        yield f'*{heading}.* {paper(found[1])}'.replace('?.*', '?*'), paper(found[2])


def item(n, text):
    """A numbered item, with all its paragraphs and listings in it."""
    return f'{n}. ' + text.replace('\n', '\n   ') + '\n\n'


def sheets(way, notes):
    """Yields the sheets, as pages: for each step a sheet of paper."""
    texts = {name: f'# {title}\n\n{intro}\n' for name, (title, intro) in INTRO.items()}
    for page in (page for page in way if page.step):
        head = f'## {page.title}\n\n'
        for n, (asked, answer) in enumerate(predictions(page.text), 1):
            texts['predictions'] += (f'<div class="new-sheet"></div>\n\n{head}' if n == 1
                                     else '') + item(n, asked) + LINES
            texts['answers'] += (head if n == 1 else '') + item(n, answer)
    for step, text in STEP.findall(notes):
        found = TICKET.findall(text)
        texts['ticket'] += f'## {step}\n\n' + ''.join(item(n,
            f'{asked}\n\n{choices}'.replace('\n- ', '\n- ☐ '))
            for n, (asked, choices, _, _) in enumerate(found, 1))
        texts['ticket_key'] += f'## {step}\n\n' + ''.join(item(n, f'**{right}.** {why}')
            for n, (_, _, right, why) in enumerate(found, 1))
    for name, text in texts.items():
        yield Page(f'docs/workshop/{name}.md', 'sheets', text)


def name(title):
    """Returns the name that a plan has in addresses, without what stands behind a colon."""
    return slug(title.split(':')[0]).replace('-', '_')


def plans(text):
    """Yields each plan: its title, what is said about it, and its parts, each with its words in the
    mark, its time, its minutes and its title."""
    for found in PLAN.finditer(text):
        title, said = re.split('^##+ ', text[:found.start()], flags=re.M)[-1].split('\n', 1)
        rows = [row.strip('| ').split(' | ', 2) for row in found[2].splitlines()]
        yield title, said.strip(), [(words, *row)
                                    for words, row in zip(found[1].split(' | '), rows)]


def with_links(text, made, language):
    """Adds to each plan where its script and its slides are: `made` has the names of the plans."""
    made = iter(made)
    return PLAN.sub(lambda plan: f'{plan[0]}\n{LINKS[language].format(next(made))}\n', text)


def ranges(numbers):
    """Returns numbers as they are printed: 2 to 5, 7."""
    first = [n for n in numbers if n - 1 not in numbers]
    last = [n for n in numbers if n + 1 not in numbers]
    return ', '.join(f'{a} to {b}' if a < b else f'{a}' for a, b in zip(first, last))


# A paragraph of the notes: its step, its first words, which are bold, the whole text and what comes
# after these words, and the places in the chapters to which it leads.
Note = namedtuple('Note', 'step what text said places')


def notes(text):
    """Returns the paragraphs of the notes that belong to a step."""
    return [Note(step, re.match(r'\*\*\[?([\w ]+\w)', part)[1], part + '\n',
                 re.sub(r'^\*\*.*?\*\*\s', '', part) + '\n',
                 {found.groups()[1:] for found in PLACE.finditer(part)})
            for step, parts in STEP.findall(re.sub('^<!--.*\n', '', text, flags=re.M))
            for part in map(str.strip, re.split('^(?=[*][*])', parts, flags=re.M)[1:])]


def places(told):
    """Returns where paragraphs of the notes lead."""
    return set().union(*(note.places for note in told))


def solves(note, tasks):
    """Returns true if a paragraph comes after one of these exercises or stages."""
    return note.what.startswith('After') and bool({*note.what.split()} & tasks)


def commands(page):
    """Yields where each prediction of a chapter stands, if it is the first one below this heading,
    and the commands that answer it."""
    before = ''
    for found in PREDICTION.finditer(page.text):
        place = slug(re.findall('^##+ (.*)', page.text[:found.start()], re.M)[-1])
        typed = ''.join(re.findall('^```sh\n(.*?)^```', found[1], re.M | re.S))
        yield (page.source, place), place != before, typed
        before = place


def typed(text):
    return f'```sh\n{text}```\n' if text else ''


class Script:
    """A plan, as a page that says for each part what to do, and as the slides that its minutes have
    room for.

    If the bold words of a paragraph of the teaching notes link to a heading of a chapter, the
    paragraph goes with the slides of this heading. These have no slides: the headings after *Leave
    out* (or *Leave out without m3*, in a plan without m3), slides and points with words that are
    quoted there, *What can go wrong*, which the notes say in their own way, and predictions that no
    paragraph asks. If a plan has the predictions of a step as a part of its own, all but the first
    one are asked there, before the recap. A part like *Welcome, ...* tells the sections of the
    notes with whose title it begins.
    """

    def __init__(self, book, slides, plan):
        title, said, parts = plan
        self.slides, self.words = [], [words for words, *_ in parts]
        self.pages = {f'Step {page.step[5]}{"" if page.number else ", second page"}': page
                      for page in book.way if page.step}
        text = book.pages[NOTES].text
        self.notes = notes(text)
        self.others = re.findall(r'^## (?!Step)([^\n]*)\n\n(.*?)(?=^## |\Z)', text, re.M | re.S)
        self.tasks = {words.split()[0] for words in self.words}
        self.later = [note for step in self.pages if self.waits(step)
                      for note in self.of(step, 'Predict')[1:]]
        left = [note for note in self.notes
                if re.match(f'Leave out(?! without ({"|".join(self.tasks)})$)', note.what)]
        self.left = places(left)
        self.all = [*self.joined(self.kept(slides, [(int(note.step[5]), words) for note in left
                                                    for words in QUOTED.findall(note.text)]))]
        self.text = (f'# Script: {title}\n\n{said}\nThe numbers are those of '
                     f'`slides_{name(title)}.html`.\n')
        for part in parts:
            self.text += self.told(*part)

    def told(self, words, at, minutes, what):
        """Adds the slides of a part, and returns what the script says about it."""
        first, what = len(self.slides) + 2, re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1',
                                                   what).replace('**', '')
        told = [PLACE.sub(lambda link: self.numbered(link, text), text)
                for text in self.part(words, what) if text]
        shown = ranges(range(first, len(self.slides) + 2))
        where = (f'\n\n{minutes} minutes, slide{"s" * (" " in shown)} {shown}.' if shown
                 else f' ({minutes} minutes)')
        title = f'## {at} {what}' if told or shown else f'**{at} {what}**'
        return '\n'.join(['', f'{title}{where}\n', *told])

    def of(self, step, what=''):
        """Returns the paragraphs of a step, or those with these bold words."""
        return [note for note in self.notes if note.step == step and what in ('', note.what)]

    def waits(self, step):
        """Returns true if the predictions of a step are a part of their own."""
        return bool({f'predict {step[5:]}', f'paper {step[5:]}'} & {*self.words})

    def part(self, words, what):
        """Adds the slides of a part, and returns what is told about it."""
        kind, _, rest = words.partition(' ')
        if kind == 'step':
            return [*self.step('Step ' + rest.replace(' second', ', second'))]
        if kind in ('predict', 'paper'):
            return [*self.predictions(kind, f'Step {rest}')]
        return [*(self.task(kind, what, rest) if re.fullmatch(r'[1-9][a-z]|m\d+', kind)
                  else self.other(rest))]

    def other(self, what):
        """Yields what the notes say about a part that is no step and no task. The end has a
        sentence for each step that isn't in the plan."""
        for title, text in self.others:
            if re.match(re.escape(title) + '([,:]|$)', what):
                yield text.strip() + '\n'
                if title == 'The end':
                    yield ''.join(f'- {", ".join(page.title.split(": ")[:2])}: {note.said}'
                                  for step, page in self.pages.items() if page.number
                                  and step.lower() not in self.words
                                  for note in self.of(step, 'To remember'))

    def kept(self, slides, left):
        """Yields the slides and the points that aren't left out."""
        for slide in slides:
            def out(body):
                return any(step == slide['step'] and words in plain(body) for step, words in left)
            body = re.sub('<li>.*?</li>', lambda point: '' if out(point[0]) else point[0],
                          slide['body'], flags=re.S)
            if slide['at'] not in self.left and not out(body):
                yield {**slide, 'body': body, 'notes': body and slide['notes']}

    def joined(self, slides):
        """Yields the slides. If a prediction waits for a part of its own, what stands before it is
        on the slide of its question."""
        before, later = None, places(self.later)
        for slide in slides:
            if before and slide['title'] == 'Predict' and slide['at'] in later and slide[
                    'at'] == before['at'] and before['lines'] + slide['lines'] <= ROOM:
                slide = {**slide, 'body': before['body'] + slide['body'],
                         'lines': before['lines'] + slide['lines']}
            elif before:
                yield before
            before = slide
        yield before

    def show(self, where, asked):
        """Adds the slides of these places: their predictions, or all others."""
        self.slides += [slide for slide in self.all if slide['at'] in where
                        and (slide['title'] in ASKED) == asked]

    def recap(self, step):
        """Adds the recap of a step, and returns what to remember."""
        self.slides += [slide for slide in self.all if slide['at'][0] == self.pages[step].source
                        and slide['title'] == 'Recap']
        return [f'**Say at the end**: {note.said}' for note in self.of(step, 'To remember')]

    def step(self, step):
        told = [note for note in self.of(step)
                if note not in self.later and not solves(note, self.tasks)]
        asked = places(note for note in told if note.what == 'Predict')
        after = places(note for note in self.of(step) if solves(note, self.tasks))
        self.slides += [slide for slide in self.all if slide['at'][0] == self.pages[step].source
                        and slide['title'] not in ('What can go wrong', 'Recap') and
                        (slide['at'] in asked if slide['title'] in ASKED
                         else slide['at'] not in after)]
        remember = [] if self.waits(step) else self.recap(step)
        typing = {place: lines for place, first, lines in commands(self.pages[step]) if first}
        for note in told:
            if not NOT_TOLD.match(note.what):
                yield note.said if note.what.startswith('After') else note.text
            if note.what == 'Predict':
                yield from (typed(typing.get(place)) for place in note.places)
        yield from remember

    def predictions(self, kind, step):
        later = [note for note in self.later if note.step == step]
        before = places(note for note in self.of(step, 'Predict') if note not in later)
        asked = [(n, place, lines)
                 for n, (place, first, lines) in enumerate(commands(self.pages[step]), 1)
                 if place not in self.left and not (first and place in before)]
        if kind == 'predict':
            self.slides.append({'title': 'Predictions',
                                'body': f'<pre><code>./learn predict {step[5]}</code></pre>'})
        yield (f'All answer question{"s" * (len(asked) > 1)} {ranges([n for n, *_ in asked])}'
               + (' with the chapter open beside the terminal, which shows no code. Enter goes on, '
                  'and Ctrl-D ends it.\n' if kind == 'predict' else ', and skip the others.\n'))
        self.show(places(later), True)
        remember = self.recap(step)
        yield from (note.text for note in later)
        yield typed(''.join(f'# question {n}\n{lines}' for n, place, lines in asked if lines
                            and (place in places(later) or kind == 'paper')))
        yield from remember

    def task(self, task, what, rest):
        begin = (f'./learn take {rest[6:]}\n' if rest else '') + (
            './learn next\n' if task[0] == 'm' else f'./learn exercise {task}\n')
        self.slides.append({'title': what, 'body': f'<pre><code>{begin}</code></pre>'})
        yield typed(begin)
        solutions = [note for note in self.notes if solves(note, {task})]
        self.show(places(solutions), False)
        yield from (note.said for note in self.notes
                    if note.what in (f'Stage {task}', f'Exercise {task}'))
        yield from (note.said for note in solutions)

    def numbered(self, link, text):
        """Returns the words of a link to a heading, with the numbers of its slides."""
        asked = text.startswith('**[Predict')
        numbers = [n for n, slide in enumerate(self.slides, 2)
                   if slide.get('at') == link.groups()[1:] and (slide['title'] in ASKED) == asked]
        return f'{link[1]} ({ranges(numbers)})' if numbers else link[0]
