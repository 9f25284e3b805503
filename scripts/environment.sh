# Sourced by scripts/demo, scripts/test and .ci/run, which set $root (the repository); leaves $python, that
# of the private environment .venv. Nothing outside the repository is written and the superuser is never
# needed. PYTHON=/path/to/python chooses another interpreter than python3.

cd "${root:?is the repository: set it before sourcing this}"
base=${PYTHON:-python3}

# Everything that is missing is named at once, with the line that installs it.
missing= packages=
need() { missing="$missing
  - $1" packages="$packages $2"; }

if ! command -v "$base" >/dev/null 2>&1; then
    need "Python 3.11 or newer (no '$base' here)" "python3 python3-venv python3-dev"
elif ! "$base" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    need "Python 3.11 or newer ('$base' is $("$base" -c 'import platform; print(platform.python_version())')); or set PYTHON" python3
else
    "$base" -c 'import ensurepip, venv' 2>/dev/null || need "the venv module of $base" python3-venv
    include=$("$base" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    [ -f "$include/Python.h" ] || need "Python.h, the headers of $base (not in $include)" python3-dev
fi
compiler=${CC:-cc}
if ! command -v "${compiler%% *}" >/dev/null 2>&1; then
    need "a C compiler (no '$compiler' here)" "gcc libc6-dev"
elif ! printf '#include <stdio.h>\nint main(void) { return 0; }\n' | $compiler -x c -fsyntax-only - 2>/dev/null; then
    need "the C library's headers (stdio.h)" libc6-dev
fi
if [ -n "$missing" ]; then
    echo "gmtoolbox cannot be set up, this machine lacks:$missing" >&2
    echo "On Debian and Ubuntu this installs it:" >&2
    echo "  sudo apt-get install$packages" >&2
    exit 1
fi

# Two commands started at once must not build into the same environment.
if command -v flock >/dev/null 2>&1; then
    exec 9>"$root/.venv.lock"
    flock 9
fi

# The stamp tells what the environment was made from: while nothing of it changes, set-up is over at once.
# The install is editable, so changes of Python files need no new one.
python="$root/.venv/bin/python"
stamp="$root/.venv/gmtoolbox.stamp"
wanted=$({ "$base" --version; echo "$root $compiler ${GMTOOLBOX_CFLAGS:-} ${GMTOOLBOX_LDFLAGS:-}"
           find setup.py setup.cfg pyproject.toml cext -type f ! -name '*.o' ! -path '*/__pycache__/*' | LC_ALL=C sort | xargs cksum; } | cksum)
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || ! "$python" -c 'import gmtoolbox._cext' 2>/dev/null; then
    echo "gmtoolbox: setting up the private environment .venv (once, about a minute)" >&2
    rm -f "$stamp"
    "$python" -c 'import pip' 2>/dev/null || { rm -rf "$root/.venv"; "$base" -m venv "$root/.venv"; }
    # Dependency groups need pip 25.1. Pip's output is shown only if something goes wrong.
    log="$root/.venv/install.log"
    { "$python" -m pip install --quiet --disable-pip-version-check 'pip>=25.1' &&
        "$python" -m pip install --quiet --disable-pip-version-check --group test --editable .; } >"$log" 2>&1 || {
        cat "$log" >&2
        echo "gmtoolbox: the installation failed; the lines above say why" >&2
        exit 1
    }
    echo "$wanted" >"$stamp"
fi
if [ -e "$root/.venv.lock" ]; then exec 9>&-; fi
