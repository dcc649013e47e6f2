#!/usr/bin/python3 -B
"""Makes the site, build/site: the chapters as a book, with exercises, sources, runs, slides and the
API.

reader.py reads Markdown, with the marks and drawings of the chapters; box2svg.py draws the
drawings, and plots.py the tables of the benchmarks. classroom.py makes the sheets, and for each
plan its script and its slides, which slides.py cuts. runs.py records the programs, turns.py makes
turns of that, and says.py what the player says; without gdb, there is no player. api.py runs
Doxygen. `templates` and `static` have the frame, the style and the scripts.

A page works without a script, loads nothing from a network, and weighs less than 60 KB with all
that it loads. What isn't translated leads to English. If no file of the project and no tool has
changed, nothing is made again, and a run is recorded again only if its step or the recorder has
changed.

Exit status: 0 made; 1 a page has an error, for example a link that leads nowhere; 2 a wrong command
line.
"""
import difflib
import hashlib
import html
import json
import os
import platform
import posixpath
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jinja2
import markdown_it
import pygments

import api
import classroom
import runs
import says
import slides
from reader import (EVERYDAY, ROOT, STAMP, Page, Renderer, changes, explain, joined, painted, parse,
                    plain, slug)

TOOLS = ('gdb', 'g++', 'doxygen', 'esbuild', 'awk', 'sh')
LIBRARY = ('*.hpp', 'coop/**/*.[hc]pp')
# The pages that aren't in the reading order: a section, and its pages in the order of the tree.
SECTIONS = {
    'notes': ['step0*/notes.md'],
    'exercises': ['step0*/exercises/*/README.md'],
    'stages': ['your_scheduler/m*/README.md'],
    'look up': ['docs/half_hour.md', 'docs/glossary.md', 'docs/mistakes.md', 'docs/faq.md',
                'docs/where_it_runs.md', 'docs/article_today.md', 'docs/trueasync.md',
                'step08_cpp20/side_by_side.md', 'step09_reactor/reference.md',
                'benchmarks/README.md'],
    'benchmarks': ['benchmarks/*/README.md'],
    'teach': ['docs/workshop.md', 'docs/workshop/*.md'],
    'more': ['docs/CONTRIBUTING.md', 'docs/SECURITY.md', 'docs/CHANGELOG.md']}


def matching(*patterns):
    """Returns the files of the project that match a pattern, but no Chinese pages."""
    files = (file.relative_to(ROOT) for pattern in patterns for file in ROOT.glob(pattern))
    return sorted(str(file) for file in files if not file.name.endswith('.zh.md'))


def bare(file):
    """Returns a program without its #includes and its main(), as Markdown, below a link to it."""
    text = (ROOT / file).read_text().split('\nint main')[0] + '\n'
    text = re.sub(r'\n\n+', '\n\n', re.sub(r'^#.*\n', '', text, flags=re.M).strip('\n'))
    return f'<div>\n\n[`{file}`](../{file})\n\n```cpp\n{text}\n```\n\n</div>'


def side_by_side(page):
    """Makes a page show each program in both versions, to which its table links."""
    pairs = re.findall(r'(?m)^\| (.*) \| \[by hand]\(../(.*)\) \| \[.*]\((.*)\) \|$', page.text)
    page.text = page.text.split('\n|')[0] + ''.join(
        f'\n## {name}\n\n<!-- play {name} -->\n\n<div class="pair">{bare(by_hand)}'
        f'{bare(f"step08_cpp20/{compiled}")}</div>\n' for name, by_hand, compiled in pairs)


class Book:
    def __init__(self, out):
        self.out, self.errors, self.found = out, [], {'en': [], 'zh': []}
        self.steps = [line.split()[0] for line in (ROOT / 'tools/steps').read_text().splitlines()]
        self.md = markdown_it.MarkdownIt('commonmark', {'html': True},
                                         renderer_cls=Renderer).enable(['table', 'strikethrough'])
        self.md.renderer.book = self
        self.env = jinja2.Environment(
            loader=jinja2.FileSystemLoader(ROOT / 'tools/book/templates'), trim_blocks=True,
            lstrip_blocks=True)
        self.env.globals['language'] = 'en'
        # Where a reader reports a fault. Without an owner, there is no such place.
        host = re.search('^repository-code: (.*)', (ROOT / 'CITATION.cff').read_text(), re.M)[1]
        self.issues = '' if 'OWNER' in host else f'{host}/issues/new?template=wrong.md'
        self.pages = {}      # by source
        self.todo = []       # pages and sources that are linked to, and not made yet
        self.sources = {}    # path: url
        self.runs, self.names = [], {}
        self.glossary = {'en': self.read_glossary('docs/glossary.md'),
                         'zh': self.read_glossary('docs/glossary.zh.md')}
        old = subprocess.run([ROOT / 'tools/keep/translation'], text=True, capture_output=True)
        self.old = re.findall(r'^(\S+):(\d+): old: ', old.stdout, re.M)
        self.way = [Page(source, 'chapters' if re.match('step.*/README', source)
                         else 'beside' if source.startswith('step') else 'way')
                    for source in (ROOT / 'tools/pages').read_text().splitlines()]
        for page in self.way:
            self.add(page)
        for section, patterns in SECTIONS.items():
            for source in (source for pattern in patterns for source in matching(pattern)):
                self.add(Page(source, section))
        side_by_side(self.pages['step08_cpp20/side_by_side.md'])
        for page in classroom.sheets(self.way, self.pages[classroom.NOTES].text):
            self.add(page)
        for pattern in ('*.cpp', 'programs/*.cpp', 'tools/*.cpp') + LIBRARY:
            for file in matching(f'step0*/{pattern}'):
                self.source(file)

    def add(self, page):
        """Adds a page that must be made, and its Chinese twin, if there is one."""
        self.pages[page.source] = page
        self.todo.append(page)
        if page.language == 'en' and (ROOT / page.source).with_suffix('.zh.md').is_file():
            page.twin = Page(page.source[:-3] + '.zh.md', page.section)
            page.twin.twin = page
            self.add(page.twin)

    @staticmethod
    def read_glossary(source):
        """Returns each entry: its words, its words in English, what they mean, and the chapter in
        which they are."""
        text = (ROOT / source).read_text() if (ROOT / source).exists() else ''
        return [(words, english or words, joined(re.sub('[*`]', '', meaning)), int(step))
                for words, english, meaning, step in
                re.findall(r'^\*\*([^*]+)\*\*(?:（([^）,]*)[^）]*）)?[:：] ?(.*?)\[(?:Chapter|第) (\d)',
                           text, re.M | re.S)]

    def explained(self, page):
        """Returns the words of the glossary that a page may explain, and what they mean."""
        return {word if word.isupper() else word.lower(): text
                for words, english, text, step in self.glossary[page.language]
                if step <= int(page.step[5])
                for word in re.split(', |、', words) if english.lower() not in EVERYDAY
                and len(word) > 1}

    def section(self, name):
        return [p for p in self.pages.values() if p.section == name and p.language == 'en']

    def source(self, path):
        if path not in self.sources:
            self.sources[path] = f'source/{path}.html'
            self.todo.append(path)
        return self.sources[path]

    def resolve(self, page, href):
        """Returns where a link of the repository leads on the site."""
        if re.match(r'[a-z]+:', href):
            return href
        path, _, anchor = href.partition('#')
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.source),
                                                 path)) if path else page.source
        if path not in self.pages and (ROOT / path / 'README.md').is_file():
            path += '/README.md'
        if path not in self.pages and not (ROOT / path).exists():
            self.errors.append(f'{page.source}: error: the link {href} leads nowhere')
            return href
        if path not in self.pages and path.endswith('.md'):
            self.add(Page(path.replace('.zh.md', '.md')))
        url = self.pages[path].url if path in self.pages else self.source(path)
        return url + ('#' + anchor if anchor else '')

    def run_of(self, step, program):
        return next((run for run in self.runs
                     if (run['step'], run['program']) == (step[:6], program)), None)

    def of(self, run):
        """Returns the page of a run, in the language of the page that links to it."""
        return ('zh_' if self.md.renderer.chinese() else '') + run['url']

    def play(self, step, program, turn=''):
        """Returns the link that opens the player of a program, if it has one."""
        if not (run := self.run_of(step, program)):
            return ''
        at, page = f'#turn-{turn}" data-turn="{turn}' if turn else '', self.md.renderer.page
        run['place'].setdefault(page.language, f'{page.url}#play-{program}')
        return (f'<p class="player-place" id="play-{program}"><a class="play" '
                f'href="{self.of(run)}{at}" data-run="{run["key"]}">▶ '
                f'{program}{"，逐行看" if self.md.renderer.chinese() else ", line by line"}</a></p>')

    def command(self, words):
        """Returns the page that shows what a command of ./learn shows, or the page of this name."""
        if re.match('slides.*html|workshop_', words):
            return words
        if match := re.fullmatch(r'[.]/learn diff (\d) (\d)', words):
            return 'step0{}_to_step0{}.html'.format(*match.groups())
        if match := re.fullmatch(r'[.]/learn (?:exercise|take|check) (\d[a-z]|m\d+)', words):
            return self.task(match[1])
        if match := re.fullmatch(r'[.]/learn trace (\d) ?(\w*)', words):
            return next((self.of(run) for run in self.runs if run['step'] == f'step0{match[1]}'
                         and match[2] in ('', run['program'])), None)

    def task(self, name):
        """Returns the page of an exercise or a stage, in the language of the page that links to
        it."""
        return next((page.to(self.md.renderer.page.language).url for page in self.pages.values()
                     if page.url == f'exercise_{name}.html'), None)

    def render(self, page, folded=True):
        renderer = self.md.renderer
        renderer.begin(page, folded)
        tokens = parse(self.md, page.text)
        if page.section in ('chapters', 'beside') and folded and (words := self.explained(page)):
            explain(tokens, words)
        body = renderer.render(tokens, self.md.options, {})
        if page.section in ('exercises', 'stages'):  # hints open one by one
            body = re.sub(r'<h2 id="(?:hint-\d|afterwards)">(.*?)</h2>(.*?)(?=<h2|$)',
                          r'<details class="hint"><summary>\1</summary>\2</details>',
                          body, flags=re.S).replace('<summary>Afterwards',
                                                    '<summary>After you have solved it')
        return re.sub(r'<td>(<strong>(\d[a-z]|m\d+)</strong>)</td>',
                      lambda cell: f'<td>{renderer.link(self.task(cell[2]), cell[1])}</td>', body)

    def index(self, page, body):
        """Adds the sections of a page to the search, and in the glossary each word."""
        parts = re.split(r'<h[23] id="([^"]*)">(.*?)</h[23]>',
                         re.sub('<svg.*?</svg>', '', body, flags=re.S))
        if page.number:
            parts[0] = re.search('<p>(.*?)</p>', body, re.S)[1]
        found, parts = self.found[page.language], ['', page.title, *parts]
        for ident, title, text in zip(parts[::3], parts[1::3], parts[2::3]):
            found.append([page.url + ('#' + ident if ident else ''), page.title, plain(title),
                          plain(text)])
        if page.url.endswith('glossary.html'):
            found += [[f'{page.url}#{slug(english)}', page.title, words, text, 0, step]
                      for words, english, text, step in self.glossary[page.language]]

    def write(self, url, template, **values):
        if zh := url.startswith('zh_'):
            values |= {'language': 'zh', 'zh': zh, 'english': ' hreflang="en"'}
        self.file(url, self.env.get_template(template).render(root='../' * url.count('/'), url=url,
                                                              book=self, **values))

    def file(self, url, text):
        path = self.out / url
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def write_page(self, page):
        body = self.render(page)
        if page.url.endswith('glossary.html'):
            body = re.sub(r'<p>(<strong>([^<]*)</strong>(?:（([^）,]*)[^）]*）)?[:：])',
                          lambda m: f'<p id="{slug(html.unescape(m[3] or m[2]))}">{m[1]}', body)
        if page.section:
            self.index(page, body)
        n, english, chapter = page.number, page.to('en'), page.section in ('chapters', 'beside')
        turns = self.way if english in self.way else self.section(page.section) if page.section in (
            'exercises', 'stages') else []
        at = turns.index(english) if turns else 0
        lines = page.language == 'zh' and (ROOT / page.source).read_text().split('\n')
        old = [(slug(STAMP.match(lines[n])[1]) if n > 1 else 'main', lines[n - 1].lstrip('# '))
               for source, line in self.old if source == page.source and (n := int(line))]
        toc = [(ident, re.sub('<[^>]*>', '', text))
               for ident, text in re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', body) if chapter]
        self.write(page.url, 'page.html', page=page, title=page.title, body=body, old=old, toc=toc,
                   before=turns[at - 1] if at else None,
                   after=turns[at + 1] if turns[at + 1:] else None,
                   files=page.section == 'exercises' and self.files(page),
                   exercises=[p for p in self.section('stages') + self.section('exercises')
                              if page.number and p.step == page.step],
                   runs=[r for r in self.runs if page.number and r['step'] == page.step[:6]])

    def write_plans(self, cut):
        """Writes the slides, all of them and those of each plan, and adds the script of each
        plan."""
        self.write('slides.html', 'slides.html', title='Slides', slides=cut)
        page, made = self.pages['docs/workshop/schedules.md'], []
        for plan in classroom.plans(page.text):
            name, script = classroom.name(plan[0]), classroom.Script(self, cut, plan)
            made.append(name)
            self.write(f'slides_{name}.html', 'slides.html', title=f'Slides: {plan[0]}',
                       slides=script.slides)
            self.add(Page(f'docs/workshop/{name}.md', 'sheets', script.text))
        for each in page, page.twin:
            each.text = classroom.with_links(each.text, made, each.language)

    def files(self, page):
        """Returns the files of an exercise that its task is about."""
        folder = posixpath.dirname(page.source)
        return [(posixpath.basename(file), self.source(file))
                for file in matching(f'{folder}/*.[ch]pp')]

    def write_source(self, path):
        file, root = ROOT / path, '../' * (path.count('/') + 1)
        if file.is_dir():
            items = (f'<li><a href="{root}{self.source(item)}">{posixpath.basename(item)}</a></li>'
                     for item in matching(f'{path}/*') if (ROOT / item).is_file())
            body = f'<ul>{"".join(items)}</ul>'
        else:
            language = 'cpp' if file.suffix in ('.cpp', '.hpp') else 'text'
            names = {name: root + url for name, url in self.names.get(path[:6], {}).items()}
            body = painted(file.read_text(errors='replace').replace('\r', ''), language, names,
                           numbered='L')
        self.write(self.sources[path], 'source.html', title=path, body=body,
                   chapter=next((p for p in self.section('chapters') if path.startswith(p.step)),
                                None))

    def write_diff(self, old, new):
        """Writes what a step changes in the library of the step before, as ./learn diff shows
        it."""
        def library(folder):
            return {re.sub('^[^/]*/(coop/)?', '', file): (ROOT / file).read_text().splitlines()
                    for file in matching(*(f'{folder}/{pattern}' for pattern in LIBRARY))}
        before, after, files = library(old), library(new), []
        for name in sorted(before | after):
            a, b = before.get(name, []), after.get(name, [])
            lines = list(difflib.unified_diff(a, b, n=3, lineterm=''))[2:]
            state = 'changed' if a and b else 'removed' if a else 'new'
            files.append((name, state, changes(lines)))
        self.write(f'{old[:6]}_to_{new[:6]}.html', 'diff.html',
                   title=f'What step {new[5]} changes in the library of step {old[5]}', files=files)

    def read_tags(self):
        """Reads what Doxygen has documented: for links in code, and for the search, which has a
        name once for all steps."""
        found = {}
        for compound in xml.parse(ROOT / 'build/docs/api.tag').getroot():
            full, kind = compound.findtext('name'), compound.get('kind')
            step, name, where, things = api.step_of(full), full.split('::')[-1], '', []
            if kind in ('class', 'struct'):
                where = f' of {name}'
                if '<' not in full:
                    things = [(name, '', '', compound.findtext('filename'))]
                    self.names.setdefault(f'step0{step}', {})[name] = f'api/{things[0][3]}'
            if where or kind == 'group':
                things += [(member.findtext('name').split('::')[-1], where,
                            member.findtext('arglist'), '{}#{}'.format(
                                *map(member.findtext, ('anchorfile', 'anchor'))))
                           for member in compound.findall('member')]
            for thing, where, text, url in things:
                if thing[0] != '~':
                    found.setdefault((thing, where), ['api/', f'API{where}', thing, text, {}])[
                        4].setdefault(str(step), f'api/{url}')
        self.found['en'] += found.values()
        self.found['zh'] += [[f'api/group__step0{title[0]}.html', 'API', title,
                              about.replace('`', '')]
                             for title, about in api.chinese(ROOT)]

    def check_links(self):
        """Finds links of the site that lead to no file, or to no place in it, or to two. A program
        that the reader has changed may have fewer turns."""
        changed = {run['url'] for run in self.runs if run['now']}
        texts = {str(p.relative_to(self.out)): p.read_text() for p in self.out.rglob('*.html')}
        ids = {url: {*re.findall(r'(?: id|<a name)="([^"]*)"', text)}
               for url, text in texts.items()}
        for url, text in sorted(texts.items()):
            found = re.findall(' id="([^"]*)"', text)
            if len(found) > len(ids[url]) and not url.startswith('api/'):
                twice = sorted({one for one in found if found.count(one) > 1})
                self.errors.append(f'{url}: error: two places have the id {", ".join(twice[:5])}')
            for link in {*re.findall(r'(?:href|src)="(?![a-z]+:)([^"]*)', text)}:
                path, _, anchor = link.partition('#')
                target = posixpath.normpath(posixpath.join(posixpath.dirname(url),
                                                           path)) if path else url
                known = {anchor} if target in changed or not anchor else ids.get(target, {anchor})
                if not (self.out / target).is_file() or anchor not in known:
                    self.errors.append(f'{url}: error: the link {link} leads nowhere')

    def make(self):
        self.runs, self.changed = runs.listed(ROOT, ROOT / 'build/docs')
        # the runs are recorded while the pages are made
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            recordings = pool.map(lambda run: runs.record(ROOT, ROOT / 'build/docs/runs', run),
                                  self.runs + self.changed)
            try:
                self.copy_static()
                self.make_api()
                self.make_pages()
                self.make_search()
                self.make_runs(recordings)
                self.check_links()
                return self.errors
            finally:
                pool.shutdown(cancel_futures=True)

    def copy_static(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        for file in [*(ROOT / 'tools/book/static').iterdir(), *(ROOT / 'docs/pictures').iterdir()]:
            shutil.copy(file, self.out)
        (self.out / 'one_file').mkdir(exist_ok=True)
        for file in ('step01_generators/interruptible.cpp', 'step03_scheduler/two_tasks.cpp',
                     'step04_syscalls/parent_child.cpp'):
            whole = subprocess.check_output([ROOT / 'tools/keep/one_file', ROOT / file])
            name = f'{file[:6]}_{file.split("/")[1]}'
            (self.out / 'one_file' / name).write_bytes(whole)
        # The player's style has nested rules, which esbuild 0.17, that of Debian 12, can't read.
        small = [str(file) for file in self.out.iterdir() if file.suffix in ('.js', '.css')
                 and file.name != 'player.css']
        subprocess.run(['esbuild', '--minify', '--charset=utf8', '--log-level=warning',
                        '--allow-overwrite', f'--outdir={self.out}', *small], check=True)

    def make_api(self):
        frame = self.env.get_template('page.html').render(root='../', url='api/', book=self,
                                                          title='$title', api=True, body='@@@')
        api.make(ROOT, self.out, *frame.split('@@@'))
        self.read_tags()

    def make_pages(self):
        self.write_plans(list(slides.slides(self)))
        while self.todo:
            item = self.todo.pop(0)
            self.write_page(item) if isinstance(item, Page) else self.write_source(item)
        for old, new in zip(self.steps, self.steps[1:]):
            self.write_diff(old, new)
        for language, url in ('en', 'book.html'), ('zh', 'zh_book.html'):
            self.write(url, 'book.html', title='整本书' if language == 'zh' else 'The whole book',
                       bodies=[self.to_print(page.to(language)) for page in self.way[1:]])

    def to_print(self, page):
        """Returns a page of the book, and its text with all answers open and ids of its own."""
        return page, re.sub(r'(?<= id=")|(?<=href="#)', f'{page.url[:-5]}-',
                            self.render(page, folded=False))

    def make_search(self):
        for run in self.runs:
            self.found['en'].append([run['url'], run['title'], run['title'],
                                     ' '.join(f'{name} {does}' for name, does in run['bodies'])])
        for language, name, variable in (('en', 'search_data.js', 'englishData'),
                                         ('zh', 'zh_search_data.js', 'chineseData')):
            words = json.dumps(self.found[language], ensure_ascii=False, separators=(',', ':'))
            self.file(name, f'{variable} = {words}\n')

    def make_runs(self, recordings):
        for language in 'en', 'zh':
            self.file(f'player_{language}.js', says.script(language))
        runs.complete(ROOT, self.runs + self.changed, recordings)
        for run, after in zip(self.runs, [*self.runs[1:], None]):
            for url in run['url'], 'zh_' + run['url']:
                self.write(url, 'run.html', title=run['title'], run=run, next=after if after
                           and after['step'] == run['step'] else None)
        for run in self.runs + self.changed:
            self.file(f'runs/{run["key"]}.js', runs.as_script(run))


def inputs(root):
    """Returns a hash of all that the site can depend on: the files of the project, the programs,
    the Python packages."""
    tops = [top for top in root.iterdir() if top.name not in ('build', 'work', '.git')]
    files = [file for top in tops for file in [top, *top.rglob('*')] if file.is_file()
             and file != root / 'tests/proved']
    programs = [f'{os.path.realpath(path)} {os.stat(path).st_mtime_ns}'
                for path in filter(None, map(shutil.which, TOOLS))]
    return ' '.join([runs.proved.digest(root, files), *programs, platform.python_version(),
                     *(package.__version__ for package in (jinja2, markdown_it, pygments))])


def outputs(out):
    """Returns a hash of which files the site has, and when they were written."""
    return hashlib.sha256(
        '\n'.join(sorted(f'{file} {file.stat().st_size} {file.stat().st_mtime_ns}'
                         for file in out.rglob('*'))).encode()).hexdigest()[:16]


if __name__ == '__main__':
    out, part, stamp = ROOT / 'build/site', ROOT / 'build/site.part', ROOT / 'build/docs/stamp'
    if len(sys.argv) > 1:
        print('usage: tools/book/book.py', file=sys.stderr)
        sys.exit(2)
    now = inputs(ROOT)
    if not stamp.exists() or stamp.read_text() != f'{now} {outputs(out)}':
        errors = Book(part).make()
        shutil.rmtree(out, ignore_errors=True)
        part.rename(out)  # a build that ends too early leaves the site as it was
        if errors:
            sys.exit('\n'.join(errors))
        stamp.write_text(f'{now} {outputs(out)}')
