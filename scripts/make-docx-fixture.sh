#!/bin/sh
# Makes test/fixtures/word/libreoffice.docx and .doc of scripts/word-fixture.fodt, by LibreOffice. Not part of any test run.
# Debian: apt-get install --no-install-recommends libreoffice-writer
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$root/scripts/word-fixture.fodt" "$work/libreoffice.fodt"
mkdir -p "$root/test/fixtures/word"
for to in docx doc; do
  HOME="$work" soffice --headless --convert-to "$to" --outdir "$root/test/fixtures/word" "$work/libreoffice.fodt"
done
