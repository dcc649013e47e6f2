"""What the tools say in the reader's language; tools/learn/setup.sh has the same for the shell."""
import os
from pathlib import Path


def messages():
    folder = os.environ.get('LEARN_CHINESE')
    text = Path(folder, 'zh_messages.tsv').read_text(encoding='utf-8') if folder else ''
    return dict(line.split('\t') for line in text.splitlines())


CHINESE = messages()


def say(text, *words):
    """The text, in Chinese if the locale is Chinese and the table has it, with the words in {0}."""
    return CHINESE.get(text, text).format(*words)
