"""Tables and numbers as plain text."""

import math
import re
import reprlib
from numbers import Number
from unicodedata import combining, east_asian_width


def number(value, digits=6):
    """Return a number for people: '-' for a missing one, whole numbers whole, others with this many
    digits, but never fewer than stand before the point.
    """
    if value is None or not math.isfinite(value):
        return "-"
    if abs(value) < LARGEST_WHOLE and (value == round(value) or abs(value) >= 10.0**digits):
        return f"{round(value)}"
    return f"{value:.{digits}g}"


def number_or_inf(value, digits=6):
    """Return number(value), but 'inf' or '-inf' for a bound that there is not."""
    return f"{value:g}" if math.isinf(value) else number(value, digits)


def number_below(value, digits=4):
    """Return a lower bound for people: rounded downwards, so that the text is not above it by more
    than the rounding of the last bits.
    """
    shown = number(value, digits)
    if shown == "-" or float(shown) - value <= ROUNDING * abs(value):
        return shown
    if abs(value) >= 10.0**digits:
        return number(math.floor(value))
    unit = 10.0 ** (math.floor(math.log10(abs(value))) + 1 - digits)
    return number(float(shown) - unit, digits)


def number_above(value, digits=4):
    """Return an upper bound for people: rounded upwards, so that the text is not below it."""
    shown = number_below(-value, digits)
    return shown.removeprefix("-") if value > 0 else number(value, digits)


def percent(fraction):
    """Return '12 %' of 0.12, '-' for a missing number; '100 %' is all and '0 %' none, others that
    round to these are '> 99 %' and '< 1 %'.
    """
    if fraction is None or not math.isfinite(fraction):
        return "-"
    shown = round(100 * fraction)
    if shown == 100 and fraction < 1:
        return "> 99 %"
    if shown == 0 and fraction > 0:
        return "< 1 %"
    return f"{shown} %"


def rate_text(rate):
    """Return a rate with three digits; '1.000' is all and '0.000' none."""
    shown = f"{rate:.3f}"
    if shown == "1.000" and rate < 1:
        return "> 0.999"
    return "< 0.001" if shown == "0.000" and rate > 0 else shown


def gap_text(gap):
    """Return a relative gap in per cent: '0' if only rounding is left, '< 0.01 %', '0.12 %', or '-'
    if there is none.
    """
    if gap is None or not math.isfinite(gap):
        return "-"
    if abs(gap) <= ROUNDING:
        return "0"
    if 0 < gap < 1e-4:
        return "< 0.01 %"
    if abs(gap) >= 9.995:
        return f"{100 * gap:.0f} %"
    return f"{100 * gap:.2g} %" if abs(gap) < 0.1 else f"{100 * gap:.3g} %"


def time_text(seconds):
    """Return a time with two digits: '< 1 ms', '25 ms', '1.2 s', '10 s', '3 min', '2 h'."""
    if seconds is None or not math.isfinite(seconds):
        return "-"
    if seconds < 1e-3:
        return "< 1 ms"
    for unit, size, end in (("ms", 1e-3, 1.0), ("s", 1.0, 100.0), ("min", 60.0, 6000.0)):
        if float(f"{seconds:.2g}") < end:
            return f"{float(f'{seconds / size:.2g}'):g} {unit}"
    return f"{float(f'{seconds / 3600:.2g}'):g} h"


def seconds_text(seconds):
    """Return a time in seconds with three digits, never with an exponent: '0.0123 s', '1234 s'."""
    if seconds is None or not math.isfinite(seconds):
        return "-"
    if seconds >= 999.5:
        return f"{seconds:.0f} s"
    shown = f"{seconds:.3g}"
    return f"{f'{seconds:.9f}'.rstrip('0') if 'e' in shown else shown} s"


LARGEST_WHOLE = 1e15  # doubles hold whole numbers up to about this exactly
ROUNDING = 1e-9  # a relative gap that small is rounding
FORMULAS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")  # first characters of formulas; also in full width
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LONGEST_NAME = 60  # characters of a file name that are kept
RESULT_HEADINGS = (
    "instance",
    "method",
    "value",
    "bound",
    "gap",
    "time",
    "accuracy",
    "status",
)


def result_row(instance, method, result, correct):
    """Return the cells under RESULT_HEADINGS of anything with value, bound, gap, time and status;
    correct: its accuracy, or None.
    """
    numbers = (
        number(result.value, 8),
        number(result.bound, 8),
        gap_text(result.gap),
        seconds_text(result.time),
    )
    return instance, method, *numbers, percent(correct), result.status


def table(headings, rows, texts=1):
    """Aligned columns under their headings; the first `texts` of them flush left, the others, which
    hold numbers, flush right.
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(width_on_screen, column)) for column in zip(headings, *rows, strict=True)]
    pad = [pad_right if k < texts else pad_left for k in range(len(widths))]
    lines = [headings, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            put(cell, width) for put, cell, width in zip(pad, line, widths, strict=True)
        ).rstrip()
        for line in lines
    )


def width_on_screen(text):
    """Return the columns that a text takes in a terminal: letters of East Asian scripts take two,
    accents that join the letter before them none.
    """
    if text.isascii():
        return len(text)
    return sum(
        2 if east_asian_width(letter) in "WF" else 0 if combining(letter) else 1 for letter in text
    )


def pad_right(text, width):
    """Return a text with blanks behind it, as wide as asked for on the screen."""
    return text + " " * (width - width_on_screen(text))


def pad_left(text, width):
    """Return a text with blanks before it, as wide as asked for on the screen."""
    return " " * (width - width_on_screen(text)) + text


def natural(name):
    """Sort key by which car2 comes before car10."""
    parts = re.split(r"([0-9]+)", str(name))
    digits = [part.lstrip("0") for part in parts[1::2]]
    parts[1::2] = [(len(part), part) for part in digits]  # longer numbers are larger
    parts[::2] = [(-1, part) for part in parts[::2]]
    return parts


def show(value):
    """A value in a message: short, whatever it is."""
    return reprlib.repr(value)


def printable(text):
    """Return a text for a terminal or a page: control and invalid characters are escaped."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in str(text)
    )


def spreadsheet(cell):
    """A cell of a CSV file: a text printable, and not a formula to programs that open it; numbers
    as they are.
    """
    if cell is None or isinstance(cell, Number):
        return cell
    text = printable(cell)  # a tab or return before a formula is spelled out, too
    return f"'{text}" if text.startswith(FORMULAS) else text


def markup(text, quote=True):
    """A text for XML and HTML: escaped, and characters that XML does not allow (control characters,
    lone surrogates) are spelled out.
    """
    from html import escape  # only pictures and pages need it

    legal = NOT_IN_XML.sub(lambda found: found[0].encode("unicode_escape").decode(), str(text))
    return escape(legal, quote)


def latex(text):
    """A text for LaTeX."""
    special = {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{letter: "\\" + letter for letter in "&%$#_{}"},
    }
    return "".join(special.get(letter, letter) for letter in printable(text))


def file_name(name):
    """A plain file name for any name; different names have different ones, and none leads to
    another folder.
    """
    import hashlib  # OpenSSL behind it takes a while

    def spell_out(letter):
        return "".join(f"~{byte:02x}" for byte in letter[0].encode("utf-8", "surrogatepass"))

    plain = re.sub(r"[^A-Za-z0-9._-]|^\.|^$", spell_out, str(name)) or "~"
    if len(plain) <= LONGEST_NAME:
        return plain
    digest = hashlib.sha256(str(name).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{plain[:LONGEST_NAME]}~~{digest[:16]}"


def count_noun(number, noun):
    """'1 run', '2 runs'."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def limit_text(limit):
    """A time limit in words."""
    return "no limit" if math.isinf(limit) else f"{limit:g} s"
