"""Names of Python packages: published, canonical and imported.

By PEP 503, `Flask_Login`, `flask.login` and `flask-login` are the same name. A package
may be imported under another name; the well-known ones are listed here.
"""

import re

_SEPARATORS = re.compile(r"[-_.]+")
# The published name and the import name (PyPI, each project's own page).
_IMPORTED = """
attrs attr|beautifulsoup4 bs4|biopython Bio|boto3-stubs mypy_boto3|dnspython dns
|django-cors-headers corsheaders|django-environ environ|django-filter django_filters
|django-rest-framework rest_framework|djangorestframework rest_framework
|djangorestframework-simplejwt rest_framework_simplejwt|faiss-cpu faiss
|faiss-gpu faiss|gitpython git|google-api-python-client googleapiclient
|google-cloud-storage google|google-generativeai google|grpcio grpc
|kubernetes-client kubernetes|mysqlclient MySQLdb|msgpack-python msgpack
|opencv-contrib-python cv2|opencv-python cv2|opencv-python-headless cv2
|paho-mqtt paho|pillow PIL|protobuf google|psycopg2-binary psycopg2
|psycopg-binary psycopg|py-cpuinfo cpuinfo|pycryptodome Crypto|pygithub github
|pyjwt jwt|pymupdf fitz|pynacl nacl|pyopenssl OpenSSL|pyserial serial
|python-dateutil dateutil|python-docx docx|python-dotenv dotenv|python-gnupg gnupg
|python-jose jose|python-ldap ldap|python-magic magic|python-multipart multipart
|python-pptx pptx|python-slugify slugify|python-telegram-bot telegram|pywin32 win32api
|pyyaml yaml|pyzmq zmq|rapidfuzz rapidfuzz|ruamel-yaml ruamel|scikit-image skimage
|scikit-learn sklearn|setuptools pkg_resources|sentry-sdk sentry_sdk
|typing-extensions typing_extensions|websocket-client websocket
"""
_BY_IMPORT: dict[str, set[str]] = {}
for _published, _, _module in (row.partition(" ") for row in _IMPORTED.split("|")):
    _BY_IMPORT.setdefault(_module.strip(), set()).add(_published.strip())


def canonical(name: str) -> str:
    """Return the canonical form of a package's name, the same for all spellings."""
    return _SEPARATORS.sub("-", name).lower()


def published_names(module: str) -> frozenset[str]:
    """Return the canonical names of the packages that may contain a module."""
    return frozenset({canonical(module)} | _BY_IMPORT.get(module, set()))
