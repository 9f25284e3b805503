"""Errors: one family, messages that name places in the reader's language."""

import pytest

from gmtoolbox.core import errors


def test_everything_refused_is_one_family():
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, Warning)
    ]
    assert len(kinds) >= 8 and all(issubclass(kind, errors.GMError) for kind in kinds)
    assert issubclass(errors.InputError, ValueError)


def test_file_errors_name_the_line_where_it_is_known():
    assert str(errors.FileFormatError("x.dd", "is wrong", 3)) == "x.dd:3: is wrong"
    assert str(errors.FileFormatError("x.dd", "is wrong")) == "x.dd: is wrong"


@pytest.mark.parametrize(
    "name, expected",
    [("rrvm", " (did you mean 'rrwm'?)"), ("RRWM", " (did you mean 'rrwm'?)"), ("zzzzzz", "")],
)
def test_suggestions(name, expected):
    assert errors.did_you_mean(name, ["rrwm", "fm-bca"]) == expected


def test_places_are_told_as_matlab_counts_where_matlab_asks():
    assert errors.element("K", 2, 3) == "K[2, 3]" and errors.pair(0, 4) == "(0, 4)"
    assert errors.labels_range(5) == "-1..4" and errors.type_name("float64") == "float64"
    with errors.matlab_speech():
        assert errors.element("K", 2, 3) == "K(3,4)" and errors.pair(0, 4) == "(1, 5)"
        assert errors.labels_range(5) == "0..5" and errors.type_name("float64") == "double"
    assert errors.element("K", 2, 3) == "K[2, 3]"
