# Sourced, with the repository in `root`: what Swift caches, and where.

# Caches are in the home; where there is none that can be written to, they go to the build directory.
caches="${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}"
if ! { [[ -n "$caches" ]] && mkdir -p "$caches" && [[ -w "$caches" ]]; } 2>/dev/null; then
  export XDG_CACHE_HOME="$root/.build/cache"
fi

# In a clone that was moved or copied, the built modules hold its old path, and no build succeeds.
if [[ "$(cat "$root/.build/place" 2>/dev/null)" != "$root" ]]; then
  rm -rf "$root"/.build/*/*/ModuleCache "$root"/.build/weir/*/*/ModuleCache
  mkdir -p "$root/.build" && echo "$root" >"$root/.build/place"
fi 2>/dev/null || true
