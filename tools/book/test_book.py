"""Tests of the tools that make the site: python3 -m unittest discover -s tools/book runs them."""
import html
import re
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import book
import box2svg
import plots
import reader
import slides

STEP3 = 'step03_scheduler/README.md'
CHINESE = 'step03_scheduler/README.zh.md'
STAGE = 'your_scheduler/m03_queue_and_loop/README.zh.md'
RUN = {'key': 'step03_two_tasks', 'step': 'step03', 'program': 'two_tasks', 'url': 'x.html',
       'place': {}}
TWO_TASKS = '<!-- output two_tasks 1 -->\n```text\none\n```\n<!-- end -->\n\n'
TURN = '<a href="x.html#turn-3" data-run="step03_two_tasks" data-turn="3">turn 3</a>'


def prediction(question, answer):
    return (f'**Predict.**\n{question}\n\n<details><summary>Answer</summary>\n\n{answer}\n\n'
            f'</details>\n\n')


class Site(unittest.TestCase):
    """The pages that the repository's own chapters become."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.book = book.Book(Path(folder.name))

    def test_a_link_to_no_place_and_an_id_twice_are_faults(self):
        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.multiple(self.book, out=Path(folder), errors=[]):
            Path(folder, 'a.html').write_text('<p id="a"></p><p id="a"></p><a href="b.html#x">')
            Path(folder, 'b.html').write_text('<p id="y">')
            self.book.check_links()
            self.assertEqual(self.book.errors, ['a.html: error: two places have the id a',
                                                'a.html: error: the link b.html#x leads nowhere'])

    def body(self, markdown, source=STEP3, section='chapters'):
        return self.book.render(reader.Page(source, section, markdown))

    # What Markdown becomes: parts of the page, of which ^ is the beginning, and $ the end.
    MARKUP = {
        'a picture lies beside the page': (
            '![six turns](../docs/pictures/turns.svg)', '<img src="turns.svg" alt="six turns" />'),
        'a link leads to the page of its file': (
            '[x](../step04_syscalls/README.md#recap) [x](task.hpp) [x](https://a.b/c.md)',
            'href="step04.html#recap"', 'href="source/step03_scheduler/task.hpp.html"',
            'href="https://a.b/c.md"'),
        'the lines of a diff are painted': (
            '```diff\n a <\n+b\n-c\n...\n```\n',
            '<pre><code> a &lt;\n<ins>+b</ins>\n<del>-c</del>\n...\n</code></pre>'),
        'the way of a page is not in its text': (
            'Text.\n\n<!-- way -->\nNext: [4](../step04_syscalls/README.md)\n<!-- end -->\n',
            '^<p>Text.</p>\n$'),
        'the answer of a prediction is folded with its output': (
            prediction('Which?', f'A *b*.\n\n{TWO_TASKS}<!-- judge: 1 -->') + 'Then.\n',
            'Which?</p>\n<details><summary>Answer</summary>\n<p>A <em>b</em>.</p>\n<figure '
            'class="code"><figcaption>two_tasks prints</figcaption><pre><code>one\n</code></pre>'
            '</figure>\n</details>\n<p>Then.</p>\n$'),
        'a word of the glossary is explained where it first occurs': (
            '## A task\n\nTwo `task` and a task, tasks, [task](task.hpp), a **turn** is a turn.\n',
            '>A task</h2>\n<p>Two <code>task</code> and a <dfn tabindex="0" data-means="a '
            'coroutine that', '</dfn>, tasks, <a href="source/step03_scheduler/task.hpp.html">task'
            '</a>, a <strong>turn</strong> is a turn.</p>\n$'),
        'headings have the anchors of GitHub': (
            "## Who's `next()`, then?\n## x\n## x\n", '<h2 id="whos-next-then">',
            '<h2 id="x">x</h2>\n<h2 id="x-1">')}

    IN_CHINESE = {
        'lines are joined where Chinese has no blank': (
            '一行。\n又一行**粗体**。\n`x`\n的 y\n',
            '<p>一行。又一行<strong>粗体</strong>。<code>x</code>\n的 y</p>'),
        'an anchor is the English one': (
            '## 小结\n<!-- en 12345678 Recap -->\n', '<h2 id="recap">小结</h2>'),
        'a link says that it leads to an English page': (
            '[三](notes.md)、[四](README.zh.md#recap)\n\n|x|\n|---|\n| **m3** |\n| **3a** |\n',
            '<a href="notes_step03.html" hreflang="en">三</a>、<a href="zh_step03.html#recap">四</a>',
            '<a href="zh_exercise_m3.html"><strong>m3',
            '<a href="zh_exercise_3a.html"><strong>3a'),
        'the longest term is explained, unless it is defined, and no everyday word': (
            '协程体里的**任务**和任务句柄，调用。\n', '^<p><dfn tabindex="0" data-means="生成器或协程',
            '">协程体</dfn>里的<strong>任务</strong>和任务句柄，调用。</p>\n$')}

    def test_what_markdown_becomes(self):
        for source, table in (STEP3, self.MARKUP), (CHINESE, self.IN_CHINESE):
            for what, (markdown, *wanted) in table.items():
                for part in wanted:
                    with self.subTest(what):
                        self.assertIn(part, f'^{self.body(markdown, source)}$')

    # Parts of whole pages.
    WHOLE = {
        'a Chinese page knows its language and its twin': (
            CHINESE, '<html lang="zh-CN">', '<a class="language" href="step03.html" lang="en"',
            'href="zh_step03.html" aria-current="page">调度器',
            'href="side_by_side.html" lang="en">Side by side'),
        'it leads to the Chinese notes and exercises of its step': (
            CHINESE, '<a href="zh_notes_step03.html">文件和笔记</a>',
            '<a href="zh_exercise_3a.html">✎ 3a: 调度器的循环</a>'),
        'a Chinese exercise names its chapter, its files and its hints': (
            'step03_scheduler/exercises/3a/README.zh.md', '<a href="zh_step03.html">第 3 章</a>的练习',
            '<code>./learn exercise 3a</code>', 'exercises/3a/test.cpp.html">test.cpp</a>。',
            '<summary>提示 1</summary>', '<summary>做完以后</summary>'),
        'it has no switch of languages but this one': (CHINESE, '</nav>\n<h2 id="who-uses'),
        'its old sections are named above its text': (
            CHINESE, '<p class="old">本页有 2 节落后于英文版：<a href="#main">第 3 步：调度器：许多任务，'
            '一个线程</a>、<a href="#who-uses-the-pause">这个停顿，谁用得上？</a>。</p>'),
        'an English page knows its twin': (
            STEP3, '<a class="language" href="zh_step03.html" lang="zh-CN"'),
        'a page without a twin has no switch of languages': (
            'docs/SECURITY.md', '</form>\n  <button class="theme"'),
        'the hints of a Chinese stage are folded': (
            STAGE, '<a href="zh_step03.html">第 3 章</a>', '<summary>提示 1</summary>',
            '<summary>做完以后</summary>'),
        'an entry of the glossary has its English anchor': (
            'docs/glossary.zh.md', '<p id="task"><strong>任务</strong>（task）：')}

    def test_what_is_on_a_page(self):
        self.book.old = [(CHINESE, '1'), (CHINESE, '6')]
        for what, (source, *wanted) in self.WHOLE.items():
            page = self.book.pages[source]
            self.book.write_page(page)
            for part in wanted:
                with self.subTest(what):
                    self.assertTrue(part in (self.book.out / page.url).read_text(), f'no {part}')
        self.assertIn(['zh_glossary.html#preemptive-multitasking', '术语表', '抢占式多任务',
                       '由定时器打断正在运行的任务，好让别的任务运行。', 0, 3], self.book.found['zh'])
        self.assertNotIn('术语表', [entry[1] for entry in self.book.found['en']])

    def test_each_step_of_the_api_has_a_chinese_title_and_sentence(self):
        said = book.api.chinese(book.ROOT)
        self.assertEqual([title[0] for title, _ in said], [*'123456789'])
        self.assertEqual(said[2], ('3 调度器', '一支话筒，许多人要发言：一个队列，一个循环。'))

    def test_a_page_says_where_to_report_a_fault_if_there_is_such_a_place(self):
        for issues, links in ('', 0), ('https://host/new?a', 1):
            self.book.issues = issues
            page = self.book.env.get_template('page.html').render(
                root='', url='step03.html', book=self.book, title='', body='')
            self.assertEqual(page.count('href="https://host/new?a&amp;title=step03.html"'), links)

    def test_a_text_in_chinese_is_one_line(self):
        self.assertEqual(reader.plain('一行。\n<b>又</b>一\nx 行'), '一行。又一 x 行')

    def test_a_player_opens_at_a_turn_of_which_the_text_before_it_speaks(self):
        for page in self.book.section('chapters'):
            for part in re.split('^#', page.text, flags=re.M):
                for before, turn in re.findall(r'(?s)^(.*?)<!-- play \w+ (\d+) -->', part):
                    self.assertRegex(before, rf'[Tt]urn {turn}\b', page.source)

    def test_the_link_above_an_excerpt_is_its_caption(self):
        for mark in ('code task.hpp: void run() {', 'code task.hpp',
                     'change step02_coroutines task.hpp: x'):
            self.assertIn('^<p>Text.</p>\n<figure class="code"><figcaption><a href="source/'
                          'step03_scheduler/task.hpp.html#L9">task.hpp</a></figcaption><pre><code>',
                          '^' + self.body(f'Text.\n\n<!-- {mark} -->\n[task.hpp](task.hpp#L9)\n\n'
                                          '```cpp\nvoid run();\n```\n<!-- end -->\n'))

    def test_the_player_is_below_the_answer_and_its_turns_lead_to_it(self):
        with unittest.mock.patch.object(self.book, 'runs', [RUN]):
            body = self.body('Turn 1.\n\n<!-- play two_tasks 2 -->\n\n<details><summary>A</summary>'
                             f'\n\nSee turn 3.\n\n{TWO_TASKS}</details>\n\n## A\n\nTurn 4.')
            chinese = self.body('<!-- play two_tasks 2 -->\n第 4 回合\n', CHINESE)
        self.assertIn('data-turn="4">第 4 回合</a>', chinese)
        self.assertIn(f'<p>Turn 1.</p>\n<details><summary>A</summary>\n<p>See {TURN}.', body)
        self.assertIn('</details><p class="player-place" id="play-two_tasks"><a class="play" '
                      'href="x.html#turn-2" data-turn="2" data-run="step03_two_tasks">▶ two_tasks, '
                      'line by line</a></p>\n<h2 id="a">A</h2>\n<p>Turn 4.</p>', body)

    def test_the_hints_of_an_exercise_are_folded(self):
        self.assertEqual(re.findall('<details class="hint"><summary>(.*?)</summary>', self.body(
            'Task.\n\n## Hint 1\n\nA.\n\n## Afterwards\n\nB.\n', section='exercises')),
            ['Hint 1', 'After you have solved it'])

    def test_painted_code_is_the_code(self):
        for file in reader.ROOT.glob('step0[1-9]*/*.hpp'):
            code = '\n' + file.read_text()
            lines = reader.painted(code, 'cpp', {'Scheduler': 'x'}, numbered='L')
            self.assertEqual(html.unescape(re.sub('<[^>]*>', '', lines)), code, file)

    def test_only_the_table_of_a_plan_is_drawn(self):
        body = self.book.render(self.book.pages['benchmarks/growth/README.md'])
        self.assertRegex(body, '(?s)<figure class="plots">.*<table>')
        self.assertEqual(body.count('<figure class="plots">'), 1)
        self.assertNotIn('"plots"', self.book.render(self.book.pages['benchmarks/README.md']))

    def test_each_chapter_has_slides_for_a_wall(self):
        made = list(slides.slides(self.book))
        for slide in made:
            most = {'Recap': 999, 'Predict': 43}.get(slide['title'], 30)
            self.assertLessEqual(slides.words(slide['body']), most, slide['body'])
            for code in re.findall(r'<pre><code>(.*?)</code></pre>', slide['body'], re.S):
                self.assertLessEqual(code.count('\n'), 20, slide['title'])
        for step in range(1, 10):
            cut = [slide for slide in made if slide['step'] == step]
            [notes] = [slide['notes'] for slide in cut if slide.get('id') and slide['notes']]
            self.assertNotIn('Ticket', notes, 'the group sees the notes')
            titles = [slide['title'] for slide in cut]
            self.assertEqual(titles.count('Recap'), 1, step)
            self.assertLessEqual({'Predict', 'Answer', 'What can go wrong', 'Now you'}, {*titles})
        self.assertEqual([reader.plain(slide['body']) for slide in made
                          if (slide['step'], slide['title']) == (3, 'Now you')],
                         ['m3: The queue and the loop 3a: The loop of the scheduler'])

    def cut(self, markdown):
        """Returns the topic, the text and the place of each slide."""
        page = reader.Page(STEP3, 'chapters', f'## A `b`\n\n{markdown}')
        return [(topic, reader.plain(body), place)
                for topic, body, _, place in slides.Cutter(self.book, page).slides()]

    LONG = 'w ' * 18 + 'w.'
    CUT = {
        'only the first prediction below a heading has its place': (
            prediction('Who?', 'B.') * 2 + '### C\n\n' + prediction('Who?', 'D.'),
            ('Predict', 'Who?', 'a-b'), ('Answer', 'B.', 'a-b'), ('Predict', 'Who?', ''),
            ('Answer', 'B.', ''), ('Predict', 'Who?', 'c'), ('Answer', 'D.', 'c')),
        'paragraphs are not on slides': (
            'Text.\nThe code:\n\n```cpp\nint x;\n```\n\nMore.\n\n```sh\nls\n```\n',
            ('A b', 'The code: int x;', 'a-b')),
        'the words before a list are not those of the next listing': (
            'Three words:\n\n- a\n\n```cpp\nint x;\n```\n', ('A b', 'int x;', 'a-b')),
        'a long point is on two slides, and the recap is on one': (
            f'## What can go wrong\n\n**{LONG} {LONG}**\nMore.\n\n'
            f'## Recap\n\n- {LONG} {LONG}\n- B.\n',
            *[('What can go wrong', LONG, 'what-can-go-wrong')] * 2,
            ('Recap', f'{LONG} {LONG} B.', 'recap')),
        'a long question above little code is on one slide, and a long answer is cut': (
            prediction(f'{LONG}\n{LONG}\nWhich?\n\n```sh\nls\n```', f'{LONG}\n{LONG}'),
            ('Predict', f'{LONG} {LONG} Which? ls', 'a-b'), ('Answer', LONG, 'a-b')),
        'a longer question is on two slides': (
            prediction(f'{LONG}\n{LONG}\n{LONG}\nWhich?\n\n```sh\nls\n```', 'B.'),
            ('Predict', LONG, 'a-b'), ('Predict', f'{LONG} {LONG} Which? ls', 'a-b'),
            ('Answer', 'B.', 'a-b')),
        'a question above much code has fewer words': (
            prediction(f'{LONG}\n{LONG}\nWhich?\n\n```cpp\n' + 'int x;\n' * 12 + '```', 'B.'),
            ('Predict', LONG, 'a-b'), ('Predict', f'{LONG} Which?' + ' int x;' * 12, 'a-b'),
            ('Answer', 'B.', 'a-b')),
        'the output of an answer comes before its words': (
            prediction('Which?', f'```text\n1\n```\n\n{LONG}'), ('Predict', 'Which?', 'a-b'),
            ('Answer', '1', 'a-b'), ('Answer', LONG, 'a-b'))}

    def test_what_is_on_slides(self):
        for what, (markdown, *wanted) in self.CUT.items():
            with self.subTest(what):
                self.assertEqual(self.cut(markdown), wanted)


class Drawings(unittest.TestCase):
    def test_a_corner_is_two_lines_and_words_keep_their_places(self):
        drawing = box2svg.svg('┌▶ a b  c', 'x')
        self.assertIn('"M0 0m8 9h-4v9M8 0m0 9h4"', drawing)
        self.assertIn('<text x="24" y="13" textLength="24">a b</text>'
                      '<text x="64" y="13" textLength="8">c</text>', drawing)
        self.assertEqual(drawing.count('rotate(0)'), 1)
        self.assertRegex(drawing, '<g color="var[(]--link[)]"><path.*</g><text')

    PLAN = ('column | 2 tasks | a | ns\ncolumn | bytes | b |\nrow | ring | x |\n'
            'target | step 3 | a | 1.5\n')
    ROWS = [['', '2 tasks', 'bytes'], ['ring', '5 ns', '9'], ['step 3', '2', '9'],
            ['other', '', '9'], ['slow', '1 000', '9']]

    def test_bars_of_ratios_begin_at_0_and_a_very_long_one_is_cut(self):
        figure = plots.figure(self.PLAN, self.ROWS)
        self.assertEqual(re.findall('d="M142 [0-9]+H([0-9.]+)', figure), ['226.0', '310.0', '310'])
        self.assertEqual(figure.count('l-5 3 5 3'), 1)
        for part in ('<path class="lines" d="M268.0 ',
                     'aria-label="2 tasks: ring 5 ns, step 3 2, slow 1 000"',
                     'Times as long as “ring”. A thin line is a target. A bar with an open end'):
            self.assertIn(part, figure)

    def test_columns_that_a_target_compares_are_one_drawing(self):
        plan = 'column | 10 | a |\ncolumn | 1 000 | b |\ntarget | ring | b | 8 | a\n'
        figure = plots.figure(plan, [['', '10', '1 000'], ['ring', '400', '1 000']])
        self.assertEqual(re.findall('aria-label="(.*?)"', figure),
                         ['1 000 compared with 10: ring 2.5'])

    def test_another_table_than_that_of_the_plan_is_not_drawn(self):
        self.assertEqual(plots.figure(self.PLAN, [['', '2 tasks'], ['ring', '5 ns']]), '')

if __name__ == '__main__':
    unittest.main()
