"""Attributes that are computed once."""

from gmtoolbox.core.once import once


class Square:
    """A number whose square is counted."""

    def __init__(self, side):
        self.side, self.asked = side, 0

    @once
    def area(self):
        """Return the area."""
        self.asked += 1
        return self.side**2


def test_an_attribute_is_computed_once():
    one, other = Square(3), Square(4)
    assert (one.area, one.area, other.area) == (9, 9, 16)
    assert one.asked == other.asked == 1
    assert Square.area.__doc__ == "Return the area." and Square(1).asked == 0
