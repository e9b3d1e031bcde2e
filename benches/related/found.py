"""What blazediff-interpret finds in pairs of screens, as lines for `related-pairs score`: found.py PAIRS FOLDER_OF_THE_PACKAGE"""

import os
import sys

pairs, package = sys.argv[1:]
sys.path.insert(0, package)
import blazediff_interpret  # noqa: E402

# Its words for what we call by others.
KINDS = {
    "addition": "added",
    "deletion": "removed",
    "shift": "moved",
    "color-change": "color",
    "content-change": "content",
    "rendering-noise": "noise",
}

# Of 0, 0.02, 0.05 and its default of 0.1, the one with which it scores best.
THRESHOLD = 0.0

with open(os.path.join(pairs, "names.txt"), encoding="utf-8") as names:
    for line in names:
        pair = line.split(" ", 1)[0]
        images = [os.path.join(pairs, f"{pair}-{name}.png") for name in ("before", "after")]
        for region in blazediff_interpret.interpret_images(*images, threshold=THRESHOLD)["regions"]:
            box = region["bbox"]
            sides = [box[side] for side in ("x", "y", "width", "height")]
            print(pair, KINDS[region["changeType"]], *sides)
