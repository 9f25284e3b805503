"""Files of many graphs: one problem through all of its forms, and truth beside a dd file."""

import json

import gmtoolbox as gm


def test_one_problem_through_all_forms(tmp_path):
    m = gm.synth.worms_multi(d=3, m=10)
    gm.save(m, tmp_path / "m.dd.xz")
    gm.save(gm.load(tmp_path / "m.dd.xz"), tmp_path / "m.h5")
    gm.save(gm.load(tmp_path / "m.h5"), tmp_path / "folder")
    assert gm.load(tmp_path / "folder").pairs == m.pairs


def test_truth_beside_a_dd_file(tmp_path):
    m = gm.synth.worms_multi(d=3, m=10)
    gm.save(m, tmp_path / "s.dd.xz")
    facts = {"nodes": list(m.sizes), "tracks": [own.tolist() for own in m.truth]}
    (tmp_path / "s.json").write_text(json.dumps(facts))
    assert gm.track_f1(gm.load(tmp_path / "s.dd.xz").truth, m.truth) == 1.0
