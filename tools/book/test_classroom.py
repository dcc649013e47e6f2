"""Tests of the pages for teachers: what makes their sheets and scripts, and what they say."""
import re
import unittest
import unittest.mock
from pathlib import Path

import book
import classroom
import reader
import slides
from test_book import STEP3, prediction


class Classroom(unittest.TestCase):
    def test_sheets_have_the_questions_the_answers_and_the_tickets(self):
        text = prediction('Who, in [this](a.md)?\n\n```sh\nls\n```',
                          '<!-- output a -->\n```text\n1\n```\n<!-- end -->\n\nTask 1.')
        page = reader.Page(STEP3, text=f'# Step 3: Turns\n\n## Who?\n\n{text}')
        notes = ('## Step 3\n\n**To remember.**\n\n**Ticket.** Which?\n\n- a) one\n- b) two\n\n'
                 '*b.* Who ticks a is wrong.\n\n## At the end\n')
        made = [sheet.text.split('## Step 3', 1)[1] for sheet in classroom.sheets([page], notes)]
        self.assertEqual(made, [
            f': Turns\n\n1. *Who?* Who, in this?\n\n{classroom.LINES}',
            ': Turns\n\n1. ```text\n   1\n   ```\n   \n   Task 1.\n\n',
            '\n\n1. Which?\n   \n   - ☐ a) one\n   - ☐ b) two\n   \n\n',
            '\n\n1. **b.** Who ticks a is wrong.\n\n'])

    NOTES = """# Notes

## Welcome

"Good morning."

## Welcome, `./learn doctor`

"Are you ready?"

## The end

One sentence.

## Step 3
**At the end, everybody can**
- run.
<!-- minutes 3 -->
**Minutes.**
15.
<!-- end -->
**To remember.**
A queue.
**[Draw](../../step03_scheduler/README.md#a) it**, and look.
**[Predict](../../step03_scheduler/README.md#a)** the first.
**[Predict](../../step03_scheduler/README.md#b)** the second.
**Leave out** [C](../../step03_scheduler/README.md#c), and the slides with "not this one".
**Leave out without m3**: [D](../../step03_scheduler/README.md#d).
**After 3a or m3.** Show [our loop](../../step03_scheduler/README.md#e).
**Exercise 3a.** Say before: "Go."
**Ticket.** Which?

## Step 4
**To remember.**
A form.
"""

    def script(self, *plan):
        """Returns the script of a plan, and what its slides show."""
        def at(where, title, body, **more):
            return {'at': (STEP3, where), 'title': title, 'body': body, 'notes': 'own', 'step': 3,
                    'lines': 8} | more
        text = '# Step 3: Turns\n\n' + ''.join(
            f'## {name}\n\n' + prediction(f'Who?\n\n```sh\n./learn run 3 {name}\n```', '1')
            for name in 'abc')
        made = [at('', 'Turns', '', notes='all'),
                *(at(place, title, place + title) for place in 'abcdef'
                  for title in ('Topic', 'Predict', 'Answer')),
                at('w', 'What can go wrong', ''), at('f', 'Topic', 'not <b>this</b> one'),
                at('r', 'Recap', '<ul><li>R</li><li>not this one</li></ul>')]
        way = [reader.Page(STEP3, 'chapters', text),
               reader.Page('step04_x/README.md', 'chapters', '# Step 4: Calls: forms\n')]
        notes = {classroom.NOTES: reader.Page('n.md', text=self.NOTES)}
        rows = ''.join(f'| 0:{n}0 | 5 | {words} |\n' for n, words in enumerate(plan))
        [found] = classroom.plans(
            f'## Short: a plan\n\nPrint.\n\n<!-- plan 0:00 | {" | ".join(plan)} -->\n'
            f'| at | minutes | |\n|---:|---:|---|\n{rows}<!-- end -->\n\n## More\n')
        script = classroom.Script(unittest.mock.Mock(way=way, pages=notes), made, found)
        self.assertNotIn('all', [slide.get('notes') for slide in script.slides])
        return script.text, [slide['body'] for slide in script.slides]

    def test_the_script_of_a_plan_has_its_times_its_slides_and_what_the_notes_say(self):
        self.assertEqual(self.script('5 Welcome', 'step 3', '5 Break')[0], """\
# Script: Short: a plan

Print.
The numbers are those of `slides_short.html`.

## 0:00 5 Welcome (5 minutes)

"Good morning."

## 0:10 step 3

5 minutes, slides 2 to 11.

**Draw (3) it**, and look.

**Predict (4 to 5)** the first.

```sh
./learn run 3 a
```

**Predict (7 to 8)** the second.

```sh
./learn run 3 b
```

Show our loop (9).

**Say at the end**: A queue.

**0:20 5 Break** (5 minutes)
""")

    def test_a_plan_has_no_slides_that_its_minutes_have_no_room_for(self):
        self.assertEqual(self.script('step 3')[1], [
            '', 'aTopic', 'aPredict', 'aAnswer', 'bTopic', 'bPredict', 'bAnswer', 'eTopic',
            'fTopic', '<ul><li>R</li></ul>'])
        self.assertIn('dTopic', self.script('step 3', 'm3')[1])

    def last_part(self, *plan):
        """Returns what the script says about the last part, and the last four slides."""
        text, made = self.script(*plan)
        return text.split(f' {plan[-1]}\n\n')[1], made[-4:]

    def test_a_solution_comes_after_its_exercise(self):
        self.assertEqual(self.last_part('step 3', '3a'), (
            '5 minutes, slides 11 to 12.\n\n```sh\n./learn exercise 3a\n```\n\nSay before: "Go."'
            '\n\nShow our loop (12).\n',
            ['fTopic', '<ul><li>R</li></ul>', '<pre><code>./learn exercise 3a\n</code></pre>',
             'eTopic']))

    def test_predictions_that_are_a_part_wait_for_it_with_their_code_and_the_recap(self):
        asked = ['bTopicbPredict', 'bAnswer', '<ul><li>R</li></ul>']
        self.assertEqual(self.last_part('step 3', 'paper 3'), (
            '5 minutes, slides 8 to 10.\n\nAll answer question 2, and skip the others.\n\n'
            '**Predict (8 to 9)** the second.\n\n```sh\n# question 2\n./learn run 3 b\n```\n\n'
            '**Say at the end**: A queue.\n', ['fTopic', *asked]))
        said, made = self.last_part('step 3', 'predict 3')
        self.assertEqual(made, ['<pre><code>./learn predict 3</code></pre>', *asked])
        self.assertIn('question 2 with the chapter open beside the terminal', said)

    def test_the_beginning_and_the_end_are_told(self):
        text, _ = self.script('5 Welcome, `./learn doctor`', 'step 3', '5 The end: home',
                              '5 The end of the day')
        self.assertIn(' (5 minutes)\n\n"Good morning."\n\n"Are you ready?"\n\n## 0:10', text)
        self.assertIn(' (5 minutes)\n\nOne sentence.\n\n- Step 4, Calls: A form.\n\n**0:30', text)


class Pages(unittest.TestCase):
    """The repository's own pages for teachers, and its glossary."""

    @classmethod
    def setUpClass(cls):
        cls.book = book.Book(Path('/nonexistent'))
        cls.tasks = {page.url[9:-5]: page
                     for page in cls.book.section('exercises') + cls.book.section('stages')}
        cls.slides = list(slides.slides(cls.book))
        cls.scripts = {
            plan[0]: classroom.Script(cls.book, cls.slides, plan)
            for plan in classroom.plans(cls.book.pages['docs/workshop/schedules.md'].text)}

    def needed(self, words):
        """Returns the step that must have been taught for a part of a plan, or 0."""
        name, *rest = words.split()
        if name in self.tasks:
            return int(self.tasks[name].step[5])
        return int(rest[0]) if name in ('step', 'predict', 'paper') else 0

    def test_a_plan_is_possible(self):
        schedules = self.book.pages['docs/workshop/schedules.md'].text
        for course in re.split('^(?=## )', schedules, flags=re.M):
            taught, stage = {0}, 0
            for title, _, parts in classroom.plans(course):
                block = free = 0
                for words, _, minutes, what in [*parts, ('0 Break', '', '0', '')]:
                    if re.fullmatch(r'step \d', words):
                        taught.add(int(words[5:]))
                    self.assertLessEqual({*range(self.needed(words) + 1)}, taught, (title, words))
                    stage = int((re.findall(r'(?:after|at home:) m(\d+)', words) or [stage])[0])
                    if match := re.match(r'm(\d+)', words):
                        self.assertLessEqual(int(match[1]), stage + 1, (title, words))
                        stage = int(match[1])
                    if re.search(r'\d (Break|Lunch)$', words):
                        self.assertLessEqual(block, 80, f'{title}: minutes without a break')
                        self.assertTrue(free, f'{title}: no free time before a break')
                        block = free = 0
                    else:
                        block += int(minutes)
                        free = free or words.endswith(' Free')

    def test_each_exercise_and_each_stage_that_a_page_names_exists(self):
        for pattern in 'docs/workshop.md', 'docs/workshop/*.md', 'tools/exercise/README.md':
            for page in reader.ROOT.glob(pattern):
                named = re.findall(r'\b[1-9][a-z]\b|\bm[1-9]\d*\b', page.read_text())
                self.assertLessEqual({*named}, {*self.tasks}, page)

    def test_each_word_of_the_glossary_is_in_its_chapter(self):
        glossary = self.book.glossary['en']
        entries = re.findall('^[*][*]', self.book.pages['docs/glossary.md'].text, re.M)
        self.assertEqual(len(glossary), len(entries), 'an entry has no link to a chapter')
        for words, _, _, step in glossary:
            text = ' '.join(re.sub('[\n_]', ' ', page.text) for page in self.book.way
                            if page.step.startswith(f'step0{step}')).lower()
            for word in words.split(', '):
                self.assertTrue(word.lower() in text, f'chapter {step} has no {word}')

    def test_each_word_that_a_chapter_defines_is_in_the_glossary(self):
        known = {word.lower() for words, *_ in self.book.glossary['en']
                 for word in words.split(', ')}
        for page in self.book.way:
            prose = re.sub('(?ms)^```.*?^```$', '', page.text) if page.step else ''
            # Bold words at the beginning of a line are its heading.
            prose = re.sub(r'(?m)^([->] )?\*\*[^*]*\*\*|^[|].*', '', prose)
            for word in re.findall(r'\*\*([^*]*)\*\*', prose):
                self.assertTrue({word.lower(), word.lower().removesuffix('s')} & known, word)

    def test_what_the_notes_leave_out_is_on_one_slide(self):
        for step, text in classroom.STEP.findall(self.book.pages[classroom.NOTES].text):
            for quoted in classroom.QUOTED.findall(
                    ' '.join(re.findall('^[*][*]Leave out.*', text, re.M))):
                shown = [slide for slide in self.slides if slide['step'] == int(step[5])
                         and quoted in reader.plain(slide['body'])]
                self.assertEqual(len(shown), 1, quoted)

    def test_the_notes_ask_no_prediction_that_has_no_slides(self):
        for title, script in self.scripts.items():
            self.assertNotIn('[Predict](', script.text, title)

    def test_ninety_minutes_can_be_prepared_in_45(self):
        page = self.book.pages['docs/workshop.md'].text
        table = re.findall(r'^\| (\d+) \| (.*) \|$', page, re.M)
        self.assertEqual(sum(int(minutes) for minutes, _ in table), 45)
        given = [next(int(minutes) for minutes, what in table if words in what)
                 for words in ('read this page', 'read the script', 'Turn its slides')]
        for title in 'Ninety minutes: how a function stops', 'Ninety minutes, no laptops':
            script = self.scripts[title]
            said = sum(len(reader.plain(slide['body']).split()) for slide in script.slides)
            turned = len(script.slides) * 2 / 60 + script.text.count('**Predict (') * 18 / 60
            needed = [self.words(page.split('## The pages')[0]) / 130,
                      self.words(script.text) / 130, said / 130 + turned]
            for minutes, most in zip(needed, given):
                self.assertLessEqual(minutes, most, (title, needed))

    @staticmethod
    def words(text):
        """Returns how many words of Markdown one reads, with code, and without addresses."""
        return len(re.sub(r'\]\([^)]*\)|[|#*`-]+', ' ', text).split())


if __name__ == '__main__':
    unittest.main()
