"""Reads what is written in Markdown, and what a chapter has beyond it: excerpts of files, drawings,
words of the glossary."""
import functools
import html
import re
from pathlib import Path

import markdown_it
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Literal, Name

import box2svg
import plots

ROOT = Path(__file__).resolve().parents[2]
# The address of a page: that of the first pattern which its source matches.
ADDRESSES = [('README', 'index'), ('step08_cpp20/(side_by_side)', r'\1'),
             (r'(step0.)\w*/notes', r'notes_\1'), (r'(step0.)\w*/README', r'\1'),
             (r'(step0.)\w*/(\w+)', r'\1_\2'), (r'step\w*/exercises/(\w+)/README', r'exercise_\1'),
             (r'your_scheduler/m0?(\d+)_\w+/README', r'exercise_m\1'),
             (r'docs/(.*)', r'\1'), ('(benchmarks.*)/README', r'\1'), ('(.*)', r'\1')]
OUTPUT = re.compile(r'<!-- output (\S+) ?(.*) -->')
# the player of a program, which opens at this turn
PLAY = re.compile(r'<!-- play (\w+) ?(\d*) -->')
# an excerpt, below a link to its file
FROM = re.compile(r'^<!-- (?:code|change) .*-->\n\[(.*)\]\((.*)\)\n\n(```\w+)$', re.M)
WAY = re.compile(r'^<!-- way -->\n(?:.*\n)?<!-- end -->$', re.M)
STAMP = re.compile(r'<!-- en \w+ (.*) -->')  # below a heading of a Chinese page: the English one
# between the languages: the site has one of its own
SWITCH = re.compile(r'^(\[English\]\(.*\) \| 中文|English \| \[中文\]\(.*\))$', re.M)
PREDICTION = re.compile(
    r'^\*\*Predict\.\*\*\n(.*?)^<details><summary>Answer</summary>\n(.*?)^</details>', re.M | re.S)
HAN, FULL = '[\u3400-\u9fff]', '[\u3000-\u303f\uff00-\uffef“”‘’…—]'
# a blank that Chinese doesn't have
GAP = re.compile(f'(?<={FULL}) | (?={FULL})|(?<={HAN}) (?={HAN})')
# words that chapters also use without their meaning in the glossary
EVERYDAY = {'answer', 'block', 'call', 'frame', 'send', 'stack'}
PAINT = [(Keyword.Type, 't'), (Keyword, 'k'), (Name.Class, 't'), (Literal.String, 's'),
         (Comment, 'c')]


def slug(title):
    """Returns the anchor that GitHub gives to a heading."""
    return re.sub(r' ', '-', re.sub(r'[^\w -]', '', title.lower()))


def joined(text):
    """Returns a text in one line."""
    text = ' '.join(text.split())
    return GAP.sub('', text) if re.search(HAN, text) else text


def plain(markup):
    """Returns the text of HTML."""
    return joined(html.unescape(re.sub('<[^>]*>', ' ', markup)))


def changes(lines):
    """Returns the lines of a diff as HTML."""
    kinds = {'+': 'ins', '-': 'del', '@': 'em'}
    return '\n'.join(f'<{k}>{html.escape(line, False)}</{k}>' if (k := kinds.get(line[:1]))
                     else html.escape(line, False) for line in lines)


@functools.cache  # a listing is on several pages, and a header in several steps
def lexed(code, language):
    return list(get_lexer_by_name(language, stripnl=False, ensurenl=False).get_tokens(code))


def painted(code, language, names={}, numbered=''):
    """Returns code as HTML. The first occurrence of each of the `names` becomes a link, and each
    line gets an id that begins with `numbered`."""
    if language == 'diff':
        return f'<pre><code>{changes(code.splitlines())}\n</code></pre>'
    seen, out = set(), []
    for kind, text in lexed(code, {'sh': 'bash'}.get(language, language or 'text')):
        short = next((c for k, c in PAINT if kind in k and (language == 'cpp' or k is Comment)), '')
        if kind in Name and text in names and text not in seen:
            seen.add(text)
            out.append(f'<a href="{names[text]}">{text}</a>')
        else:
            out.append('\n'.join(f'<i class={short}>{html.escape(part, False)}</i>' if short
                                 and part.strip() else html.escape(part, False)
                                 for part in text.split('\n')))
    lines = ''.join(out).rstrip('\n').split('\n')
    if numbered:
        lines = [f'<span id="{numbered}{n}">{line}</span>' for n, line in enumerate(lines, 1)]
    return '<pre><code>' + '\n'.join(lines) + '\n</code></pre>'


def address(source):
    """Returns the page of the site that a page of the repository becomes."""
    name, chinese, _ = source.removesuffix('.md').partition('.zh')
    place = next(re.sub(f'^{pattern}$', place, name) for pattern, place in ADDRESSES
                 if re.fullmatch(pattern, name))
    return 'zh_' * bool(chinese) + place.replace('/', '_').lower() + '.html'


def step_of(source):
    """Returns the folder of the step that a page belongs to, if there is one."""
    if source.startswith('your_scheduler/m'):
        facts = (ROOT / source).with_name('facts').read_text()
        return next(ROOT.glob(f'step0{re.search("^chapter (.)", facts, re.M)[1]}*')).name
    return source.split('/')[0] if source.startswith('step') else ''


class Page:
    """A page that is written in Markdown."""

    def __init__(self, source, section='', text=''):
        self.source, self.section = source, section
        self.url, self.step = address(source), step_of(source)
        text = text or (ROOT / source).read_text()
        head = re.match(r'# (.*)\n', text)
        self.title = head.group(1).replace('`', '') if head else source
        self.number = int(self.step[5]) if section == 'chapters' else None
        self.name = re.sub(r'^Step \d: |^第 \d 步：', '', self.title)
        self.text = SWITCH.sub('', text[head.end():] if head else text)
        self.language = 'zh' if source.endswith('.zh.md') else 'en'
        self.twin = None  # the same page in the other language

    def to(self, language):
        """Returns this page in a language, if it exists in it."""
        return self.twin if self.twin and self.language != language else self


def parse(md, text):
    """Returns the tokens of a page. The file of an excerpt is in the info of its fence, and the way
    is left out."""
    return md.parse(FROM.sub(r'\3 \1 \2', WAY.sub('', text)))


def blocks(tokens):
    """Groups tokens: a paragraph, a list, a heading."""
    block, depth = [], 0
    for token in tokens:
        block.append(token)
        depth += token.nesting
        if depth == 0:
            yield block
            block = []


def explain(tokens, glossary):
    """Explains each word of the glossary where it first occurs in the prose, unless the prose
    defines it."""
    words = '|'.join(sorted(map(re.escape, glossary), key=len, reverse=True))
    chinese = re.search(HAN, words)
    pattern = re.compile(rf'(?<!\d )(?<!\d 个)({words})' if chinese
                         else rf'\b({words})s?\b(?! \d)')
    seen = set()

    def term(match):
        if match[1] in seen or bold:
            seen.add(match[1])
            return match[0]
        seen.add(match[1])
        sentence = re.match('.*?。' if chinese else r'.*?[.](?= |$)', glossary[match[1]])[0]
        return f'<dfn tabindex="0" data-means="{html.escape(sentence)}">{match[0]}</dfn>'

    for before, token in zip(tokens, tokens[1:]):
        linked = bold = 0
        for child in token.children if before.type == 'paragraph_open' else []:
            linked += child.nesting * (child.tag == 'a')
            bold += child.nesting * (child.tag == 'strong')
            if child.type == 'text' and not linked and pattern.search(child.content):
                child.type, child.content = 'html_inline', pattern.sub(term,
                    html.escape(child.content, False))


class Renderer(markdown_it.renderer.RendererHTML):
    """Renders what a chapter has beyond Markdown: excerpts of files, drawings, links and words."""
    book = page = output = playing = None
    folded = True
    waiting = ''  # a player, for the end of the fold

    def begin(self, page, folded):
        """Begins to render a page. The links and the headings are its own."""
        self.page, self.folded, self.output, self.slugs = page, folded, None, {}
        self.heading = page.title

    def chinese(self):
        return self.page and self.page.language == 'zh'

    def html_block(self, tokens, i, options, env):
        if not tokens[i].content.startswith('<!--'):
            markup = tokens[i].content.replace('</details>',
                f'</details>{self.waiting}').replace('<table>',
                    '<div class="scroll"><table>').replace('</table>', '</table></div>')
            self.waiting = '' if '</details>' in markup else self.waiting
            return markup if self.folded else markup.replace('<details>', '<details open>')
        self.output = OUTPUT.match(tokens[i].content)
        if play := PLAY.match(tokens[i].content):
            self.playing, link = play[1], self.book.play(self.page.step, play[1], play[2])
            if i + 1 < len(tokens) and tokens[i + 1].content.startswith('<details'):
                self.waiting, link = link, ''  # below the answer
            return link
        return ''

    def fence(self, tokens, i, options, env):
        code, output = tokens[i].content, self.output
        language, *where = tokens[i].info.split() or ['']
        self.output = None
        if language == 'text' and re.search('[│┌└▼▲◀▶]', code):
            return box2svg.svg(code,
                               f'{"图：" if self.chinese() else "Drawing: "}{plain(self.heading)}')
        caption = after = ''
        if where:
            url = self.book.resolve(self.page, where[1])
            caption = f'<figcaption><a href="{url}">{where[0]}</a></figcaption>'
        elif output:
            caption = f'<figcaption>{output[1]} {"打印" if self.chinese() else "prints"}</figcaption>'
            after = '' if f'<!-- play {output[1]} ' in self.page.text else self.book.play(
                self.page.step, output[1])
            if after and self.in_fold(tokens, i):
                self.waiting, after = after, ''
        names = self.book.names.get(self.page.step[:6], {}) if language == 'cpp' else {}
        return f'<figure class="code">{caption}{painted(code, language, names)}</figure>{after}\n'

    @staticmethod
    def in_fold(tokens, i):
        folds = [token.content for token in tokens[i:] if token.type == 'html_block'
                 and re.match('</?details', token.content)]
        return folds[:1] != [] and folds[0].startswith('</details')

    def text(self, tokens, i, options, env):
        return self.with_turns(html.escape(tokens[i].content, False))

    def html_inline(self, tokens, i, options, env):
        return self.with_turns(tokens[i].content)

    def with_turns(self, words):
        """Makes links of the turns of the program that is played in this part of the chapter."""
        run = self.playing and self.book.run_of(self.page.step, self.playing)
        return words if not run else re.sub(r'\b[Tt]urn (\d+)|第 (\d+) 个?回合', lambda found: (
            f'<a href="{run["url"]}#turn-{found[1] or found[2]}" data-run="{run["key"]}" '
            f'data-turn="{found[1] or found[2]}">{found[0]}</a>'), words)

    def code_block(self, tokens, i, options, env):
        code = painted(tokens[i].content, 'cpp' if self.page.step else 'text')
        return f'<figure class="code">{code}</figure>\n'

    def heading_open(self, tokens, i, options, env):
        self.playing = None if tokens[i].tag == 'h2' else self.playing
        self.heading = self.renderInline(tokens[i + 1].children, options, env)
        # a place has the same name in both languages
        stamp = STAMP.match(tokens[i + 3].content) if tokens[i + 3:] else None
        name = slug(stamp[1] if stamp else tokens[i + 1].content
                    if '](' not in tokens[i + 1].content else plain(self.heading))
        self.slugs[name] = self.slugs.get(name, -1) + 1
        return (f'<{tokens[i].tag} '
                f'id="{name}{"-%d" % self.slugs[name] if self.slugs[name] else ""}">')

    def softbreak(self, tokens, i, options, env):
        """Joins Chinese lines, between which a browser would put a space."""
        before, after = (re.sub('<[^>]*>', '', ''.join(token.content for token in part))
                         for part in (tokens[:i], tokens[i + 1:]))
        return '' if self.chinese() and GAP.search(f'{before[-1:]} {after[:1]}') else '\n'

    def code_inline(self, tokens, i, options, env):
        code, url = tokens[i].content, self.book.command(tokens[i].content)
        linked = i > 0 and tokens[i - 1].type == 'link_open'
        code = f'<code>{html.escape(code, False)}</code>'
        return self.link(url, code) if url and not linked else code

    def image(self, tokens, i, options, env):
        tokens[i].attrs['src'] = Path(tokens[i].attrs['src']).name
        return super().image(tokens, i, options, env)

    def table_open(self, tokens, i, options, env):
        plan = (ROOT / self.page.source).with_name('table')
        bars = plots.figure(plan.read_text(), plots.table(tokens[i:])) if plan.is_file() else ''
        return f'{bars}<div class="scroll"><table>\n'

    def table_close(self, tokens, i, options, env):
        return '</table></div>\n'

    def th_open(self, tokens, i, options, env):
        tokens[i].tag = tokens[i].tag if tokens[i + 1].content else 'td'
        return self.renderToken(tokens, i, options, env)

    def th_close(self, tokens, i, options, env):
        return '</th>' if tokens[i - 1].content else '</td>'

    def link(self, url, markup):
        """Returns a link to a page, which tells a Chinese reader if the page is English."""
        english = ' hreflang="en"' if self.chinese() and not url.startswith('zh_') else ''
        return f'<a href="{url}"{english}>{markup}</a>'

    def link_open(self, tokens, i, options, env):
        href, tokens[i].attrs['href'] = tokens[i].attrs['href'], self.book.resolve(self.page,
            tokens[i].attrs['href'])
        if self.chinese() and re.search(r'(?<!\.zh)\.md(#|$)', href):
            tokens[i].attrs['hreflang'] = 'en'
        return self.renderToken(tokens, i, options, env)
