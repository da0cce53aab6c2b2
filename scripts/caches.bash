# Sourced, with the repository in `root`. Swift keeps caches in the home; where there is none that can be written
# to, they go to the build directory.
caches="${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}"
if ! { [[ -n "$caches" ]] && mkdir -p "$caches" && [[ -w "$caches" ]]; } 2>/dev/null; then
  export XDG_CACHE_HOME="$root/.build/cache"
fi
