#!/bin/sh
# A reviser that edits files: its working folder is a copy of the artifact, and what it prints last is its note.
#
# It knows three colours of the design. A coding agent would be started here instead, with the request as its task.
cat >/dev/null
sed -i.bak -e 's/#3457b0/#1f4e8c/' -e 's/#d9a521/#f2b705/' -e 's/#9fb3e0/#a9c4ea/' badge.svg
echo "the three colours of the design"
