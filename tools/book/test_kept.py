import shutil
import tempfile
import unittest.mock
from pathlib import Path

import book
import runs
from recorded import Scratch


class Kept(Scratch):
    """What is made again, and what is kept."""

    def setUp(self):
        super().setUp()
        files = ('step03/a.cpp step03/b.hpp step03/README.md tools/trace/runs/step03_a.network '
                 'step03/expected/a.txt step04/a.cpp tools/trace/record_lines.py '
                 'tools/learn/setup.sh tools/book/templates/page.html tools/book/static/style.css '
                 'bin/gdb build/x work/x .git/x')
        self.write({file: file for file in files.split()})
        (self.root / 'bin/gdb').chmod(0o755)

    def files(self, folder):
        return {str(path.relative_to(self.root)) for path in folder.rglob('*') if path.is_file()}

    def changing(self, made):
        """The files whose change changes what is made of them."""
        def now():
            with unittest.mock.patch.dict('os.environ', PATH=str(self.root / 'bin')):
                return made()
        found = set()
        for name in self.files(self.root):
            file, before = self.root / name, now()
            text = file.read_text()
            file.write_text(text[::-1])
            found |= {name} if now() != before else set()
            file.write_text(text)
        return found

    def test_a_recording_is_made_again_if_its_program_or_the_recorder_has_changed(self):
        self.assertEqual(self.changing(lambda: runs.recording(self.root, self.root, 'step03', 'a')),
                         {'step03/a.cpp', 'step03/b.hpp', 'tools/learn/setup.sh',
                          'tools/trace/record_lines.py', 'tools/trace/runs/step03_a.network'})

    def test_a_copy_of_the_project_keeps_its_recordings(self):
        with tempfile.TemporaryDirectory() as other:
            shutil.copytree(self.root, other, dirs_exist_ok=True)
            here, there = (runs.recording(Path(root), Path('runs'), 'step03', 'a')
                           for root in (self.root, other))
        self.assertEqual(there, here)

    def test_the_site_is_made_again_if_any_file_or_program_has_changed(self):
        self.assertEqual(self.changing(lambda: book.inputs(self.root)),
                         self.files(self.root) - {'build/x', 'work/x', '.git/x'})

    def test_the_site_is_made_again_if_a_file_is_new_or_gone_or_a_package_has_changed(self):
        before = book.inputs(self.root)
        self.write({'docs/new.md': ''})
        self.assertNotEqual(book.inputs(self.root), before)
        (self.root / 'docs/new.md').unlink()
        self.assertEqual(book.inputs(self.root), before)
        with unittest.mock.patch.object(book.jinja2, '__version__', '0'):
            self.assertNotEqual(book.inputs(self.root), before)

    def test_the_site_is_made_again_if_a_page_of_it_has_changed_or_is_gone(self):
        site = self.root / 'step03'
        self.assertEqual(self.changing(lambda: book.outputs(site)), self.files(site))
        before = book.outputs(site)
        (site / 'a.cpp').unlink()
        self.assertNotEqual(book.outputs(site), before)


class Proved(Scratch):
    """What is proved again."""

    def setUp(self):
        super().setUp()
        self.write({'proved': '1234567890abcdef m10\n'})
        for patch in (unittest.mock.patch.object(runs.proved, 'FILE', self.root / 'proved'),
                      unittest.mock.patch.dict('os.environ', PROVED='')):  # which .ci/full sets
            patch.start()
            self.addCleanup(patch.stop)

    def test_what_has_another_hash_is_new(self):
        self.assertFalse(runs.proved.is_new('m10', '1234567890abcdef'))
        self.assertTrue(runs.proved.is_new('m10', '1234567890abcdee'))
        self.assertTrue(runs.proved.is_new('m1', '1234567890abcdef'))
        with unittest.mock.patch.dict('os.environ', PROVED='nothing'):
            self.assertTrue(runs.proved.is_new('m10', '1234567890abcdef'))

    def test_a_proof_takes_the_place_of_the_one_before(self):
        runs.proved.add({'m2': '2', 'm10': '1'})
        self.assertEqual(runs.proved.FILE.read_text(), '2 m2\n1 m10\n')

    def test_each_line_names_something(self):
        self.assertTrue(all(map(runs.proved.names_something, ('m3', '3a', 'step03_two_tasks'))))
        self.assertFalse(any(map(runs.proved.names_something, ('m99', '3z', 'step03_nosuch'))))

    def test_a_run_is_proved_again_if_its_program_its_twin_or_the_player_has_changed(self):
        found, digest = runs.proofs(runs.proved.ROOT), runs.proved.digest
        for name, changed in (('scheduler.hpp', 'step03_two_tasks'),
                              ('two_tasks.cpp', 'step08_two_tasks'),
                              ('player.css', 'step05_web_server'),
                              ('player.mjs', 'step01_xrange')):
            def without(root, files):
                return digest(root, [file for file in files if file.name != name])
            with unittest.mock.patch.object(runs.proved, 'digest', without):
                self.assertNotEqual(runs.proofs(runs.proved.ROOT)[changed], found[changed])
