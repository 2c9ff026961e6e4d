"""The verb models."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Dict, NoReturn, cast

from plimsoll import asking
from plimsoll.answers.models import Models


def models(
    **unknown: NoReturn,
) -> Models:
    """The networks that are built in.


    Returns Models. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {}
    return cast(Models, asking.ask("models", None, None, fields, unknown))
