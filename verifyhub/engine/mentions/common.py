"""Common names, such as well-known programs, which need no evidence in a trace.

Only whole names that are in the reference of a language or a protocol, or a program
with one of its usual verbs. A real module with a missing function (`json.parse_fast`)
is a typical invention, so the first part of a name alone never counts.
"""

import builtins
import re

from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Mention, MentionKind

_LANGUAGE = word_set(
    """
    AbortController AbortSignal Array ArrayBuffer Array.from Array.isArray AsyncIterator
    BigInt Blob Boolean Buffer CustomEvent DataView Date Date.now DOMParser Error Event
    EventSource EventTarget FileReader FormData Function Headers HTMLElement Infinity
    IntersectionObserver Intl JSON JSON.parse JSON.stringify Map Math Math.max Math.min
    MutationObserver NaN Number Object Object.assign Object.entries Object.freeze
    Object.keys Object.values Promise Promise.all Promise.allSettled Promise.race Proxy
    RangeError ReadableStream ReferenceError Reflect RegExp Request ResizeObserver
    Response Set String Symbol SyntaxError TextDecoder TextEncoder TypeError URL
    URLSearchParams Uint8Array WeakMap WeakSet WebSocket Worker WritableStream
    XMLHttpRequest addEventListener clearInterval clearTimeout console console.error
    console.log console.warn decodeURIComponent document encodeURIComponent fetch
    globalThis isNaN localStorage module.exports parseFloat parseInt process.env
    process.exit queueMicrotask removeEventListener requestAnimationFrame
    sessionStorage setInterval setTimeout structuredClone window
    Record Partial Readonly Omit Pick ReturnType Awaited
    bytes.Buffer bufio.Scanner context.Background context.Context errors.As errors.Is
    errors.New fmt.Errorf fmt.Printf fmt.Println fmt.Sprintf http.Client http.Handler
    http.Request http.ResponseWriter io.Discard io.EOF io.Reader io.Writer json.Marshal
    json.Unmarshal log.Fatal os.Args os.Exit os.Getenv os.Stderr os.Stdin os.Stdout
    strings.Builder strings.Split sync.Mutex sync.Once sync.RWMutex sync.WaitGroup
    testing.T time.Duration time.Now time.Sleep time.Time
    json.RawMessage json.Decoder json.Encoder json.NewDecoder json.NewEncoder
    json.Unmarshal context.TODO context.WithCancel context.WithTimeout errors.Join
    filepath.Base filepath.Dir filepath.Glob filepath.Join filepath.Walk
    fmt.Fprintf fmt.Fprintln io.Copy io.ReadAll io.Writer os.Chdir os.Create os.Getwd
    os.MkdirAll os.Open os.ReadFile os.Remove os.RemoveAll os.Setenv os.Stat
    os.WriteFile sort.Slice strconv.Atoi strconv.Itoa strings.Contains
    strings.HasPrefix strings.HasSuffix strings.Join strings.TrimSpace
    testing.B testing.M t.Chdir t.Cleanup t.Error t.Errorf t.Fatal t.Fatalf t.Helper
    t.Log t.Logf t.Parallel t.Run t.Setenv t.Skip t.TempDir b.N
    MarshalJSON UnmarshalJSON
    Arc Box BTreeMap Cow HashMap HashSet Mutex Option PhantomData Rc RefCell Result
    RwLock Some Vec String::from
    ArrayList ArrayIndexOutOfBoundsException AutoCloseable CompletableFuture
    ConcurrentHashMap Exception IllegalArgumentException IllegalStateException
    InputStream IOException Iterable Iterator LinkedHashMap LinkedList
    NullPointerException Optional OutputStream Override Runnable RuntimeException
    StringBuilder System.out.println Thread ThreadLocal UnsupportedOperationException
    ActiveRecord NSObject std::move std::string std::vector std::unique_ptr
    std::shared_ptr nullptr size_t
    dataclass functools.lru_cache functools.partial functools.wraps os.environ os.path
    os.path.join pathlib.Path self.assertEqual sys.argv sys.exit sys.path
    typing.Any typing.Optional
    useCallback useContext useEffect useMemo useReducer useRef useState
    React.useCallback React.useContext React.useEffect React.useMemo React.useReducer
    React.useRef React.useState React.Component React.Fragment React.memo
    fs.readFile fs.readFileSync fs.writeFile fs.writeFileSync fs.existsSync path.join
    path.resolve
    np.array np.ndarray np.zeros np.ones np.arange pd.DataFrame pd.Series pd.read_csv
    Array.prototype.filter Array.prototype.forEach Array.prototype.map
    Array.prototype.reduce Object.prototype.hasOwnProperty sql.DB sql.Rows sql.Tx
    """
)
# Complexity: `O(n)` looks like a call of O.
_NOTATION = frozenset({"O"})
_STANDARDS = word_set(
    """
    ALTER CASCADE COMMIT COUNT CREATE DELETE DISTINCT DROP EXISTS EXPLAIN FROM HAVING
    INSERT JOIN LIMIT MERGE OFFSET REFERENCES RETURNING ROLLBACK SELECT TRUNCATE UNION
    UPDATE UPSERT VACUUM VALUES WHERE
    SIGABRT SIGALRM SIGCHLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGKILL SIGPIPE SIGQUIT
    SIGSEGV SIGSTOP SIGTERM SIGTRAP SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH
    utf-8 UTF-8 utf8 utf-16 UTF-16 utf-32 us-ascii ascii ASCII latin-1 iso-8859-1
    ISO-8859-1 windows-1252
    """
)
# The front pages of services; deeper addresses need evidence.
_FRONT_PAGES = word_set(
    """
    bitbucket.org conventionalcommits.org crates.io docs.github.com example.com
    example.net example.org gist.github.com github.com gitlab.com go.dev google.com
    hub.docker.com developer.mozilla.org keepachangelog.com npmjs.com pypi.org
    python.org semver.org stackoverflow.com wikipedia.org
    """
)
# The local machine, on any port.
_LOOPBACK = re.compile(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d{1,5})?$")
_BUILT_IN = frozenset(dir(builtins))
_PROTOCOL = word_set(
    """
    Accept Accept-Encoding Accept-Language Access-Control-Allow-Origin Authorization
    Cache-Control Connection Content-Disposition Content-Encoding Content-Length
    Content-Security-Policy Content-Type ETag If-Modified-Since If-None-Match
    Keep-Alive Last-Modified Location Origin Referer Retry-After Set-Cookie
    Strict-Transport-Security Transfer-Encoding User-Agent Vary WWW-Authenticate
    X-Forwarded-For X-Requested-With
    Co-authored-by Signed-off-by
    HOME PATH PWD SHELL TMPDIR USER LANG TERM EDITOR NODE_ENV PYTHONPATH NO_COLOR
    HTTP_PROXY HTTPS_PROXY LD_LIBRARY_PATH GOPATH JAVA_HOME
    """
)
# Files of git in every clone, and files that agents' programs read first.
_PLACES = word_set(
    """
    .git .git/HEAD .git/config .git/hooks .git/index .git/index.lock .git/info/exclude
    .git/logs .git/objects .git/refs .git/worktrees ~/.gitconfig
    AGENTS.md CLAUDE.md GEMINI.md
    ~/.bashrc ~/.bash_profile ~/.profile ~/.zshrc ~/.config/fish/config.fish ~/.ssh
    """
)
_GIT_KEYS = word_set(
    """
    commit.gpgsign core.autocrlf core.bare core.editor core.fsmonitor core.hooksPath
    core.worktree credential.helper fetch.prune gc.auto gc.autoDetach
    gc.pruneExpire init.defaultBranch merge.ff pull.rebase push.autoSetupRemote
    push.default rebase.autoStash rerere.enabled user.email user.name
    user.signingkey
    """
)
_VERBS = {
    "git": "add am apply archive bisect blame branch bundle cat-file checkout"
    " cherry-pick clean clone commit config count-objects describe diff fetch"
    " for-each-ref format-patch fsck gc grep hash-object init log ls-files ls-remote"
    " ls-tree maintenance merge merge-base mv notes prune pull push range-diff rebase"
    " reflog remote repack reset restore rev-list rev-parse revert rm shortlog show"
    " show-ref sparse-checkout stash status submodule switch symbolic-ref tag"
    " update-index update-ref worktree write-tree",
    "npm": "ci init install publish start test update",
    "pnpm": "install",
    "yarn": "install",
    "bun": "install test",
    "pip": "install freeze list",
    "cargo": "add bench build check clean clippy doc fmt run test update",
    "go": "build fmt generate get install run test vet",
    "docker": "build compose images logs ps pull push run stop",
    "kubectl": "apply delete describe get logs",
    "terraform": "apply destroy init plan",
    "mvn": "clean compile install package test verify",
}
# Options in the manuals of programs, by program and verb.
_OPTIONS = {
    "git add": "-A --all -p --patch -u --update -n --dry-run -f --force .",
    "git branch": "-a --all -d -D -m -M -r -v -vv --show-current --list",
    "git checkout": "-b -B -f -- .",
    "git clean": "-d -f -fd -fdx -n -x",
    "git commit": "-a -am -m -s --all --allow-empty --amend --no-edit --no-verify",
    "git config": "--global --local --list --get --unset",
    "git diff": "--cached --staged --stat --name-only --name-status --check --no-index"
    " -w",
    "git fetch": "--all --prune --tags -p",
    "git gc": "--aggressive --auto --prune=now",
    "git log": "--oneline --graph --all --stat -p -1 -5 -10 -n",
    "git merge": "--abort --continue --ff-only --no-ff --squash",
    "git pull": "--rebase --ff-only --no-rebase",
    "git push": "-f -u --force --force-with-lease --set-upstream --tags --no-verify"
    " --delete --dry-run",
    "git rebase": "-i --interactive --abort --continue --skip --onto --autostash",
    "git reset": "--hard --soft --mixed -q",
    "git rev-parse": "--show-toplevel --git-dir --git-common-dir --abbrev-ref",
    "git rm": "--cached -f -r",
    "git show": "--stat --name-only",
    "git stash": "pop push list drop apply -u --include-untracked",
    "git status": "-s --short --porcelain -b",
    "git tag": "-a -d -l -m",
    "git worktree": "add list remove prune",
    "set": "-e -u -x -o -eu -ex -euo pipefail errexit nounset +e +x",
    "sed": "-i -n -e -E -r", "grep": "-r -n -i -v -E -rn -l", "rm": "-r -f -rf -fr -i",
    "mkdir": "-p", "chmod": "+x -R 755 644", "cp": "-r -R -a", "ln": "-s -f -sf",
    "ls": "-l -a -la -al -lh", "tar": "-xzf -czf -xf", "kill": "-9 -0", "ps": "aux -ef",
    "xargs": "-0 -n", "tail": "-f -n", "head": "-n", "sort": "-u -n -r", "wc": "-l -c",
    "bash": "-c -e -x", "sh": "-c -e -x",
}  # fmt: skip
_MANUAL = {program: word_set(options) for program, options in _OPTIONS.items()}
# Targets of commands that name nothing of the project.
_ANYWHERE = re.compile(r"(?:HEAD|origin)(?:[~^]\d{0,3})*$|<[\w-]{1,40}>$")
_COMMANDS = frozenset(
    f"{program} {verb}" for program, verbs in _VERBS.items() for verb in verbs.split()
)
# Programs that ask for passwords of git, one for each system.
_HELPERS = word_set(
    "credential-cache credential-libsecret credential-manager credential-osxkeychain"
    " credential-store credential-wincred"
)
_COMMANDS |= {f"git {helper}" for helper in _HELPERS}
_NAMES = {
    MentionKind.CLASS: _LANGUAGE | _BUILT_IN | _PROTOCOL,
    MentionKind.FUNCTION: _LANGUAGE | _BUILT_IN | _NOTATION,
    MentionKind.IDENTIFIER: _LANGUAGE
    | _BUILT_IN
    | _PROTOCOL
    | _STANDARDS
    | _GIT_KEYS
    | {f"git-{helper}" for helper in _HELPERS},
    MentionKind.ENVIRONMENT_VARIABLE: _PROTOCOL,
    MentionKind.FILE: _PLACES,
    MentionKind.DIRECTORY: _PLACES,
}
_DOTTED = frozenset(name.replace("::", ".") for name in _LANGUAGE if "::" in name)


def is_common(mention: Mention) -> bool:
    """Return whether a mention is a common name, which exists in any project."""
    if mention.kind is MentionKind.URL:
        host = mention.key.partition("://")[2].rstrip("/").lower()
        return host.removeprefix("www.") in _FRONT_PAGES or bool(_LOOPBACK.match(host))
    if mention.kind is MentionKind.COMMAND:
        return _is_common_command(mention.key)
    known = _NAMES.get(mention.kind, frozenset())
    key = mention.key.rstrip("/") if known is _PLACES else mention.key
    return key in known or (bool(known) and key in _DOTTED)


# Placeholders of any kind of name in examples of every language.
_PLACEHOLDER = re.compile(
    r"(?:^|/)path/to/|(?:^|[/._-])(?:foo|bar|baz|qux|abc123|xyz789|x{3,9})(?=$|[/._-])"
    r"|^/?tmp/(?:my|your)[_-]",
    re.IGNORECASE,
)


def is_placeholder(mention: Mention) -> bool:
    """Return whether a name is a placeholder of examples: `/path/to/a.json`."""
    return bool(_PLACEHOLDER.search(mention.key))


def _is_common_command(line: str) -> bool:
    """Whether a command only has a program, its verb and options of its manual."""
    if line in _COMMANDS:
        return True
    words = line.split()
    for length in (2, 1):
        options = _MANUAL.get(" ".join(words[:length]))
        if options is not None:
            rest = words[length:]
            if words[:2] == ["git", "config"] and not _GIT_KEYS.isdisjoint(rest):
                # The value of a setting is up to the reader.
                return len(rest) <= 3
            return bool(rest) and all(
                word in options or _ANYWHERE.match(word) for word in rest
            )
    return False
