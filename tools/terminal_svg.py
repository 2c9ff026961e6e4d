#!/usr/bin/env python3
"""terminal_svg.py [--title TEXT] < text > picture.svg: terminal output as a picture of a window.

Understands ANSI bold, faint and the eight colours; follows the reader's light or dark theme. Columns
stay columns: every run of text is placed and stretched to whole character cells.
"""
import argparse
import re
import sys
import unicodedata
from html import escape

CELL_WIDTH, LINE_HEIGHT, FONT_SIZE, MARGIN, TITLE_HEIGHT = 7.8, 18, 13, 16, 34
ANSI = re.compile(r"\x1b\[([\d;]*)m|\x1b\[[\d;?]*[A-Za-z]")
COLOURS = {  # name: (light, dark)
    "fg": ("#24292f", "#d6dde5"), "bg": ("#ffffff", "#161b22"), "dot": ("#d0d7de", "#30363d"),
    "title": ("#57606a", "#8b949e"), "c30": ("#24292f", "#8b949e"), "c31": ("#b42318", "#ff7b72"),
    "c32": ("#116329", "#7ee787"), "c33": ("#7d4e00", "#e3b341"), "c34": ("#0550ae", "#79c0ff"),
    "c35": ("#8250df", "#d2a8ff"), "c36": ("#1b7c83", "#76e3ea"), "c37": ("#57606a", "#d6dde5")}


def cells(text):
    """How many terminal columns the text takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def changed(style, codes):
    """The style (a frozenset of class names) after the codes of one escape sequence."""
    for code in (int(c or 0) for c in codes.split(";")):
        if code == 0:
            style = frozenset()
        elif code == 1:
            style |= {"bold"}
        elif code == 2:
            style |= {"faint"}
        elif code == 22:
            style -= {"bold", "faint"}
        elif 30 <= code <= 37 or 90 <= code <= 97:
            style = frozenset(s for s in style if not s.startswith("c3")) | {f"c{30 + code % 10}"}
        elif code == 39:
            style = frozenset(s for s in style if not s.startswith("c3"))
    return style


def runs(line, style):
    """[(text, style)] of one line, and the style after it."""
    found, start = [], 0
    for escape_code in ANSI.finditer(line):
        found.append((line[start:escape_code.start()], style))
        if escape_code[1] is not None:
            style = changed(style, escape_code[1])
        start = escape_code.end()
    found.append((line[start:], style))
    return [run for run in found if run[0]], style


def spans(line_runs, y):
    """The SVG text of one line: one element a word group, so that gaps of spaces cannot drift."""
    column, parts = 0, []
    for text, style in line_runs:
        for piece in re.findall(r"\S+(?: \S+)*|\s+", text):
            if not piece.isspace():
                width = cells(piece) * CELL_WIDTH
                classes = f' class="{" ".join(sorted(style))}"' if style else ""
                parts.append(f'<text x="{MARGIN + column * CELL_WIDTH:.1f}" y="{y}" textLength="{width:.1f}" '
                             f'lengthAdjust="spacingAndGlyphs"{classes}>{escape(piece)}</text>')
            column += cells(piece)
    return parts


def stylesheet():
    def theme(which):
        rules = [f".{name} {{ fill: {pair[which]} }}" for name, pair in COLOURS.items()]
        rules += [f"text {{ fill: {COLOURS['fg'][which]} }}", f".frame {{ stroke: {COLOURS['dot'][which]} }}"]
        return " ".join(rules)
    # The plain `text` rule is weaker than a class, so coloured runs keep their colour.
    return (f"text {{ font: {FONT_SIZE}px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace }}"
            f" .bold {{ font-weight: bold }} .faint {{ opacity: .65 }}\n{theme(0)}\n"
            f"@media (prefers-color-scheme: dark) {{ {theme(1)} }}")


def picture(text, title=""):
    lines = text.expandtabs(8).rstrip("\n").split("\n")
    style, body, columns, y = frozenset(), [], cells(title) + 12, TITLE_HEIGHT + MARGIN + FONT_SIZE
    for line in lines:
        line_runs, style = runs(line, style)
        body += spans(line_runs, y)
        columns = max(columns, cells("".join(t for t, _ in line_runs)))
        y += LINE_HEIGHT
    width = columns * CELL_WIDTH + 2 * MARGIN
    height = TITLE_HEIGHT + len(lines) * LINE_HEIGHT + 2 * MARGIN
    dots = [f'<circle class="dot" cx="{18 + 18 * i}" cy="17" r="5.5"/>' for i in range(3)]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        f'height="{height}" role="img" aria-label="{escape(title, quote=True) or "terminal"}">',
        f"<style>{stylesheet()}</style>",
        f'<rect class="bg frame" x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1}" rx="8"/>',
        *dots,
        f'<text class="title" x="{width / 2:.0f}" y="21" text-anchor="middle">{escape(title)}</text>',
        f'<line class="frame" x1="0" y1="{TITLE_HEIGHT}" x2="{width:.0f}" y2="{TITLE_HEIGHT}"/>',
        *body, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--title", default="")
    print(picture(sys.stdin.read(), parser.parse_args().title), end="")


if __name__ == "__main__":
    main()
