"""Tests of the API: two steps with a class of the same name."""
import shutil
import tempfile
import unittest
from pathlib import Path

import api

ROOT = Path(__file__).resolve().parents[2]


class Api(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, self.out = Path(folder.name), Path(folder.name) / 'site'
        for part in ('docs', 'tools', 'step01_one', 'step02_two'):
            (self.root / part).mkdir()
        shutil.copy(ROOT / 'docs/Doxyfile', self.root / 'docs')
        (self.root / 'tools/steps').write_text('step01_one  The first\nstep02_two  The second\n')
        for step in ('step01_one', 'step02_two'):
            self.write(step, f'/// A thing of {step}.\nclass Thing {{\n public:\n  void use();  ///< Uses it.\n}};\n/// Starts.\nvoid start();\n')

    def write(self, step, text):
        (self.root / step / 'thing.hpp').write_text(text)

    def make(self):
        api.make(self.root, self.out, '<title>$title</title><!--api head-->', '<footer>')

    def page(self, name):
        return (self.out / 'api' / name).read_text()

    def test_a_class_has_a_page_in_each_step(self):
        self.make()
        self.assertIn('A thing of step01_one', self.page('step01/classThing.html'))
        self.assertIn('A thing of step02_two', self.page('step02/classThing.html'))
        self.assertIn('Starts.', self.page('step02/thing_8hpp.html'))

    def test_a_page_is_in_the_frame_and_has_a_heading(self):
        self.make()
        page = self.page('step01/classThing.html')
        self.assertIn('<title>Thing (step 1)</title><link rel="stylesheet" href="../../api.css">', page)
        self.assertIn('<h1>Thing (step 1)</h1>\n<p>This belongs to <a href="../../step01.html">chapter 1</a>', page)
        self.assertTrue(page.endswith('<footer>'))

    def test_a_page_links_to_the_source_of_its_header(self):
        self.make()
        self.assertIn('<a href="../../source/step01_one/thing.hpp.html">thing.hpp</a>', self.page('step01/classThing.html'))

    def test_nothing_of_doxygen_but_pages_and_tag_files_is_kept(self):
        self.make()
        self.assertEqual({file.suffix for file in (self.out / 'api').glob('*/*')}, {'.html'})
        for file in (self.out / 'api').glob('*/*'):
            self.assertNotRegex(file.read_text(), '<script|onclick|<img')
        self.assertIn('<name>start</name>', (self.root / 'build/docs/step02.tag').read_text())

    def test_a_name_without_a_comment_ends_the_program(self):
        self.write('step02_two', 'class Thing {\n public:\n  void use();\n};\n')
        with self.assertRaisesRegex(SystemExit, 'step02_two/thing.hpp:1: error: Compound Thing is not documented'):
            self.make()


if __name__ == '__main__':
    unittest.main()
