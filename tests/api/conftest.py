import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give each operation that Schemathesis tests an id of its own.

    pytest takes it from the function, which they share: workers would run one of all.
    """
    operation = getattr(item, "operation_label", None)
    if operation and item.id.params is None:
        item._id = item.id.with_params(operation)
