"""The verb models."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Dict, NoReturn, Optional, cast

from plimsoll import asking
from plimsoll.answers.models import Models


def models(
    *,
    language: Optional[bool] = None,
    **unknown: NoReturn,
) -> Models:
    """The networks that are built in.

    language: list the networks from Hugging Face transformers, by family, instead

    Returns Models; other forms of the question return LanguageModels. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {"language": language}
    return cast(Models, asking.ask("models", None, None, fields, unknown))
