"""The sheets for a classroom: the predictions of the chapters, their answers, and the tickets of the teaching notes."""
import re

from reader import Page

PREDICTION = re.compile(r'^\*\*Predict\.\*\*\n(.*?)^<details><summary>Answer</summary>\n(.*?)^</details>', re.M | re.S)
TICKET = re.compile(r'^\*\*Ticket\.\*\* (.*)\n\n((?:- \w\) .*\n)+)\n\*(\w)\.\* (.*)\n', re.M)
LINES = '<div class="to-write-on"><i></i><i></i><i></i></div>\n\n'  # to write on
INTRO = {
    'predictions': ('Prediction sheet', 'Name:\n\nWrite down what you expect before you see it.\nA wrong prediction costs nothing, and you will remember it.\n'),
    'answers': ('The answers to the predictions', 'For the teacher: the numbers are those of the prediction sheet.\n'),
    'ticket': ('Exit ticket', 'Name:\n\nTick one answer for each question, and hand in the sheet.\nIt is for the teacher, who learns from it what to explain once more.\n'),
    'ticket_key': ('The key to the exit ticket', 'For the teacher: a wrong answer says what somebody believes.\n')}


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
            texts['predictions'] += (f'<div class="new-sheet"></div>\n\n{head}' if n == 1 else '') + item(n, asked) + LINES
            texts['answers'] += (head if n == 1 else '') + item(n, answer)
    for step, text in re.findall(r'^## (Step [^\n]*)\n(.*?)(?=^## |\Z)', notes, re.M | re.S):
        found = TICKET.findall(text)
        texts['ticket'] += f'## {step}\n\n' + ''.join(item(n, f'{asked}\n\n{choices}'.replace('\n- ', '\n- ☐ ')) for n, (asked, choices, _, _) in enumerate(found, 1))
        texts['ticket_key'] += f'## {step}\n\n' + ''.join(item(n, f'**{right}.** {why}') for n, (_, _, right, why) in enumerate(found, 1))
    for name, text in texts.items():
        yield Page(f'docs/workshop/{name}.md', f'workshop_{name}.html', 'sheets', text=text)
