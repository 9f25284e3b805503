"""python -m gmtoolbox"""

import sys

from gmtoolbox.cli import main

if __name__ == "__main__":
    sys.exit(main())
