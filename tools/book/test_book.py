"""Tests of the tools that make the site. Run: /usr/bin/python3 -m unittest discover -s tools/book"""
import html
import re
import shutil
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import api
import book
import box2svg
import classroom
import plots
import reader
import slides


class Site(unittest.TestCase):
    """The pages that the repository's own chapters become."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.book = book.Book(Path(cls.folder.name))

    def page(self, markdown, section='chapters', source='step03_scheduler/README.md'):
        page = reader.Page(source, 'step03.html', section, 'step03_scheduler')
        page.text = markdown
        self.book.errors = []
        return self.book.render(page)

    def test_a_player_opens_at_a_turn_of_which_the_text_before_it_speaks(self):
        for page in self.book.section('chapters'):
            for part in re.split('^#', page.text, flags=re.M):
                for before, turn in re.findall(r'(?s)^(.*?)<!-- play \w+ (\d+) -->', part):
                    self.assertRegex(before, rf'[Tt]urn {turn}\b', f'{page.source} opens a player at turn {turn}')

    def test_a_link_leads_to_the_page_of_its_file(self):
        self.assertIn('href="step04.html#recap"', self.page('[x](../step04_syscalls/README.md#recap)'))
        self.assertIn('href="source/step03_scheduler/task.hpp.html"', self.page('[x](task.hpp)'))
        self.assertIn('href="https://a.b/c.md"', self.page('[x](https://a.b/c.md)'))
        self.assertEqual(self.book.errors, [])

    def test_the_link_above_an_excerpt_is_its_caption(self):
        caption = '<figure class="code"><figcaption><a href="source/step03_scheduler/scheduler.hpp.html#L9">scheduler.hpp</a></figcaption>'
        for mark in 'code scheduler.hpp: void run() {', 'code scheduler.hpp', 'change step02_coroutines scheduler.hpp: x':
            body = self.page(f'Text.\n\n<!-- {mark} -->\n[scheduler.hpp](scheduler.hpp#L9)\n\n```cpp\nvoid run();\n```\n<!-- end -->\n\nMore.\n')
            self.assertIn(caption + '<pre><code>', body)
            self.assertEqual(re.findall('<p>(.*?)</p>', body), ['Text.', 'More.'])

    def test_an_excerpt_of_a_file_that_does_not_exist_is_an_error(self):
        self.page('<!-- code x.hpp -->\n[x.hpp](x.hpp)\n\n```cpp\n```\n')
        self.assertEqual(self.book.errors, ['step03_scheduler/README.md: error: the link x.hpp leads nowhere'])

    def test_the_lines_of_a_diff_are_painted(self):
        self.assertIn('<pre><code> a &lt;\n<ins>+b</ins>\n<del>-c</del>\n...\n</code></pre>', self.page('```diff\n a <\n+b\n-c\n...\n```\n'))

    def test_the_way_of_a_page_is_not_in_its_text(self):
        self.assertNotIn('Next', self.page('Text.\n\n<!-- way -->\nNext: [4](../step04_syscalls/README.md)\n<!-- end -->\n'))

    def test_the_answer_of_a_prediction_is_folded_with_its_output(self):
        text = '**Predict.**\nWhich?\n\n<details><summary>Answer</summary>\n\nA *task*.\n\n<!-- output two_tasks 1 -->\n```text\none\n```\n<!-- end -->\n\n' \
               '<!-- judge: 1 -->\n</details>\n\nThen.\n'
        body = self.page(text)
        folded = re.findall('<details>(.*?)</details>(.*)', body, re.S)
        self.assertEqual([tuple(map(reader.plain, parts)) for parts in folded], [('Answer A task . two_tasks prints one', 'Then.')])
        self.assertIn('<em>', body)
        self.assertNotIn('judge', body)
        page = self.book.pages['step03_scheduler/README.md']
        self.assertIn('<details open>', self.book.render(page, folded=False))

    def test_the_player_is_below_the_answer_and_its_turns_lead_to_it(self):
        self.book.runs = [{'key': 'step03_two_tasks', 'step': 'step03', 'program': 'two_tasks', 'url': 'x.html'}]
        body = self.page('Turn 1.\n\n<!-- play two_tasks 2 -->\n\n<details><summary>Answer</summary>\n\nSee turn 3.\n\n<!-- output two_tasks 1 -->\n```text\none\n```\n<!-- end -->\n\n</details>\n\nMore.\n\n## Recap\n\nTurn 4.\n')
        self.assertIn('</details><p class="player-place" id="play-two_tasks"><a class="play" href="x.html#turn-2" data-turn="2" data-run="step03_two_tasks">▶ two_tasks, line by line</a></p>', body)
        self.assertEqual(re.findall('href="x.html#turn-(.)"', body), ['3', '2'])
        self.book.runs = []

    def test_a_word_of_the_glossary_is_explained_where_it_first_occurs(self):
        body = self.page('# A task\n\nTwo `task` and a task, tasks, [task](task.hpp), and a **turn** is a turn.\n')
        self.assertEqual(body.count('<dfn'), 1)
        self.assertIn('and a <dfn tabindex="0" data-means="a coroutine that', body)

    def test_the_hints_of_an_exercise_are_folded(self):
        body = self.page('Task.\n\n## Hint 1\n\nA.\n\n## Afterwards\n\nB.\n', 'exercises')
        self.assertEqual(re.findall(r'<details class="hint"><summary>(.*?)</summary>', body), ['Hint 1', 'After you have solved it'])

    def test_headings_have_the_anchors_of_github(self):
        self.assertEqual(re.findall(r' id="(.*?)"', self.page("## Who's `next()`, then?\n## x\n## x\n")), ['whos-next-then', 'x', 'x-1'])

    def test_painted_code_is_the_code(self):
        for file in reader.ROOT.glob('step0[1-9]*/*.hpp'):
            code = '\n' + file.read_text()
            lines = re.sub('<[^>]*>', '', reader.painted(code, 'cpp', {'Scheduler': 'x'}, numbered=True))
            self.assertEqual(html.unescape(lines), code, file)

    def test_each_chapter_has_slides_for_a_wall(self):
        made = list(slides.slides(self.book))
        self.assertEqual({slide['step'] for slide in made}, set(range(1, 10)))
        for slide in made:
            self.assertTrue(slide['title'] == 'Recap' or slides.words(slide['body']) <= (43 if slide['title'] == 'Predict' else 30), slide['body'])
            for code in re.findall(r'<pre><code>(.*?)</code></pre>', slide['body'], re.S):
                self.assertLessEqual(code.count('\n'), 20, slide['title'])
        for step in range(1, 10):
            [notes] = [slide['notes'] for slide in made if slide['step'] == step and slide.get('id') and slide['notes']]
            self.assertNotIn('Ticket', notes, 'the group sees the notes')
            titles = [slide['title'] for slide in made if slide['step'] == step]
            for title in 'Predict', 'Answer', 'What can go wrong', 'Now you':
                self.assertIn(title, titles, f'step {step}')
            self.assertEqual(titles.count('Recap'), 1, f'step {step}')

    def test_the_stages_and_the_exercises_of_a_chapter_are_on_its_last_slides(self):
        made = [reader.plain(slide['body']) for slide in slides.slides(self.book) if slide['step'] == 3 and slide['title'] == 'Now you']
        self.assertEqual(made, ['m3: The queue and the loop 3a: The loop of the scheduler'])

    def cut_page(self, markdown):
        page = reader.Page('step03_scheduler/README.md', 'step03.html', 'chapters', 'step03_scheduler')
        page.text = markdown
        return slides.Cutter(self.book, page).slides()

    def cut(self, markdown):
        return [(topic, reader.plain(body)) for topic, body, *_ in self.cut_page(markdown)]

    def test_only_the_first_prediction_below_a_heading_has_its_place(self):
        text = '**Predict.**\nWho?\n\n<details><summary>Answer</summary>\n\nA.\n\n</details>\n\n'
        self.assertEqual([slide[3] for slide in self.cut_page(f'## A `b`\n\n{text}{text}### C\n\n{text}')], ['a-b', 'a-b', '', '', 'c', 'c'])

    def test_a_long_question_above_much_code_is_cut(self):
        asked = '## A\n\n**Predict.**\n' + 'Word ' * 19 + 'word.\n' + 'And ' * 19 + 'what?\n\n```cpp\n{}```\n\n<details><summary>Answer</summary>\n\nB.\n\n</details>\n'
        self.assertEqual([len([topic for topic, _ in self.cut(asked.format('int x;\n' * n)) if topic == 'Predict']) for n in (3, 12)], [1, 2])

    def test_paragraphs_are_not_on_slides(self):
        self.assertEqual(self.cut('## A\n\nText.\nThe code:\n\n```cpp\nint x;\n```\n\nMore.\n\n```sh\nls\n```\n\n## Recap\n\n- One.\n- Two.\n'),
                         [('A', 'The code: int x;'), ('Recap', 'One. Two.')])

    def test_the_words_before_a_list_are_not_those_of_the_next_listing(self):
        self.assertEqual(self.cut('## A\n\nThree words:\n\n- a\n\n```cpp\nint x;\n```\n'), [('A', 'int x;')])

    def test_a_long_point_is_on_two_slides_and_the_recap_is_on_one(self):
        long = ' '.join(['w'] * 19)
        self.assertEqual(self.cut(f'## What can go wrong\n\n**{long}: {long}!**\nMore.\n\n## Recap\n\n- {long}: {long}!\n'),
                         [('What can go wrong', f'{long}:'), ('What can go wrong', f'{long}!'), ('Recap', f'{long}: {long}!')])

    def test_a_long_question_is_on_two_slides_and_a_long_answer_is_cut(self):
        long = 'w ' * 18 + 'w.\n'
        text = f'**Predict.**\n{long}{long}Which?\n\n```sh\nls\n```\n\n<details><summary>Answer</summary>\n\n{long}{long}\n</details>\n'
        said = long.strip()
        self.assertEqual(self.cut(text.replace(long + long + 'W', long * 2 + long + 'W')), [('Predict', said), ('Predict', f'{said} {said} Which? ls'), ('Answer', said)])
        self.assertEqual(self.cut(text), [('Predict', f'{said} {said} Which? ls'), ('Answer', said)])
        text = text.replace('Answer</summary>\n', 'Answer</summary>\n\n```text\n1\n```\n')
        self.assertEqual(self.cut(text)[1], ('Answer', '1'))


class Chinese(unittest.TestCase):
    """A Chinese page, in a book with one chapter, one stage and a glossary in Chinese."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root, cls.out = Path(folder.name) / 'root', Path(folder.name) / 'site'
        shutil.copytree(reader.ROOT, cls.root, ignore=shutil.ignore_patterns('build', 'work', '.git', '*.zh.md'))
        cls.write('step03_scheduler/README.zh.md', '第 3 步：调度器', 'Step 3', '一行。\n又一行**粗体**。\n`x`\n的 [三](../docs/foreword.md)、[四](../step03_scheduler/README.zh.md#recap)、第 4 回合。\n\n'
                  '## 小结\n<!-- en 12345678 Recap -->\n\n协作式多任务里的**任务**和任务句柄，调用。\n\n| **m3** | x |\n|---|---|\n| **m3** | x |\n| **3a** | x |\n')
        cls.write('your_scheduler/m03_queue_and_loop/README.zh.md', 'm3：队列', 'm3', '写吧。\n\n## 提示 1\n<!-- en 12345678 Hint 1 -->\n\n甲。\n\n## 做完以后\n<!-- en 12345678 Afterwards -->\n\n乙。\n')
        cls.write('docs/glossary.zh.md', '术语表', 'Glossary', '**任务**（task, tasks）：一种协程。\n跑在调度器里。[第 3 章](x)\n\n**调用**（call）：调用它。[第 1 章](x)\n\n'
                  '**协作式多任务**（cooperative multitasking）：轮着来。[第 3 章](x)\n\n**反应器**（reactor）：等事件。[第 9 章](x)\n')
        with unittest.mock.patch.object(book, 'ROOT', cls.root), unittest.mock.patch.object(reader, 'ROOT', cls.root):
            cls.book = book.Book(cls.out)
        cls.chapter = cls.book.pages['step03_scheduler/README.zh.md']
        cls.book.runs = [{'key': 'step03_two_tasks', 'step': 'step03', 'program': 'two_tasks', 'url': 'x.html', 'title': 'x'}]

    @classmethod
    def write(cls, source, title, english, text):
        (cls.root / source).write_text(f'# {title}\n<!-- en 12345678 {english} -->\n\n[English]({Path(source).name.replace(".zh", "")}) | 中文\n\n{text}')

    def made(self, source):
        page = self.book.pages[source]
        with unittest.mock.patch.object(book, 'ROOT', self.root):
            self.book.write_page(page)
        return (self.out / page.url).read_text()

    def test_lines_are_joined_where_chinese_has_no_blank(self):
        self.assertIn('<p>一行。又一行<strong>粗体</strong>。<code>x</code>\n的 ', self.book.render(self.chapter))
        self.assertEqual(reader.plain('一行。\n<b>又</b>一\nx 行'), '一行。又一 x 行')

    def test_an_anchor_is_the_english_one(self):
        self.assertIn('<h2 id="recap">小结</h2>', self.book.render(self.chapter))

    def test_a_link_says_that_it_leads_to_an_english_page(self):
        body = self.book.render(self.chapter)
        self.assertIn('<a href="foreword.html" hreflang="en">三</a>', body)
        self.assertIn('<a href="zh_step03.html#recap">四</a>', body)
        self.assertIn('<a href="zh_exercise_m3.html"><strong>m3', body)
        self.assertIn('<a href="exercise_3a.html" hreflang="en"><strong>3a', body)

    def test_the_longest_term_is_explained_and_no_everyday_word(self):
        body = self.book.render(self.chapter)
        self.assertEqual(re.findall('data-means="(.*?)">(.*?)</dfn>', body), [('轮着来。', '协作式多任务')])

    def test_turns_lead_to_the_player(self):
        self.chapter.text = '<!-- play two_tasks 2 -->\n' + self.chapter.text
        self.assertIn('data-turn="4">第 4 回合</a>', self.book.render(self.chapter))

    def test_a_page_knows_its_language_and_its_twin(self):
        page = self.made('step03_scheduler/README.zh.md')
        for text in '<html lang="zh-CN">', '<a class="language" href="step03.html" lang="en"', 'href="zh_step03.html" aria-current="page">调度器</a>', 'href="step04.html" lang="en" hreflang="en"':
            self.assertIn(text, page)
        self.assertNotIn('>English</a> |', page)
        self.assertIn('<a class="language" href="zh_step03.html" lang="zh-CN"', self.made('step03_scheduler/README.md'))
        self.assertNotIn('class="language"', self.made('step04_syscalls/README.md'))

    def test_the_hints_of_a_stage_are_folded(self):
        page = self.made('your_scheduler/m03_queue_and_loop/README.zh.md')
        self.assertEqual(re.findall('<summary>(.*?)</summary>', page), ['提示 1', '做完以后'])
        self.assertIn('<a href="zh_step03.html">第 3 章</a>', page)

    def test_old_sections_are_named_above_the_text(self):
        self.assertIn('<p class="old">本页有 2 节落后于英文版：<a href="#main">第 3 步：调度器</a>、<a href="#recap">小结</a>。</p>', self.made('step03_scheduler/README.zh.md'))

    def test_chinese_words_have_an_index_and_entries_english_anchors(self):
        self.assertIn('<p id="task"><strong>任务</strong>（task, tasks）：', self.made('docs/glossary.zh.md'))
        self.assertIn(['zh_glossary.html#task', '术语表', '任务', '一种协程。跑在调度器里。'], self.book.found['zh'])
        self.assertNotIn('术语表', [entry[1] for entry in self.book.found['en']])


HEADER = '/// A thing of {0}.\nclass Thing {{\n public:\n  void use();  ///< Uses it.\n}};\n\n/// Starts {0}.\nvoid start();\n'


class Api(unittest.TestCase):
    """Nine steps with a class of the same name."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        (cls.root / 'tools').mkdir()
        shutil.copy(reader.ROOT / 'tools/steps', cls.root / 'tools')
        shutil.copytree(reader.ROOT / 'docs', cls.root / 'docs')
        for n, line in enumerate((reader.ROOT / 'tools/steps').read_text().splitlines(), 1):
            headers = cls.root / line.split()[0] / ('coop/uv' if n == 9 else '')
            headers.mkdir(parents=True)
            if n == 9:
                (headers.parent / 'core').mkdir()
            header = HEADER.format(n) if n < 9 else f'namespace coop {{\n\n{HEADER.format(n)}\n}}  // namespace coop\n'
            (headers / 'thing.hpp').write_text(f'#pragma once\n\n#include <optional>\n\n{header}')
        api.make(cls.root, cls.root / 'site', '<title>$title</title><!--api head-->', '<footer>')

    def page(self, name):
        return (self.root / 'site/api' / name).read_text()

    def test_a_page_is_in_the_frame_with_a_heading_and_a_link_to_its_source(self):
        page = self.page('classstep01_1_1Thing.html')
        self.assertIn('<title>Thing (step 1)</title><link rel="stylesheet" href="../api.css">', page)
        self.assertIn('<h1>Thing (step 1)</h1>\n<p>This belongs to <a href="../step01.html">chapter 1</a>, with <a href="group__step01.html">', page)
        self.assertIn('<a href="../source/step01_generators/thing.hpp.html">thing.hpp</a>', page)
        library = self.page('classcoop_1_1Thing.html')
        self.assertIn('<h1>Thing (step 9)</h1>', library)
        self.assertIn('<a href="../source/step09_reactor/coop/uv/thing.hpp.html">coop/uv/thing.hpp</a>', library)
        self.assertTrue(page.endswith('<footer>'))

    def test_each_step_has_its_own_class_function_and_group(self):
        for n in range(1, 10):
            thing = self.page(f'class{"coop" if n == 9 else f"step0{n}"}_1_1Thing.html')
            self.assertEqual(set(re.findall(r'A thing of (\d)', thing)), {str(n)})
            group = self.page(f'group__step0{n}.html')
            self.assertEqual(set(re.findall(r'(?:A thing of|Starts) (\d)', group)), {str(n)})
            self.assertIn(f'<h1>Step {n}: ', group)

    def test_nothing_of_doxygen_but_pages_and_the_tag_file_is_kept(self):
        files = list((self.root / 'site/api').iterdir())
        self.assertEqual({file.suffix for file in files}, {'.html'})
        for file in files:
            self.assertNotRegex(file.read_text(), '<script|onclick|<img')
        self.assertIn('<name>start</name>', (self.root / 'build/docs/api.tag').read_text())


class Drawings(unittest.TestCase):
    def test_a_corner_is_two_lines_and_words_keep_their_places(self):
        drawing = box2svg.svg('┌▶ a b  c', 'x')
        self.assertIn('"M0 0m8 9h-4v9M8 0m0 9h4"', drawing)
        self.assertEqual(re.findall(r'<text x="(\d+)" y="13" textLength="(\d+)">(.*?)</text>', drawing), [('24', '24', 'a b'), ('64', '8', 'c')])
        self.assertEqual(drawing.count('rotate(0)'), 1)
        self.assertRegex(drawing, '<g color="var[(]--link[)]"><path.*</g><text')


class Plots(unittest.TestCase):
    PLAN = 'column | 2 tasks | a | ns\ncolumn | bytes | b |\nrow | ring | x |\ntarget | step 3 | a | 1.5\n'
    ROWS = [['', '2 tasks', 'bytes'], ['ring', '5 ns', '9'], ['step 3', '2', '9'], ['other', '', '9'], ['slow', '1 000', '9']]

    def test_bars_of_ratios_begin_at_0_and_a_very_long_one_is_cut(self):
        figure = plots.figure(self.PLAN, self.ROWS)
        self.assertEqual(re.findall('d="M142 [0-9]+H([0-9.]+)', figure), ['226.0', '310.0', '310'])
        self.assertEqual(figure.count('l-5 3 5 3'), 1)
        self.assertIn('<path class="lines" d="M268.0 ', figure)
        self.assertIn('aria-label="2 tasks: ring 5 ns, step 3 2, slow 1 000"', figure)
        self.assertIn('Times as long as “ring”. A thin line is a target. A bar with an open end', figure)

    def test_columns_that_a_target_compares_are_one_drawing(self):
        plan = 'column | 10 | a |\ncolumn | 1 000 | b |\ntarget | ring | b | 8 | a\n'
        figure = plots.figure(plan, [['', '10', '1 000'], ['ring', '400', '1 000']])
        self.assertEqual(re.findall('aria-label="(.*?)"', figure), ['1 000 compared with 10: ring 2.5'])

    def test_only_the_table_of_the_plan_is_drawn(self):
        self.assertEqual(plots.figure(self.PLAN, [['', '2 tasks'], ['ring', '5 ns']]), '')
        site = book.Book(Path('/nonexistent'))
        body = site.render(site.pages['benchmarks/growth/README.md'])
        self.assertEqual(body.count('<figure class="plots">'), 1)
        self.assertLess(body.index('class="plots"'), body.index('<table>'))
        self.assertNotIn('"plots"', site.render(site.pages['benchmarks/README.md']))


class Classroom(unittest.TestCase):
    def test_sheets_have_the_questions_the_answers_and_the_tickets(self):
        page = reader.Page('step03/README.md', 'step03.html', 'chapters', 'step03', text='# Step 3: Turns\n\n## Who is next?\n\n**Predict.**\nWho, in [this](a.md)?\n\n'
                           '```sh\nls\n```\n\n<details><summary>Answer</summary>\n\n<!-- output a -->\n```text\n1\n```\n<!-- end -->\n\nTask 1.\n\n</details>\n')
        notes = '## Step 3\n\n**To remember.**\n\n**Ticket.** Which?\n\n- a) one\n- b) two\n\n*b.* Who ticks a is wrong.\n\n## At the end\n'
        predictions, answers, ticket, key = [sheet.text.split('## Step 3', 1)[1] for sheet in classroom.sheets([page], notes)]
        self.assertEqual(predictions, ': Turns\n\n1. *Who is next?* Who, in this?\n\n<div class="to-write-on"><i></i><i></i><i></i></div>\n\n')
        self.assertEqual(answers, ': Turns\n\n1. ```text\n   1\n   ```\n   \n   Task 1.\n\n')
        self.assertEqual(ticket, '\n\n1. Which?\n   \n   - ☐ a) one\n   - ☐ b) two\n   \n\n')
        self.assertEqual(key, '\n\n1. **b.** Who ticks a is wrong.\n\n')

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

    def script(self, plan):
        place = 'step03_scheduler/README.md'
        page = reader.Page(place, 'step03.html', 'chapters', 'step03_scheduler', text='# Step 3: Turns\n\n' + ''.join(
            f'## {name}\n\n**Predict.**\nWho?\n\n```sh\n./learn run 3 {name}\n```\n\n<details><summary>Answer</summary>\n\n1\n\n</details>\n\n' for name in 'abc'))
        made = [{'at': (place, at), 'title': title, 'body': at + title} for at in 'abcdef' for title in ('Topic', 'Predict', 'Answer')]
        made += [{'at': (place, 'w'), 'title': 'What can go wrong', 'body': ''}, {'at': (place, 'f'), 'title': 'Topic', 'body': 'not <b>this</b> one'},
                 {'at': (place, 'r'), 'title': 'Recap', 'body': '<ul><li>R</li><li>not this one</li></ul>'}]
        made = [{'at': (place, ''), 'title': 'Turns', 'body': '', 'notes': 'all', 'step': 3}] + [{'step': 3, 'notes': 'own', 'lines': 8, **slide} for slide in made]
        after = reader.Page('step04_syscalls/README.md', 'step04.html', 'chapters', 'step04_syscalls', text='# Step 4: Calls: forms\n')
        site = unittest.mock.Mock(way=[page, after], pages={'docs/workshop/teaching_notes.md': reader.Page('n.md', 'n.html', text=self.NOTES)})
        rows = ''.join(f'| 0:{n}0 | 5 | {words} |\n' for n, words in enumerate(plan))
        [found] = classroom.plans(f'## Short: a plan\n\nPrint.\n\n<!-- plan 0:00 | {" | ".join(plan)} -->\n| at | minutes | |\n|---:|---:|---|\n{rows}<!-- end -->\n\n## More\n')
        script = classroom.Script(site, made, found)
        self.assertEqual({slide.get('notes') for slide in script.slides} - {None}, {'own', ''}, 'the notes of a step are on a slide')
        return script.text, [slide['body'] for slide in script.slides]

    def test_the_script_of_a_plan_has_its_times_its_slides_and_what_the_notes_say(self):
        self.assertEqual(self.script(['5 Welcome', 'step 3', '5 Break'])[0], """# Script: Short: a plan

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
        self.assertEqual(self.script(['step 3'])[1], ['', 'aTopic', 'aPredict', 'aAnswer', 'bTopic', 'bPredict', 'bAnswer', 'eTopic', 'fTopic', '<ul><li>R</li></ul>'])
        self.assertIn('dTopic', self.script(['step 3', 'm3'])[1])

    def test_a_solution_comes_after_its_exercise(self):
        text, made = self.script(['step 3', '3a'])
        self.assertEqual(made[-2:], ['<pre><code>./learn exercise 3a\n</code></pre>', 'eTopic'])
        self.assertEqual(text.split('## 0:10 3a\n\n')[1], '5 minutes, slides 11 to 12.\n\n```sh\n./learn exercise 3a\n```\n\nSay before: "Go."\n\nShow our loop (12).\n')

    def test_predictions_that_are_a_part_of_their_own_wait_for_it_with_their_code_and_the_recap(self):
        text, made = self.script(['step 3', 'paper 3'])
        self.assertEqual(made[-4:], ['fTopic', 'bTopicbPredict', 'bAnswer', '<ul><li>R</li></ul>'])
        self.assertEqual(text.split('## 0:10 paper 3\n\n')[1], '5 minutes, slides 8 to 10.\n\nAll answer question 2, and skip the others.\n\n**Predict (8 to 9)** the second.\n\n'
                         '```sh\n# question 2\n./learn run 3 b\n```\n\n**Say at the end**: A queue.\n')
        text, made = self.script(['step 3', 'predict 3'])
        self.assertEqual(made[-4:], ['<pre><code>./learn predict 3</code></pre>', 'bTopicbPredict', 'bAnswer', '<ul><li>R</li></ul>'])
        self.assertIn('question 2 with the chapter open beside the terminal', text)

    def test_the_beginning_and_the_end_are_told(self):
        text = self.script(['5 Welcome, `./learn doctor`', 'step 3', '5 The end: home', '5 The end of the day'])[0]
        self.assertIn(' (5 minutes)\n\n"Good morning."\n\n"Are you ready?"\n\n## 0:10', text)
        self.assertIn(' (5 minutes)\n\nOne sentence.\n\n- Step 4, Calls: A form.\n\n**0:30', text)

    def test_ninety_minutes_can_be_prepared_in_45(self):
        site = book.Book(Path('/nonexistent'))
        table = {what: int(minutes) for minutes, what in re.findall(r'^\| (\d+) \| (.*) \|$', site.pages['docs/workshop.md'].text, re.M)}
        self.assertEqual(sum(table.values()), 45)
        rows = [next(table[what] for what in table if word in what) for word in ('read this page', 'read the script', 'Turn its slides')]
        page = site.pages['docs/workshop.md'].text.split('## The pages')[0]
        cut = list(slides.slides(site))
        notes = site.pages['docs/workshop/teaching_notes.md'].text
        for step, text in classroom.STEP.findall(notes):
            for quoted in classroom.QUOTED.findall(' '.join(re.findall('^[*][*]Leave out.*', text, re.M))):
                self.assertEqual(sum(quoted in reader.plain(slide['body']) for slide in cut if slide['step'] == int(step[5])), 1, quoted)
        for plan in classroom.plans(site.pages['docs/workshop/schedules.md'].text):
            script = classroom.Script(site, cut, plan)
            self.assertNotIn('[Predict](', script.text, 'the notes ask a prediction that has no slides')
            if plan[0].startswith('Ninety minutes'):
                said = sum(len(reader.plain(slide['body']).split()) for slide in script.slides)
                turned = said / 130 + len(script.slides) * 2 / 60 + script.text.count('**Predict (') * 18 / 60
                minutes = [self.words(page) / 130, self.words(script.text) / 130, turned]
                for needed, given in zip(minutes, rows):
                    self.assertLessEqual(needed, given, (plan[0], minutes))

    @staticmethod
    def words(text):
        """How many words somebody reads in Markdown, with its code, and without addresses."""
        return len(re.sub(r'\]\([^)]*\)|[|#*`-]+', ' ', text).split())


if __name__ == '__main__':
    unittest.main()
