#!/usr/bin/env python3
"""Makes DejaVuSans-subset.ttf and widths.txt from DejaVuSans.ttf (Debian: fonts-dejavu-core 2.37).

Usage: pip install fonttools; ./subset.py [/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf]

Kept are Latin, Greek, Cyrillic and the signs that charts use. Hinting and layout features are dropped, so the width of
a text is the sum of the widths of its characters (widths.txt, in 1/2048 of the font size), which lets the
renderer lay out charts without a font engine.
"""
import pathlib
import sys

from fontTools import subset

HERE = pathlib.Path(__file__).parent
SOURCE = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
RANGES = [
    (0x20, 0x7E), (0xA0, 0x17F), (0x370, 0x3FF), (0x400, 0x45F), (0x2010, 0x2027), (0x2030, 0x203A),
    (0x2070, 0x208E), (0x20AC, 0x20AC), (0x2122, 0x2122), (0x2190, 0x2193), (0x2212, 0x2212), (0x221E, 0x221E),
    (0x2248, 0x2248), (0x2260, 0x2265), (0x25A0, 0x25CF), (0x2605, 0x2606), (0xFFFD, 0xFFFD),
]

options = subset.Options()
options.hinting = False
options.layout_features = []
options.name_IDs = ["*"]
options.notdef_outline = True
options.recalc_timestamp = False
font = subset.load_font(SOURCE, options)
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=[code for first, last in RANGES for code in range(first, last + 1)])
subsetter.subset(font)
font["post"].formatType = 3.0
for table in ("GPOS", "GSUB", "GDEF", "kern"):
    if table in font:
        del font[table]
subset.save_font(font, str(HERE / "DejaVuSans-subset.ttf"), options)

widths = font["hmtx"]
lines = [f"{code:x} {widths[glyph][0]}" for code, glyph in sorted(font.getBestCmap().items())]
header = "# Advance widths in 1/2048 of the font size, by code point (hexadecimal). Made by subset.py."
(HERE / "widths.txt").write_text("\n".join([header, *lines]) + "\n")
