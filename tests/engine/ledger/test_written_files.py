"""Whether an output shows a file that the agent wrote."""

import re

from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.ledger.written import WrittenFiles

FILE_NAME = re.compile(r"[\w-]++(?:\.[\w-]++)++")
names = st.text("ab.-x", min_size=1, max_size=5)
texts = st.text("ab.-x/ \né\ud800", max_size=40)


@given(written=st.lists(names, max_size=60), output=texts)
def test_many_written_files_are_found_as_whole_names_only(written, output):
    files = WrittenFiles()
    for name in written:
        files.add([name])

    shown = files.shown((), output)

    assert shown == any(name in written for name in FILE_NAME.findall(output))


def test_a_written_name_that_is_no_file_name_counts_where_it_is_given():
    files = WrittenFiles()
    files.add(["Makefile"])

    assert files.shown(["Makefile"], "")
    assert not files.shown([], "Makefile")
