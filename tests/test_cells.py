"""Cells across sessions, in every form that programs write."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.transform import Rotation

import gmtoolbox as gm
from gmtoolbox.cells import cells_of, track_table
from gmtoolbox.core.errors import InputError


def sessions(seed=0, d=3, n=60, with_areas=False):
    """(centroids, areas, true tracks) of one field of view that turns, bends, loses and gains."""
    rng = np.random.default_rng(seed)
    scene = rng.uniform(0, 500, (5 * n, 2))
    far = np.linalg.norm(scene[:, None] - scene, axis=2)
    scene = scene[[i for i in range(5 * n) if (far[i, :i] > 25).all()][:n]]
    size = rng.uniform(40, 200, len(scene))
    places, areas, truth = [], [], []
    for g in range(d):
        own = np.flatnonzero(rng.random(len(scene)) > 0.15)
        angle = 0.1 * g
        R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        moved = (scene[own] + 6 * np.sin(scene[own, ::-1] / 90 + g)) @ R.T + 9 * g
        places.append(moved + rng.normal(0, 1, moved.shape))
        areas.append(size[own] * rng.uniform(0.9, 1.1, len(own)))
        truth.append(own)
    return places, areas, truth


@pytest.mark.parametrize("with_areas", [False, True])
def test_cells_are_tracked(with_areas):
    places, areas, truth = sessions()
    t = gm.track_cells(places, areas=areas if with_areas else None, time_limit=0.4)
    assert gm.evaluate(t.result, truth).f1 > 0.95
    several = (t.table >= 0).sum(axis=1) > 1
    assert np.isnan(t.confidence[~several]).all() and (t.confidence[several] > 0.5).mean() > 0.9
    for g in range(3):
        seen = t.table[:, g][t.table[:, g] >= 0]
        assert sorted(seen) == list(range(len(places[g])))  # every cell is in one track
    assert len(t.appear(0)) == len(places[0]) and len(t.disappear(2)) == len(places[2])
    assert "over 3 sessions" in repr(t) and t.plot().count("<title>track") > 80
    with pytest.raises(InputError, match="session must be in 0..2, got 5"):
        t.appear(5)


def test_areas_tell_cells_at_one_place_apart():
    places, areas, _ = sessions(1, d=2)
    twice = [np.concatenate([own, own[:8] + 0.01]) for own in places]
    sizes = [np.concatenate([own, 9 * own[:8]]) for own in areas]
    t = gm.track_cells(twice, areas=sizes, time_limit=0.4)
    both = t.table[(t.table >= 0).all(axis=1)]
    ratio = sizes[1][both[:, 1]] / sizes[0][both[:, 0]]
    assert (np.abs(np.log(ratio)) < 1).mean() > 0.9


def test_every_form_of_a_session():
    image = np.zeros((30, 40), int)
    image[5:9, 10:14], image[20:26, 30:33] = 4, 9
    places, area = cells_of("sessions[0]", image)
    assert places.tolist() == [[11.5, 6.5], [31.0, 22.5]] and area.tolist() == [16, 18]
    shapes = np.stack([image == 4, image == 9]).astype(float)
    listed = [{"med": (6.5, 11.5), "npix": 16}, {"med": (22.5, 31.0), "npix": 18}]
    for form in (shapes, listed, np.array(listed)):
        same, own = cells_of("sessions[0]", form)
        assert np.allclose(same, places) and np.allclose(own, area)
    assert cells_of("sessions[0]", places)[1] is None


BAD = [
    (lambda: gm.track_cells([np.eye(2)]), "at least two"),
    (lambda: gm.track_cells([np.zeros((9, 9), int)] * 2), "must be a label image"),
    (lambda: gm.track_cells([-np.ones((3, 4, 4))] * 2), "must be footprints"),
    (lambda: gm.track_cells([[{"med": (1, 2)}]] * 2), "must have 'med' and 'npix'"),
    (lambda: gm.track_cells([sparse.eye_array(9)] * 2), "order='F'"),
    (lambda: gm.track_cells([np.ones((3, 4))] * 2), r"must be plane points \(n, 2\), got"),
    (lambda: gm.track_cells([np.eye(3), np.eye(2)]), "all in the plane or all in space"),
    (lambda: gm.track_cells([np.eye(2)] * 2, areas=[[1], [1]]), "one number for each cell"),
    (lambda: gm.track_cells([np.eye(2)] * 2, areas=[[1, 0], [1, 1]]), "positive and finite"),
    (lambda: gm.track_cells([np.arange(27).reshape(3, 3, 3) - 1] * 2), "must be a label image"),
    (lambda: gm.track_cells([np.ones((3, 4, 4))] * 2, areas=[[1], [1]]), "areas goes with"),
]


@pytest.mark.parametrize("call,message", BAD)
def test_bad_sessions_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_cells_of_volumes():
    """Label volumes and centroids in space; the second session is turned and lacks cells."""
    rng = np.random.default_rng(3)
    first = np.unique(rng.integers(2, 38, (60, 3)), axis=0)
    turned = Rotation.from_rotvec([0.0, 0.0, np.pi / 2]).apply(first[6:]) + [40, 0, 0]
    volumes = []
    for cells in (first, np.rint(turned).astype(int)):
        image = np.zeros((41, 42, 43), int)
        image[tuple(cells[:, ::-1].T)] = np.arange(1, len(cells) + 1)
        volumes.append(image)
    places, area = cells_of("sessions[0]", volumes[0])
    assert np.array_equal(places, first) and (area == 1).all()
    for given in (volumes, [first.astype(float), turned]):
        t = gm.track_cells(given)
        both = t.table[(t.table >= 0).all(axis=1)]
        assert len(both) == len(first) - 6 and (both[:, 0] - both[:, 1] == 6).all()
        assert "svg" in t.plot()._repr_html_()


def test_footprints_of_caiman_are_reshaped_as_the_message_says():
    """CaImAn keeps a column of pixels for each cell, in the order of Fortran."""
    image = np.zeros((6, 9), int)
    image[1:3, 2:5], image[4, 6:8] = 1, 2
    columns = [(image == k).ravel(order="F") for k in (1, 2)]
    A = sparse.csc_array(np.column_stack(columns).astype(float))
    height, width = image.shape
    shapes = A.toarray().reshape(height, width, -1, order="F").transpose(2, 0, 1)
    for got, expected in zip(cells_of("s", shapes), cells_of("s", image), strict=True):
        assert np.allclose(got, expected)


def test_tables_of_cells_and_of_nodes():
    pytest.importorskip("pandas")
    first = np.random.default_rng(0).uniform(0, 500, (40, 2))
    t = gm.track_cells([first, first[5:] + 3.0])
    frame = t.to_dataframe()
    assert frame["session 1"].isna().sum() == 5 and frame["session 0"].isna().sum() == 0
    assert frame["session 0"].to_numpy(int).tolist() == t.table[:, 0].tolist()
    assert ">session 1<" in t.plot(title="two days") and "<svg" in t._repr_html_()
    nodes = t.result.to_dataframe()
    assert len(nodes) == 75 and (nodes["size"] == 2).sum() == 70
    assert nodes[nodes.graph == 1].track.tolist() == t.result.tracks[1].tolist()


def test_single_cells_come_last():
    m = gm.synth.worms_multi(d=3, m=8)
    table = track_table(gm.gm_solve_multi(m))
    counts = (table >= 0).sum(axis=1)
    first_alone = int(np.argmax(counts == 1)) if (counts == 1).any() else len(table)
    assert (counts[:first_alone] > 1).all() and (counts[first_alone:] == 1).all()
