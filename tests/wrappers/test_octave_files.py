"""Files between GNU Octave and us, both ways: what one writes the other reads, K bit for bit."""

import numpy as np
import pytest
from octave_process import needs_octave, run_octave
from scipy import sparse
from scipy.io import savemat
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.core.problem import Problem

pytestmark = needs_octave


@pytest.fixture(scope="module")
def extreme():
    """A symmetric matrix of every size of number: subnormal, huge, and one with all its bits in
    use.
    """
    rng = np.random.default_rng(5)
    K = rng.normal(size=(12, 12)) * 10.0 ** rng.integers(-322, 299, size=(12, 12))
    K[0, 1], K[0, 2], K[1, 2] = 5e-324, 1.7e300, np.nextafter(1, 2)
    K = np.triu(np.where(rng.random((12, 12)) < 0.6, K, 0.0))
    return K + np.triu(K, 1).T


@pytest.fixture(scope="module")
def written_by_octave(tmp_path_factory, extreme):
    """One folder with K in every version and kind that Octave can write."""
    folder = tmp_path_factory.mktemp("written")
    savemat(folder / "start.mat", {"K": extreme})
    code = """
    load start.mat; S = sparse(K); L = S ~= 0; Ct = true(3, 4); Ct(2, 3) = false;
    schema.K = S; schema.K(~Ct, :) = 0; schema.K(:, ~Ct) = 0;
    schema.Ct = sparse(Ct); schema.offset = int64(0); schema.reducedK = S(Ct(:), Ct(:));
    schema.gph1 = struct('G', sparse(eye(3) > 0), 'H', sparse(eye(3)));
    schema.notes = {'a cell', 3, sparse([0 1])}; schema.runs = struct('name', {'first', 'second'});
    versions = {'-v4', '-v6', '-v7'};
    for k = 1:3
      v = versions{k};
      only.K = K; save(['full' v '.mat'], '-struct', 'only', v);
      only.K = S; save(['sparse' v '.mat'], '-struct', 'only', v);
      masked = struct('K', S, 'Ct', double(Ct)); save(['masked' v '.mat'], '-struct', 'masked', v);
      if k > 1
        only.K = L; save(['logical' v '.mat'], '-struct', 'only', v);
        save(['schema' v '.mat'], '-struct', 'schema', v);
      end
    end
    """
    run_octave(code, folder)
    return folder


def expected(K, **settings):
    return Problem.from_matrix(K, shape=(3, 4), **settings)


VERSIONS = ["-v4", "-v6", "-v7"]


@pytest.mark.parametrize("version", VERSIONS)
def test_masked_matrix_of_octave(version, written_by_octave, extreme):
    Ct = np.ones((3, 4))
    Ct[1, 2] = 0
    loaded = gm.load(written_by_octave / f"masked{version}.mat")
    assert loaded == expected(extreme, Ct=Ct)
    assert same_bits(loaded.K.toarray(), np.where(np.outer(Ct.T.ravel(), Ct.T.ravel()), extreme, 0))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", ["full", "sparse"])
def test_bare_matrix_of_octave(kind, version, written_by_octave, extreme):
    """12 rows are no square number of pairs: the reader says so, and a shape in gm_solve is
    enough.
    """
    with pytest.raises(gm.InputError, match="perfect square"):
        gm.load(written_by_octave / f"{kind}{version}.mat")
    from gmtoolbox.io.mat_files import read_variables

    K = read_variables(written_by_octave / f"{kind}{version}.mat")["K"]
    assert sparse.issparse(K) == (kind == "sparse")
    assert same_bits(K.toarray() if kind == "sparse" else K, extreme)


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_logical_sparse_of_octave(version, written_by_octave, extreme):
    from gmtoolbox.io.mat_files import read_variables

    K = read_variables(written_by_octave / f"logical{version}.mat")["K"]
    assert np.array_equal(K.toarray(), extreme != 0)


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_schema_of_octave(version, written_by_octave, extreme):
    """The benchmark's variables with a logical sparse mask, an int64 offset, and structs and cells
    beside them.
    """
    loaded = gm.load(written_by_octave / f"schema{version}.mat")
    Ct = np.ones((3, 4))
    Ct[1, 2] = 0
    assert loaded == expected(extreme, Ct=Ct, sense="min", complete=False)


def same_bits(x, y):
    return x.dtype == y.dtype == np.float64 and np.array_equal(
        x.view(np.int64), (y + 0.0).view(np.int64)
    )


@pytest.mark.parametrize("version", ["6", "7"])
def test_octave_reads_ours_and_we_read_it_back(version, tmp_path, extreme):
    """Python -> Octave -> Python: every field, every bit."""
    rng = np.random.default_rng(3)
    base = expected(extreme, sense="min", complete=False)
    problem = Problem(
        base.shape,
        base.left,
        base.right,
        base.cost,
        base.a,
        base.b,
        base.edge_cost,
        complete=True,
        offset=-0.1,
        points1=rng.normal(size=(3, 2)),
        points2=rng.normal(size=(4, 2)),
        neighbours1=[(0, 1), (1, 2)],
        ground_truth=[2, -1, 0],
    )
    gm.save(problem, tmp_path / "ours.mat", version=version)
    savemat(tmp_path / "plain.mat", {"K": extreme})
    code = """
    ours = load('ours.mat'); plain = load('plain.mat');
    assert(issparse(ours.K) && isa(ours.K, 'double') && isequal(full(ours.K), plain.K))
    assert(issparse(ours.Ct) && isequal(size(ours.Ct), [3 4]))
    allowed = ours.Ct(:) > 0; assert(isequal(ours.reducedK, ours.K(allowed, allowed)))
    assert(isstruct(ours.gph1) && size(ours.gph1.G, 1) == 3)
    assert(isequal(ours.offset, -0.1) && ours.complete == 1)
    assert(isequal(ours.ground_truth(:)', [3 0 1]))
    x = zeros(12, 1); x([1 5]) = 1; X = reshape(x, 3, 4);
    starts = ours.gph1.G' * X * ours.gph2.G; ends = ours.gph1.H' * X * ours.gph2.H;
    factors = sum((ours.KP .* X)(:)) + sum(sum(ours.KQ .* starts .* ends));
    assert(abs(factors - x' * ours.K * x) <= 1e-12 * abs(factors))
    save('back.mat', '-struct', 'ours', '-v7');
    """
    run_octave(code, tmp_path)
    back = gm.load(tmp_path / "back.mat")
    assert back == problem and same_bits(back.K.toarray(), extreme)


@pytest.mark.long
def test_texts_beyond_ascii(tmp_path):
    """Octave stores UTF-16, scipy UTF-8 and counts characters; names of files and runs survive both
    ways.
    """
    from gmtoolbox.io.mat_files import read_variables

    words = "mü €𝄞 end"
    savemat(
        tmp_path / "scipy.mat",
        {
            "words": words,
            "cell": np.array([words, "b"], dtype=object),
            "rows": np.array(["äb", "cd"]),
        },
    )
    found = read_variables(tmp_path / "scipy.mat")
    assert (
        found["words"] == words
        and found["cell"].ravel().tolist() == [words, "b"]
        and found["rows"] == "äbcd"
    )
    code = f"""
    words = '{words}'; save('-v6', 'six.mat', 'words'); save('-v7', 'seven.mat', 'words');
    mkdir(words); cd(words); gm_save(eye(4), [words '.mat']);
    runs = gm_batch([words '.mat'], 'fw'); assert(strcmp(runs.instance, words))
    """
    run_octave(code, tmp_path)
    assert [read_variables(tmp_path / f"{name}.mat")["words"] for name in ("six", "seven")] == [
        words,
        words,
    ]
    assert (tmp_path / words / f"{words}.mat").exists()


def test_gm_load_and_gm_save_keep_the_problem(tmp_path):
    """gm_load -> struct -> gm_save and gm_solve: the same problem, for costs and for an
    affinity.
    """
    rng = np.random.default_rng(8)
    problems = {
        "partial": random_problem(rng, 4, 6, density=0.7),
        "complete": random_problem(rng, 5, 4, density=0.9, complete=True, offset=2.5),
        "affinity": Problem.from_matrix(random_problem(rng, 4, 4).K),
    }
    for name, problem in problems.items():
        gm.save(problem, tmp_path / f"{name}.mat")
    partial = problems["partial"]
    gm.save(partial, tmp_path / "v73.mat", version="7.3")
    gm.save(partial, tmp_path / "ours.h5")
    gm.save(partial, tmp_path / "text.dd.xz")
    names = ", ".join(f"'{name}'" for name in problems)
    code = f"""
    for name = {{{names}}}
      p = gm_load([name{{1}} '.mat']);
      gm_save(p, [name{{1}} '_back.mat']);
      [X, info] = gm_solve(p, 'fw'); [Y, same] = gm_solve([name{{1}} '.mat'], 'fw');
      assert(isequal(X, Y) && info.value == same.value && strcmp(info.sense, same.sense))
      fields = {{'K', 'Ct', 'KP', 'KQ', 'reducedK', 'offset'}};
      if strcmp(same.sense, 'max')
        fields = {{'K', 'Ct', 'sense', 'complete'}};
      end
      for field = fields
        assert(isfield(p, field{{1}}))
      end
    end
    p = gm_load('partial.mat');
    for name = {{'v73.mat', 'ours.h5', 'text.dd.xz'}}
      q = gm_load(name{{1}}); assert(isequal(q.K, p.K) && isequal(q.Ct, p.Ct), name{{1}})
    end
    p = gm_load('partial.mat', 'complete', true); assert(p.complete == 1)
    """
    run_octave(code, tmp_path)
    for name, problem in problems.items():
        assert gm.load(tmp_path / f"{name}_back.mat") == problem
