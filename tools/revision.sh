#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commit that this tree is of: what git says, or what `git archive` has written
# here (export-subst in .gitattributes), or "unknown".
archived='$Format:%H$'
case $archived in
*:*) git rev-parse --verify HEAD 2>/dev/null || echo unknown ;;
*) echo "$archived" ;;
esac
