"""Tests of the tools that make the site. Run: /usr/bin/python3 -m unittest discover -s tools/book"""
import html
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import api
import book
import box2svg
import live
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

    def test_a_link_leads_to_the_page_of_its_file(self):
        self.assertIn('href="step04.html#recap"', self.page('[x](../step04_syscalls/README.md#recap)'))
        self.assertIn('href="source/step03_scheduler/task.hpp.html"', self.page('[x](task.hpp)'))
        self.assertIn('href="https://a.b/c.md"', self.page('[x](https://a.b/c.md)'))
        self.assertEqual(self.book.errors, [])

    def test_an_excerpt_links_to_its_file_and_line(self):
        line = (reader.ROOT / 'step03_scheduler/scheduler.hpp').read_text().splitlines().index('  void run() {') + 1
        self.assertIn(f'<a href="source/step03_scheduler/scheduler.hpp.html#L{line}">scheduler.hpp:{line}</a>',
                      self.page('<!-- code scheduler.hpp: void run() { -->\n```cpp\nvoid run() {\n```\n'))

    def test_an_excerpt_of_a_line_that_does_not_exist_is_an_error(self):
        self.page('<!-- code scheduler.hpp: void walk() -->\n```cpp\n```\n')
        self.assertEqual(self.book.errors, ['step03_scheduler/README.md: error: step03_scheduler/scheduler.hpp has no line "void walk()"'])

    def test_the_answer_of_a_prediction_is_folded_and_its_question_is_not(self):
        text = '\n\n'.join(['## Predict', 'Which?', '## Run it', '```sh\n./learn run 3\n```', '<!-- output two_tasks -->\n```text\none\n```\n<!-- end -->',
                            '## What you saw', 'This.', '## How it works', '**Predict.**\nHow many?', '```sh\nx\n```', 'Three.', '### Next', 'Then.'])
        body = self.page(text)
        folded = re.findall(r'<details class="answer"><summary>(.*?)</summary>(.*?)</details>', body, re.S)
        self.assertEqual([(title, reader.plain(answer)) for title, answer in folded],
                         [('Show the output', 'two_tasks prints one'), ('Show the answer', 'This.'), ('Show the answer', 'Three.')])
        self.assertEqual(body.count('<details'), 3)

    def test_code_of_the_next_section_does_not_belong_to_an_answer(self):
        body = self.page('**Predict.**\nHow many?\n\nThree.\n\nThis is the code:\n\n<!-- code scheduler.hpp: void run() { -->\n```cpp\n```\n')
        self.assertRegex(body, r'Three\.</p>\n</details>\n<p>This is the code')

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

    def test_each_chapter_has_slides_with_at_most_20_lines_of_code(self):
        made = list(slides.slides(self.book))
        self.assertEqual({slide['step'] for slide in made}, set(range(1, 10)))
        for slide in made:
            for code in re.findall(r'<pre><code>(.*?)</code></pre>', slide['body'], re.S):
                self.assertLessEqual(code.count('\n'), 20, slide['title'])
        for step in range(1, 10):
            self.assertTrue(any(slide['step'] == step and slide['notes'] for slide in made), f'step {step} has no notes')
            self.assertTrue(any(slide['step'] == step and slide['title'] == 'Recap' for slide in made), f'step {step} has no recap')


class Live(unittest.TestCase):
    """Programs whose numbers can be changed."""

    def test_each_program_has_its_numbers_once(self):
        for program, (sentence, places) in live.PROGRAMS.items():
            code = live.changeable((reader.ROOT / f'{program}.cpp').read_text(), places)
            self.assertEqual(code.count('live_number('), 1 + len(places))
            self.assertEqual(sentence.count('{'), len(places))

    def test_a_number_that_is_not_there_is_an_error(self):
        with self.assertRaisesRegex(ValueError, '"i < 3" occurs 0 times'):
            live.changeable('for (i = 0; i < 4; ++i) {}', ['i < 3'])

    def test_the_form_has_a_field_for_each_number(self):
        form = live.form({'step03_two_tasks'}, 'step03_scheduler', 'two_tasks')
        self.assertEqual(form.count('<input'), 2)
        self.assertIn('value="10"', form)

    def test_a_program_that_was_not_made_has_no_form(self):
        self.assertEqual(live.form(set(), 'step03_scheduler', 'two_tasks'), '')
        self.assertEqual(live.form({'step03_countdown'}, 'step03_scheduler', 'two_tasks'), '')


HEADER = '/// A thing of {}.\nclass Thing {{\n public:\n  void use();  ///< Uses it.\n}};\n/// Starts.\nvoid start();\n'


class Api(unittest.TestCase):
    """Two steps with a class of the same name."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        for step in 'docs', 'tools', 'step01_one', 'step02_two':
            (cls.root / step).mkdir()
            (cls.root / step / 'thing.hpp').write_text(HEADER.format(step))
        shutil.copy(reader.ROOT / 'docs/Doxyfile', cls.root / 'docs')
        (cls.root / 'tools/steps').write_text('step01_one  The first\nstep02_two  The second\n')
        api.make(cls.root, cls.root / 'site', '<title>$title</title><!--api head-->', '<footer>')

    def test_a_page_is_in_the_frame_with_a_heading_and_a_link_to_its_source(self):
        page = (self.root / 'site/api/step01/classThing.html').read_text()
        self.assertIn('<title>Thing (step 1)</title><link rel="stylesheet" href="../../api.css">', page)
        self.assertIn('<h1>Thing (step 1)</h1>\n<p>This belongs to <a href="../../step01.html">chapter 1</a>', page)
        self.assertIn('<a href="../../source/step01_one/thing.hpp.html">thing.hpp</a>', page)
        self.assertTrue(page.endswith('<footer>'))

    def test_nothing_of_doxygen_but_pages_and_tag_files_is_kept(self):
        files = list((self.root / 'site/api').glob('*/*'))
        self.assertEqual({file.suffix for file in files}, {'.html'})
        for file in files:
            self.assertNotRegex(file.read_text(), '<script|onclick|<img')
        self.assertIn('<name>start</name>', (self.root / 'build/docs/step02.tag').read_text())


class Drawings(unittest.TestCase):
    def test_a_corner_is_two_lines_and_words_keep_their_places(self):
        drawing = box2svg.svg('┌▶ a b  c', 'x')
        self.assertIn('"M0 0m8 9h-4v9M8 0m0 9h4"', drawing)
        self.assertEqual(re.findall(r'<text x="(\d+)" y="13" textLength="(\d+)">(.*?)</text>', drawing), [('24', '24', 'a b'), ('64', '8', 'c')])
        self.assertEqual(drawing.count('rotate(0)'), 1)


if __name__ == '__main__':
    unittest.main()
