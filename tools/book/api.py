"""The API of each step, by Doxygen: one run for each, because classes of the same name would become one."""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# How the header of an API page ends: Doxygen closes the `div`, and has the title in no heading.
TITLE = '<div><h1>$title</h1>\n'
# What needs Doxygen's scripts, and the links to the parts of a page, some of which don't exist.
UNUSED = re.compile(r'<script type="text/javascript">.*?</script>| onclick="[^"]*"|<img src="closed.png"[^>]*>'
                    r'|<div class="summary">.*?</div>', re.S)
HEADING = re.compile(r'(<title>|<h1>)([^<]*?) (?:Class|Struct|Union|File|Namespace|Directory)(?: Template)? Reference')
INCLUDE = re.compile(r'<p><code>#include &lt;(.*?)&gt;</code></p>')


def settings(root, out, work, folder):
    """docs/Doxyfile describes step 9. This is what differs for the step in `folder`."""
    step = folder[:6]
    inputs = [work / f'{step}.dox', *sorted((root / folder).glob('*.hpp'))]
    return f'''
PROJECT_NAME = "Step {int(step[4:])}"
{'' if step == 'step09' else 'INPUT = ' + ' '.join(f'"{i}"' for i in inputs)}
STRIP_FROM_PATH = {folder}
STRIP_FROM_INC_PATH = {folder}
OUTPUT_DIRECTORY = "{out / 'api'}"
HTML_OUTPUT = {step}
HTML_HEADER = "{work / 'header.html'}"
HTML_FOOTER = "{work / 'footer.html'}"
GENERATE_TAGFILE = "{work / f'{step}.tag'}"
'''


def describe(root, folder, title):
    """The main page of a step's API, and a mark for each header, without which its functions are left out."""
    number = int(folder[4:6])
    headers = sorted((root / folder).glob('*.hpp'))
    return f'/** \\mainpage Step {number}: {title}\nThe classes and functions of ' \
           f'<a href="../../step0{number}.html">chapter {number}</a>, from its headers. */\n' + \
           ''.join(f'/** \\file {header.name} */\n' for header in headers)


def make(root, out, header, footer):
    """Makes out/api/stepNN, and build/docs/stepNN.tag. `header` and `footer` are the frame of a page in a folder
    two levels below `out`. Ends the program if Doxygen has a warning."""
    root, out = Path(root).resolve(), Path(out).resolve()
    work = root / 'build/docs'
    work.mkdir(parents=True, exist_ok=True)
    (out / 'api').mkdir(parents=True, exist_ok=True)
    style = '<link rel="stylesheet" href="$relpath^../../api.css">'
    (work / 'header.html').write_text(header.replace('<!--api head-->', style) + TITLE)
    (work / 'footer.html').write_text(footer)

    folders = dict(line.split(' | ')[0].split(None, 1) for line in (root / 'tools/steps').read_text().splitlines())

    def run(folder):
        (work / f'{folder[:6]}.dox').write_text(describe(root, folder, folders[folder]))
        config = (root / 'docs/Doxyfile').read_text() + settings(root, out, work, folder)
        return subprocess.run(['doxygen', '-'], input=config, cwd=root, text=True, capture_output=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(run, reversed(folders)))  # step 9 takes longest
    if any(run.returncode for run in runs):
        sys.exit(''.join(run.stderr for run in runs))
    for folder in folders:
        number = int(folder[4:6])
        chapter = f'</h1>\n<p>This belongs to <a href="../../{folder[:6]}.html">chapter {number}</a>.</p>'
        source = rf'<p><code>#include "<a href="../../source/{folder}/\1.html">\1</a>"</code></p>'
        for file in (out / 'api' / folder[:6]).iterdir():
            if file.suffix == '.html':
                page = INCLUDE.sub(source, UNUSED.sub('', file.read_text()))
                file.write_text(HEADING.sub(rf'\1\2 (step {number})', page).replace('</h1>', chapter))
            else:
                file.unlink()  # Doxygen's own style and scripts
