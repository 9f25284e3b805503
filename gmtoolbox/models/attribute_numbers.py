"""Numbers of attribute dicts; dicts that no function can distinguish have the same number."""

from numbers import Number

# values of these types are equal only if no function can distinguish them, but for 0.0 and -0.0
PLAIN = ({str, int, type(None)}, {str, float, type(None)}, {str, bool, type(None)})
SINGLE = ({str}, {int})
EXACT = {str, int, bool, bytes, type(None)}  # equal values of one class are the same


class Numbering:
    """Small numbers for things of equal content, in order of appearance."""

    def __init__(self):
        self.number, self.content = {}, []
        self.single = {}  # (name, class): {value: number} of dicts with one string or integer

    def of(self, key, content):
        """The number of key; a key that cannot be hashed has a number of its own."""
        new = len(self.content)
        try:
            known = self.number.setdefault(key, new)
        except TypeError:
            known = new
        if known == new:
            self.content.append(content)
        return known

    def of_values(self, name, values, data):
        """Return the number of each dict {name: value}; the values are of one class."""
        kind = values[0].__class__
        known = self.single.setdefault((name, kind), {})
        for value, own in dict(zip(values, data, strict=True)).items():
            if value not in known:
                known[value] = self.of(((name, kind, value),), own)
        return list(map(known.__getitem__, values))


def attribute_key(data):
    """Return a key, equal for dicts with the same costs; 1, 1.0 and True are different, as are 0.0
    and -0.0, also in tuples.
    """
    return tuple([(name, kind_of(value), value) for name, value in data.items()])


def kind_of(value):
    """Return something that is different for equal values which a function can distinguish: their
    class, and how a number is written. Of a tuple or a set, those of its parts.
    """
    kind = value.__class__
    if kind in EXACT:
        return kind
    if kind is tuple:
        return tuple(map(kind_of, value))
    if kind is frozenset:
        return frozenset([(kind_of(part), part) for part in value])
    return (kind, repr(value)) if isinstance(value, Number) else kind


def has_zeros(data):
    """Return whether one of the values is 0.0 or -0.0."""
    return any([value == 0.0 for own in data for value in own.values()])


def number_plain(data, numbering):
    """Return the number of each attribute dict. Keys take long: if values are plain, each content
    is asked for once.
    """
    of = numbering.of
    name, values = single_values(data)
    if values is not None:
        return numbering.of_values(name, values, data)
    types = {type(value) for own in data for value in own.values()}
    if not any([types <= plain for plain in PLAIN]) or (float in types and has_zeros(data)):
        return [of(attribute_key(own) if own else (), own) for own in data]
    keys = [tuple(own.items()) for own in data]
    known = dict(zip(keys, data, strict=True))
    known = {key: of(attribute_key(own) if own else (), own) for key, own in known.items()}
    return [known[key] for key in keys]


def single_values(data):
    """Return (name, values) of dicts with one string each, or one integer each, under this name;
    else (None, None).
    """
    for name in data[0] if data else ():
        found = values_of(name, data)
        return (None, None) if found is None or sum(map(len, data)) > len(data) else (name, found)
    return None, None


def values_of(name, data):
    """Return the value of each dict under this name if all are strings or all integers, else
    None.
    """
    found = [own.get(name) for own in data]
    return found if set(map(type, found)) in SINGLE else None
