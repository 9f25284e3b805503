"""Photographs inside pictures: arrays as PNG, written and read without any library."""

import base64
import struct
import zlib

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np

LARGEST = 1600  # pixels of a side; larger photographs are thinned out


def embed(image):
    """A data: address of the image."""
    return "data:image/png;base64," + base64.b64encode(png(as_bytes(image))).decode()


def as_bytes(image):
    """(height, width, 1, 3 or 4) bytes of an image of floats in 0 .. 1, bytes or booleans."""
    image = np.asarray(image)
    if image.ndim == 2:
        image = image[..., None]
    if image.ndim != 3 or image.shape[2] not in (1, 3, 4) or 0 in image.shape:
        raise InputError(
            f"an image must be (height, width) or (height, width, 3 or 4), got shape {image.shape}"
        )
    step = -(-max(image.shape[:2]) // LARGEST)
    image = image[::step, ::step]
    if image.dtype.kind == "f":
        image = np.round(255 * np.clip(np.nan_to_num(image), 0, 1))
    elif image.dtype.kind == "b":
        image = 255 * image
    elif image.dtype == np.uint16:
        image = image >> 8
    return np.clip(image, 0, 255).astype(np.uint8)


def png(image):
    """PNG of (height, width, 1, 3 or 4) bytes."""
    height, width, channels = image.shape
    rows = np.zeros((height, 1 + width * channels), dtype=np.uint8)  # each begins with filter 0
    rows[:, 1:] = image.reshape(height, -1)
    kind = {1: 0, 3: 2, 4: 6}[channels]

    def chunk(name, data):
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def from_png(address):
    """The array of an image that `embedded` made."""
    data = base64.b64decode(address.partition(",")[2])
    position, body, width, height, kind = 8, b"", 0, 0, 0
    while position < len(data):
        (size,) = struct.unpack_from(">I", data, position)
        name, content = data[position + 4 : position + 8], data[position + 8 : position + 8 + size]
        if name == b"IHDR":
            width, height, _, kind = struct.unpack(">IIBB", content[:10])
        elif name == b"IDAT":
            body += content
        position += 12 + size
    channels = {0: 1, 2: 3, 6: 4}[kind]
    rows = np.frombuffer(zlib.decompress(body), dtype=np.uint8).reshape(height, -1)
    return rows[:, 1:].reshape(height, width, channels)
