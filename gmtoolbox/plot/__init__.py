"""Pictures as plain SVG: matchings of point sets and networks, the matrix K, edit paths, tracks,
convergence traces, performance profiles, cactus plots.

Every function returns the text of one SVG element, which prints well by itself; elements carry
classes and data-method, so that the report's page can highlight them and give them the colours of a
dark screen. Picture.save writes SVG, PNG and PDF; the latter two need rsvg-convert or matplotlib.
"""

from gmtoolbox.plot.affinities import affinity
from gmtoolbox.plot.canvas import Picture
from gmtoolbox.plot.charts import PALETTE, colours
from gmtoolbox.plot.curves import cactus, profile, trace
from gmtoolbox.plot.edits import edit_path
from gmtoolbox.plot.files import check_suffix, save_picture
from gmtoolbox.plot.matchings import matching
from gmtoolbox.plot.tracks import tracks

__all__ = [
    "PALETTE",
    "Picture",
    "affinity",
    "cactus",
    "check_suffix",
    "colours",
    "edit_path",
    "matching",
    "profile",
    "save_picture",
    "trace",
    "tracks",
]
