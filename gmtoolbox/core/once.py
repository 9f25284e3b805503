"""Attributes that are computed when they are first asked for."""


class once:
    """A method that becomes an attribute: functools.cached_property without the lock that it takes
    before Python 3.12, which takes twice as long as the rest.
    """

    def __init__(self, function):
        self.function, self.__doc__ = function, function.__doc__

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        found = instance.__dict__[self.name] = self.function(instance)
        return found
