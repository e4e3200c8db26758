"""Wordings that report finished work, and wordings that only look like it."""

import pytest

from tests.engine.completion.builders import edit, statuses
from verifyhub.engine.completion.claims import find_claims
from verifyhub.engine.completion.languages.english_results import find_results
from verifyhub.engine.completion.segments import sentences

REPORTS = {
    "en": """
All 42 unit tests pass.
The full test suite is green.
Tests pass locally.
pytest reports 12 passed.
I've verified the build succeeds.
Everything compiles and the tests pass.
I ran the linter and it reports no errors.
Linting passes with zero warnings.
`npm run build` completes successfully.
`cargo clippy` is clean.
Ran `go vet ./...` with no findings.
I have created the migration file.
Created `src/app.ts` with the new handler.
- Added a `retry` parameter to `fetch()`.
- **Fixed** the off-by-one in `parse_range`.
The bug has been fixed.
Fixed! The parser now handles empty input.
Done. I updated the README.
I've gone ahead and removed the old config.
Both files have been updated.
I deleted `old.py`.
The stale cache directory was removed.
Renamed `foo` to `bar` throughout the codebase.
I committed the changes as `abc1234`.
Changes have been committed and pushed to `origin/main`.
Pushed the branch.
The new assertion is committed as `a41c9e2`.
Everything above went in as one commit on the branch.
A test that shows the hang is pushed to the release branch.
I asked @maria for a review.
Confirmed by running the cancel test twice.
`moment` is now out of `package.json`.
Those pass.
Existing tests still pass unchanged.
All changes staged.
I opened a pull request.
PR #42 has been created.
I sent the email to the customer.
I've emailed the report to finance.
The release has been tagged as v1.2.0.
I installed `requests` and `rich`.
Dependencies have been installed.
I restarted the server.
I've deployed the app to staging.
The database migration ran successfully.
I ran the benchmark three times.
Type checking passes too.
`mypy --strict` gives no errors.
TypeScript compiles without errors.
No type errors remain.
No ruff errors.
PHPUnit is green: 33 tests, 80 assertions.
golangci-lint found nothing.
Markdownlint passes.
Production build works.
No regressions: the full suite passes.
pytest: OK (10 tests)
Ran the tests, all good.
Lint passes; 2 of 30 tests fail.
I reverted the change to `index.js`.
I double-checked by running the tests again; they all pass.
After the change, all tests are passing.
All checks pass.
CI is green.
The tests I added pass.
3 tests were added and all of them pass.
Test suite: 120 passed, 0 failed.
✅ All tests passing
Build: ✅
Refactored the auth module into three smaller files.
I've also added tests covering the edge cases.
I moved the helper into `utils.py`.
The function now returns early, and I've added a test for that.
I formatted the code with black.
The code has been formatted with `prettier`.
The config was written to `settings.json`.
I generated the docs.
Implementation is complete and all tests pass.
Your refund has been processed.
The ticket was closed.
I replied to the review comments.
Successfully installed the package.
Verified with `pytest`: all green.
I was able to fix the issue.
I successfully ran the migrations.
We now pass every test in the suite.
The failing test now passes.
`test_foo` passes now.
I've updated `a.py`, `b.py` and `c.py`.
Wrote the summary to `report.md`.
The implementation is done: 18 tests green, lint clean.
- `src/parser.py`: added handling of nested quotes
- Updated: `docs/index.md`
1. **Removed dead code** from `core/loader.ts`
| Tests | ✅ 53 passed |
| Build | passes |
What I did: replaced the polling loop with an event.
Summary of changes: introduced `RetryPolicy`, dropped `sleep()`.
I've now run `pytest tests/unit -q` and everything passes.
Full run: 311 passed, 2 skipped.
Verified: `go test ./...` passes.
`make check` exits 0.
The suite (204 tests) passes.
All 8 test files pass.
All green.
I confirmed that the linter is clean.
ESLint: no errors.
`ruff check .` → All checks passed.
Tests: 12/12 passing.
Regenerated the lock file with `npm install`.
Bumped the version to 2.4.1.
I squashed the commits and force-pushed.
Committed as `1a2b3c4`.
PR is up: https://github.com/a/b/pull/3
I posted a comment on the issue.
I've notified the team on Slack.
Ran the seed script; 300 rows inserted.
I wrote three new tests for the parser and they pass.
Both the type check and the build succeed.
With the fix in place the whole suite passes.
The typo in the heading is fixed now.
This is now fixed.
I've cleaned up the temporary files.
I reproduced the bug and then fixed it in `handlers.go`.
The old endpoint is gone: I deleted `legacy.py`.
I set `DEBUG=false` in `.env`.
I've configured the pre-commit hook.
I changed the default timeout from 30 to 60 seconds.
I verified the change in the browser.
No lint errors.
The project builds.
Everything passes now.
I double checked and the tests are still passing.
I also ran prettier over the changed files.
Tested locally with Node 20.
I was able to run the tests successfully.
The tests all passed on the first try.
""",
    "ru": """
Все тесты проходят.
Я запустил тесты, все прошли.
Создал файл `a.py`.
Файл удалён.
Ошибка исправлена.
Изменения закоммичены и отправлены в origin.
Я обновил README и добавил тесты.
Сборка прошла успешно.
Линтер не выдаёт ошибок.
Установил зависимость `requests`.
Письмо отправлено клиенту.
Готово: функция переименована.
Прогнал весь набор тестов — 42 пройдено, 0 упало.
Типы проверены, ошибок нет.
Добавлена проверка на пустую строку.
""",
    "fr": """
Tous les tests passent.
J'ai lancé les tests et ils passent tous.
J'ai créé le fichier `a.py`.
Le fichier a été supprimé.
Le bug est corrigé.
Les modifications ont été commitées et poussées.
J'ai mis à jour le README et ajouté des tests.
La compilation a réussi.
Le linter ne signale aucune erreur.
J'ai installé la dépendance `requests`.
L'e-mail a été envoyé au client.
La fonction a été renommée.
J'ai exécuté toute la suite : 42 tests réussis, 0 échec.
J'ai déployé l'application en préproduction.
La pull request est ouverte.
""",
    "de": """
Alle Tests laufen durch.
Ich habe die Tests ausgeführt, alle sind grün.
Ich habe die Datei `a.py` erstellt.
Die Datei wurde gelöscht.
Der Fehler ist behoben.
Die Änderungen wurden committet und gepusht.
Ich habe die README aktualisiert und Tests ergänzt.
Der Build war erfolgreich.
Der Linter meldet keine Fehler.
Ich habe die Abhängigkeit `requests` installiert.
Die E-Mail wurde an den Kunden gesendet.
Die Funktion wurde umbenannt.
Ich habe die ganze Testsuite laufen lassen: 42 bestanden, 0 fehlgeschlagen.
Die Anwendung ist auf Staging deployt.
Der Pull Request ist erstellt.
""",
    "es": """
Todas las pruebas pasan.
Ejecuté las pruebas y todas pasaron.
He creado el archivo `a.py`.
El archivo fue eliminado.
El error está corregido.
Los cambios se han confirmado y subido a origin.
Actualicé el README y añadí pruebas.
La compilación terminó sin errores.
El linter no reporta errores.
Instalé la dependencia `requests`.
El correo fue enviado al cliente.
La función ha sido renombrada.
He ejecutado toda la suite: 42 pruebas superadas, 0 fallidas.
He desplegado la aplicación en staging.
La pull request está abierta.
""",
}
NO_REPORTS = {
    "en": """
You can run the tests with `pytest`.
If the tests pass, we can merge.
I will create a migration file next.
Next step: update the README.
Should I delete the old file?
Once the build succeeds, deploy it.
The function created a new list each time it was called.
The user said that all tests pass.
The previous commit removed this check.
This was fixed in version 2.3.
The tests would pass if the fixture existed.
I could not run the tests.
I haven't pushed anything.
I did not modify `app.py`.
Tests were not run.
I was unable to install the dependency.
Make sure that all tests pass before merging.
The build fails with an error.
2 tests failed.
To fix this, add a null check.
The parser should be updated to handle this.
`createUser` is called when the form is submitted.
The file is created by the installer at startup.
When the cache was deleted, the server restarted.
Let me know if you want me to commit this.
I'd recommend running the full suite.
The commit message says "Fixed the bug".
Ideally the tests pass on every platform.
It looks like the maintainers removed the flag in v3.
The PR description claims the build is green.
The old handler was removed upstream last year.
Each time a user is deleted, a hook is fired.
The code path is only executed when debugging.
Want me to push it?
Before merging, ensure the linter is happy.
The email is sent by the worker.
Nothing was changed.
No files were modified.
Some tests still fail.
All but two tests pass.
The tests pass or fail depending on the time zone.
This lets us verify that tests pass.
The system would have created a duplicate.
The plan: create the file, run the tests, commit.
Here's what I would do: update the schema.
Tests that pass on Linux may fail on Windows.
A pull request was opened by @alice.
The record gets updated on every save.
CI passes when the token is set.
How are tests run here?
The tests are expected to pass after this change.
I tried to fix the bug but the test still fails.
The function has been deprecated since 1.4.
Users who deleted their account see this page.
I was about to delete the file.
I have not yet committed the changes.
I can create the file for you.
Files that were renamed are listed below.
Changes not committed: `a.py`.
The test suite covers the added branch.
Modified files are shown in yellow.
The dependencies installed by default are listed in `setup.py`.
Please confirm that the tests pass on your side.
The issue was introduced in commit abc1234 when the guard was removed.
The hook ran before the env was loaded, which is why it failed.
The log shows that the server was restarted at 10:00.
According to the docs, the cache is cleared on restart.
`git status` shows the file was deleted.
The last person who edited this file forgot to update the tests.
It's unclear if the tests passed.
Assuming the migration ran, the column exists.
It was added in 2019.
Tests: not run (no Docker available).
You'll need to run `npm install` first.
The tests did not pass before my change.
I would expect the tests to pass.
Should pass once CI picks it up.
None of the tests were executed.
The build has not been verified.
Running the tests requires a database, which isn't available here.
`deleteUser()` deleted the wrong rows because the filter was missing.
The cache is updated whenever a write happens.
What changed: the API now returns 404 (see upstream release notes).
If you'd like, I can also add tests.
The reason the tests pass locally but fail in CI is the time zone.
Tests pass on `main` but fail on this branch.
Only 3 of 10 tests pass.
I attempted to push but was rejected.
The push was rejected.
I started to write the tests but ran out of time.
I have left the old file in place.
Do not delete the file until the tests pass.
Please run the linter to confirm that it is clean.
The README claims that all tests pass.
In the original code, the value was cached and then deleted.
A file was created if it did not exist.
It returns `true` when the tests pass.
Your colleague merged the branch yesterday.
The error says the package was not installed.
Whether the tests pass is unknown.
I don't know whether the build passes.
My plan is to have all tests passing by the end.
Goal: all tests green.
Acceptance: lint is clean, tests pass.
The function was written by a contributor.
`npm test` fails with exit code 1.
The old tests passed because they mocked the database.
That is why the file was deleted.
The bot replied to the comment.
Users are notified by e-mail when the order is shipped.
No changes have been made yet.
This would have fixed the bug.
The tests need to be updated.
Unfixed: the flaky test in `test_net.py`.
The CI workflow runs the tests after the build passes.
The record was saved to the database by the trigger.
The value has been cached since startup.
The server has been restarted by systemd.
You have deleted `a.py`; shall I restore it?
""",
    "ru": """
Запустите тесты командой `pytest`.
Если тесты проходят, можно сливать.
Я создам файл позже.
Нужно обновить README.
Хотите, чтобы я удалил файл?
Я не запускал тесты.
Тесты не прошли.
Файл создаётся при запуске.
Эта ошибка была исправлена в версии 2.0.
Пользователь написал, что тесты проходят.
Сборка падает с ошибкой.
Затем добавьте проверку.
Предлагаю удалить старый код.
Функция была удалена мейнтейнером год назад.
Я бы обновил зависимости.
""",
    "fr": """
Lancez les tests avec `pytest`.
Si les tests passent, on peut fusionner.
Je vais créer le fichier.
Il faut mettre à jour le README.
Voulez-vous que je supprime le fichier ?
Je n'ai pas lancé les tests.
Les tests ne passent pas.
Le fichier est créé au démarrage.
Ce bug a été corrigé dans la version 2.0.
L'utilisateur dit que les tests passent.
La compilation échoue.
Ensuite, ajoutez une vérification.
Je propose de supprimer l'ancien code.
La fonction a été supprimée par le mainteneur l'an dernier.
Je pourrais mettre à jour les dépendances.
""",
    "de": """
Führen Sie die Tests mit `pytest` aus.
Wenn die Tests laufen, können wir mergen.
Ich werde die Datei erstellen.
Die README muss aktualisiert werden.
Soll ich die Datei löschen?
Ich habe die Tests nicht ausgeführt.
Die Tests schlagen fehl.
Die Datei wird beim Start erstellt.
Dieser Fehler wurde in Version 2.0 behoben.
Der Nutzer sagt, dass alle Tests laufen.
Der Build schlägt fehl.
Fügen Sie danach eine Prüfung hinzu.
Ich schlage vor, den alten Code zu löschen.
Die Funktion wurde letztes Jahr vom Maintainer entfernt.
Ich könnte die Abhängigkeiten aktualisieren.
""",
    "es": """
Ejecuta las pruebas con `pytest`.
Si las pruebas pasan, podemos fusionar.
Voy a crear el archivo.
Hay que actualizar el README.
¿Quieres que elimine el archivo?
No ejecuté las pruebas.
Las pruebas no pasan.
El archivo se crea al iniciar.
Este error fue corregido en la versión 2.0.
El usuario dice que las pruebas pasan.
La compilación falla.
Después, añade una comprobación.
Propongo eliminar el código antiguo.
La función fue eliminada por el mantenedor el año pasado.
Podría actualizar las dependencias.
""",
}


def _sentences(by_language):
    return [
        pytest.param(sentence, id=f"{language}-{number}")
        for language, block in by_language.items()
        for number, sentence in enumerate(block.strip().splitlines())
    ]


@pytest.mark.parametrize("sentence", _sentences(REPORTS))
def test_a_report_of_finished_work_is_a_claim(sentence):
    assert list(find_claims(sentences(sentence)))


@pytest.mark.parametrize("sentence", _sentences(NO_REPORTS))
def test_plans_conditions_quotes_and_other_peoples_work_are_no_claims(sentence):
    found = find_claims(sentences(sentence))

    assert not [claim for claim in found if not claim.state]
    assert not statuses(sentence, edit("a.py"))


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("all tests pass.", "tests"),
        ("the checks succeeded.", "tests"),
        ("the suite is green.", "tests"),
        ("tests ✅", "tests"),
        ("the tests ran with 0 failures.", "tests"),
        ("it now passes all tests.", "tests"),
        ("12 passed.", "tests"),
        ("the linter is happy.", "lint"),
        ("ruff reports no issues.", "lint"),
        ("there are no lint warnings.", "lint"),
        ("mypy found no problems.", "typecheck"),
        ("there are no type errors.", "typecheck"),
        ("the formatter shows no complaints.", "format"),
        ("the build is clean.", "build"),
        ("the bundle has no violations.", "build"),
        ("it compiles fine.", "build"),
        ("it compiled again.", "build"),
        ("it was built successfully.", "build"),
        ("everything builds.", "build"),
        ("\ue000\ue000 ran cleanly.", "run"),
        ("\ue000\ue000 runs fine.", "run"),
        ("\ue000\ue000 gives 3 pass", "run"),
        ("\ue000\ue000 gave no output", "run"),
        ("\ue000\ue000 reported 0 lines", "run"),
        ("\ue000\ue000 shows no diff", "run"),
        ("\ue000\ue000 prints no line", "run"),
        ("\ue000\ue000 says no ", "run"),
        ("\ue000\ue000 completes without trouble", "run"),
        ("\ue000\ue000 exits 0", "run"),
        ("\ue000\ue000 finished and ", "run"),
        ("\ue000\ue000: 0 errors", "run"),
    ],
)
def test_every_way_to_say_that_something_went_well_is_read(sentence, kind):
    assert kind in {str(found.kind) for found in find_results(sentence)}
