# shellcheck shell=sh
# The checkout's private environment, .venv: sourced by ./boxroom and ./check, never run.
#
# The caller sets `root`, the checkout, and calls `prepare`. The environment is made with uv
# where there is one, else with Python's own venv and pip; both give the same kind of
# environment, so one may carry on where the other stopped. A caller that wants one particular
# Python calls `use_python` first; the environment of version 3.X.Y is then .venv-3.X.Y.
#
# Three marks make an interruption or a second first start harmless:
#   .venv/prepared-PURPOSE  what the environment was made from; written last, compared first
#   .venv/unfinished        stands while the environment is being made: found later, it is
#                           rubbish and made anew
#   .venv.lock              a symbolic link to its owner's process id, made in one step

# shellcheck disable=SC2154
environment=$root/.venv
lock=$root/.venv.lock
chosen=

say() {
    printf '%s\n' "$*" >&2
}

die() {
    say "$@"
    exit 1
}

# use_python PYTHON: makes the environment of this interpreter the one that is prepared and used.
use_python() {
    chosen=$1
    version=$("$1" -c 'import platform; print(platform.python_version())' </dev/null 2>/dev/null) ||
        die "$1 is no Python that runs."
    environment=$root/.venv-$version
    lock=$environment.lock
}

# prepare PURPOSE REQUIREMENT: makes sure that REQUIREMENT, the checkout with or without an
# extra, is installed for PURPOSE, `run` or `dev`; the second contains the first. Quick when it
# is. Prints to standard error only and reads nothing.
prepare() {
    purpose=$1
    requirement=$2
    # Scripts in a moved environment don't run; the kernel is compiled when it is installed, and
    # the installation lists the modules that there are.
    modules=$(cd "$root" && find engine common server client -name '*.py' | sort)
    sources=$(cat "$root/pyproject.toml" "$root"/engine/kernel/*)
    wanted="$(printf '%s\n' "$sources" "$modules" | cksum) $root"
    if is_prepared; then
        return
    fi
    command -v uv >/dev/null 2>&1 || find_python
    take_lock
    if ! is_prepared; then # by whoever held the lock
        make_environment </dev/null >&2 || give_up
        printf '%s\n' "$wanted" >"$environment/prepared-$purpose"
    fi
    rm -f "$lock"
}

is_prepared() {
    [ -x "$environment/bin/python" ] && [ ! -e "$environment/unfinished" ] &&
        { is_made_for "$purpose" || is_made_for dev; }
}

is_made_for() {
    [ "$(cat "$environment/prepared-$1" 2>/dev/null)" = "$wanted" ]
}

give_up() {
    rm -f "$lock"
    die "Could not prepare Boxroom in $environment; the reason stands above."
}

# Sets `python` to the chosen Python, or to the first, if it is new enough and can make environments.
find_python() {
    if [ -n "$chosen" ]; then
        set -- "$chosen"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11 python
    fi
    incomplete=
    for python; do
        if python_says 'sys.version_info >= (3, 11)'; then
            if python_says '__import__("ensurepip") and __import__("venv")'; then
                return
            fi
            incomplete=${incomplete:-$python}
        fi
    done
    [ -n "$incomplete" ] || [ -z "$chosen" ] ||
        die "Boxroom needs Python 3.11 or newer, and $chosen is older."
    [ -n "$incomplete" ] ||
        die 'Boxroom needs Python 3.11 or newer, or uv. On Debian: sudo apt install python3-venv'
    minor=$("$incomplete" -c 'import sys; print("%d.%d" % sys.version_info[:2])' </dev/null)
    die "Boxroom needs Python's venv module. On Debian: sudo apt install python$minor-venv"
}

python_says() {
    "$python" -c "import sys; sys.exit(not ($1))" </dev/null >/dev/null 2>&1
}

take_lock() {
    [ -w "$root" ] || die "Boxroom keeps its environment in $root, which is not writable."
    told=
    until ln -s "$$" "$lock" 2>/dev/null; do
        owner=$(readlink "$lock") || continue # let go of just now
        if ! kill -0 "$owner" 2>/dev/null; then
            rm -f "$lock"
        elif [ -z "$told" ]; then
            say "Waiting for process $owner, which is preparing Boxroom ($lock)…"
            told=yes
        else
            sleep 1
        fi
    done
}

make_environment() {
    if [ -d "$environment" ]; then
        say 'Preparing Boxroom…'
    else
        say 'Preparing Boxroom (first run)…'
    fi
    if [ -e "$environment/unfinished" ] || [ ! -x "$environment/bin/python" ]; then
        start_over || return
    fi
    : >"$environment/unfinished" || return
    if command -v uv >/dev/null 2>&1; then
        install_with_uv || return
    else
        install_with_pip || return
    fi
    rm -f "$environment/unfinished"
}

start_over() {
    rm -rf "$environment" && mkdir "$environment" && : >"$environment/unfinished"
}

# At a terminal uv shows its progress.
install_with_uv() (
    cd "$root" || return
    set -- --quiet
    [ ! -t 2 ] || set --
    if [ ! -x "$environment/bin/python" ]; then
        uv --quiet venv --allow-existing --python "${chosen:->=3.11}" "$environment" || return
    fi
    uv "$@" pip install --python "$environment/bin/python" --editable "$requirement"
)

install_with_pip() (
    cd "$root" || return
    if ! "$environment/bin/python" -m pip --version >/dev/null 2>&1; then
        say "  environment: $environment"
        start_over && "$python" -m venv "$environment" || return
    fi
    failed=$({ { run_pip || echo yes >&3; } | show_progress >&2; } 3>&1)
    [ -z "$failed" ]
)

run_pip() {
    PYTHONUNBUFFERED=1 "$environment/bin/python" -m pip install --no-input --no-color \
        --progress-bar off --disable-pip-version-check --editable "$requirement" 3>&-
}

# Reads what pip says; shows the packages as it comes to them, and the kernel.
show_progress() {
    begin='  packages:'
    end=
    while read -r verb what _ _ _ state; do
        case "$verb $what $state" in
            'Collecting '*)
                printf '%s %s' "$begin" "${what%%[!A-Za-z0-9._-]*}"
                begin=
                end='\n'
                ;;
            'Building editable started')
                printf '%b  search kernel, compiled from C++\n' "$end"
                end=
                ;;
        esac
    done
    printf '%b' "$end"
}
