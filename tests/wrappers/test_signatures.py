"""What MATLAB's editor completes: every function, and the options of the method that was typed."""

import gmtoolbox as gm
from gmtoolbox.wrappers import matlab_folder
from gmtoolbox.wrappers.signatures import signatures

KNOWN = signatures(matlab_folder())


def names(function):
    return [entry.get("name") for entry in KNOWN[function]["inputs"]]


def test_arguments_are_those_of_the_functions():
    assert names("gm_points")[:4] == ["P", "Q", "F1", "F2"] and "metric" in names("gm_points")
    assert names("gm_load") == ["file", "complete", "key", "sense", "shape"]
    assert names("gm_evaluate") == ["answer", "truth", "outliers"] and names("gm_last") == []
    assert {"n_jobs", "store", "retry_failed"} <= set(names("gm_batch"))


def test_options_follow_the_method():
    groups = KNOWN["gm_solve"]["inputs"][-1]["mutuallyExclusiveGroup"]
    found = {group[0]["type"][0]: [entry["name"] for entry in group[1:]] for group in groups}
    for method in gm.gm_methods():
        expected = [option.name for option in method.options]
        assert found[f"choices={{'{method.name}'}}"] == expected
        wrapper = "wrapper_" + method.name.replace("-", "_")
        assert set(expected) <= set(names(wrapper))


def test_no_name_comes_twice():
    for function in KNOWN.keys() - {"_schemaVersion"}:
        found = [name for name in names(function) if name]
        assert len(set(found)) == len(found), function
