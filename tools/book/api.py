"""The API of all steps, by Doxygen, in the frame of the book."""
import re
import subprocess
import sys
from pathlib import Path

# How the header of an API page ends: Doxygen closes the `div`, and has the title in no heading.
TITLE = '<div><h1>$title</h1>\n'
# What needs Doxygen's scripts, and the links to the parts of a page, some of which don't exist.
UNUSED = re.compile(
    r'<script type="text/javascript">.*?</script>| onclick="[^"]*"|<img src="closed.png"[^>]*>'
                    r'|<div class="summary">.*?</div>', re.S)
HEADING = re.compile(
    r'(<title>|<h1>)([^<]*?) (?:Class|Struct|Union|File|Namespace|Concept|Directory)(?: Template)? '
    r'Reference')
INCLUDE = re.compile(r'<p><code>#include &lt;([^/]*)/(.*?)&gt;</code></p>')
SOURCE = r'<p><code>#include "<a href="../source/\1/\2.html">\2</a>"</code></p>'


def step_of(name):
    """Returns the number of the step that a class, a group or a page of them belongs to, or
    None."""
    found = re.search(r'step0(\d)|coop', name)
    return found and int(found[1] or 9)


def programs(root, page):
    """Returns a sentence with links to the programs that use the class of a page."""
    found = re.fullmatch(r'(?:class|struct)(step0\d|coop)_1_1(\w+)', page)
    if not found:
        return ''
    step = 'step09' if found[1] == 'coop' else found[1]
    files = sorted([*root.glob(f'{step}_*/*.cpp'), *root.glob(f'{step}_*/programs/*.cpp')])
    uses = [f'<a href="../source/{file.relative_to(root)}.html">{file.stem}</a>' for file in files
            if re.search(rf'\b{found[2]}\b', file.read_text())]
    return f' Programs that use it: {", ".join(uses)}.' if uses else ''


def chinese(root):
    """Returns the Chinese title of each step, and a sentence about it."""
    words = dict(line.split('\t') for line in (root / 'tools/zh.tsv').read_text().splitlines())
    steps = [re.split(r' {2,}| \| ', line) for line in
             (root / 'tools/steps').read_text().splitlines()]
    # A title that needs no translation isn't in the table.
    return [(words.get(f'{number} {title}', f'{number} {title}'), words[about])
            for number, (_, title, about, *_) in enumerate(steps, 1)]


def make(root, out, header, footer):
    """Makes out/api, and build/docs/api.tag. `header` and `footer` are the frame of a page in a
    folder of `out`.
    Ends the program if Doxygen has a warning."""
    root, out = Path(root).resolve(), Path(out).resolve()
    work = root / 'build/docs'
    work.mkdir(parents=True, exist_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    (work / 'header.html').write_text(header.replace('<!--api head-->',
        '<link rel="stylesheet" href="../api.css">') + TITLE)
    (work / 'footer.html').write_text(footer)
    config = (root / 'docs/Doxyfile').read_text() + f'''
STRIP_FROM_INC_PATH = .
OUTPUT_DIRECTORY = "{out}"
HTML_HEADER = "{work / 'header.html'}"
HTML_FOOTER = "{work / 'footer.html'}"
GENERATE_TAGFILE = "{work / 'api.tag'}"
SEARCHENGINE = NO
SOURCE_BROWSER = NO
'''
    run = subprocess.run(['doxygen', '-'], input=config, cwd=root, text=True, capture_output=True)
    if run.returncode:
        sys.exit(run.stderr)
    for file in (out / 'api').iterdir():
        if file.suffix != '.html':
            file.unlink()  # Doxygen's own style and scripts
            continue
        page, number = INCLUDE.sub(SOURCE, UNUSED.sub('', file.read_text())), step_of(file.name)
        if number:
            page = HEADING.sub(rf'\1\2 (step {number})', page)
            chapter = f'<a href="../step0{number}.html">chapter {number}</a>'
            names = f'<a href="group__step0{number}.html">these classes and functions</a>'
            where = f'This belongs to {chapter}, with {names}.{programs(root, file.stem)}'
            if file.name.startswith('group'):
                about = re.sub('`(.*?)`', r'<code>\1</code>', chinese(root)[number - 1][1])
                where += (f'</p>\n<p lang="zh-CN">{about}<a href="../zh_step0{number}.html">'
                          f'第 {number} 章</a>讲的就是这些类和函数。')
            page = page.replace('</h1>', f'</h1>\n<p>{where}</p>')
        file.write_text(page.replace('title=api/"', f'title=api/{file.name}"'))
