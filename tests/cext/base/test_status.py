"""Every status has a text of its own."""

from gmtoolbox.core._ffi import ffi, lib


def test_texts_differ():
    codes = (lib.GM_OK, lib.GM_ENOMEM, lib.GM_EARGUMENT, lib.GM_EINFEASIBLE, lib.GM_ELIMIT)
    texts = [ffi.string(lib.gm_status_text(code)).decode() for code in codes]
    assert len(set(texts)) == len(codes) and all(texts)
    unknown = ffi.string(lib.gm_status_text(-999)).decode()
    assert unknown not in texts
