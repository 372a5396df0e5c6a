# Shared by ./run, ./test and .ci/run: find what the build needs, install what is missing, build
# without noise. POSIX sh; the caller sets `root`, the checkout's folder.

# What is needed, one a line:
#   set | test, a command that succeeds where it is there | why, in a word | Debian | Fedora | Arch | Homebrew
# `-` means: comes with the system there.
needs() {
    cat <<'END'
build|has_cc|compiler|gcc libc6-dev|gcc|gcc|-
build|has meson|build|meson|meson|meson|meson
build|has_ninja|build|ninja-build|ninja-build|ninja|ninja
build|has python3|build|python3|python3|python|python
build|has_pkgconf|finds libraries|pkg-config|pkgconf-pkg-config|pkgconf|pkgconf
build|has_lib ncursesw|screen|libncurses-dev|ncurses-devel|ncurses|ncurses
build|has_lib sqlite3 3.40|case files|libsqlite3-dev|sqlite-devel|sqlite|sqlite
build|has_lib json-c|JSON output|libjson-c-dev|json-c-devel|json-c|json-c
build|has_lib libcbor|CBOR digests|libcbor-dev|libcbor-devel|libcbor|libcbor
build|has_lib libcrypto 3.0|digests, seals|libssl-dev|openssl-devel|openssl|openssl@3
build|has_lib zlib|gzip bodies in logs|zlib1g-dev|zlib-devel|zlib|zlib
build|has_lib libbrotlidec|brotli bodies in logs|libbrotli-dev|brotli-devel|brotli|brotli
build|has_lib liblzma|logs packed with xz|liblzma-dev|xz-devel|xz|xz
build|has_lib libzstd|compression|libzstd-dev|libzstd-devel|zstd|zstd
build|on_linux has_lib libseccomp|no network|libseccomp-dev|libseccomp-devel|libseccomp|-
test|has_lib criterion|unit tests|libcriterion-dev|criterion-devel|criterion|criterion
test|has_python_module jsonschema|output schemas|python3-jsonschema|python3-jsonschema|python-jsonschema|-
test|has tmux|terminal tests|tmux|tmux|tmux|tmux
ci|has clang|second compiler|clang libclang-rt-dev|clang compiler-rt|clang compiler-rt|llvm
ci|has clang-format|code style|clang-format|clang-tools-extra|clang|clang-format
END
}

say() { printf '%s\n' "$*" >&2; }
die() { say "$me: $*"; exit 1; }

has() { command -v "$1" >/dev/null 2>&1; }
has_ninja() { has ninja || has ninja-build; }
has_pkgconf() { has pkg-config || has pkgconf; }
has_lib() { "$(command -v pkg-config || echo pkgconf)" --exists "$1${2:+ >= $2}" 2>/dev/null; }
has_python_module() { "$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)" -c "import $1" 2>/dev/null; }
on_linux() { [ "$(uname)" != Linux ] || "$@"; } # elsewhere it is not asked for
has_cc() { has "${CC:-cc}" && echo '#include <stdio.h>' | "${CC:-cc}" -E - >/dev/null 2>&1; }

# missing SET...: the rows of `needs` in these sets that are not here
missing() {
    needs | while IFS='|' read -r set check why deb fed arch brew; do
        case " $* " in *" $set "*) ;; *) continue ;; esac
        $check || printf '%s|%s|%s|%s|%s\n' "$why" "$deb" "$fed" "$arch" "$brew"
    done
}

# install SET...: nothing where all is here; else says what it is about to install, and does it
install() {
    rows=$(missing "$@")
    [ -n "$rows" ] || return 0
    column() { printf '%s\n' "$rows" | cut -d'|' -f"$1" | grep -vx -- - | paste -sd ' ' -; }
    if ! has apt-get; then
        say "$me: these are missing, and only Debian's packages can be installed from here. Please install them, then run $me again:"
        say "  Fedora:    sudo dnf install $(column 3)"
        say "  Arch:      sudo pacman -S $(column 4)"
        say "  Homebrew:  brew install $(column 5)"
        exit 1
    fi
    say "strandline needs these Debian packages, which are not here yet:"
    printf '%s\n' "$rows" | while IFS='|' read -r why deb _; do printf '  %-20s %s\n' "$deb" "$why" >&2; done
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        has sudo || die "not root, and there is no sudo; as root, run: apt-get install $(column 2)"
        as_root=sudo
        [ -t 0 ] || sudo -n true 2>/dev/null ||
            die "sudo would ask for a password, and there is no terminal to ask on; as root, run: apt-get install $(column 2)"
    fi
    if [ -t 0 ] && [ -t 2 ]; then
        printf 'Install them%s? [Y/n] ' "${as_root:+ with sudo}" >&2
        read -r answer || answer=n
        case $answer in [nN]*) die "nothing installed; by hand: apt-get install $(column 2)" ;; esac
    fi
    say "Installing…"
    log=$(mktemp) || exit 1
    # A failing update may be about some other repository: the installation itself decides.
    $as_root apt-get update >"$log" 2>&1 </dev/null || :
    # shellcheck disable=SC2046
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
        install -y --no-install-recommends $(column 2) >>"$log" 2>&1 </dev/null || {
        tail -n 25 "$log" >&2
        die "apt-get could not install them (log: $log); is the network up, and are the package lists of Debian 12 or later in use?"
    }
    rm -f "$log"
    rows=$(missing "$@")
    [ -z "$rows" ] || die "installed, but still not found: $(column 2) (too old a system? Debian 12 or later has all of them)"
}

# build_dir NAME: sets `dir` to the folder to build in: in the checkout, or in the cache where that can't be written
build_dir() {
    dir=$root/$1
    if [ -d "$dir" ]; then [ -w "$dir" ] && return; elif [ -w "$root" ]; then return; fi
    cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}
    dir=$cache/strandline/$1-$(printf %s "$root" | cksum | cut -d' ' -f1)
    mkdir -p "$dir" 2>/dev/null ||
        die "neither $root nor $cache can be written, so there is nowhere to build; set XDG_CACHE_HOME to a folder that can"
}

ninja_in() { "$(command -v ninja || echo ninja-build)" -C "$dir" "$@"; }

# quiet_ninja TARGET: output to $log; on a terminal, one line that counts
quiet_ninja() {
    if [ ! -t 2 ]; then
        ninja_in "$@" >"$log" 2>&1
        return
    fi
    {
        ninja_in "$@" 2>&1
        echo $? >"$dir/build.status"
    } | tee "$log" | while IFS= read -r line; do
        case $line in \[*\]*) printf '\r%s]\033[K' "  ${line%%]*}" >&2 ;; esac
    done
    printf '\r\033[K' >&2
    read -r status <"$dir/build.status" && return "$status"
}

# build SETS TARGET OPTION...: brings TARGET up to date in $dir; silent unless it takes long or fails.
# The quick path is ninja alone: what is needed is looked at only where that fails.
build() {
    sets=$1 target=$2
    shift 2
    log=$dir/build.log
    # A folder that came along when the checkout was copied or moved builds the old place: start afresh.
    if [ -f "$dir/build.source" ] && [ "$(cat "$dir/build.source")" != "$root" ]; then
        rm -rf "$dir/meson-private" "$dir/meson-info" "$dir/build.ninja"
    fi
    if [ -f "$dir/build.ninja" ] && has_ninja; then
        case $(ninja_in -n "$target" 2>/dev/null) in *'no work to do'*) return ;; esac
        say "Building…"
        quiet_ninja "$target" && return
        # shellcheck disable=SC2086
        [ -z "$(missing $sets)" ] && build_failed
    fi
    # shellcheck disable=SC2086
    install $sets
    if [ ! -f "$dir/build.ninja" ]; then
        say "Building strandline for the first time; a minute or two…"
        mkdir -p "$dir"
        meson setup "$dir" "$root" "$@" >"$log" 2>&1 || {
            tail -n 40 "$log" >&2
            die "the build could not be set up (log: $log)"
        }
        printf '%s\n' "$root" >"$dir/build.source"
    fi
    quiet_ninja "$target" || build_failed
}

build_failed() {
    # From the first failure on; where none is marked, the end.
    { sed -n '/^FAILED/,$p' "$log" | grep . || tail -n 40 "$log"; } | head -n 60 >&2
    die "the build failed (log: $log); if it is not the source, remove $dir and try again"
}
