"""Django's settings; values come from the environment (`.env.example`)."""

import logging
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.contrib.messages.constants import ERROR, INFO, SUCCESS, WARNING

# Shared tasks bind to the first Celery app, which must be this one.
import verifyhub.config.celery  # noqa: F401
from verifyhub import __version__
from verifyhub.accounts.log_masking import mask_event
from verifyhub.common import env
from verifyhub.common.client_address import networks
from verifyhub.common.logs import configure_structlog, json_logging
from verifyhub.common.object_store import StoreAddress, checked_address
from verifyhub.config import celery_settings, models, oidc, paths
from verifyhub.config.database import databases
from verifyhub.config.email_security import EmailSecurity
from verifyhub.config.workspaces import workspace_roots
from verifyhub.engine.llm.configure import from_environment

PACKAGE = paths.PACKAGE
BASE_DIR = paths.BASE_DIR
HOME = paths.HOME

DEBUG = env.flag("VERIFYHUB_DEBUG", False)
SECRET_KEY = env.text("VERIFYHUB_SECRET_KEY")
# Former values, still valid for signatures and sealed secrets.
SECRET_KEY_FALLBACKS = env.words("VERIFYHUB_OLD_SECRET_KEYS")
ALLOWED_HOSTS = env.words("VERIFYHUB_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("VERIFYHUB_CSRF_TRUSTED_ORIGINS")
ROOT_URL = env.text("VERIFYHUB_ROOT_URL", "http://127.0.0.1:8000").rstrip("/")
# Proxies whose X-Forwarded-For header is trusted.
TRUSTED_PROXIES = networks(env.words("VERIFYHUB_FORWARDED_ALLOW_IPS", "127.0.0.1,::1"))
# Cookies require TLS, except for a trial on loopback.
SECURE = ROOT_URL.startswith("https://")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "axes",
    "csp",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "django_structlog",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "verifyhub.common",
    "verifyhub.audit",
    "verifyhub.accounts",
    "verifyhub.events",
    "verifyhub.inference",
    "verifyhub.ingest",
    "verifyhub.learning",
    "verifyhub.memory",
    "verifyhub.knowledge",
    "verifyhub.verification",
    "verifyhub.review",
    "verifyhub.metrics",
    "verifyhub.exports",
    "verifyhub.reports",
    "verifyhub.privacy",
    "verifyhub.demo",
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Functions of upper packages that run in transactions of lower ones.
STEPS = "verifyhub.config.steps"

MIDDLEWARE = [
    "verifyhub.common.client_address.ClientAddressMiddleware",
    "verifyhub.common.tracing.TraceMiddleware",
    "verifyhub.common.middleware.RequestLogMiddleware",
    "verifyhub.common.request_guard.RequestGuardMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "verifyhub.common.middleware.PageMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "verifyhub.accounts.middleware.LongBodyMiddleware",
    "verifyhub.accounts.middleware.ViewerMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "verifyhub.config.urls"
WSGI_APPLICATION = "verifyhub.config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PACKAGE / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "verifyhub.common.quick_templates.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.template.context_processors.tz",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "verifyhub.common.http.project_of",
                "verifyhub.config.alarms.alarms",
            ],
        },
    },
]
FORM_RENDERER = "verifyhub.common.form_renderer.WidgetRenderer"
# CSS classes of notes by level of message: note--bad.
MESSAGE_TAGS = {INFO: "info", SUCCESS: "good", WARNING: "warn", ERROR: "bad"}

# Whether the database URLs are those of PgBouncer in transaction mode.
PGBOUNCER = env.flag("VERIFYHUB_PGBOUNCER", False)
DATABASES = databases(
    is_pooled=PGBOUNCER, replica_url=env.text("DATABASE_REPLICA_URL", "")
)
# How far behind the replica may be for long reads, in seconds.
REPLICA_SECONDS = env.integer("VERIFYHUB_REPLICA_SECONDS", 30, minimum=1)

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
# Seconds for which a link for a new password is valid.
PASSWORD_RESET_TIMEOUT = 24 * 3600
# Sign-in at an OpenID Connect provider, besides passwords; disabled without an issuer.
OIDC = oidc.from_environment()
# The name of this server in authenticator apps.
OTP_TOTP_ISSUER = "VerifyHub"
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "accounts:login"
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
# Browsers with a former sign-in are counted separately from strangers.
AXES_USERNAME_CALLABLE = "verifyhub.accounts.sign_in_limits.counted_name"
# Failures within the same time, for all names from one address and for one name from
# all addresses, beyond which browsers without a former sign-in have to wait.
SIGN_IN_FAILURES_OF_ADDRESS = 60
SIGN_IN_FAILURES_OF_NAME = 100
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "accounts/locked.html"
AXES_VERBOSE = False

SESSION_ENGINE = "verifyhub.accounts.sessions"
SESSION_COOKIE_AGE = 7 * 24 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
CSRF_COOKIE_HTTPONLY = True
if SECURE:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31536000
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
        "report-uri": ["/csp-reports/"],
    },
}

LANGUAGE_CODE = "en"
# Each in its own language, so that everybody finds theirs.
LANGUAGES = [("en", "English"), ("ru", "Русский"), ("fr", "Français")]
LOCALE_PATHS = [PACKAGE / "locale"]
LANGUAGE_COOKIE_SECURE = SECURE
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
# Pages and times are shown in the viewer's zone; rows and the API are in UTC.
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = HOME / "static"
STATICFILES_DIRS = [PACKAGE / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# Maximum size of a request body in bytes; the strict parser has its own node limits.
MAX_BODY_BYTES = env.integer("VERIFYHUB_MAX_BODY_BYTES", 16 * 1024 * 1024, minimum=1024)
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
# Maximum requests of one process that wait for their verdict; others get a 202 at once,
# so that waiting never occupies every thread of the server.
MAX_WAITING_REQUESTS = env.integer("VERIFYHUB_MAX_WAITING_REQUESTS", 8)
# Answers of one project that may wait to be verified; beyond it senders get a 429.
MAX_WAITING_ANSWERS = env.integer("VERIFYHUB_MAX_WAITING_ANSWERS", 100_000, minimum=1)
# Bulk streams that one process receives at a time; each occupies a thread.
MAX_BULK_STREAMS = env.integer("VERIFYHUB_MAX_BULK_STREAMS", 4, minimum=1)
# Maximum size of an uploaded file of answers.
MAX_UPLOAD_BYTES = env.integer(
    "VERIFYHUB_MAX_UPLOAD_BYTES", 1024 * 1024 * 1024, minimum=1024
)
# Maximum size of one stream or file of answers when decompressed.
MAX_UNPACKED_BYTES = env.integer(
    "VERIFYHUB_MAX_UNPACKED_BYTES", 16 * 1024 * 1024 * 1024, minimum=1024
)
# Requests that one API key, and all keys of one project, may send in a minute; 0 for no
# limit. They may arrive in a burst (token bucket).
KEY_REQUESTS_PER_MINUTE = env.integer("VERIFYHUB_KEY_REQUESTS_PER_MINUTE", 30_000)
PROJECT_REQUESTS_PER_MINUTE = env.integer(
    "VERIFYHUB_PROJECT_REQUESTS_PER_MINUTE", 60_000
)
# Days after which events are deleted.
EVENT_DAYS = env.integer("VERIFYHUB_EVENT_DAYS", 90, minimum=1)
# Connected readers of events of one web process, and of one project in it; each
# occupies a thread.
MAX_EVENT_STREAMS = env.integer("VERIFYHUB_MAX_EVENT_STREAMS", 3)
MAX_EVENT_STREAMS_OF_PROJECT = env.integer("VERIFYHUB_MAX_EVENT_STREAMS_OF_PROJECT", 2)
# host:port pairs of private or loopback addresses, or without TLS, that webhooks may
# use.
WEBHOOK_ALLOW_PRIVATE = env.hosts("VERIFYHUB_WEBHOOK_ALLOW_PRIVATE")
# Seconds to wait before a trace is read: after its root ended, if every span that it
# holds has ended and has its parent; if not; and without an ended root, after its last
# span.
OTLP_COMPLETE_GRACE_SECONDS = env.integer("VERIFYHUB_OTLP_COMPLETE_GRACE_SECONDS", 1)
OTLP_ROOT_GRACE_SECONDS = env.integer("VERIFYHUB_OTLP_ROOT_GRACE_SECONDS", 5)
OTLP_QUIET_SECONDS = env.integer("VERIFYHUB_OTLP_QUIET_SECONDS", 60)
# Days after which raw spans are deleted, from the last one of their trace.
OTLP_SPAN_DAYS = env.integer("VERIFYHUB_OTLP_SPAN_DAYS", 30, minimum=1)
# Maximum spans of one trace; further ones are refused.
OTLP_MAX_SPANS = env.integer("VERIFYHUB_OTLP_MAX_SPANS", 10_000, minimum=1)
# Traces of one project that may wait to be read; beyond it exporters get a 429.
OTLP_MAX_WAITING_TRACES = env.integer(
    "VERIFYHUB_OTLP_MAX_WAITING_TRACES", 5000, minimum=1
)
# The Bearer token of Prometheus; empty: loopback only.
METRICS_TOKEN = env.text("VERIFYHUB_METRICS_TOKEN", "")
# Seconds for which sums over whole tables are cached; 0: not cached.
METRICS_SECONDS = env.integer("VERIFYHUB_METRICS_SECONDS", 60)

# The endpoint of the same figures as OpenTelemetry metrics, including `/v1/metrics`;
# empty: none. Headers as name=value, separated by commas.
OTLP_METRICS_ENDPOINT = env.text("VERIFYHUB_OTLP_METRICS_ENDPOINT", "")
OTLP_METRICS_HEADERS = env.pairs("VERIFYHUB_OTLP_METRICS_HEADERS")

# The endpoint of VerifyHub's own spans, including `/v1/traces`; empty: none.
OTLP_TRACES_ENDPOINT = env.text("VERIFYHUB_OTLP_TRACES_ENDPOINT", "")
OTLP_TRACES_HEADERS = env.pairs("VERIFYHUB_OTLP_TRACES_HEADERS")
# The URL of a trace in a tracing tool, with {trace} for its id.
TRACE_URL = env.text("VERIFYHUB_TRACE_URL", "")
if TRACE_URL and not TRACE_URL.startswith(("https://", "http://")):
    raise env.SettingError("VERIFYHUB_TRACE_URL must begin with https:// or http://")

# Folders of projects whose files may be read, by slug; can only be set here.
WORKSPACE_ROOTS = workspace_roots(
    env.words("VERIFYHUB_WORKSPACE_ROOTS"), (BASE_DIR, HOME)
)

# The system's object store, if set; it then contains exports.
STORE = checked_address(
    StoreAddress(
        url=env.text("VERIFYHUB_STORE_URL", "").rstrip("/"),
        endpoint=env.text("VERIFYHUB_STORE_ENDPOINT", "").rstrip("/"),
        region=env.text("VERIFYHUB_STORE_REGION", ""),
        key_id=env.text("VERIFYHUB_STORE_KEY_ID", ""),
        secret=env.text("VERIFYHUB_STORE_SECRET", ""),
    )
)
# Minimum length in characters of outputs that move there once verified; 0: none.
STORE_OUTPUT_CHARACTERS = env.integer(
    "VERIFYHUB_STORE_OUTPUT_CHARACTERS", 262_144, minimum=0
)
# The same of answers, in bytes; 0: none.
STORE_ANSWER_BYTES = env.integer("VERIFYHUB_STORE_ANSWER_BYTES", 0, minimum=0)
# The folder of export files, shared by servers and workers, and the days after which
# they are deleted.
EXPORT_FOLDER = env.text("VERIFYHUB_EXPORT_FOLDER", str(HOME / "exports"))
EXPORT_DAYS = env.integer("VERIFYHUB_EXPORT_DAYS", 7, minimum=1)
# Folders for exports of projects, by slug.
EXPORT_ROOTS = workspace_roots(
    env.words("VERIFYHUB_EXPORT_ROOTS"),
    (BASE_DIR, HOME),
    setting="VERIFYHUB_EXPORT_ROOTS",
)
# URLs of S3-compatible stores for exports of projects.
EXPORT_STORES = env.words("VERIFYHUB_EXPORT_STORES")

# The server's own models; without a URL there is none, unless a project has its own
# endpoint.
MODELS = from_environment()
# Caps for each project, which limit its own settings.
BUDGET_CEILINGS = models.ceilings(
    {
        "day_microdollars": (
            "VERIFYHUB_BUDGET_DAY_USD",
            env.text("VERIFYHUB_BUDGET_DAY_USD", ""),
        ),
        "month_microdollars": (
            "VERIFYHUB_BUDGET_MONTH_USD",
            env.text("VERIFYHUB_BUDGET_MONTH_USD", ""),
        ),
    },
    {
        "day_tokens": env.integer("VERIFYHUB_BUDGET_DAY_TOKENS", 0),
        "month_tokens": env.integer("VERIFYHUB_BUDGET_MONTH_TOKENS", 0),
        "calls_at_once": env.integer("VERIFYHUB_BUDGET_CALLS_AT_ONCE", 0),
    },
)

# Maximum number of documents of a project, and bytes of each.
KNOWLEDGE_DOCUMENTS = env.integer("VERIFYHUB_KNOWLEDGE_DOCUMENTS", 10_000)
KNOWLEDGE_DOCUMENT_BYTES = env.integer(
    "VERIFYHUB_KNOWLEDGE_DOCUMENT_BYTES", 2 * 1024 * 1024, minimum=1024
)

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "verifyhub.accounts.authentication.ApiKeyAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "verifyhub.accounts.permissions.HasScope",
        "verifyhub.common.api_parameters.KnownParameters",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["verifyhub.accounts.throttling.KeyRate"],
    "DEFAULT_PARSER_CLASSES": ["verifyhub.common.api.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "verifyhub.common.api_schema.DescribedView",
    # `format` is an ordinary parameter.
    "URL_FORMAT_OVERRIDE": None,
    "EXCEPTION_HANDLER": "verifyhub.common.api.problem_details",
    "UNAUTHENTICATED_USER": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
# The tag of the API's operations by the first part of their path, where it is another.
API_TAGS = {
    "alerts": "reports",
    "checks": "detection",
    "deletions": "privacy",
    "deliberations": "detection",
    "documents": "knowledge",
    "legal-holds": "privacy",
    "masking": "privacy",
    "mitigations": "detection",
    "retention": "privacy",
    "snapshots": "guard",
    "tool-schemas": "tool schemas",
    "verification-batches": "batches",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "VerifyHub",
    "DESCRIPTION": "Send an agent's task, answer and tool calls; read its verdict.",
    "VERSION": __version__,
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "TAGS": [
        {"name": "interactions", "description": "Send runs and read their verdicts."}
    ],
    "SERVE_AUTHENTICATION": [],
    "POSTPROCESSING_HOOKS": [
        "verifyhub.verification.api.schemas.add_components",
        "verifyhub.common.api_schema.add_shared",
        "verifyhub.common.api_strictness.require_bodies",
        "verifyhub.config.api_examples.add_examples",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
}

# Celery's settings are in `celery_settings`; the broker also has the rate counters.
CELERY_BROKER_URL = celery_settings.broker_url
# The server of rate counters and shared sums (Redis protocol); empty: none.
COUNTERS_URL = celery_settings.counters_url
# The niceness of workers (nice(1)): with 5 they get a third of the web server's share
# of a core, with 19 hardly anything.
WORKER_NICENESS = env.integer("VERIFYHUB_WORKER_NICENESS", 5)

DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_CELERY_DEFAULT_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
configure_structlog()
LOGGING = json_logging(env.text("VERIFYHUB_LOG_LEVEL", "INFO"), mask_event)

# The mail server for alerts and weekly reports; without a host none is sent.
EMAIL_HOST = env.text("VERIFYHUB_EMAIL_HOST", "")
EMAIL_PORT = env.integer("VERIFYHUB_EMAIL_PORT", 587, minimum=1)
EMAIL_HOST_USER = env.text("VERIFYHUB_EMAIL_USER", "")
EMAIL_HOST_PASSWORD = env.text("VERIFYHUB_EMAIL_PASSWORD", "")
_EMAIL_SECURITY = env.choice("VERIFYHUB_EMAIL_SECURITY", EmailSecurity.STARTTLS)
EMAIL_USE_TLS = _EMAIL_SECURITY is EmailSecurity.STARTTLS
EMAIL_USE_SSL = _EMAIL_SECURITY is EmailSecurity.TLS
EMAIL_TIMEOUT = 20
# The host in the Message-ID of e-mails.
MAIL_DOMAIN = urlsplit(ROOT_URL).hostname or "localhost"
DEFAULT_FROM_EMAIL = env.text(
    "VERIFYHUB_EMAIL_FROM", f"VerifyHub <verifyhub@{MAIL_DOMAIN}>"
)

# Created by `manage.py bootstrap` at the first start.
INIT_PROJECT = env.text("VERIFYHUB_INIT_PROJECT", "Main")
INIT_USER = env.text("VERIFYHUB_INIT_USER", "admin")
INIT_PASSWORD = env.text("VERIFYHUB_INIT_PASSWORD", "")
INIT_API_KEY = env.text("VERIFYHUB_INIT_API_KEY", "")
