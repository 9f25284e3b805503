"""The register of verbs: every call of the .m files has one, and every verb a caller."""

import re

from gmtoolbox.wrappers import matlab_folder
from gmtoolbox.wrappers.calls import VERBS


def test_the_m_files_ask_for_what_there_is():
    text = "".join(path.read_text() for path in matlab_folder().rglob("*.m"))
    assert set(re.findall(r"gm_call\('(\w+)'", text)) == set(VERBS)
