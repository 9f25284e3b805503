"""Mutated files through the Python readers: read, or refused with one line; nothing else.

    python tests/fuzz/fuzz_readers.py [--seconds S | --inputs N] [--seed K] [READER ...]

Each reader has a few good files as seeds; mutants.py changes them. Mutants are read in forked
children, a few hundred each, so that a crash or a hang is noticed and told with its input. Prints a
line per reader and exits 1 if anything was found; what was found is kept in --keep.
"""

import argparse
import io
import json
import os
import random
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from format_cases import cases
from mutants import mutant
from published import PUBLISHED
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.bench.evaluate.interchange import read_published, read_study_run
from gmtoolbox.bench.store.store import Run, Store
from gmtoolbox.core.errors import GMError
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.io import libmgm
from gmtoolbox.io.datasets import load_dataset
from gmtoolbox.io.formats import FOLDER, MATRIX, MULTI, PROBLEM, RESULT, save_file, suffixes_of
from gmtoolbox.io.graphs import load_graphs
from gmtoolbox.io.mat73 import variables_bytes
from gmtoolbox.io.qaplib import read_solution
from gmtoolbox.proofs.verify import read_result

BATCH = 400  # inputs in one child
HANG = 60  # seconds of CPU for a batch


# ---- seeds: reader -> list of contents


def problem():
    P = np.random.default_rng(0).random((4, 2))
    truth = [0, 1, 2, -1]
    one = gm.synth.car(seed=0, size=4)
    return gm.Problem(
        one.shape, one.left, one.right, one.cost, one.a, one.b, one.edge_cost, name="p",
        points1=P[: one.shape[0]], ground_truth=truth[: one.shape[0]],
    )  # fmt: skip


def saved(folder, name, **options):
    gm.save(problem(), folder / name, **options)
    return (folder / name).read_bytes()


def small_73():
    """A small file of version 7.3: a sparse and a dense matrix, a text and a struct."""
    K, Ct = sparse.csc_array(np.diag([1.0, 2, 3, 4])), np.ones((2, 2))
    return variables_bytes({"K": K, "Ct": Ct, "sense": "max", "s": {"G": K}})


def store_seed(folder):
    with Store(folder / "s.db", write=True) as store:
        from gmtoolbox.bench.store.rows import InstanceRow

        trace = np.array([(0.1, 1.0, 0.0)], dtype=trace_dtype())
        answer = dict(status="converged", value=1.0, bound=0.0, time=0.1, n_iter=1, trace=trace)
        store.add_instance(InstanceRow("d", "i", 0, "", 1, 1, ground_truth=[[0]]))
        store.add(Run("d", "i", "m", 1, labels=np.zeros(1, np.int32), **answer))
    return (folder / "s.db").read_bytes()


def seeds(folder):
    result = gm.gm_solve(problem(), "fw", maxiter=3)
    octave = b"# Created by Octave 7.3\n# name: K\n# type: matrix\n# rows: 4\n# columns: 4\n"
    octave += b" 1 2 3 4\n" * 4 + b"\n# name: s\n# type: scalar struct\n# ndims: 2\n 1 1\n"
    octave += b"# length: 1\n# name: G\n# type: sparse matrix\n# nnz: 1\n# rows: 2\n"
    octave += b"# columns: 2\n1 2 3.5\n\n\n"
    point = {"time": 0.5, "value": 1.0, "bound": 0.0, "assignment": [0, -1]}
    study = {"dataset": "d", "instance": 1, "method": "m", "trial": 1, "datapoints": [point]}
    claim = {"labels": result.labels.tolist(), "value": result.value, "bound": None}
    facts = {"optimum": 1.5, "best_known": 2, "complete": False, "ground_truth": [0, [1, 2], None]}
    described = {"dataset": "d", "complete": True, "instances": ["one"]}
    labeling = {"0, 1": [0, None], "0, 2": [1, 0], "1, 2": [None, 0]}
    solution = {"energy": -1.5, "graph orders": [2, 2, 2], "labeling": labeling}
    gm.save(many(), folder / "m")
    numbers = b"3\n\n0 1 2\n1 0 3\n2 3 0\n\n0 5 6\n5 0 7\n6 7 0\n"
    return {
        **seeds_of_formats(folder),
        **{f"graph{suffix}": content for suffix, content in GRAPHS.items()},
        **{f"matrix{suffix}": content for suffix, content in matrices().items()},
        "mat6": [saved(folder, "p.mat"), saved(folder, "q.mat", version="6")],
        "mat73": [small_73()],
        "octave-text": [octave],
        "dat": [numbers, b"2 1.5,2 3 4\n1e-3 2 3 4"],
        "sln": [b"3 50\n2 1 3\n"],
        "verify": [json.dumps(claim).encode()],
        "dataset": [json.dumps(described).encode()],
        "store": [store_seed(folder)],
        "study": [json.dumps(study).encode()],
        "published": [json.dumps(PUBLISHED).encode()],
        "multi-folder": [(folder / "m" / "multi.json").read_bytes()],
        "libmgm": [json.dumps(solution).encode()],
        "side": [json.dumps(facts).encode()],
    }


def many():
    cost = np.arange(4.0) - 2
    pair = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], cost, [0], [3], [-1.5])
    return gm.MultiProblem({(0, 1): pair, (0, 2): pair, (1, 2): pair}, name="m")


# ---- the registered formats

NAMES = {PROBLEM: "problem", MULTI: "many", RESULT: "result"}
FORMATS = {  # name of a reader: its Format
    f"{NAMES[form.holds]}{form.suffix}": form
    for form in gm.gm_formats(*NAMES)
    if form.reader and form.writer and form.suffix != FOLDER
}


def seeds_of_formats(folder):
    """Files with everything in them, from each format's own writer; the smallest few."""
    found = {}
    for name, form in FORMATS.items():
        contents = []
        for thing in cases(form.holds, 0, 24):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    save_file(thing, folder / f"f{form.suffix}")
            except GMError:
                continue  # a format need not hold everything
            contents.append((folder / f"f{form.suffix}").read_bytes())
        found[name] = sorted(contents, key=len)[:6]
    return found


def matrices():
    """{suffix: good files} of plain matrices."""
    C = np.arange(6.0).reshape(2, 3)
    files = [io.BytesIO() for _ in range(3)]
    np.save(files[0], C)
    np.savez(files[1], C=C)
    sparse.save_npz(files[2], sparse.csr_array(C))
    text = b"name,x,y\na,1,2\nb,,3.5\n"
    npy, *npz = (file.getvalue() for file in files)
    tables = {".csv": [text, b"1;2,5\n;3\n"], ".tsv": [text.replace(b",", b"\t")]}
    return {**tables, ".txt": [b"1 2.5\n3 4\n"], ".npy": [npy], ".npz": npz}


SDF = b"""ethanol
     RDKit          2D

  3  2  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    1.2990    0.7500    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    2.5981   -0.0000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
  1  2  1  0
  2  3  1  0
M  END
> <class>
1

$$$$
"""
GRAPHS = {  # suffix: good files
    ".gml": [b'graph [ node [ id 0 symbol "C" ] node [ id 1 ] edge [ source 0 target 1 w 2.5 ] ]'],
    ".graphml": [
        b"""<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
    <key id="d" for="node" attr.name="x" attr.type="int"/><graph edgedefault="undirected">
    <node id="a"><data key="d">1</data></node><node id="b"/><edge source="a" target="b"/>
    </graph></graphml>"""
    ],
    ".gxl": [
        b"""<gxl><graph id="g" edgemode="undirected"><node id="a"><attr name="symbol">
    <string>C</string></attr></node><node id="b"/><edge from="a" to="b"><attr name="valence">
    <int>1</int></attr></edge></graph></gxl>"""
    ],
    ".edges": [
        b"# a comment\na b 1\nb c\nd\n",
        b"t # one\nv 0 C\nv 1 N\ne 0 1 2\nt # two\nv 0 C\n",
    ],
    ".csv": [b"source,target,weight\na,b,2.5\nb,c,1\n", b"a;b;x\nc\n"],
    ".json": [
        b'{"graph_1": [[0, 1]], "labels_1": ["C", "N"], "graph_2": [[0, 1]], "ged": 4}',
        b'{"id": 21, "n": 3, "labels": ["C", "N", "O"], "edges": [[0, 1], [1, 2]]}',
        b'{"edge_index": [[0, 1], [1, 0]], "num_nodes": 2, "x": [[1.0], [2.0]], "y": 1}',
        b'{"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1, "w": 2}]}',
    ],
    ".g6": [b">>graph6<<Dhc\nC~\n", b":Fa@x^\n", b"&DI?AO?\n"],
    ".cxl": [b'<GraphCollection><g><print file="a.gxl" class="1"/></g></GraphCollection>'],
    ".sdf": [SDF],
    ".smi": [b"CCO ethanol\nc1ccccc1 benzene\n"],
}


def read_store(path):
    with Store(path) as store:
        store.instances(), store.runs(), store.done()


def beside(path, name):
    """A good problem beside the file that is read."""
    if not (path.parent / name).exists():
        gm.save(problem(), path.parent / name)


def read_dataset(path):
    beside(path, "one.dd")
    list(load_dataset(path.parent))


def read_side(path):
    beside(path, "one.dd")
    described = {"dataset": "d", "complete": True, "instances": ["one"]}
    (path.parent / "dataset.json").write_text(json.dumps(described))
    list(load_dataset(path.parent))


def read_graphs(path):
    (path.parent / "a.gxl").write_bytes(GRAPHS[".gxl"][0])  # a collection lists it
    load_graphs(path)


def read_folder(path):
    if not (path.parent / "0-1.dd.xz").exists():
        gm.save(many(), path.parent / "new")
        for file in (path.parent / "new").glob("*.dd.xz"):
            file.rename(path.parent / file.name)
    gm.load(path.parent)


READERS = {  # reader: (name of the file, function)
    **{
        name: (f"x{form.suffix}", gm.load_result if form.holds == RESULT else gm.load)
        for name, form in FORMATS.items()
    },
    **{f"graph{suffix}": (f"x{suffix}", read_graphs) for suffix in GRAPHS},
    **{f"matrix{suffix}": (f"x{suffix}", gm.assign) for suffix in suffixes_of(MATRIX)},
    "mat6": ("x.mat", gm.load),
    "mat73": ("x.mat", gm.load),
    "octave-text": ("x.mat", gm.load),
    "dat": ("x.dat", gm.load),
    "sln": ("x.sln", read_solution),
    "verify": ("x.json", read_result),
    "dataset": ("dataset.json", read_dataset),
    "store": ("x.db", read_store),
    "study": ("data.json.gz", read_study_run),
    "published": ("x.json", read_published),
    "multi-folder": ("multi.json", read_folder),
    "libmgm": ("x.json", libmgm.read_solution),
    "side": ("one.json", read_side),
}


# ---- reading them


def run_batch(name, contents, seed, count, folder, keep):
    """In a child: count mutants; (how many were read, the text of what went wrong or '')."""
    file, read = READERS[name]
    rng, path = random.Random(seed), folder / file
    warnings.simplefilter("ignore")
    for done in range(1, count + 1):
        content = mutant(rng, contents)
        path.write_bytes(content)  # whoever dies leaves it
        try:
            read(path)
        except (GMError, OSError) as error:
            if "\n" not in str(error):
                continue
            problem = f"several lines: {error!s}"
        except BaseException as error:  # noqa: BLE001 - that is what is looked for
            problem = f"{type(error).__name__}: {error}"
        else:
            continue
        if keep:
            (Path(keep) / f"{name}-{seed}").write_bytes(content)
        return done, f"{name} seed {seed}: {problem}"
    return count, ""


def fuzz(name, contents, rng, folder, keep, more):
    """(inputs, list of findings) of a reader; more(inputs) tells whether to go on."""
    count, found, file = 0, [], READERS[name][0]
    while more(count):
        seed = rng.randrange(2**40)
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            signal.setitimer(signal.ITIMER_VIRTUAL, HANG)  # ends a child that hangs
            done, text = 0, "the child ended early"
            try:
                done, text = run_batch(name, contents, seed, BATCH, folder, keep)
            finally:
                os.write(write, f"{done} {text}".encode("utf-8", "replace")[:4000])
                os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as stream:
            done, _, said = stream.read().decode("utf-8", "replace").partition(" ")
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if status != 0:
            said = f"{name} seed {seed}: the reader ended with {status}"
            if keep:
                (Path(keep) / f"{name}-{seed}").write_bytes((folder / file).read_bytes())
        count += int(done or 1)
        if said:
            found.append(said)
    return count, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("readers", nargs="*", default=list(READERS), metavar="READER")
    parser.add_argument("--seconds", type=float, default=1.0, help="of CPU per reader")
    parser.add_argument("--inputs", type=int, help="per reader, instead of --seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", help="folder for what was found")
    given = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        contents = seeds(folder)
        for reader in given.readers:
            own = folder / reader
            own.mkdir()
            begin = os.times().children_user

            def more(count, begin=begin):
                if given.inputs is not None:
                    return count < given.inputs
                return os.times().children_user - begin < given.seconds

            started = time.monotonic()
            rng = random.Random(f"{given.seed} {reader}")
            count, found = fuzz(reader, contents[reader], rng, own, given.keep, more)
            seconds = time.monotonic() - started
            print(f"{reader}: {count} inputs, {len(found)} findings, {seconds:.0f} s", flush=True)
            for text in found[:5]:
                print(f"    {text[:300]}", flush=True)
            bad += len(found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
