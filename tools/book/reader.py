"""Reads what is written in Markdown, and what a chapter has beyond it: excerpts with file and line, drawings,
predictions, words of the glossary."""
import html
import re
from pathlib import Path

import markdown_it
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Literal, Name

import box2svg
import live

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r'<!-- (code|output) ([^ :]+):? ?(.*) -->')
EVERYDAY = {'answer', 'block', 'call', 'frame', 'send', 'stack'}  # words that chapters also use without their meaning in the glossary
PAINT = [(Keyword.Type, 't'), (Keyword, 'k'), (Name.Class, 't'), (Literal.String, 's'), (Comment, 'c')]


def slug(title):
    """Returns the anchor that GitHub gives to a heading."""
    return re.sub(r' ', '-', re.sub(r'[^\w -]', '', title.lower()))


def plain(markup):
    """Returns the text of HTML."""
    return ' '.join(html.unescape(re.sub('<[^>]*>', ' ', markup)).split())


def painted(code, language, names={}, numbered=False):
    """Returns code as HTML. The first occurrence of each of the `names` becomes a link."""
    lexer = get_lexer_by_name({'sh': 'bash'}.get(language, language or 'text'), stripnl=False, ensurenl=False)
    seen, out = set(), []
    for kind, text in lexer.get_tokens(code):
        short = next((c for k, c in PAINT if kind in k and (language == 'cpp' or k is Comment)), '')
        if kind in Name and text in names and text not in seen:
            seen.add(text)
            out.append(f'<a href="{names[text]}">{text}</a>')
        else:
            out.append('\n'.join(f'<i class={short}>{html.escape(part, False)}</i>' if short and part.strip() else html.escape(part, False)
                                 for part in text.split('\n')))
    lines = ''.join(out).rstrip('\n').split('\n')
    if numbered:
        lines = [f'<span id="L{n}">{line}</span>' for n, line in enumerate(lines, 1)]
    return '<pre><code>' + '\n'.join(lines) + '\n</code></pre>'


class Page:
    """A page that is written in Markdown."""

    def __init__(self, source, url, section='', step='', name=None):
        self.source, self.url, self.section, self.step = source, url, section, step
        text = (ROOT / source).read_text()
        head = re.match(r'# (.*)\n', text)
        self.title = head.group(1).replace('`', '') if head else source
        self.number = int(step[5]) if section == 'chapters' else None
        self.name = name or re.sub(r'^Step \d: ', '', self.title)
        self.text = text[head.end():] if head else text


def blocks(tokens):
    """Groups tokens: a paragraph, a list, a heading."""
    block, depth = [], 0
    for token in tokens:
        block.append(token)
        depth += token.nesting
        if depth == 0:
            yield block
            block = []


def fold_answers(tokens):
    """Puts the answer of each prediction, and the output that shows it, into a <details>."""
    out, state, predicted, all_blocks = [], '', False, list(blocks(tokens))

    def put(markup):
        token = markdown_it.token.Token('html_block', '', 0)
        token.content = markup
        out.append(token)

    for block, after in zip(all_blocks, all_blocks[1:] + [[]]):
        first, text = block[0], block[1].content if len(block) > 1 else block[0].content
        code = text.startswith('<!-- code') or text.endswith(':') and after and after[0].content.startswith('<!-- code')
        asks = first.type == 'paragraph_open' and text.startswith('**Predict.**')
        if state == 'open' and (first.type == 'heading_open' or asks or code):
            put('</details>\n')
            state = ''
        if first.type == 'heading_open':
            if first.tag == 'h2':
                predicted = text == 'Predict' or predicted and text in ('Run it', 'What you saw')
            state = text if predicted and first.tag == 'h2' else ''
        elif asks:
            state = 'asked'
        elif (state == 'Run it' and (text.startswith('<!-- output') or first.info == 'text') or state == 'What you saw'
              or state == 'asked' and first.info != 'sh' and not text.startswith('Write down')):
            put(f'<details class="answer"><summary>Show the {"output" if state == "Run it" else "answer"}</summary>\n')
            state = 'open'
        out += block
    if state == 'open':
        put('</details>\n')
    return out


def explain(tokens, glossary):
    """Explains each word of the glossary where it first occurs in the prose, unless the prose defines it."""
    pattern = re.compile(r'\b(' + '|'.join(sorted(map(re.escape, glossary), key=len, reverse=True)) + r')(s?)\b')
    seen = set()

    def term(match):
        if match[1] in seen | EVERYDAY or bold:
            seen.add(match[1])
            return match[0]
        seen.add(match[1])
        sentence = re.match(r'.*?[.](?= |$)', glossary[match[1]])[0]
        return f'<dfn tabindex="0" data-means="{html.escape(sentence)}">{match[0]}</dfn>'

    for before, token in zip(tokens, tokens[1:]):
        linked = bold = 0
        for child in token.children if before.type == 'paragraph_open' else []:
            linked += child.nesting * (child.tag == 'a')
            bold += child.nesting * (child.tag == 'strong')
            if child.type == 'text' and not linked and pattern.search(child.content):
                child.type, child.content = 'html_inline', pattern.sub(term, html.escape(child.content, False))


class Renderer(markdown_it.renderer.RendererHTML):
    """Renders what a chapter has beyond Markdown: excerpts with file and line, drawings, links and words."""
    book = page = mark = None
    folded = True

    def html_block(self, tokens, i, options, env):
        if not tokens[i].content.startswith('<!--'):
            return tokens[i].content.replace('<table>', '<div class="scroll"><table>').replace('</table>', '</table></div>')
        mark = MARK.match(tokens[i].content)
        self.mark = mark.groups() if mark else None
        return ''

    def fence(self, tokens, i, options, env):
        code, language, mark = tokens[i].content, tokens[i].info.strip(), self.mark
        self.mark, more = None, ''
        if language == 'text' and re.search('[│┌└▼▲◀▶]', code):
            return box2svg.svg(code, f'Drawing: {plain(self.heading)}')
        caption = ''
        if mark and mark[0] == 'code':
            caption = self.book.caption(self.page, mark[1], mark[2])
        elif mark:
            caption = f'<figcaption>{mark[1]} prints{self.book.play(self.page.step, mark[1])}</figcaption>'
            more = live.form(self.book.live, self.page.step, mark[1]) if self.folded and not mark[2] else ''
        elif language == 'sh' and (run := re.match(r'\./learn run (\d) (\w+)', code)) and f'output {run[2]} ' not in self.page.text:
            play = self.book.play(self.page.step, run[2])
            caption = f'<figcaption>{run[2]}{play}</figcaption>' if play else ''
        names = self.book.names.get(self.page.step[:6], {}) if language == 'cpp' else {}
        return f'<figure class="code">{caption}{painted(code, language, names)}{more}</figure>\n'

    def code_block(self, tokens, i, options, env):
        return f'<figure class="code">{painted(tokens[i].content, "cpp" if self.page.step else "text")}</figure>\n'

    def heading_open(self, tokens, i, options, env):
        self.heading = self.renderInline(tokens[i + 1].children, options, env)
        name = slug(tokens[i + 1].content if '](' not in tokens[i + 1].content else plain(self.heading))
        self.slugs[name] = self.slugs.get(name, -1) + 1
        return f'<{tokens[i].tag} id="{name}{"-%d" % self.slugs[name] if self.slugs[name] else ""}">'

    def code_inline(self, tokens, i, options, env):
        code, url = tokens[i].content, self.book.command(tokens[i].content)
        linked = i > 0 and tokens[i - 1].type == 'link_open'
        code = f'<code>{html.escape(code, False)}</code>'
        return f'<a href="{url}">{code}</a>' if url and not linked else code

    def table_open(self, tokens, i, options, env):
        return '<div class="scroll"><table>\n'

    def table_close(self, tokens, i, options, env):
        return '</table></div>\n'

    def th_open(self, tokens, i, options, env):
        tokens[i].tag = tokens[i].tag if tokens[i + 1].content else 'td'
        return self.renderToken(tokens, i, options, env)

    def th_close(self, tokens, i, options, env):
        return '</th>' if tokens[i - 1].content else '</td>'

    def link_open(self, tokens, i, options, env):
        tokens[i].attrs['href'] = self.book.resolve(self.page, tokens[i].attrs['href'])
        return self.renderToken(tokens, i, options, env)
