#!/usr/bin/env bash
# Fetches the untouched upstream archive of a Debian source package and prints its path.
#   scripts/debian_source.sh openssl trixie DIR
# A private apt configuration: nothing of the system's is changed, and apt verifies Debian's signatures.
set -euo pipefail
package=$1 suite=$2 into=$3
command -v apt-get >/dev/null || { echo "debian_source: no apt-get here" >&2; exit 2; }
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keyring" ] || { echo "debian_source: $keyring is missing: apt-get install debian-archive-keyring" >&2; exit 2; }
mkdir -p "$into"
into=$(cd "$into" && pwd)
private=$(mktemp -d)
trap 'rm -rf "$private"' EXIT
mkdir -p "$private"/{lists/partial,archives/partial}
echo "deb-src [signed-by=$keyring] http://deb.debian.org/debian $suite main" >"$private/sources.list"
options=(-qq -o "Dir::Etc::sourcelist=$private/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$private/lists"
  -o "Dir::Cache::archives=$private/archives" -o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache="
  -o APT::Sandbox::User=root)
apt-get "${options[@]}" update >&2
(cd "$into" && apt-get "${options[@]}" source --download-only "$package" >&2)
ls "$into/${package}"_*.orig.tar.gz | sort -V | tail -n1
