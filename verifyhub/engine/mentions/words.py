"""The words that distinguish kinds of names: extensions, kind nouns."""

from verifyhub.engine.text.tokens import word_set

EXTENSIONS = word_set(
    """
    adb adoc ads asc asm aspx astro avif avsc awk bak bash bat bazel bicep bmp
    bzl c cabal cc cfg cjs clj cljs cmake cmd coffee conf config cpp cppm cql
    crt cs cshtml csproj css csv csx cts cu cue cxx dart db dbt ddl deb diff dll
    dmg doc docx ejs elm eot erb erl ex exe exs f90 f95 feature fish fs fsproj
    ftl gemspec gif glsl go gql gradle graphql groovy gyp gypi gz h haml hbs hcl
    hh hpp hrl hs htm html hurl hxx ico idl iml ini inl ipp ipynb j2 jar java
    jinja jinja2 jks jl jpeg jpg js json json5 jsonc jsonl jsonnet jsp jsx kdl
    kt kts less lhs lib libsonnet liquid lock log lua m4 mako map markdown md
    mdc mdx mjs mk ml mli mm mod mojo mp3 mp4 mts mustache nim nix njk njs npmrc
    nvmrc o opam org orig otf out parquet patch pb pcss pdf pem php pkl pl plist
    pm png po pot prisma properties proto ps1 psd1 psm1 pug purs pxd pxi py pyc
    pyi pyx qml r rake rb rdb rds rego rei rej res resx rkt rkyv rmd rpm rs rss
    rst s sass sbt scala scm scss sh sha256 sln snap so sol spec sql sqlite
    sqlite3 sqlproj srt storyboard styl sum sv svelte svg svh swift tar tcc tcl
    template tex tf tfstate tfvars tgz thrift tla tmp tmpl toml tpl tres ts
    tsbuildinfo tscn tsv tsx ttf twig txt v vala vb vbproj vbs vcxproj vert vhd
    vhdl vim vue wasm wat webm webp wgsl whl woff woff2 xaml xcconfig xcodeproj
    xhtml xib xlsx xml xsd xsl xz yaml yang yml zig zip zsh zst
    """
)

# `process.env`, `console.log`: only by its letters an extension.
NOT_A_STEM = word_set(
    """
    process console logger log math os sys self this np pd e i re db app req res
    ctx window document cls super import.meta meta slog zap request response
    """
)
CODE_LIKE_EXTENSIONS = word_set("log out config map spec lib template s o v res env db")

BARE_FILES = word_set(
    """
    makefile dockerfile containerfile license licence readme changelog
    contributing procfile gemfile rakefile jenkinsfile vagrantfile brewfile
    justfile codeowners pipfile cmakelists build workspace tiltfile caddyfile
    notice authors
    """
)

# Those of them that no sentence contains as an ordinary word.
FILES_IN_PROSE = word_set(
    """
    Makefile Dockerfile Containerfile Procfile Gemfile Rakefile Jenkinsfile
    Vagrantfile Brewfile Justfile CODEOWNERS Pipfile Tiltfile Caddyfile
    """
)

# The kind of a word in backticks that is only a word of a language or a format.
PLAIN = word_set(
    """
    true false null none nil undefined void int str string bool boolean float
    number object array list dict map set any unknown never self this super
    return async await const let var func function def class struct interface
    type enum import export from if else for while switch case default try catch
    finally throw new delete public private static final yes no on off main
    master head origin upstream ok error stdin stdout stderr get post put patch
    todo
    """
)

BRANDS = word_set(
    """
    github gitlab bitbucket javascript typescript opencode openai chatgpt claude
    macos ios ipados iphone youtube linkedin postgresql mysql mongodb graphql
    fastapi nodejs nextjs vuejs reactjs devops webassembly wordpress
    stackoverflow powershell openhands langchain llamaindex huggingface pytorch
    tensorflow numpy intellij vscode pycharm webstorm docusaurus cloudflare
    digitalocean readme changelog javadoc oauth openapi websocket websockets
    webhooks restful json yaml latex pypi jetbrains elasticsearch rabbitmq
    clickhouse dynamodb bigquery mariadb sqlite
    """
)

KIND_NOUNS = {
    "package": (
        "package packages dependency dependencies library libraries crate crates gem"
        " gems"
        " пакет пакета пакеты пакетов пакете библиотека библиотеки библиотеку"
        " зависимость зависимости зависимостей модуль модули"
        " paquet paquets dépendance dépendances bibliothèque bibliothèques"
        " paket pakete pakets abhängigkeit abhängigkeiten bibliothek bibliotheken"
        " paquete paquetes dependencia dependencias biblioteca bibliotecas librería"
    ),
    "class": (
        "class classes struct structs interface interfaces type component enum"
        " класс класса классы структура интерфейс classe klasse clase interfaz"
    ),
    "function": (
        "function functions method methods helper hook test tests handler"
        " функция функции функцию метод метода методы fonction méthode funktion"
        " methode función método"
    ),
}
NOUN_KIND = {word: kind for kind, words in KIND_NOUNS.items() for word in words.split()}

# Words after which every name of a list is a package: `Dependencies: a, b and c`.
PACKAGE_LISTS = word_set(
    """packages dependencies libraries crates gems пакеты пакетов библиотеки зависимости
    зависимостей paquets dépendances bibliothèques pakete abhängigkeiten bibliotheken
    paquetes dependencias bibliotecas"""
)
