"""Tests of the programs whose numbers can be changed."""
import unittest
from pathlib import Path

import live

ROOT = Path(__file__).resolve().parents[2]


class Live(unittest.TestCase):
    def test_each_program_has_its_numbers_once(self):
        for program, (sentence, places) in live.PROGRAMS.items():
            code = live.changeable((ROOT / f'{program}.cpp').read_text(), places)
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


if __name__ == '__main__':
    unittest.main()
