"""Results as files: .json .mat .csv .h5 .npz, and back.

Every format holds the same record (BaseResult.record): its arrays in the format's own way, the rest
as one JSON text called `result`.

    .json   one object on one line; `gmtoolbox verify` reads it, too
    .npz    the arrays, and `result`
    .h5     datasets, and the attribute `result`
    .mat    the dict of Result.to_matlab (1-based, for MATLAB), and `result` (for load_result)
    .csv    a row for each left node: left_0based, right_0based (-1 = unmatched), their names, and
            the confidence if it was computed; the cell `result` of the first row is the JSON
            text; of many graphs a row for each node: graph_0based, node_0based, track_0based
"""

import csv
import io
import json
from pathlib import Path

from gmtoolbox.core.claims import check_labels, check_proof
from gmtoolbox.core.errors import FileFormatError, GMError, InputError
from gmtoolbox.core.lazy import np, upward
from gmtoolbox.core.multiresult import MultiResult
from gmtoolbox.core.result import BaseResult, Result
from gmtoolbox.core.saved import FORMAT, VERSION
from gmtoolbox.core.text import printable, spreadsheet
from gmtoolbox.io import mat5, mat73
from gmtoolbox.io.files import Allowance, is_utf8, json_text
from gmtoolbox.io.formats import EVERYTHING, RESULT, format_of, read_file, reader, writer
from gmtoolbox.io.h5safe import attribute, member, open_hdf5, values
from gmtoolbox.io.hdf5_memory import CHECKSUMS, hdf5_bytes
from gmtoolbox.io.mat import VERSIONS as MAT_VERSIONS
from gmtoolbox.io.mat_files import read_variables

CLASSES = {  # kind in the file -> module of its class
    "Result": "core.result",
    "EditResult": "editing.distance",
    "CommonSubgraph": "editing.subgraphs",
    "MultiResult": "core.multiresult",
}
TRACKS_HEADER = ("graph_0based", "node_0based", "track_0based", "result")
CSV_HEADER = ("left_0based", "right_0based", "left_name", "right_name", "result")


def load_result(path):
    """A result that save wrote.

    Value, bound and status are those of the file. A file that contradicts itself is refused
    ('optimal' without a bound or with one beyond the value, labels that are not a matching);
    `gmtoolbox verify` checks value and proof against the problem.

    Parameters
    ----------
    path : str or Path
        A .json, .mat, .csv, .h5 or .npz file that Result.save or gm.save wrote.

    Returns
    -------
    Result, EditResult or MultiResult

    Raises
    ------
    FileFormatError
        If the file holds something else.

    Examples
    --------
    >>> import gmtoolbox as gm, tempfile, os
    >>> r = gm.gm_solve([[1.0]])
    >>> path = os.path.join(tempfile.mkdtemp(), "r.json")
    >>> r.save(path)
    >>> gm.load_result(path)
    <Result auto: value 1, bound 1, gap 0, optimal, ... s, 1 iterations>
    """
    form = format_of(path, RESULT)
    try:
        record = read_file(form, path)
        if isinstance(record, BaseResult):  # a format of another package may make it itself
            return record
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            raise InputError(f"holds no {FORMAT}")
        if record.get("version") != VERSION or record.get("kind") not in CLASSES:
            raise InputError(
                f"version {record.get('version')!r} of kind {record.get('kind')!r} is unknown here"
            )
        found = upward(CLASSES[record["kind"]], record["kind"]).from_dict(record)
        check_claims(found)
        return found
    except FileFormatError:
        raise
    except (GMError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
            RecursionError, csv.Error) as error:  # fmt: skip
        raise FileFormatError(path, f"is no saved result: {error}") from error


def check_claims(result):
    """Check that the claims of a file about an answer do not contradict each other."""
    if isinstance(result, Result | MultiResult):
        check_proof(result)
    if isinstance(result, Result):
        check_labels(result.labels, result.shape)


def split_result(result):
    """(arrays, JSON text of everything else) of a result."""
    record = result.record()
    arrays = {name: value for name, value in record.items() if isinstance(value, np.ndarray)}
    rest = {name: value for name, value in record.items() if name not in arrays}
    return arrays, json_text(result.plain_fields(rest))


def join_record(arrays, text):
    """The record of arrays and text."""
    return {**json.loads(text), **arrays}


# ---- formats


@writer(".json", holds=RESULT, keeps=EVERYTHING)
def json_bytes(result):
    """One object on one line."""
    return (json_text(result.to_dict()) + "\n").encode()


@reader(".json", holds=RESULT)
def read_json(path):
    """The record of a .json file, of `solve --json`, too."""
    text = Path(path).read_text(encoding="utf-8")
    try:
        record = json.loads(text)
    except json.JSONDecodeError:  # several objects, one on a line
        return printed_record([json.loads(line) for line in text.splitlines() if line.strip()])
    return (
        printed_record([record]) if isinstance(record, dict) and "format" not in record else record
    )


def printed_record(printed):
    """Return the record of the output of `gmtoolbox solve --json`, in 0.1, too: improvements, each
    on a line, and the answer. Version 0.1 printed neither shape nor sense: n2 is then the largest
    label, and a bound above the value means that it was maximised.
    """
    answers = [k for k, record in enumerate(printed) if "labels" in record]
    if not answers:
        raise InputError("holds no record with labels")
    begin, last = (answers[-2] + 1 if len(answers) > 1 else 0), answers[-1]
    answer, events = dict(printed[last]), printed[begin:last]
    certificate = answer.pop("certificate", None)
    value, bound, labels = answer["value"], answer["bound"], answer["labels"]
    maximised = bound is not None and bound > value
    answer.setdefault("sense", "max" if maximised else "min")
    answer.setdefault("shape", [len(labels), max(labels, default=-1) + 1])
    trace = {name: [event[name] for event in events] for name in ("time", "value", "bound")}
    return {
        **answer,
        "format": FORMAT,
        "version": VERSION,
        "kind": "Result",
        "base": 0,
        "n_iter": answer.get("iteration", 0),
        "trace": trace,
        "extra": {} if certificate is None else {"certificate": certificate},
    }


@writer(".mat", holds=RESULT, keeps=EVERYTHING)
def mat_bytes(result, version="7"):
    """Write the dict of to_matlab and the record as text; version as in gmtoolbox.io.mat."""
    if version not in MAT_VERSIONS:
        raise InputError(f"version must be one of {' '.join(MAT_VERSIONS)}, got {version!r}")
    shown = encodable(result.to_matlab()) if hasattr(result, "to_matlab") else {}
    content = {**shown, "result": json.dumps(result.to_dict(), ensure_ascii=True)}
    if version == "7.3":
        return mat73.variables_bytes(content)
    return mat5.version_5_bytes(content, compress=version == "7")


def encodable(value):
    """The same with texts that every encoding knows: lone surrogates are spelled out."""
    if isinstance(value, dict):
        return {encodable(name): encodable(part) for name, part in value.items()}
    if isinstance(value, list):
        return [encodable(part) for part in value]
    return value if not isinstance(value, str) or is_utf8(value) else printable(value)


@reader(".mat", holds=RESULT)
def read_mat(path):
    """The record of a .mat file."""
    variables = read_variables(path)
    if not isinstance(variables.get("result"), str):
        raise FileFormatError(path, f"holds no {FORMAT}")
    return json.loads(variables["result"])


@writer(".csv", holds=RESULT, keeps=EVERYTHING)
def csv_bytes(result):
    """The table of csv_text."""
    return csv_text(result).encode("utf-8", "backslashreplace")


def csv_text(result):
    """The table of a matching; see the head of this file."""
    if hasattr(result, "tracks"):
        header, table = TRACKS_HEADER, track_rows(result)
    elif hasattr(result, "labels"):
        header, table = CSV_HEADER, label_rows(result)
        if "confidence" in result.extra:
            header, table = with_confidence(result, header, table)
    else:
        raise InputError(f"{type(result).__name__} has no labels to make a .csv of; use .json")
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(header)
    whole = json_text(result.to_dict())
    for k, row in enumerate(table):
        rows.writerow((*row, whole if k == 0 else ""))
    return text.getvalue()


def label_rows(result):
    """Left node, right node and their names."""
    for i, s in enumerate(result.labels.tolist()):
        left = "" if result.nodes1 is None else result.nodes1[i]
        right = "" if result.nodes2 is None or s < 0 else result.nodes2[s]
        yield i, s, spreadsheet(left), spreadsheet(right)


def with_confidence(result, header, table):
    """The same with a column before the last one; empty for unmatched nodes."""
    cells = ["" if np.isnan(sure) else repr(float(sure)) for sure in result.confidence]
    rows = ((*row, cell) for row, cell in zip(table, cells, strict=True))
    return (*header[:-1], "confidence", header[-1]), rows


def track_rows(result):
    """Graph, node, track."""
    for g, own in enumerate(result.tracks):
        for i, track in enumerate(own.tolist()):
            yield g, i, track


@reader(".csv", holds=RESULT)
def read_csv(path):
    """The record in the first row of a .csv file."""
    csv.field_size_limit(2**31 - 1)
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        first = next(rows, None)
    if not first or not first.get("result"):
        raise FileFormatError(path, f"its first row has no {FORMAT} in a column 'result'")
    return json.loads(first["result"])


@writer(".h5", holds=RESULT, keeps=EVERYTHING)
def h5_bytes(result):
    """The arrays as datasets, and the rest as text."""
    arrays, text = split_result(result)

    def fill(file):
        file.attrs["format"] = np.bytes_(FORMAT)
        file.create_dataset("result", data=np.frombuffer(text.encode(), dtype=np.uint8))
        for name, value in arrays.items():
            if value.dtype.names:
                value = np.column_stack([value[column] for column in value.dtype.names])
            packed = {"compression": "gzip", "fletcher32": True} if value.size else {}
            file.create_dataset(name, data=value, **packed)

    return hdf5_bytes(fill, **CHECKSUMS)


@reader(".h5", holds=RESULT)
def read_h5(path):
    """The record of a .h5 file."""
    with open_hdf5(path) as file:
        if attribute(file, "format") != FORMAT:
            raise FileFormatError(path, f"holds no {FORMAT}")
        allowance = Allowance(path)
        arrays = {name: values(member(file, name), allowance, name) for name in file}
    text = bytes(arrays.pop("result")).decode()
    return join_record(with_trace(arrays), text)


def with_trace(arrays):
    """The trace back as columns."""
    if "trace" in arrays:
        columns = np.asarray(arrays["trace"], dtype=float).reshape(-1, 3).T
        arrays["trace"] = dict(zip(("time", "value", "bound"), columns.tolist(), strict=True))
    return arrays


@writer(".npz", holds=RESULT, keeps=EVERYTHING)
def npz_bytes(result):
    """The arrays, and the rest as text."""
    arrays, text = split_result(result)
    stream = io.BytesIO()
    np.savez_compressed(stream, result=np.array(text), **arrays)
    return stream.getvalue()


@reader(".npz", holds=RESULT)
def read_npz(path):
    """The record of a .npz file."""
    try:
        # numpy leaves the file open if it opens it and the archive is damaged
        with open(path, "rb") as content, np.load(content, allow_pickle=False) as file:
            size = sum(member.file_size for member in file.zip.infolist())
            Allowance(path).take("the arrays", size)
            arrays = {name: file[name] for name in file.files}
    except (OSError, FileFormatError):
        raise
    except Exception as error:  # zipfile, zlib, numpy: whatever a damaged file makes them say
        raise FileFormatError(path, f"is no .npz file: {error}") from error
    return join_record(arrays, str(arrays.pop("result")))
