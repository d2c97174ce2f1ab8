# shellcheck shell=sh
# The checkout's private environment: sourced by ./boxroom and ./check, never run.
#
# The caller sets `root`, the checkout, and calls `prepare`. A caller that wants one particular
# Python calls `use_python` first. This file does what every start needs, and finds a Python;
# scripts/prepare_environment.py, run if there is something to do, makes the environment.

# shellcheck disable=SC2154
environment=$root/.venv # or .venv-3.X.Y with `use_python`
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
}

# prepare PURPOSE: makes sure that the environment serves PURPOSE, which is `run`, `tests` or
# `dev`; each contains the ones before it. Quick when it does. Prints to standard error only and
# reads nothing.
prepare() {
    # What follows Ruff's heading configures tools and changes nothing that is installed.
    fingerprint=$(sed '/^\[tool\.ruff\]/,$d' "$root/pyproject.toml" | cksum)
    if serves "$1"; then
        return
    fi
    if command -v uv >/dev/null 2>&1; then
        python=${chosen:->=3.11}
        set -- "$1" uv run --quiet --isolated --no-project --python "$python" python
    else
        find_python
        set -- "$1" "$python"
    fi
    purpose=$1
    shift
    (
        cd "$root" || exit
        exec "$@" -m scripts.prepare_environment \
            "$environment" "$purpose" "$fingerprint" "$python" </dev/null >&2
    ) || exit
}

# Says by its exit code if the environment was made from today's requirements, and in this place:
# scripts in a moved environment don't run.
serves() {
    [ -x "$environment/bin/python" ] && [ -r "$environment/prepared" ] &&
        read -r made_for sum size place <"$environment/prepared" &&
        [ "$sum $size $place" = "$fingerprint $root" ] || return
    case "$made_for serves $1" in
        *' serves run' | 'tests serves tests' | 'dev serves '*) ;;
        *) false ;;
    esac
}

# Sets `python` to the chosen Python, or to the first, if it is new enough and can make environments.
find_python() {
    if [ -n "$chosen" ]; then
        set -- "$chosen"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11 python "$environment/bin/python"
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
        die "Boxroom needs Python 3.11 or newer, or uv: $(advice "$(uname -s)" /etc/os-release)"
    minor=$("$incomplete" -c 'import sys; print("%d.%d" % sys.version_info[:2])' </dev/null)
    die "Boxroom needs Python's venv module: $(advice "$(uname -s)" /etc/os-release "$minor")"
}

python_says() {
    "$python" -c "import sys; sys.exit(not ($1))" </dev/null >/dev/null 2>&1
}

# advice SYSTEM RELEASE [MINOR]: prints how to install Python, or the venv module of Python MINOR,
# on the SYSTEM that uname names; on Linux the file RELEASE tells its distribution.
advice() {
    ids=$1
    if [ "$1" = Linux ] && [ -r "$2" ]; then
        # shellcheck source=/dev/null
        ids=$(. "$2" && printf '%s' "${ID-} ${ID_LIKE-}")
    fi
    case " $ids " in
        *' debian '* | *' ubuntu '*) echo "sudo apt install python${3:-3}-venv" ;;
        *' rhel '*) echo 'sudo dnf install python3.12' ;;
        *' fedora '*) echo 'sudo dnf install python3' ;;
        *' arch '*) echo 'sudo pacman -S python' ;;
        *' alpine '*) echo 'sudo apk add python3' ;;
        *' suse '* | *' opensuse '*) echo 'sudo zypper install python312' ;;
        ' Darwin ') echo 'brew install python, or see https://www.python.org/downloads/' ;;
        *) echo 'see https://docs.astral.sh/uv/getting-started/installation/' ;;
    esac
}
