#!/usr/bin/python3 -B
"""Makes the site, build/site: the chapters as a book, with exercises, sources, runs, slides and the
API.

reader.py reads Markdown, with the marks and drawings of the chapters; box2svg.py draws the
drawings, and plots.py the tables of the benchmarks. classroom.py makes the sheets, and for each
plan its script and its slides, which slides.py cuts. runs.py records the programs, turns.py makes
turns of that, and sentences.py what the player says; without gdb, there is no player. api.py runs
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


def bare(file):
    """Returns a program without its #includes and its main(), as Markdown, below a link to it."""
    text = re.sub(r'^#.*\n', '', (ROOT / file).read_text().split('\nint main')[0] + '\n',
                  flags=re.M).strip('\n')
    text = re.sub(r'\n\n+', '\n\n', text)
    return f'[`{file}`](../{file})\n\n```cpp\n{text}\n```\n'


class SideBySide(Page):
    """The page that links to each program in two versions. On the site, it shows both."""

    def __init__(self):
        super().__init__('step08_cpp20/side_by_side.md', 'side_by_side.html', 'look up',
                         'step08_cpp20')
        self.text = re.sub(r'^\[by hand\]\(../(.*)\), \[by the compiler\]\((.*)\)\n',
                           lambda link: f'{bare(link[1])}\n{bare(f"{self.step}/{link[2]}")}',
                           self.text, flags=re.M)


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
        self.pages = {}      # by source
        self.todo = []       # pages and sources that are linked to, and not made yet
        self.sources = {}    # path: url
        self.runs, self.names = [], {}
        self.glossary = {'en': self.read_glossary('docs/glossary.md'),
                         'zh': self.read_glossary('docs/glossary.zh.md')}
        self.old = re.findall(r'^(\S+):(\d+): old: ',
                              subprocess.run([ROOT / 'tools/keep/translation'], text=True,
                                             capture_output=True).stdout, re.M)
        self.way = [self.of_way(source)
                    for source in (ROOT / 'tools/pages').read_text().splitlines()]
        for page in self.listed():
            self.add(page)
        for folder in self.steps:
            for file in sorted(p
                               for pattern in ('*.cpp', 'programs/*.cpp', 'tools/*.cpp') + LIBRARY
                               for p in (ROOT / folder).glob(pattern)):
                self.source(str(file.relative_to(ROOT)))

    def add(self, page):
        """Adds a page that must be made, and its Chinese twin, if there is one."""
        self.pages[page.source] = page
        self.todo.append(page)
        if page.language == 'en' and (ROOT / page.source).with_suffix('.zh.md').is_file():
            page.twin = Page(page.source[:-3] + '.zh.md', f'zh_{page.url}', page.section, page.step)
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

    def of_way(self, source):
        """Returns a page of the reading order: a chapter, one beside it, or one that belongs to no
        step."""
        folder, name = posixpath.split(source.removesuffix('.md'))
        if not folder.startswith('step'):
            return Page(source, 'index.html' if name == 'README' else f'{name}.html', 'way')
        if name == 'README':
            return Page(source, f'{folder[:6]}.html', 'chapters', folder)
        return Page(source, f'{folder[:6]}_{name}.html', 'beside', folder)

    def listed(self):
        yield from self.way
        for folder in self.steps:
            yield Page(f'{folder}/notes.md', f'notes_{folder[:6]}.html', 'notes', folder)
            for exercise in sorted((ROOT / folder / 'exercises').glob('*/README.md')):
                yield Page(str(exercise.relative_to(ROOT)),
                           f'exercise_{exercise.parent.name}.html', 'exercises', folder)
        for stage in sorted((ROOT / 'your_scheduler').glob('m*/README.md')):
            chapter = re.search('^chapter (.)', (stage.parent / 'facts').read_text(), re.M)[1]
            yield Page(str(stage.relative_to(ROOT)),
                       f'exercise_m{int(stage.parent.name[1:3])}.html',
                       'stages', self.steps[int(chapter) - 1])
        for name in 'glossary', 'mistakes', 'faq', 'article_today', 'trueasync':
            yield Page(f'docs/{name}.md', f'{name}.html', 'look up')
        yield SideBySide()
        yield Page('step09_reactor/reference.md', 'step09_reference.html', 'look up',
                   'step09_reactor')
        yield Page('benchmarks/README.md', 'benchmarks.html', 'look up')
        for file in sorted((ROOT / 'benchmarks').glob('*/README.md')):
            yield Page(f'benchmarks/{file.parent.name}/README.md',
                       f'benchmarks_{file.parent.name}.html', 'benchmarks')
        yield Page('docs/workshop.md', 'workshop.html', 'teach')
        for file in sorted(file for file in (ROOT / 'docs/workshop').glob('*.md')
                           if file.suffixes == ['.md']):
            yield Page(f'docs/workshop/{file.name}', f'workshop_{file.stem}.html', 'teach')
        yield from classroom.sheets(self.way,
                                    (ROOT / 'docs/workshop/teaching_notes.md').read_text())
        for name in 'contributing', 'security', 'changelog':
            yield Page(f'docs/{name.upper()}.md', f'{name}.html', 'more')

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
        if path in self.pages:
            url = self.pages[path].url
        elif not (ROOT / path).exists():
            self.errors.append(f'{page.source}: error: the link {href} leads nowhere')
            return href
        elif path.endswith('.md'):
            english = path.replace('.zh.md', '.md')
            self.add(Page(english, english[:-3].replace('/', '_').lower() + '.html'))
            url = self.pages[path].url
        else:
            url = self.source(path)
        return url + ('#' + anchor if anchor else '')

    def run_of(self, step, program):
        return next((run for run in self.runs
                     if (run['step'], run['program']) == (step[:6], program)), None)

    def play(self, step, program, turn=''):
        """Returns the link that opens the player of a program, if it has one."""
        if not (run := self.run_of(step, program)):
            return ''
        at, page = f'#turn-{turn}" data-turn="{turn}' if turn else '', self.md.renderer.page
        if page.language == 'en':
            run.setdefault('place', f'{page.url}#play-{program}')
        return (f'<p class="player-place" id="play-{program}"><a class="play" '
                f'href="{run["url"]}{at}" data-run="{run["key"]}">▶ '
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
            return next((run['url'] for run in self.runs if run['step'] == f'step0{match[1]}'
                         and match[2] in ('', run['program'])), None)

    def task(self, name):
        """Returns the page of an exercise or a stage, in the language of the page that links to
        it."""
        return next((page.to(self.md.renderer.page.language).url for page in self.pages.values()
                     if page.url == f'exercise_{name}.html'), None)

    def render(self, page, folded=True):
        renderer = self.md.renderer
        renderer.page, renderer.output, renderer.slugs, renderer.heading, renderer.folded = (page,
            None, {}, page.title, folded)
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
        found = self.found[page.language]
        for ident, title, text in zip([''] + parts[1::3], [page.title] + parts[2::3],
                                      [parts[0]] + parts[3::3]):
            found.append([page.url + ('#' + ident if ident else ''), page.title, plain(title),
                          plain(text)])
        if page.url.endswith('glossary.html'):
            found += [[f'{page.url}#{slug(english)}', page.title, words, text]
                      for words, english, text, _ in self.glossary[page.language]]

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
        if page.url == 'side_by_side.html':
            one = r'<p><a [^>]*><code>[^<]*</code></a></p>\s*<figure.*?</figure>'
            body = re.sub(rf'(<h2 id="([^"]*)">.*?</h2>)\s*({one})\s*({one})',
                          lambda m: f'{m[1]}{self.play(page.step, m[2])}<div '
                                    f'class="pair"><div>{m[3]}</div><div>{m[4]}</div></div>', body,
                                    flags=re.S)
        if page.section:
            self.index(page, body)
        n, english = page.number, page.to('en')
        turns = self.way if english in self.way else self.section(page.section) if page.section in (
            'exercises', 'stages') else []
        at = turns.index(english) if turns else 0
        lines = page.language == 'zh' and (ROOT / page.source).read_text().split('\n')
        old = [(slug(STAMP.match(lines[n])[1]) if n > 1 else 'main', lines[n - 1].lstrip('# '))
               for source, line in self.old if source == page.source and (n := int(line))]
        toc = [(ident, re.sub('<[^>]*>', '', text))
               for ident, text in re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', body)]
        self.write(page.url, 'page.html', page=page, title=page.title, body=body, old=old,
                   toc=toc if n or page.section == 'beside' else [],
                   before=turns[at - 1] if at else None, after=turns[at + 1] if turns[at + 1:]
                   else None, files=self.files(page) if page.section == 'exercises' else [],
                   exercises=[p for p in self.section('stages') + self.section('exercises') if n
                              and p.step == page.step],
                   runs=[r for r in self.runs if n and r['step'] == page.step[:6]])

    def write_plans(self, cut):
        """Writes the slides, all of them and those of each plan, and adds the script of each
        plan."""
        self.write('slides.html', 'slides.html', title='Slides', slides=cut)
        page = self.pages['docs/workshop/schedules.md']
        for plan in classroom.plans(page.text):
            name, script = classroom.name(plan[0]), classroom.Script(self, cut, plan)
            self.write(f'slides_{name}.html', 'slides.html', title=f'Slides: {plan[0]}',
                       slides=script.slides)
            self.add(Page(f'docs/workshop/{name}.md', f'workshop_{name}.html', 'sheets',
                          text=script.text))
        page.text = classroom.with_links(page.text)

    def files(self, page):
        """Returns the files of an exercise that its task is about."""
        folder = posixpath.dirname(page.source)
        return [{'name': p.name, 'url': self.source(f'{folder}/{p.name}')}
                for p in sorted((ROOT / folder).iterdir())
                if p.suffix in ('.cpp', '.hpp')]

    def write_source(self, path):
        file = ROOT / path
        if file.is_dir():
            up = '../' * (path.count('/') + 1)
            items = ''.join(f'<li><a href="{up}{self.source(f"{path}/{p.name}")}">{p.name}</a></li>'
                            for p in sorted(file.iterdir()) if p.is_file())
            body = f'<ul>{items}</ul>'
        else:
            language = 'cpp' if file.suffix in ('.cpp', '.hpp') else 'text'
            root = '../' * (path.count('/') + 1)
            names = {name: root + url for name, url in self.names.get(path[:6], {}).items()}
            body = painted(file.read_text(errors='replace').replace('\r', ''), language, names,
                           numbered=True)
        self.write(self.sources[path], 'source.html', title=path, body=body,
                   chapter=next((p for p in self.section('chapters') if path.startswith(p.step)),
                                None))

    def write_diff(self, old, new):
        """Writes what a step changes in the library of the step before, as ./learn diff shows
        it."""
        def library(folder):
            return {str(p.relative_to(ROOT / folder)).removeprefix('coop/'): p
                    for pattern in LIBRARY for p in sorted((ROOT / folder).glob(pattern))}
        before, after = library(old), library(new)
        files = []
        for name in sorted(before.keys() | after.keys()):
            a, b = ([] if name not in side else side[name].read_text().splitlines()
                    for side in (before, after))
            lines = list(difflib.unified_diff(a, b, n=3, lineterm=''))[2:]
            files.append((name, 'new' if not a else 'removed' if not b else 'changed' if lines
                          else 'the same', changes(lines)))
        self.write(f'{old[:6]}_to_{new[:6]}.html', 'diff.html',
                   title=f'What step {new[5]} changes in the library of step {old[5]}', files=files)

    def read_tags(self):
        """Reads what Doxygen has documented: for links in code, and for the search, which has a
        name once for all steps."""
        found = {}

        def find(name, where, text, step, url):
            found.setdefault((name, where),
                             ['api/', f'API{where}', name, text, {}])[4].setdefault(str(step), url)

        for compound in xml.parse(ROOT / 'build/docs/api.tag').getroot():
            full, is_class = compound.findtext('name'), compound.get('kind') in ('class', 'struct')
            step, name, url = api.step_of(full), full.split('::')[
                -1], f'api/{compound.findtext("filename")}'
            if is_class and '<' not in full:
                self.names.setdefault(f'step0{step}', {})[name] = url
                find(name, '', '', step, url)
            for member in compound.findall('member') if is_class or compound.get(
                    'kind') == 'group' else []:
                if not member.findtext('name').startswith('~'):
                    find(member.findtext('name').split('::')[-1], f' of {name}' if is_class
                         else '', member.findtext('arglist'), step,
                         f'api/{member.findtext("anchorfile")}#{member.findtext("anchor")}')

        self.found['en'] += found.values()

    def check_links(self):
        """Finds links of the site that lead to no file, or to no place in it. A program that the
        reader has changed may have fewer turns."""
        changed = {run['url'] for run in self.runs if run['now']}
        texts = {str(p.relative_to(self.out)): p.read_text() for p in self.out.rglob('*.html')}
        ids = {url: set(re.findall(r'(?: id|<a name)="([^"]*)"', text))
               for url, text in texts.items()}
        for url, text in sorted(texts.items()):
            for path, anchor in set(re.findall(r'(?:href|src)="(?![a-z]+:)([^"#]*)#?([^"]*)"',
                                               text)):
                target = posixpath.normpath(posixpath.join(posixpath.dirname(url),
                                                           path)) if path else url
                if not (self.out / target).is_file() or (
                        anchor and anchor not in ids.get(target, [anchor])
                        and target not in changed):
                    self.errors.append(f'{url}: error: the link {path}{"#" * bool(anchor)}{anchor} '
                                       f'leads nowhere')

    def make(self):
        self.runs, self.changed = runs.listed(ROOT, ROOT / 'build/docs')
        # the runs are recorded while the pages are made
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            recordings = pool.map(lambda run: runs.record(ROOT, ROOT / 'build/docs/runs', run),
                                  self.runs + self.changed)
            try:
                return self.make_pages(recordings)
            finally:
                pool.shutdown(cancel_futures=True)

    def make_pages(self, recordings):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        for file in (ROOT / 'tools/book/static').iterdir():
            shutil.copy(file, self.out)
        # The player's style has nested rules, which esbuild 0.17, that of Debian 12, can't read.
        small = [str(file) for file in self.out.iterdir() if file.suffix in ('.js', '.css')
                 and file.name != 'player.css']
        subprocess.run(['esbuild', '--minify', '--charset=utf8', '--log-level=warning',
                        '--allow-overwrite', f'--outdir={self.out}', *small], check=True)
        frame = self.env.get_template('page.html').render(root='../', url='api/', book=self,
                                                          title='$title', api=True, body='@@@')
        api.make(ROOT, self.out, *frame.split('@@@'))
        self.read_tags()
        for run in self.runs:
            self.found['en'].append([run['url'], run['title'], run['title'],
                                     ' '.join(f'{name} {does}' for name, does in run['bodies'])])
        self.write_plans(list(slides.slides(self)))
        while self.todo:
            item = self.todo.pop(0)
            self.write_page(item) if isinstance(item, Page) else self.write_source(item)
        for old, new in zip(self.steps, self.steps[1:]):
            self.write_diff(old, new)
        self.write('book.html', 'book.html', title='The whole book', bodies=[
            (p, re.sub(r'(?<= id=")|(?<=href="#)', f'{p.url[:-5]}-', self.render(p, folded=False)))
            for p in self.way[1:]])
        for language, name, variable in ('en', 'search_data.js', 'englishData'), ('zh',
                'zh_search_data.js', 'chineseData'):
            words = json.dumps(self.found[language], ensure_ascii=False, separators=(',', ':'))
            self.file(name, f'{variable} = {words}\n')
            self.file(f'player_{language}.js', says.script(language))
        runs.complete(ROOT, self.runs + self.changed, recordings)
        for run, after in zip(self.runs, [*self.runs[1:], None]):
            self.write(run['url'], 'run.html', title=run['title'], run=run, next=after if after
                       and after['step'] == run['step'] else None)
        for run in self.runs + self.changed:
            self.file(f'runs/{run["key"]}.js', runs.as_script(run))
        self.check_links()
        return self.errors


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
