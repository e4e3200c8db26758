"""Names that are the world's and not the project's: no trace need hold them.

Only whole names that every reader can look up in the reference of a language or of a
protocol, or a program with one of its plain verbs. A real module with a function that
it does not have (`json.parse_fast`) is what an invention looks like, so nothing is
known by its first part.
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
# How work grows with its input: `O(n)` reads as a call of O.
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
# The front pages of services; every deeper address must be shown.
_FRONT_PAGES = word_set(
    """
    bitbucket.org crates.io docs.github.com example.com example.net example.org
    github.com gitlab.com go.dev google.com hub.docker.com developer.mozilla.org
    npmjs.com pypi.org python.org stackoverflow.com wikipedia.org
    """
)
# This machine, seen from itself, on any port.
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
_VERBS = {
    "git": "add bisect blame branch checkout cherry-pick clone commit diff fetch init"
    " log merge mv pull push rebase reflog reset restore revert rm show stash status"
    " switch tag worktree",
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
_COMMANDS = frozenset(
    f"{program} {verb}" for program, verbs in _VERBS.items() for verb in verbs.split()
)
_NAMES = {
    MentionKind.CLASS: _LANGUAGE | _BUILT_IN | _PROTOCOL,
    MentionKind.FUNCTION: _LANGUAGE | _BUILT_IN | _NOTATION,
    MentionKind.IDENTIFIER: _LANGUAGE | _BUILT_IN | _PROTOCOL | _STANDARDS,
    MentionKind.ENVIRONMENT_VARIABLE: _PROTOCOL,
    MentionKind.COMMAND: _COMMANDS,
}
_DOTTED = frozenset(name.replace("::", ".") for name in _LANGUAGE if "::" in name)


def is_common(mention: Mention) -> bool:
    """Return whether a mention names what exists whatever the project holds."""
    if mention.kind is MentionKind.URL:
        return _is_common_address(mention.key)
    known = _NAMES.get(mention.kind, frozenset())
    return mention.key in known or (bool(known) and mention.key in _DOTTED)


def _is_common_address(url: str) -> bool:
    host = url.partition("://")[2].rstrip("/").lower()
    return host.removeprefix("www.") in _FRONT_PAGES or bool(_LOOPBACK.match(host))
