"""What can be run that is no test, linter, type check, build or formatter.

One row a topic: the words that a claim uses of it, and what the name of a tool or a
command says that runs it. Both sides of a claim ask here.
"""

import re

_HTTP = (
    r"curl|wget|\bhttp|health|smoke|fetch|request|browser|playwright|navigate"
    r"|screenshot|puppeteer|chrome|selenium|cypress"
)
_DEPLOYS = (
    r"deploy|kubectl|helm|terraform|tofu|pulumi|rollout|docker|ansible|rsync|flyctl|fly"
    r"|vercel|netlify|heroku|wrangler|ssh|systemctl|gcloud|aws|az\b|serverless|sam\b|cdk"
    r"|kamal|nomad|argocd"
)
# Who builds an image, or lists images, starts no container.
_CONTAINERS = (
    r"(?:docker|podman|nerdctl)(?:[ -]compose)?(?! (?:\S{1,60} ){0,4}?"
    r"(?:build|images?|pull|push|tag|buildx)\b)|compose|kubectl|minikube|kind\b"
)
_SCRIPTS = (
    r"script|python|node|deno|bun|tsx|ruby|perl|php|bash|sh\b|\./"
    r"|\S+\.(?:py|sh|js|ts|rb|pl|php)\b"
)
_ROWS: tuple[tuple[str, str], ...] = (
    (r"bench\w*", r"bench|criterion|hyperfine|k6|wrk|locust|\bperf\b|timeit|\bab\b"),
    (
        r"(?:load|stress|soak|performance)[ -]?tests?",
        r"k6|locust|wrk|jmeter|gatling|vegeta|artillery|\bab\b|\bhey\b|load|stress|bench",
    ),
    (r"coverage", r"cov|nyc|c8|tarpaulin|jacoco|kover|simplecov|test"),
    (
        r"(?:schema |database |db |data )?migrations?|migrated",
        r"migrat|alembic|prisma|flyway|liquibase|knex|sequelize|typeorm|drizzle|ecto"
        r"|goose|atlas|dbmate|rails|rake|artisan|upgrade",
    ),
    (r"deploy(?:ment)?s?|roll-?outs?|playbook", _DEPLOYS),
    (r"rollback", _DEPLOYS + r"|rollback|downgrade|undo|migrat"),
    (r"down(?:grade)? migrations?|down-migrations?", r"down|rollback|undo|revert"),
    (r"health[ -]?checks?|health ?z?|readiness|liveness", _HTTP + r"|kubectl|docker"),
    (
        r"smoke(?:[ -](?:tests?|checks?|runs?))?|sanity[ -](?:checks?|tests?)",
        _HTTP + r"|smoke|sanity|run|\./|python|node|test",
    ),
    (
        r"(?:dev |local |web )?servers?|services?",
        _HTTP + r"|" + _CONTAINERS + r"|serve|start|\bdev\b|run|systemctl|restart",
    ),
    (r"containers?|pods?|compose(?: stack)?|stack", _CONTAINERS),
    (r"dry[ -]?runs?", r"dry|--check|\bplan\b|noop|preview|--diff|simulat"),
    (r"(?:terraform |tofu )?plan", r"\bplan\b|preview"),
    (
        r"(?:(?:security|dependency|vulnerability|secrets?|container|image) )?"
        r"(?:audit|scan)(?:s|ner)?"
        r"|(?:security|dependency|vulnerability) checks?|vulnerabilit(?:y|ies)",
        r"npm (?:i|install|ci)\b|pnpm|yarn|bun |audit|scan|dependency-?check"
        r"|snyk|trivy|grype|bandit|gitleaks|semgrep|govulncheck|osv|brakeman",
    ),
    (
        r"(?:docs?|documentation|site|book)(?: build)?",
        r"doc|mkdocs|sphinx|book|site|hugo|jekyll|\bastro\b|vitepress|zola",
    ),
    (
        r"flame ?graphs?|profil(?:ing|ers?)",
        r"flame|prof|\bperf\b|py-spy|samply|instruments",
    ),
    (r"(?:broken[ -]?)?link[ -]?check\w*|links", r"link|lychee|htmlproofer"),
    (r"spell[ -]?check\w*|spelling", r"spell|typos|vale"),
    (r"licen[sc]e[ -]?(?:check|scan)\w*", r"licen|reuse"),
    (
        r"(?:memory |leak )(?:check|scan)\w*|leaks",
        r"leak|valgrind|asan|memory|sanitize",
    ),
    (r"race detector", r"race|tsan"),
    (r"[autml]b?san|\w+ ?sanitizers?", r"san|sanitiz|valgrind"),
    (
        r"visual (?:regression|diff\w*)(?: tests?)?|chromatic|percy",
        r"chromatic|percy|backstop|visual|playwright|screenshot|loki|argos",
    ),
    (r"accessib\w+|a11y", r"axe|a11y|pa11y|lighthouse|accessib"),
    (r"fuzz\w*", r"fuzz|afl|honggfuzz"),
    (r"notebooks?|nbconvert", r"notebook|nbconvert|papermill|jupyter|ipynb"),
    (r"simulat(?:ion|or)\w*|emulator", r"simul|simctl|emul|xcodebuild"),
    (r"codegen|code generation|generators?|generated code", r"gen|protoc|buf"),
    (r"backfill|seed(?:ing|s)?|import|export|backup|restore|dump|quer(?:y|ies)", ""),
    (
        r"syntax(?:[ -]?checks?)?",
        r"\S+ (?:-n|-l|-c|--check)\b|py_compile|compileall|syntax|lint",
    ),
    (r"scripts?", _SCRIPTS),
    (
        r"workflows?",
        r"gh (?:run|workflow|api|pr)|glab|\bact\b|workflow|pipeline|checks",
    ),
    (r"logs", r"\S*logs?\b|\S*\.log\b|journal|stern|\btail\b"),
)
# Words that make no label of a line.
_ROWS_IN_SENTENCES = (
    (r"(?:in|with) (?:the |a |my )?browser", _HTTP + r"|serve|start|open|\bdev\b"),
    (r"demo|validation|schema|consistency", ""),
)
_TOPICS = tuple(
    (re.compile(rf"\b(?:{words})\b"), pattern)
    for words, pattern in (*_ROWS, *_ROWS_IN_SENTENCES)
)
# The words of topics that may be the label of a line.
TOPIC_WORDS = "|".join(words for words, _ in _ROWS)


def run_topic(words: str) -> re.Pattern[str] | None:
    """Return what shows that the first topic in `words` was run; None without one."""
    topics = [
        (match.start(), match.group(), shows)
        for pattern, shows in _TOPICS
        if (match := pattern.search(words))
    ]
    if not topics:
        return None
    # "Container scan" is a scan, and no container.
    at, word, shows = min(topics, key=lambda topic: (topic[0], -len(topic[1])))
    if words.startswith(" script", at + len(word)):
        shows = f"{shows or re.escape(word[:6])}|{_SCRIPTS}"
    return re.compile(rf"(?<![a-z])(?:{shows or re.escape(word[:6])})")
