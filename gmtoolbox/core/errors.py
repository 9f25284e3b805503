"""Every error that gmtoolbox raises on purpose. All of them are GMError."""


class GMError(Exception):
    """Base class: catch this to catch everything gmtoolbox refuses."""


class InputError(GMError, ValueError):
    """An argument breaks a rule; the message names the argument, the rule and the value."""


class FileFormatError(InputError):
    """A file breaks its format; the message starts with `path:line:` where a line is known."""

    def __init__(self, path, message, line=None):
        self.path, self.line, self.message = str(path), line, message
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")


class OptionError(InputError):
    """A method has no such option, or the option's value is out of range."""


class UnknownMethodError(InputError):
    """No method of that name is registered."""


class InfeasibleError(GMError):
    """A complete matching is asked for and none exists."""


class VerificationError(GMError):
    """A result does not hold what it claims."""


class KernelError(GMError, RuntimeError):
    """A compiled kernel failed; its text says why."""


def did_you_mean(name, known):
    """' (did you mean 'x'?)' for the closest known name, or ''."""
    from difflib import get_close_matches

    spelled = {one.lower(): one for one in known}
    close = get_close_matches(str(name).lower(), list(spelled), n=1)
    return f" (did you mean {spelled[close[0]]!r}?)" if close else ""
